"""When a folder could not be listed, what that says: of the folder, or only of the machine at this moment."""

from __future__ import annotations

import errno

from loader.errors import LoaderError

# The machine's trouble, not the folder's: asked again later, the answer is another one. No entry can bring it about.
_PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class NotListed(LoaderError):
    """What lies on the disk cannot be told at present. Nothing may be concluded from it; try again."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(
            f"{path} cannot be read at present: {error.strerror or error}. Nothing was changed; try again."
        )


def raise_if_passing(path: str, error: OSError) -> None:
    """Raises NotListed where the error says nothing of what ``path`` holds. Other errors are left to the caller."""
    if error.errno in _PASSING:
        raise NotListed(path, error) from error
