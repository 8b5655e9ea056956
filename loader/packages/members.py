"""What an archive holds, member by member as it is read: limits, collisions, and the one top folder. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from loader.packages.limits import LIMITS, Limits
from loader.packages.names import Parts, folded, is_left_out, parts_of
from loader.packages.refused import Invalid, shown


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file. ``parts`` are below the top folder; ``name`` is as the archive has it."""

    name: str
    parts: Parts
    size_bytes: int

    @property
    def path(self) -> str:
        return "/".join(self.parts)


@dataclass(frozen=True, slots=True)
class Listing:
    """What would be installed: ``top`` is the one folder that holds all of it. ``left_out`` are names, in order."""

    top: str
    files: tuple[Member, ...]
    left_out: tuple[str, ...]

    @property
    def size_bytes(self) -> int:
        return sum(member.size_bytes for member in self.files)


@dataclass(slots=True)
class Gathering:
    """Takes the members in the archive's order and ends at the first that must not be there.

    ``in_one_folder`` is false for what has no top folder of its own (a tree out of git).
    """

    limits: Limits = LIMITS
    in_one_folder: bool = True
    _files: list[Member] = field(default_factory=list)
    _left_out: list[str] = field(default_factory=list)
    _seen: dict[Parts, tuple[str, bool, Parts]] = field(default_factory=dict)
    _entries: int = 0
    _total_bytes: int = 0
    _top: str | None = None
    # Said at the end only: that there is too much of it matters more.
    _outside: Invalid | None = None

    def folder(self, name: str) -> None:
        """A folder. Raises Invalid, as ``file`` does."""
        self._count(name)
        parts = parts_of(name, self.limits)
        if not parts:
            return
        if is_left_out(parts):
            self._leave_out(name)
            return
        self._inside(name, parts, is_file=False)

    def file(self, name: str, size_bytes: int) -> Parts | None:
        """A regular file; its parts below the top folder, None when it is left out.

        Raises:
            Invalid: its name, its size, or one more file than there may be.
        """
        self._count(name)
        if size_bytes < 0:
            raise Invalid("its size is negative", name)
        if size_bytes > self.limits.file_bytes:
            raise Invalid(f"it has {size_bytes} bytes; a file may have {self.limits.file_bytes}", name)
        self._total_bytes += size_bytes
        if self._total_bytes > self.limits.total_bytes:
            raise Invalid(f"with it the files have more than {self.limits.total_bytes} bytes", name)
        parts = parts_of(name, self.limits)
        if not parts or name.endswith(("/", "/.")):
            raise Invalid("a file has the name of a folder", name)
        if is_left_out(parts):
            self._leave_out(name)
            return None
        inside = self._inside(name, parts, is_file=True)
        if len(self._files) >= self.limits.files:
            raise Invalid(f"there are more than {self.limits.files} files", name)
        self._files.append(Member(name, inside, size_bytes))
        return inside

    def link(self, name: str) -> None:
        """A link that is passed over (never where the archive itself is what is installed)."""
        self._count(name)
        parts_of(name, self.limits)
        self._leave_out(name)

    def done(self) -> Listing:
        """Raises Invalid when there is nothing to install, or something lies outside the one top folder."""
        if self._outside is not None:
            raise self._outside
        if not self._files:
            raise Invalid("it holds no file")
        return Listing(self._top or "", tuple(self._files), tuple(self._left_out))

    def _count(self, name: str) -> None:
        self._entries += 1
        if self._entries > self.limits.entries:
            raise Invalid(f"there are more than {self.limits.entries} entries", name)

    def _leave_out(self, name: str) -> None:
        self._left_out.append(name)

    def _inside(self, name: str, parts: Parts, *, is_file: bool) -> Parts:
        inside = parts
        if self.in_one_folder:
            if is_file and len(parts) == 1:
                self._outside = self._outside or Invalid(
                    "it lies in no folder: pack the plugin's folder, not what is in it", name
                )
            elif self._top is None:
                self._top = parts[0]
            elif parts[0] != self._top:
                self._outside = self._outside or Invalid(f"it lies outside the one top folder '{self._top}'", name)
            inside = parts[1:]
        key: Parts = ()
        for depth, part in enumerate(folded(parts), 1):
            key = (*key, part)
            self._claim(name, key, parts[:depth], is_file=is_file and depth == len(parts))
        return inside

    def _claim(self, name: str, key: Parts, spelled: Parts, *, is_file: bool) -> None:
        earlier = self._seen.get(key)
        if earlier is None:
            self._seen[key] = (name, is_file, spelled)
        elif earlier[2] != spelled:
            raise Invalid(f"it and {shown(earlier[0])} are one name where case or Unicode form is folded", name)
        elif is_file or earlier[1]:
            raise Invalid(f"it stands where {shown(earlier[0])} stands", name)
