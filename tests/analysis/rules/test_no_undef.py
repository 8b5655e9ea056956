"""HP501's core against ESLint's `no-undef` on what people publish: the same names on the same lines, file by file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loader.analysis.rehearsal.browser_names import BROWSER_NAMES
from loader.analysis.rules.undeclared_name import undeclared
from loader.analysis.syntax import parse
from tests.analysis.peering import ask, published_files
from tests.requirements import peers

# The big libraries hold two thousand modules of one making each: every third shows as much.
_STEP = 3
_SMALL_BYTES = 200_000
_MODULE = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)


def corpus() -> list[Path]:
    """A share of the big libraries, and all the small modules that the peers bring along: those use Node's names."""
    published = published_files()
    others = [
        file.resolve()
        for file in sorted((peers() / "node_modules").rglob("*"))
        if file.suffix in (".js", ".mjs") and file.is_file() and file.stat().st_size <= _SMALL_BYTES
    ]
    known = set(published)
    modules = [file for file in others if file not in known and _MODULE.search(file.read_text("utf-8", "replace"))]
    return [*published[::_STEP], *dict.fromkeys(modules)]


@pytest.mark.real
def test_reports_what_eslint_reports_on_published_modules() -> None:
    files = corpus()
    question = {"files": [str(file) for file in files], "globals": sorted(BROWSER_NAMES)}
    answers: list[list[tuple[str, int]] | None] = ask("no_undef.mjs", question, arguments=(str(peers()),))
    differing = {}
    compared = reported = 0
    for file, answer in zip(files, answers, strict=True):
        if answer is None:
            continue
        module = parse(file.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff"))
        ours = {(one.name, module.span(one.node).line) for one in undeclared(module, BROWSER_NAMES)}
        theirs = {(name, line) for name, line in answer}
        compared += 1
        reported += len(theirs)
        if ours != theirs:
            differing[str(file)] = (sorted(ours - theirs), sorted(theirs - ours))
    assert differing == {}
    # The comparison must not pass for want of something to compare.
    assert compared > 700
    assert reported > 100


SNIPPETS = (
    "const f = (a, b = a, { c = b, d: [e = gone1] = [] } = {}, ...rest) => [a, c, e, rest, gone2]",
    "function f() { return arguments } const g = () => arguments; class K { m() { return () => arguments } }",
    "class K extends gone1 { #p = gone2; static #q = 1; static { this.r = gone3; K.s = K.#q } [gone4]() {} }",
    "class K { get a() { return gone1 } set a(v) { gone2 = v } static async *g() { yield* gone3 } }",
    "const K = class Inner { static self = Inner }; Inner",
    "outer: for (const a of gone1) { inner: for (const b in a) { if (b) continue outer; break inner } } outer, inner",
    "try { gone1() } catch ({ message, stack: [first = gone2] }) { message, first } finally { message }",
    "try { a } catch { b } const a = 1",
    "for (var i = 0, n = i; i < n; i++) {} i; n; for (let j = 0; j; ) {} j",
    "for await (const x of gone1) { x } x",
    "for (gone1 of []) {} for (gone2.x in {}) {} for ({ a: gone3, b: known = gone4 } of []) {} let known",
    "({ a: gone1, b: [gone2, ...gone3], ...gone4 } = {}); [known, gone5 = gone6] = []; let known",
    "switch (gone1) { case gone2: let a = 1; default: a } a",
    "{ function inner() {} inner } inner",
    "if (true) { var hoisted = 1 } hoisted; { let block } block",
    "const self1 = function named(n) { return named(n) }; named",
    "typeof gone1; typeof (gone2); typeof gone3.x; typeof gone4(); (typeof (((gone5))))",
    "gone1 ??= 1; gone2++; --gone3; delete gone4.x; void gone5; gone6 += gone7",
    "const t = gone1`a${gone2}b${`${gone3}`}`; t",
    "const o = { gone1, k: gone2, [gone3]: 1, m() { return gone4 }, get g() { return o }, async *a() {}, ...gone5 }",
    "import a, { b as c, default as d } from 'react'; import * as e from 'react'; a, b, c, d, e",
    "export { known as gone, known }; const known = 1; export default gone1; export * as gone2 from 'react'",
    "export { gone1 as x } from 'react'; x",
    "export function ex() {} ex(); export class Ex {} new Ex(); export const { p, q: [r] } = gone1; p, r, q",
    "export default function def() { return def } def()",
    "export default class Def { static x = Def }",
    "import.meta.gone; import(gone1); new.target; function f() { return new.target }",
    "const { [gone1]: v, ...others } = gone2; v, others",
    "let a = a1, b = a, c = c; const d = () => later; const later = 1; a1; b; d",
    "var gone; let x = y; var y; z = 1; var z",
    "async () => { await gone1; for (const p of await gone2) p }; await gone3; await (gone4)(gone5); await (gone6)",
    "function* g() { const x = yield gone1; yield x } g",
    "new gone1(gone2); new (gone3())(); new gone4.x; gone5?.x?.[gone6]?.(gone7)",
    "a => a; async a => a + gone1; (a, b) => ({ a, b, gone2 }); async (a = gone3) => {}",
    "/gone/.test(gone1); 'gone'; `gone`; gone2.gone; // gone",
    "var undefined1 = undefined, n = NaN, i = Infinity, e = eval, g = globalThis; undefined1",
    "function f(a, b = c, d = () => c) { f(); var c = 1; let f } const g = (a = b) => { const b = a }; f; g",
    "const o = { m(a = later1) { var later1 }, n(a = () => o2) { class o2 {} function o3() {} }, o3 }; o",
    "function f(a, a2 = () => a + b) { var b = 1; return a2 } f",
    "do { let w = 1 } while (w); while (gone1) break; if (gone2); else gone3",
    "const async = 1, of = 2, get = 3, set = 4, let1 = async + of + get + set; let1",
    "({ async, of, get: 1, async get() {}, set set(v) { v } }); async; of",
    "label: { break label } label2: label",
    "\\u0067one1; const \\u{61}b = 1; ab; a\\u0062",
    "const ünï = 1; ünï; gøne; $; _; $_ = 1",
    "class A { static a = 1; static b = this.a + gone1; 'quoted' = gone2; 1 = gone3; [`c`] = 4 }",
    "class B { constructor() { this.x = B } #m() { return #m in gone1 } } B",
    "(function () { inside = 1; var inside2 }()); inside2; (() => { gone })()",
    "let { length } = gone1, [, second] = gone2; length, second, first",
    "if (gone1) function decl() {} decl",
    "const fn = function () { return fn2 }, fn2 = () => fn; fn2; gone?.(fn)",
    "var a; { let a; { a; var b } } a; b; c",
    "gone1 = gone2 = known; let known; [gone3.x, known] = [gone4]",
    "x: x; y: for (;;) { break y }",
)


@pytest.mark.real
def test_reports_what_eslint_reports_on_every_way_to_declare(tmp_path: Path) -> None:
    files = []
    for number, snippet in enumerate(SNIPPETS):
        files.append(tmp_path / f"{number}.mjs")
        files[-1].write_text(snippet, encoding="utf-8")
    question = {"files": [str(file) for file in files], "globals": sorted(BROWSER_NAMES)}
    answers = ask("no_undef.mjs", question, arguments=(str(peers()),))
    differing = {}
    for snippet, answer in zip(SNIPPETS, answers, strict=True):
        if answer is None:
            continue
        ours = {one.name for one in undeclared(parse(snippet), BROWSER_NAMES)}
        theirs = {name for name, _line in answer}
        if ours != theirs:
            differing[snippet] = (sorted(ours - theirs), sorted(theirs - ours))
    assert differing == {}
    # What the strict grammar of modules refuses says nothing; most must say something.
    assert sum(answer is not None for answer in answers) >= 45
