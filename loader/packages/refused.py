"""The refusals of this layer: what was brought is not what may be installed, or not what was looked at."""

from __future__ import annotations

from loader.errors import LoaderError, UsageError

INVALID = "INVALID"


class Invalid(UsageError):
    """Refused as a whole, before anything is installed. ``member`` is the name in the archive, as it stands there."""

    code = INVALID

    def __init__(self, reason: str, member: str | None = None) -> None:
        self.reason = reason
        self.member = member
        super().__init__(f"{INVALID}: {shown(member)}: {reason}" if member is not None else f"{INVALID}: {reason}")


class NotInstalled(UsageError):
    """No package of that id was installed by this program."""


class Changed(LoaderError):
    """It is no longer what was looked at: look again, and ask anew."""


def shown(name: str, limit: int = 120) -> str:
    """A member's name for one line: quoted, control characters as escapes, cut to ``limit`` letters."""
    text = name if name.isprintable() else name.encode("unicode_escape", "surrogatepass").decode("ascii")
    return f"'{text}'" if len(text) <= limit else f"'{text[: limit - 1]}…'"
