"""The board's backend: mounted by Hermes under /api/plugins/team-board once the user enables the package."""

import asyncio
from itertools import count
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request, WebSocket, WebSocketDisconnect
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
_listeners: set[asyncio.Event] = set()


def _changed() -> None:
    for listener in _listeners:
        listener.set()


@router.get("/cards")
def list_cards() -> Cards:
    """All cards, oldest first."""
    return Cards(cards=list(_cards.values()))


@router.post("/cards", status_code=201)
async def add_card(card: NewCard) -> Card:
    """A new card at the end; 409 when the board is full."""
    if len(_cards) >= MOST_CARDS:
        raise HTTPException(409, f"the board is full: {MOST_CARDS} cards")
    made = Card(id=next(_ids), title=card.title)
    _cards[made.id] = made
    _changed()
    return made


@router.put("/cards/{card_id}/done")
async def set_done(card_id: int, done: bool = True) -> Card:
    """Tick a card off, or take the tick back; 404 for a card that is gone."""
    if card_id not in _cards:
        raise HTTPException(404, "no such card")
    _cards[card_id] = _cards[card_id].model_copy(update={"done": done})
    _changed()
    return _cards[card_id]


@router.post("/import")
async def import_cards(request: Request) -> Cards:
    """A card for each line of the uploaded text (field ``file``), as many as the board has room for."""
    async with request.form(max_files=1) as form:
        file = form.get("file")
        if file is None or isinstance(file, str):
            raise HTTPException(422, "upload a text as 'file'")
        text = (await file.read(64 * 1024)).decode("utf-8", "replace")
    for line in text.splitlines():
        title = line.strip()[:120]
        if title and len(_cards) < MOST_CARDS:
            made = Card(id=next(_ids), title=title)
            _cards[made.id] = made
    _changed()
    return Cards(cards=list(_cards.values()))


@router.websocket("/events")
async def events(socket: WebSocket) -> None:
    """Says that the board has changed; what it is now, the listener asks."""
    await socket.accept()
    changed = asyncio.Event()
    _listeners.add(changed)
    leaving = asyncio.create_task(socket.receive())
    try:
        while not leaving.done():
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if changed.is_set():
                changed.clear()
                await socket.send_json({"event": "changed", "cards": len(_cards)})
    except (WebSocketDisconnect, RuntimeError):
        pass  # it left while it was being told
    finally:
        _listeners.discard(changed)
        leaving.cancel()
