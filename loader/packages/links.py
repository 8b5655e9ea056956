"""Install links: ``hermes://plugin/install?repo=…``. Parsing only: a link never installs anything by itself. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from loader.errors import UsageError
from loader.packages.refused import shown

SCHEMES = ("hermes", "hermes-dev")
# The older two open the same dialog in the app.
KINDS = ("plugin", "plugin-agent", "plugin-desktop")

_LIMIT_LETTERS = 2048
_HOW = "A link reads hermes://plugin/install?repo=owner/repo, with &enable=1 and &force=1 if wanted."


@dataclass(frozen=True, slots=True)
class Link:
    """``repo`` is decoded but not understood yet. ``enable`` asks for the agent half to be turned on, ``force`` for
    what is installed to be replaced: both are wishes of whoever wrote the link, never a person's word."""

    kind: str
    repo: str
    enable: bool = False
    force: bool = False


def is_link(text: str) -> bool:
    return text.partition(":")[0].casefold() in SCHEMES and ":" in text


def parse_link(text: str) -> Link:
    """Values other than ``1`` mean no; parameters of later versions are passed over.

    Raises:
        UsageError: it is no such link; says what is wrong with it.
    """
    if len(text) > _LIMIT_LETTERS:
        raise UsageError(f"the link has {len(text)} letters; {_LIMIT_LETTERS} are read.")
    if not text.isprintable():
        raise UsageError(f"the link {shown(text)} holds control characters.")
    try:
        parts = urlsplit(text)
        fields = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), max_num_fields=20)
    except ValueError as error:
        raise UsageError(f"the link {shown(text)} cannot be read ({error}). {_HOW}") from error
    if parts.scheme not in SCHEMES:
        raise UsageError(f"{shown(text)} is no install link. {_HOW}")
    if parts.netloc not in KINDS:
        raise UsageError(f"the link is about {shown(parts.netloc)}, not about a plugin. {_HOW}")
    if parts.path.rstrip("/") != "/install":
        raise UsageError(f"the link asks for {shown(parts.path)}; only /install is known. {_HOW}")
    values: dict[str, str] = {}
    for key, value in fields:
        if key in values and key in ("repo", "enable", "force"):
            raise UsageError(f"the link says {key} twice.")
        values[key] = value
    repo = values.get("repo", "").strip()
    if not repo or not repo.isprintable():
        raise UsageError(f"the link names no repository. {_HOW}")
    return Link(parts.netloc, repo, values.get("enable") == "1", values.get("force") == "1")
