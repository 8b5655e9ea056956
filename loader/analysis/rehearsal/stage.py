"""The stage on which plugins are played: host, stubs and driver, evaluated once and kept as an image of memory.

Restoring the image costs about a millisecond, evaluating the stubs anew fifty; and every rehearsal begins in the
very same state. What the plugin sees under the three public names are wrappers made here: the shipped union of
names, or the list that a shell announced, and `undefined` for names that it imports and nobody has.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from loader.analysis.engine import Limits, Sandbox, on_big_stack, prepare_engine
from loader.analysis.engine.artifact import private_folder, read_verified, write_verified
from loader.analysis.engine.sandbox import ENTRY
from loader.errors import LoaderError
from loader.nouns import ALLOWED_SPECIFIERS, SDK_SPECIFIER

PLUGIN_MODULE = "plugin.js"
STUB_OF = {SDK_SPECIFIER: "@@sdk", "react": "@@react", "react/jsx-runtime": "@@jsx-runtime"}
_FILE_OF = {"@@sdk": "plugin-sdk.js"}
_PRIVATE = re.compile(r"@@[a-z0-9-]+\Z")
_WRAPPED = "@@wrapped:"
_IMAGE_MAGIC = b"HDSTAGE1"
_STAGE_CPU_S = 20.0

ReadModule = Callable[[str], str | None]
"""private name (``@@react``) -> its text, None when there is no such module."""


class StageBroken(LoaderError):
    """The stubs that ship with the service do not evaluate: a fault of ours, never of a plugin."""


@dataclass(frozen=True, slots=True)
class Stage:
    """``exports``: what each public specifier exports when every known build is united."""

    image: bytes
    exports: Mapping[str, frozenset[str]]


_lock = threading.Lock()
_stages: dict[ReadModule, Stage] = {}


def shipped_module(name: str) -> str | None:
    """The text of a private module as shipped: host and driver from here, everything else from sdk_stubs."""
    if not _PRIVATE.match(name):
        return None
    folder = _folder("loader.analysis.rehearsal" if name in ("@@host", "@@driver") else "sdk_stubs")
    try:
        return (folder / _FILE_OF.get(name, name.removeprefix("@@") + ".js")).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


# Asked for each of fifty modules at every start of a worker.
_folder = lru_cache(maxsize=2)(files)


def stage_image(read_module: ReadModule = shipped_module) -> Stage:
    """The stage, made once in a process and kept on disk beside the compiled guest. Raises StageBroken."""
    with _lock:
        stage = _stages.get(read_module)
        if stage is None:
            texts = _reachable(read_module)
            key = _key(texts)
            stage = _stages[read_module] = _stored(key) or _store(key, on_big_stack(lambda: _build(texts)))
        return stage


_ROOTS = ("@@host", "@@browser", "@@driver", "@@context", "@@render", *STUB_OF.values())
# Any private name in quotes: what the search can run for from its first letter.
_NAMED = re.compile(r"""@@[a-z0-9-]+(?=['"])""")


def _reachable(read_module: ReadModule) -> dict[str, str]:
    # Only to know what the image depends on; a name too many (in a comment, a string) does no harm.
    texts: dict[str, str] = {}
    waiting = list(_ROOTS)
    while waiting:
        name = waiting.pop()
        if name in texts:
            continue
        text = read_module(name)
        if text is None:
            continue
        texts[name] = text
        waiting += _NAMED.findall(text)
    return texts


def _key(texts: Mapping[str, str]) -> str:
    digest = hashlib.sha256(prepare_engine().build_id)
    for name in sorted(texts):
        digest.update(f"{name}\0{len(texts[name])}\0{texts[name]}".encode())
    return digest.hexdigest()


def _stored(key: str) -> Stage | None:
    folder = prepare_engine().cache_dir
    if folder is None or not private_folder(folder):
        return None
    payload = read_verified(folder / f"{key}.stage", _IMAGE_MAGIC)
    if payload is None:
        return None
    head, _, image = payload.partition(b"\n")
    return Stage(image, {name: frozenset(names) for name, names in json.loads(head).items()})


def _store(key: str, stage: Stage) -> Stage:
    folder = prepare_engine().cache_dir
    if folder is not None and private_folder(folder):
        head = json.dumps({name: sorted(names) for name, names in stage.exports.items()}).encode()
        write_verified(folder / f"{key}.stage", _IMAGE_MAGIC, head + b"\n" + stage.image)
    return stage


def _build(texts: Mapping[str, str]) -> Stage:
    told: list[str] = []
    exports: dict[str, frozenset[str]] = {}

    def normalize(base: str, specifier: str) -> str | None:
        if specifier in texts or (base == ENTRY and specifier in STUB_OF):
            return specifier
        return None

    def load(name: str) -> str | None:
        return default_wrapper(name, exports[name]) if name in exports else texts.get(name)

    sandbox = Sandbox(normalize=normalize, load=load, on_event=told.append, limits=Limits(_STAGE_CPU_S))
    try:
        stubs = list(STUB_OF.values())
        lines = ['import { inside } from "@@host";', 'import "@@browser";', 'import "@@driver";']
        lines += [f'import * as s{i} from "{name}";' for i, name in enumerate(stubs)]
        lines.append(
            f"inside.emit('exports', JSON.stringify([{','.join(f'Object.keys(s{i})' for i in range(len(stubs)))}]));"
        )
        _run(sandbox, "\n".join(lines))
        listed = [line for line in told if line.startswith("exports\n")]
        for specifier, names in zip(STUB_OF, json.loads(listed[0].partition("\n")[2]), strict=True):
            exports[specifier] = frozenset(names)
        _run(sandbox, "\n".join(f'import "{name}";' for name in STUB_OF))
        return Stage(sandbox.image(), exports)
    finally:
        sandbox.close()


def _run(sandbox: Sandbox, entry: str) -> None:
    outcome = sandbox.run(entry)
    if outcome.kind != "done":
        error = outcome.error
        said = f"{error.name}: {error.message}\n{error.stack}" if error else outcome.kind
        raise StageBroken(f"the stubs of the rehearsal do not evaluate ({said.strip()}); reinstall the service")


def default_wrapper(specifier: str, exports: Iterable[str]) -> str:
    """What a plugin gets under a public name: every name of the stub, and its default or namespace as default."""
    stub = STUB_OF[specifier]
    names = sorted(name for name in exports if _is_public(name))
    has_default = "default" in set(exports)
    default = (
        f'export {{ default }} from "{stub}";'
        if has_default
        else f'import * as all from "{stub}";\nexport default all;'
    )
    return f'export {{ {", ".join(names)} }} from "{stub}";\n{default}\n'


def _is_public(name: str) -> bool:
    # `anyExport` is the stub's own door for names that it does not know.
    return name not in ("default", "anyExport")


def narrowed_wrapper(specifier: str, exports: frozenset[str], announced: Iterable[str]) -> str:
    """The same for the names that a connected shell announced, also those that the stub has never heard of."""
    stub = STUB_OF[specifier]
    wanted = {name for name in announced if name != "default"}
    known = sorted(name for name in wanted if name in exports and _is_public(name))
    lines = [f'export {{ {", ".join(known)} }} from "{stub}";'] if known else []
    unknown = sorted(wanted - set(known))
    if unknown:
        maker = (
            f'import {{ anyExport }} from "{stub}";' if "anyExport" in exports else "const anyExport = () => undefined;"
        )
        lines.append(maker)
        lines += [f"const unknown{i} = anyExport({json.dumps(name)});" for i, name in enumerate(unknown)]
        lines.append("export { " + ", ".join(f"unknown{i} as {json.dumps(n)}" for i, n in enumerate(unknown)) + " };")
    lines.append(
        f'import * as all from "{stub}";\nexport default all;'
        if "default" not in exports
        else f'export {{ default }} from "{stub}";'
    )
    return "\n".join(lines) + "\n"


def extended_wrapper(inner: str, missing: Iterable[str]) -> str:
    """A wrapper around a wrapper that also has `missing` names, bound to undefined: the link step then goes on."""
    listed = ", ".join(f"missing as {json.dumps(name)}" for name in sorted(set(missing)))
    return f'export * from "{inner}";\nexport {{ default }} from "{inner}";\nlet missing;\nexport {{ {listed} }};\n'


class Modules:
    """Which module answers which import while one plugin is played."""

    def __init__(
        self,
        stage: Stage,
        plugin_text: str,
        names: Mapping[str, tuple[str, ...]],
        announced: Mapping[str, tuple[str, ...]] | None,
        private: Mapping[str, str] | None = None,
    ) -> None:
        """``private``: modules of ours, name and text, that this text may import besides the public ones."""
        self._texts: dict[str, str] = {PLUGIN_MODULE: plugin_text, **(private or {})}
        self._public = {specifier: specifier for specifier in (*ALLOWED_SPECIFIERS, *(private or ()))}
        self.missing: dict[str, tuple[str, ...]] = {}
        for specifier in ALLOWED_SPECIFIERS:
            exports = stage.exports[specifier]
            inner, offered = specifier, set(filter(_is_public, exports))
            if announced is not None and specifier in announced:
                inner = f"{_WRAPPED}announced:{specifier}"
                offered = set(announced[specifier])
                self._texts[inner] = narrowed_wrapper(specifier, exports, offered)
            absent = tuple(name for name in names.get(specifier, ()) if name not in offered and name != "default")
            if absent:
                self.missing[specifier] = absent
                outer = f"{_WRAPPED}extended:{specifier}"
                self._texts[outer] = extended_wrapper(inner, absent)
                inner = outer
            self._public[specifier] = inner

    def normalize(self, base: str, specifier: str) -> str | None:
        if base == ENTRY or base.startswith("@@"):
            # Ours: the entry, private modules and wrappers. `eval` in a plugin has the base "<input>".
            known = specifier in self._texts or specifier in STUB_OF or _PRIVATE.match(specifier)
            return specifier if known else None
        return self._public.get(specifier)

    def load(self, name: str) -> str | None:
        return self._texts.get(name)
