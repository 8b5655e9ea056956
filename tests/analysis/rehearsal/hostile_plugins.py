"""Plugins that try to hang, swell, escape or mislead the rehearsal: one row each, with what must come of it.

``code`` is a finding that must be among the plugin's (None: none of severity error or of HP4xx may be). ``loads`` says
whether the plugin may still be loaded: what would hurt the app is refused, what is only odd is not.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hostile:
    name: str
    text: str
    code: str | None
    loads: bool


def plugin(body: str, before: str = "", register: str = "register(ctx)") -> str:
    return f"{before}\nexport default {{ id: 'demo', name: 'Demo', {register} {{ {body} }} }}\n"


OK_TAIL = "\nexport default { id: 'demo', name: 'Demo', register() {} }\n"

ROWS = (
    # ---- endless
    Hostile("loop at import", "for (;;) {}" + OK_TAIL, "HP404", False),
    Hostile("loop that catches", "for (;;) { try { for (;;) {} } catch {} }" + OK_TAIL, "HP404", False),
    Hostile(
        "async loop that catches",
        "const spin = async () => { await null; for (;;) {} }\nfor (;;) { try { await spin() } catch {} }" + OK_TAIL,
        "HP404",
        False,
    ),
    Hostile("regular expression", "/^(a+)+$/.test('a'.repeat(40) + 'b')" + OK_TAIL, "HP404", False),
    Hostile("native search", "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)" + OK_TAIL, "HP404", False),
    Hostile("proxy keys", "Object.keys(new Proxy({}, { ownKeys() { for (;;) {} } }))" + OK_TAIL, "HP404", False),
    Hostile("microtasks", "const again = () => Promise.resolve().then(again); again()" + OK_TAIL, "HP404", False),
    Hostile(
        "awaited microtasks",
        "const again = () => Promise.resolve().then(again)\nawait again()" + OK_TAIL,
        "HP404",
        False,
    ),
    Hostile("loop in register", plugin("for (;;) {}"), "HP404", False),
    Hostile(
        "loop in async register", plugin("await null; for (;;) {}", register="async register(ctx)"), "HP404", False
    ),
    Hostile("id getter loops", "export default { get id() { for (;;) {} }, register() {} }", "HP404", False),
    Hostile("register getter loops", "export default { id: 'demo', get register() { for (;;) {} } }", "HP404", False),
    Hostile(
        "proxy default export that loops",
        "const spin = () => { for (;;) {} }\n"
        "export default new Proxy({}, { get: spin, has: spin, getPrototypeOf: spin })",
        "HP404",
        False,
    ),
    Hostile(
        "thenable register result that loops",
        plugin("return { then() { for (;;) {} } }"),
        "HP404",
        False,
    ),
    Hostile("thenable getter loops", plugin("return { get then() { for (;;) {} } }"), "HP404", False),
    Hostile(
        "contribution getter loops", plugin("ctx.register({ get id() { for (;;) {} }, area: 'panes' })"), "HP404", False
    ),
    Hostile(
        "render loops",
        plugin("ctx.register({ id: 'p', area: 'panes', data: { placement: 'left' }, render() { for (;;) {} } })"),
        "HP404",
        True,
    ),
    Hostile("timer loops", plugin("setTimeout(() => { for (;;) {} }, 10)"), "HP404", True),
    Hostile("disposer loops", plugin("ctx.onDispose(() => { for (;;) {} })"), "HP404", True),
    Hostile("error whose name loops", "throw { get name() { for (;;) {} } }" + OK_TAIL, "HP404", False),
    # ---- waiting
    Hostile("await for ever", "await new Promise(() => {})" + OK_TAIL, "HP402", False),
    Hostile("await a day", "await new Promise(done => setTimeout(done, 86_400_000_000))" + OK_TAIL, "HP402", False),
    Hostile(
        "await the app",
        "import { host } from '@hermes/plugin-sdk'\nawait host.request('session.list')" + OK_TAIL,
        "HP405",
        True,
    ),
    Hostile(
        "await an hour of timers",
        "for (let i = 0; i < 6; i++) await new Promise(r => setTimeout(r, 1000))" + OK_TAIL,
        None,
        True,
    ),
    # ---- memory and stack
    Hostile("array bomb", "const a = []; for (;;) a.push(new Array(100_000).fill(1))" + OK_TAIL, "HP404", False),
    Hostile("buffer bomb", "const b = new ArrayBuffer(2 ** 30)" + OK_TAIL, "HP404", False),
    Hostile(
        "bomb that catches",
        "globalThis.kept = []; try { for (;;) kept.push(new Uint8Array(1e6)) } catch {}" + OK_TAIL,
        "HP404",
        False,
    ),
    Hostile("bomb in register", plugin("const a = []; for (;;) a.push(new Array(100_000).fill(1))"), "HP404", False),
    Hostile(
        "bomb in render",
        plugin(
            "ctx.register({ id: 'p', area: 'panes', data: { placement: 'left' },"
            " render() { const a = []; for (;;) a.push(new Array(100_000).fill(1)) } })"
        ),
        None,
        True,
    ),
    Hostile("recursion", "function f() { f() } f()" + OK_TAIL, "HP404", True),
    Hostile("recursion that catches", "function f() { try { f() } catch { f() } } f()" + OK_TAIL, None, True),
    Hostile(
        "deep data", "let a = []; for (let i = 0; i < 3_000; i++) a = [a]\nJSON.stringify(a)" + OK_TAIL, None, True
    ),
    Hostile(
        "deep payload",
        plugin(
            "let d = {}; for (let i = 0; i < 5000; i++) d = { d }\nctx.register({ id: 'p', area: 'panes', data: d })"
        ),
        "HP407",
        True,
    ),
    Hostile(
        "endless render",
        plugin("const view = () => ctx.register({ id: 'p', area: 'panes', render: view }); view()"),
        "HP407",
        True,
    ),
    # ---- too much
    Hostile("a million lines", plugin("for (let i = 0; i < 100_000; i++) console.log('x'.repeat(100))"), None, True),
    Hostile(
        "thousands of contributions",
        plugin("for (let i = 0; i < 3000; i++) ctx.register({ id: 'c' + i, area: 'nowhere' })"),
        "HP407",
        True,
    ),
    Hostile(
        "a huge title", plugin("ctx.register({ id: 'p', area: 'nowhere', title: 'x'.repeat(1e7) })"), "HP407", True
    ),
    Hostile(
        "a wide payload",
        plugin(
            "const data = {}; for (let i = 0; i < 1e5; i++) data['k' + i] = i\n"
            "ctx.register({ id: 'p', area: 'nowhere', data })"
        ),
        "HP407",
        True,
    ),
    Hostile(
        "an array with a huge length",
        plugin("ctx.register({ id: 'p', area: 'nowhere', data: new Array(4e9) })"),
        "HP407",
        True,
    ),
    Hostile(
        "ten thousand timers", plugin("for (let i = 0; i < 10_000; i++) setInterval(() => {}, 1000)"), "HP409", True
    ),
    # ---- forged errors
    Hostile("throws null", "throw null" + OK_TAIL, "HP403", True),
    Hostile("throws undefined", "throw undefined" + OK_TAIL, "HP403", True),
    Hostile("throws a symbol", "throw Symbol('x')" + OK_TAIL, "HP403", True),
    Hostile(
        "throws what cannot be text",
        "throw { toString() { throw 1 }, valueOf() { throw 2 }, get message() { throw 3 } }" + OK_TAIL,
        "HP403",
        True,
    ),
    Hostile(
        "throws a revoked proxy",
        "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy" + OK_TAIL,
        "HP403",
        True,
    ),
    Hostile("throws a lone surrogate", "throw new Error('\\ud800')" + OK_TAIL, "HP403", True),
    Hostile("forges an interrupt", "throw { name: 'InterruptError', message: 'interrupted' }" + OK_TAIL, "HP403", True),
    Hostile(
        "forges a memory limit", "throw { name: 'MemoryLimitError', message: 'out of memory' }" + OK_TAIL, "HP403", True
    ),
    Hostile(
        "forges a stack",
        "const e = new Error('x'); e.stack = 'at f (plugin.js:999999999999999999999:1)'; throw e" + OK_TAIL,
        "HP403",
        True,
    ),
    Hostile("register throws", plugin("throw new TypeError('no')"), "HP401", True),
    Hostile("register rejects", plugin("throw null", register="async register(ctx)"), "HP401", True),
    Hostile("disposer throws", plugin("ctx.onDispose(() => { throw new Error('boom') })"), "HP410", True),
    # ---- no plugin at all
    Hostile(
        "exports a revoked proxy",
        "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); export default proxy",
        "HP302",
        False,
    ),
    Hostile("exports a promise", "export default Promise.resolve({ id: 'demo', register() {} })", "HP302", False),
    Hostile(
        "id is an object", "const id = { toString: () => 'demo' }\nexport default { id, register() {} }", "HP302", False
    ),
    Hostile("exports then", "export function then(done) { done({}) }" + OK_TAIL, "HP302", False),
    Hostile(
        "getters that throw",
        "export default { id: 'demo', get name() { throw 1 }, get description() { throw 2 }, register() {} }",
        None,
        True,
    ),
    # ---- tricks against our own script
    Hostile(
        "patches the intrinsics",
        "Array.prototype[Symbol.iterator] = () => { throw 1 }; Map.prototype.forEach = () => {}\n"
        "JSON.stringify = () => '{}'; Reflect.apply = () => {}; Promise.prototype.then = () => {}\n"
        "Function.prototype.call = () => {}" + plugin("throw new Error('seen')"),
        "HP401",
        True,
    ),
    Hostile(
        "pollutes Object.prototype",
        "Object.defineProperty(Object.prototype, 'stack', { get() { throw 1 } })\n"
        "Object.prototype.toJSON = () => 'forged'; Object.prototype.every = true" + plugin("throw new Error('seen')"),
        "HP401",
        True,
    ),
    Hostile(
        "sets a setter on array indices",
        "Object.defineProperty(Array.prototype, '0', { set() { throw 1 }, get() { return 'forged' } })"
        + plugin("throw new Error('seen')"),
        "HP401",
        True,
    ),
    Hostile(
        "prepares stack traces",
        "Error.prepareStackTrace = () => { for (const x of [1]) return { toString() { throw 1 } } }"
        + plugin("throw new Error('seen')"),
        "HP401",
        True,
    ),
    Hostile(
        "calls the host function",
        "globalThis.__rehearsal_host__?.('default\\n{}'); if ('__rehearsal_host__' in globalThis) throw 1" + OK_TAIL,
        None,
        True,
    ),
    Hostile(
        "imports the driver",
        plugin("return import(['@@dri', 'ver'].join(''))", register="async register(ctx)"),
        "HP203",
        False,
    ),
    Hostile(
        "imports the driver by eval",
        plugin("return (0, eval)(\"import('@@driver')\")", register="async register(ctx)"),
        "HP401",
        True,
    ),
    Hostile(
        "imports the host by Function",
        plugin("return new Function(\"return import('@@host')\")()", register="async register(ctx)"),
        "HP401",
        True,
    ),
    Hostile(
        "replaces the clock",
        "globalThis.setTimeout = globalThis.Date = undefined; Math.random = () => { throw 1 }" + OK_TAIL,
        None,
        True,
    ),
    Hostile(
        "empties the global object",
        "for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} }" + OK_TAIL,
        None,
        True,
    ),
    Hostile(
        "freezes everything",
        "for (const k of Object.getOwnPropertyNames(globalThis)) {\n"
        "  try { Object.freeze(globalThis[k]); Object.freeze(globalThis[k].prototype) } catch {}\n}" + OK_TAIL,
        None,
        True,
    ),
    Hostile(
        "leaves a mark for the next plugin",
        "if (globalThis.mark) throw new Error('leaked'); globalThis.mark = Object.prototype.mark2 = 1" + OK_TAIL,
        None,
        True,
    ),
)
