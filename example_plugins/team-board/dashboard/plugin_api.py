"""The board's backend: mounted by Hermes under /api/plugins/team-board once the user enables the package."""

from itertools import count
from typing import Annotated

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, StringConstraints

router = APIRouter()

MOST_CARDS = 200

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]


class NewCard(BaseModel):
    title: Title


class Card(NewCard):
    id: int
    done: bool = False


class Cards(BaseModel):
    cards: list[Card]


# In memory: the board is an example, and forgets with the process.
_cards: dict[int, Card] = {}
_ids = count(1)


@router.get("/cards")
def list_cards() -> Cards:
    """All cards, oldest first."""
    return Cards(cards=list(_cards.values()))


@router.post("/cards", status_code=201)
def add_card(card: NewCard) -> Card:
    """A new card at the end; 409 when the board is full."""
    if len(_cards) >= MOST_CARDS:
        raise HTTPException(409, f"the board is full: {MOST_CARDS} cards")
    made = Card(id=next(_ids), title=card.title)
    _cards[made.id] = made
    return made


@router.put("/cards/{card_id}/done")
def set_done(card_id: int, done: bool = True) -> Card:
    """Tick a card off, or take the tick back; 404 for a card that is gone."""
    if card_id not in _cards:
        raise HTTPException(404, "no such card")
    _cards[card_id] = _cards[card_id].model_copy(update={"done": done})
    return _cards[card_id]
