"""Which Hermes home this service works for, and the rule that chose it.

``root`` is the un-profiled Hermes folder, ``home`` the folder that one process uses: the root itself or one
profile's folder. "Wrong home" is the most common cause of "my plugin is not there", so every answer carries a
sentence that says which rule gave it.

Two Hermes programs choose differently, and both matter here. The desktop app never works from a profile: it
reads ``HERMES_HOME``, steps up to the root if that names a profile, and otherwise takes the platform's folder.
The ``hermes`` command may follow the sticky ``<root>/active_profile``. This service serves the app, so desktop
plugins always come from the root; the profile (which backends follow) is ``--profile``, else the one that
``HERMES_HOME`` itself names, else the default one. The sticky file is never followed, as Hermes' own library code
does not follow it either, but ``note`` mentions it, because it explains a surprise.

Nothing here creates, resolves away or repairs anything: a missing home is an error that names its rule.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from loader.errors import UsageError
from loader.listing import raise_if_passing

Registry: TypeAlias = Callable[[], str | None]
"""Gives the user-scope ``HERMES_HOME`` of the Windows registry, None where there is none."""

STATE_FOLDER = "desktop-loader"
STANDALONE_FOLDER = "desktop-plugins"
PACKAGES_FOLDER = "plugins"
PROFILES_FOLDER = "profiles"
RECORDS_FOLDER = "packages"

_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_PROFILE_RULE = "a lower-case letter or digit, then at most 63 of a-z, 0-9, '_' and '-'"
# The sticky file holds one name; anything longer is not one.
_STICKY_LIMIT_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one service. All paths are absolute and as given, links not resolved.

    ``profile`` is None for the default profile. ``rule`` is a sentence part ("HERMES_HOME is set") for people;
    ``note`` is one more sentence when something near by may surprise, else None.
    """

    root: Path
    home: Path
    profile: str | None
    rule: str
    note: str | None = None

    @property
    def state_dir(self) -> Path:
        """Our own folder: lock, endpoint, choices, pins, cache. It need not exist (see ``loader.state``)."""
        return self.root / STATE_FOLDER

    @property
    def records_dir(self) -> Path:
        """A file in it for each package that was installed from elsewhere (``<id>.json``); it need not exist."""
        return self.state_dir / RECORDS_FOLDER

    @property
    def homes(self) -> tuple[Path, ...]:
        """The homes whose packages are looked at: the root, each profile in name order, ``home`` if it is neither.

        Read from disk at each call, since profiles come and go. A home that cannot be listed has no profiles.
        """
        found = [self.root, *_profiles_of(self.root)]
        # HERMES_HOME may be a link to one of them: no home twice.
        if self.home not in found and os.path.realpath(self.home) not in map(os.path.realpath, found):
            found.append(self.home)
        return tuple(found)

    @property
    def desktop_roots(self) -> tuple[Path, ...]:
        """Where standalone plugins lie, in order of precedence: the root's folder, then the profile's own."""
        roots = [self.root / STANDALONE_FOLDER]
        if self.home != self.root:
            roots.append(self.home / STANDALONE_FOLDER)
        return tuple(roots)

    @property
    def package_roots(self) -> tuple[Path, ...]:
        """Where packages lie, in order of precedence; none of these folders need exist."""
        return tuple(home / PACKAGES_FOLDER for home in self.homes)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A folder and the rule that named it. ``own_root``: the app takes it as a root whatever its place."""

    path: Path
    rule: str
    own_root: bool = False


def resolve_home(
    flag: str | None = None,
    profile: str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
    user_home: Path | None = None,
    registry: Registry | None = None,
) -> Home:
    """Choose the home; the first rule that applies wins.

    1. ``flag`` (``--hermes-home``; the only place where ``~`` is expanded).
    2. ``HERMES_HOME``, stripped, taken as given. Blank counts as unset, here and below.
    3. ``HERMES_DESKTOP_USER_DATA_DIR``: ``hermes-home`` inside it (the app's fresh-install runs).
    4. Windows: the user's ``HERMES_HOME`` in the registry, which a program started from Explorer may not have seen.
    5. Windows: ``%LOCALAPPDATA%\\hermes``; a legacy ``~/.hermes`` when only that exists.
    6. ``~/.hermes`` (macOS, Linux and WSL).

    ``HERMES_DATA_DIR_SUFFIX`` is appended to the names of 5 and 6. ``profile`` (``--profile``) is trimmed and
    lower-cased; ``default`` is the root. ``platform`` is a ``sys.platform`` value.

    Raises:
        UsageError: the home is missing or no folder, or the profile breaks the name rule or does not exist.
    """
    environ = os.environ if environ is None else environ
    user_home = Path.home() if user_home is None else user_home
    registry = windows_registry_home if registry is None else registry

    default = _platform_default(environ, platform, user_home)
    choice = _choose(flag, environ, platform, user_home, registry, default)
    _demand_folder(choice)
    root, named, why_root = _root_of(choice, default, platform)
    rule = f"{choice.rule}{why_root}"
    note = _sticky_note(root, named or profile)
    if profile is None:
        return Home(root, choice.path, named, rule, note)
    return _with_profile(root, profile, rule, note)


def windows_registry_home() -> str | None:
    """The value ``HERMES_HOME`` under ``HKEY_CURRENT_USER\\Environment``, None elsewhere or if it is not set."""
    if sys.platform != "win32":
        return None
    import winreg  # exists on Windows only

    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, "Environment") as key:
            value, kind = winreg.QueryValueEx(key, "HERMES_HOME")
    except OSError:
        return None
    if not isinstance(value, str):
        return None
    return winreg.ExpandEnvironmentStrings(value) if kind == winreg.REG_EXPAND_SZ else value


def is_profile_name(name: str) -> bool:
    return _PROFILE_NAME.fullmatch(name) is not None


# ---------------------------------------------------------------- the rules


def _choose(
    flag: str | None,
    environ: Mapping[str, str],
    platform: str,
    user_home: Path,
    registry: Registry,
    default: _Choice,
) -> _Choice:
    if flag is not None:
        if not flag.strip():
            raise UsageError(
                "--hermes-home is empty. Give a folder, or leave the flag out to use HERMES_HOME or ~/.hermes."
            )
        return _Choice(_expanded(flag.strip(), user_home).absolute(), "--hermes-home was given")
    if given := environ.get("HERMES_HOME", "").strip():
        return _Choice(Path(given).absolute(), "HERMES_HOME is set")
    if data_dir := environ.get("HERMES_DESKTOP_USER_DATA_DIR", "").strip():
        path = Path(data_dir).absolute() / "hermes-home"
        return _Choice(path, "HERMES_DESKTOP_USER_DATA_DIR is set, the home is 'hermes-home' inside it", own_root=True)
    if platform == "win32" and (stored := (registry() or "").strip()):
        return _Choice(Path(stored).absolute(), "HERMES_HOME is set for this user in the Windows registry")
    return default


def _platform_default(environ: Mapping[str, str], platform: str, user_home: Path) -> _Choice:
    suffix = environ.get("HERMES_DATA_DIR_SUFFIX", "").strip()
    said = f", with HERMES_DATA_DIR_SUFFIX '{suffix}'" if suffix else ""
    dotted = user_home / f".hermes{suffix}"
    if platform != "win32":
        return _Choice(dotted, f"the default on this system{said}, since HERMES_HOME is not set")
    local = environ.get("LOCALAPPDATA", "").strip()
    path = (Path(local) if local else user_home / "AppData" / "Local") / f"hermes{suffix}"
    if not path.exists() and dotted.exists():
        # Only the app knows this exception; Hermes' Python side does not, so the two may disagree: say it.
        return _Choice(
            dotted,
            f"the legacy folder{said}: {path} does not exist (the hermes command does not look here)",
            own_root=True,
        )
    return _Choice(path, f"the default on Windows{said}, since HERMES_HOME is not set")


def _root_of(choice: _Choice, default: _Choice, platform: str) -> tuple[Path, str | None, str]:
    """The root, the profile that the path itself names, and what to add to the rule."""
    path = choice.path
    if choice.own_root or path == default.path:
        return path, None, ""
    inside = _relative(path, default.path)
    if inside is not None:
        # Equal to or anywhere below the platform's folder: that folder is the root.
        if not inside:
            return default.path, None, ""
        named = inside[1] if len(inside) == 2 and _is_profiles(inside[0], platform) else None
        return default.path, named, f"; it lies in {default.path}, which is the root"
    if _is_profiles(path.parent.name, platform) and path.parent.parent != path.parent:
        named = None if path.name.startswith(".") else path.name
        return path.parent.parent, named, f"; it is a profile's folder, the root is {path.parent.parent}"
    return path, None, ""


def _with_profile(root: Path, given: str, rule: str, note: str | None) -> Home:
    name = given.strip().lower()
    if name == "default":
        return Home(root, root, None, f"{rule}; --profile default is the root", note)
    if not is_profile_name(name):
        raise UsageError(f"--profile {given!r} is no profile name: {_PROFILE_RULE}. 'default' means the root, {root}.")
    path = root / PROFILES_FOLDER / name
    if not path.is_dir():
        raise UsageError(_no_profile(root, name, path, rule))
    return Home(root, path, name, f"{rule}; --profile {name} was given", note)


def _no_profile(root: Path, name: str, path: Path, rule: str) -> str:
    known = [profile.name for profile in _profiles_of(root)]
    text = f"There is no profile '{name}': {path} does not exist (root {root}: {rule})."
    if (root / PROFILES_FOLDER / ".deleted" / name).exists():
        text += " It was deleted."
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"{text} Did you mean '{near[0]}'?"
    if known:
        return f"{text} Known profiles: {', '.join(known)}, default."
    return f"{text} This root has no profiles: leave --profile out, or create the profile with Hermes first."


def _demand_folder(choice: _Choice) -> None:
    try:
        if choice.path.is_dir():
            return
        exists = choice.path.exists()
    except OSError as error:
        raise UsageError(
            f"The Hermes home {choice.path} cannot be looked at: {error.strerror or error} ({choice.rule}). "
            "Mend its permissions, or name another folder with --hermes-home."
        ) from error
    what = "is not a folder" if exists else "does not exist"
    tilde = " HERMES_HOME is taken as it stands: '~' is not expanded." if "~" in choice.path.parts else ""
    raise UsageError(
        f"The Hermes home {choice.path} {what} ({choice.rule}).{tilde} "
        "Start Hermes once so that it makes its home, or name the right folder with --hermes-home."
    )


def _sticky_note(root: Path, chosen: str | None) -> str | None:
    """What the sticky profile would have said, if it says something else; unreadable counts as absent."""
    try:
        with (root / "active_profile").open("rb") as file:
            name = file.read(_STICKY_LIMIT_BYTES).decode("utf-8", "replace").strip().lower()
    except OSError:
        return None
    if not is_profile_name(name) or name == "default" or chosen is not None:
        return None
    return (
        f"active_profile names '{name}', which the desktop app does not follow and neither does this service: "
        f"use --profile {name} for its backends."
    )


# ---------------------------------------------------------------- paths


def _expanded(given: str, user_home: Path) -> Path:
    """``~`` and ``~/x`` by the user's home that was passed in, ``~name`` by the system."""
    parts = Path(given).parts
    if parts and parts[0] == "~":
        return user_home.joinpath(*parts[1:])
    try:
        return Path(given).expanduser()
    except RuntimeError:  # no such user: take it as a name
        return Path(given)


def _relative(path: Path, base: Path) -> tuple[str, ...] | None:
    """The parts of ``path`` below ``base``, links followed as Hermes does; None when it lies elsewhere."""
    try:
        real, real_base = os.path.realpath(path), os.path.realpath(base)
    except OSError:  # a link that leads round in circles, on Python 3.13 and Windows
        return None
    folded, folded_base = os.path.normcase(real), os.path.normcase(real_base)
    if folded == folded_base:
        return ()
    if not folded.startswith(folded_base.rstrip(os.sep) + os.sep):
        return None
    return Path(real[len(real_base.rstrip(os.sep)) + 1 :]).parts


def _is_profiles(name: str, platform: str) -> bool:
    # The app compares without case; where the file system tells cases apart, `Profiles` is another folder.
    return name == PROFILES_FOLDER or (platform in ("win32", "darwin") and name.lower() == PROFILES_FOLDER)


def _profiles_of(root: Path) -> list[Path]:
    """The folders of the profiles, by name. The app walks all of them, so only dot names are left out.

    Raises NotListed.
    """
    try:
        with os.scandir(root / PROFILES_FOLDER) as entries:
            names = [entry.name for entry in entries if not entry.name.startswith(".") and _is_folder(entry)]
    except OSError as error:
        raise_if_passing(str(root / PROFILES_FOLDER), error)
        return []
    return [root / PROFILES_FOLDER / name for name in sorted(names)]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in circles, or no permission to look: not a profile that can be read
        return False
