"""Pages without code: three of them, and one thing a person can change. The host draws, this only answers.

The weather is made up from the date, so that the example needs no network and no key.
"""

from datetime import date, timedelta
from math import cos, pi
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, StringConstraints

router = APIRouter()

DAYS = 7
SKIES = ("Clear", "Fair", "Cloudy", "Rain", "Storm")
TONES = ("SUCCESS", "INFO", "NEUTRAL", "INFO", "WARNING")


class Alerts(BaseModel):
    city: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80)] = "Bergen"
    storms: bool = True


class Value(BaseModel):
    """One typed value of a page's state."""

    type: Literal["string", "boolean", "number", "null"]
    value: Any = None


class Sent(BaseModel):
    """What a host sends with a press: the action's arguments and the whole state of the page."""

    arguments: dict[str, Value] = {}
    state: dict[str, Value] = {}


# In memory: the example forgets with the process.
_alerts = Alerts()
_revision = 1


def sky(day: date) -> int:
    return (day.toordinal() * 7 // 3) % len(SKIES)


def degrees(day: date) -> int:
    return round(9 - 11 * cos(2 * pi * day.timetuple().tm_yday / 365)) + day.toordinal() % 3


def literal(text: str) -> dict[str, Any]:
    return {"type": "literal", "value": text}


def page(name: str, title: str, content: dict[str, Any], state: dict[str, Any] | None = None) -> dict[str, Any]:
    """A document of one page; the revision lets a host keep what a person is typing over a poll."""
    return {
        "schemaVersion": 1,
        "host_revision": date.today().toordinal() * 1000 + _revision % 1000,  # noqa: DTZ011 - a person's own day
        "initialState": state or {},
        "pages": [{"id": name, "title": literal(title), "content": content}],
    }


@router.get("/mobile/manifest")
async def manifest() -> dict[str, Any]:
    pages = (("today", "Today"), ("week", "This week"), ("alerts", "Alerts"))
    return {
        "schema_version": 1,
        "id": "weather-pages",
        "display_name": "Weather",
        "description": "Made up from the date, for everybody.",
        "min_host_api": 1,
        "updates": {"poll_seconds": 60},
        "requested_capabilities": [{"id": "plugin.api.write", "reason": "Save what to warn of."}],
        "contributions": [
            {"id": name, "surface": "page", "title": title, "document": {"path": f"mobile/pages/{name}"}}
            for name, title in pages
        ],
    }


@router.get("/mobile/pages/today")
async def today() -> dict[str, Any]:
    day = date.today()  # noqa: DTZ011
    kind = sky(day)
    children: list[dict[str, Any]] = [
        {"type": "text", "id": "degrees", "style": "HEADLINE", "text": literal(f"{degrees(day)} °C")},
        {"type": "badge", "id": "sky", "tone": TONES[kind], "text": literal(SKIES[kind])},
        {"type": "progress", "id": "rain", "valueBinding": "rain", "label": literal("Chance of rain")},
        {
            "type": "badge",
            "id": "storm",
            "tone": "DANGER",
            "text": literal(f"Storm in {_alerts.city or 'your city'}"),
            "visibleWhen": {"type": "all", "conditions": [{"type": "truthy", "key": k} for k in ("storm", "warned")]},
            "animation": {"enter": "SLIDE_VERTICAL"},
        },
        {
            "type": "button",
            "id": "again",
            "style": "SECONDARY",
            "label": literal("Look again"),
            "action": {"id": "again", "request": {"method": "GET", "path": "mobile/pages/today"}},
        },
    ]
    state = {
        "rain": {"type": "number", "value": kind / (len(SKIES) - 1)},
        "storm": {"type": "boolean", "value": SKIES[kind] == "Storm"},
        "warned": {"type": "boolean", "value": _alerts.storms},
    }
    card = {"type": "card", "id": "card", "child": {"type": "group", "id": "now", "children": children}}
    return page("today", _alerts.city or "Today", card, state)


@router.get("/mobile/pages/week")
async def week() -> dict[str, Any]:
    days = [date.today() + timedelta(days=n) for n in range(DAYS)]  # noqa: DTZ011
    rows: list[dict[str, Any]] = [
        {
            "type": "group",
            "id": f"day-{n}",
            "direction": "ROW",
            "children": [
                {"type": "text", "id": f"name-{n}", "text": literal(f"{day:%A}, {degrees(day)} °C")},
                {"type": "badge", "id": f"sky-{n}", "tone": TONES[sky(day)], "text": literal(SKIES[sky(day)])},
            ],
        }
        for n, day in enumerate(days)
    ]
    return page("week", "This week", {"type": "group", "id": "days", "spacing": "SMALL", "children": rows})


@router.get("/mobile/pages/alerts")
async def alerts() -> dict[str, Any]:
    fields: list[dict[str, Any]] = [
        {"type": "text_input", "id": "city", "binding": "city", "maxLength": 80, "label": literal("City")},
        {"type": "toggle", "id": "storms", "binding": "storms", "label": literal("Warn me about storms")},
        {
            "type": "button",
            "id": "save",
            "label": literal("Save"),
            "enabledWhen": {"type": "truthy", "key": "city"},
            "action": {
                "id": "save",
                "confirmation": literal("Replace the saved alerts?"),
                "request": {"method": "POST", "path": "mobile/alerts"},
            },
        },
    ]
    state = {
        "city": {"type": "string", "value": _alerts.city},
        "storms": {"type": "boolean", "value": _alerts.storms},
    }
    form = {"type": "card", "id": "form", "child": {"type": "group", "id": "fields", "children": fields}}
    return page("alerts", "Alerts", form, state)


@router.post("/mobile/alerts")
async def save_alerts(sent: Sent) -> dict[str, Any]:
    """Keeps what a person typed; 422 for what does not fit."""
    global _alerts, _revision
    city, storms = sent.state.get("city"), sent.state.get("storms")
    try:
        _alerts = Alerts(city=city.value if city else "", storms=storms.value if storms else False)
    except ValueError:
        raise HTTPException(422, "a city of at most 80 letters, and whether to warn") from None
    _revision += 1
    return {"ok": True}


@router.get("/today")
async def now() -> dict[str, Any]:
    """The same in a line, for the desktop half."""
    day = date.today()  # noqa: DTZ011
    return {"city": _alerts.city, "sky": SKIES[sky(day)], "degrees": degrees(day)}
