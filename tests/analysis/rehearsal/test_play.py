"""One plugin played through: each finding of the rehearsal, at its place, and silence for what is fine."""

import pytest

from loader.analysis.rehearsal.play import rehearse_text
from loader.analysis.rehearsal.user_event import UserEvent
from loader.settings import AnalysisSettings
from tests.analysis.rehearsal.playing import PANE, only, play, play_text

pytestmark = pytest.mark.real

# ---------------------------------------------------------------- what is fine


def test_a_good_plugin_is_silent_and_shows_what_it_draws() -> None:
    played = play(
        PANE + "; ctx.onDispose(host.onEvent('x', () => {}))",
        before="const View = () => jsxs('div', { children: ["
        "jsx('h1', { children: 'Notes' }), jsx(Button, { children: 'Save' })] })",
    )
    assert played.findings == ()
    assert played.rehearsal.ran
    (contribution,) = played.rehearsal.contributions
    assert (contribution.area, contribution.id, contribution.scoped_id) == ("panes", "pane", "demo:pane")
    assert contribution.title == "Pane"
    assert contribution.payload == {"placement": "left"}
    assert contribution.wireframe == "# Notes\n[ Save ]"
    assert contribution.html is not None
    assert "<h1>Notes</h1>" in contribution.html


def test_reads_the_exact_identity() -> None:
    played = play_text(
        "const make = n => ({ id: ['de', 'mo'].join(''), get name() { return n + '!' }, description: 'does it',"
        " defaultEnabled: false, register() {} })\nexport { made as default }\nconst made = make('Demo')"
    )
    assert played.findings == ()
    identity = played.identity
    assert identity is not None
    assert (identity.exported_id, identity.name, identity.description) == ("demo", "Demo!", "does it")
    assert identity.default_enabled is False
    assert identity.exact


def test_two_rehearsals_of_the_same_text_say_the_same() -> None:
    body = "console.log(Date.now(), Math.random(), performance.now(), new Date().toISOString())"
    assert play(body).rehearsal.console == play(body).rehearsal.console
    assert play(body).rehearsal.console[0].text.startswith("1767258000")


def test_browser_globals_of_real_plugins_are_there() -> None:
    played = play(
        "const style = document.createElement('style'); style.textContent = '.demo{}'; document.head.append(style);"
        "ctx.onDispose(() => style.remove()); localStorage.getItem('x');"
        "ctx.register({ id: 'p', area: 'statusBar.left', render: () => fmt.format(0) + enc.encode('a').length })",
        before="const enc = new TextEncoder(); const fmt = new Intl.DateTimeFormat('en')",
    )
    assert played.findings == ()


def test_a_class_may_extend_a_browser_class_at_module_level() -> None:
    played = play("", before="class Card extends HTMLElement {}; customElements.define('my-card', Card)")
    assert played.findings == ()


def test_a_top_level_await_of_a_timer_settles() -> None:
    assert play("", before="await new Promise(done => setTimeout(done, 9_000))").findings == ()


def test_register_may_wait_for_the_app_for_ever() -> None:
    assert play("await ctx.rest('/items')", register="async register(ctx)").findings == ()


def test_an_interval_ticks_and_the_drawing_follows() -> None:
    played = play(
        PANE,
        before="const View = () => { const [n, set] = useState(0); useEffect(() => {"
        " const t = setInterval(() => set(x => x + 1), 1000); return () => clearInterval(t) }, []);"
        " return jsx('p', { children: 'n=' + n }) }",
    )
    assert played.findings == ()
    assert played.rehearsal.timers_fired > 1
    assert played.rehearsal.contributions[0].wireframe == f"n={played.rehearsal.timers_fired}"


# ---------------------------------------------------------------- default export


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("export const plugin = 1", "HP301", "no default export"),
        ("export default 5", "HP302", "a number"),
        ("export default null", "HP302", "null"),
        ("export default [1]", "HP302", "an array"),
        ("export default { id: 5, register() {} }", "HP302", "`id` is a number"),
        ("export default { id: '', register() {} }", "HP302", "`id` is empty"),
        ("export default { id: 'demo' }", "HP302", "`register` is missing"),
        ("export default { id: 'demo', register: 1 }", "HP302", "`register` is a number"),
        ("export default { id: 'Demo!', register() {} }", "HP304", "'Demo!' is no slug"),
    ],
)
def test_what_is_no_plugin_is_refused(text: str, code: str, says: str) -> None:
    assert says in only(play_text(text), code, "error").message


def test_the_declarative_form_is_taken_and_its_equivalent_printed() -> None:
    played = play_text(
        "export default { id: 'demo', titlebarButtons: ["
        "{ id: 'toggle', label: 'Toggle', icon: 'globe', action: 'view.showBrowser' }] }"
    )
    finding = only(played, "HP306", "warning")
    assert finding.hint is not None
    assert "area: TITLEBAR_AREAS.right" in finding.hint
    assert 'ctx.runAction("view.showBrowser")' in finding.hint
    assert [(one.area, one.id) for one in played.rehearsal.contributions] == [("titleBar.right", "toggle")]


# ---------------------------------------------------------------- loading and register


def test_names_missing_exports_and_goes_on_with_undefined() -> None:
    text = (
        "import { host, McpTab, SidePanel2 } from '@hermes/plugin-sdk'\nimport * as sdk from '@hermes/plugin-sdk'\n"
        "export default { id: 'demo', register() {"
        " console.log(typeof SidePanel2, 'Nope' in sdk, typeof sdk.host) } }"
    )
    names = (("@hermes/plugin-sdk", ("host", "McpTab", "SidePanel2")),)
    exports = (("@hermes/plugin-sdk", ("host", "McpTab")),)
    played = rehearse_text(text, names, AnalysisSettings(sdk_exports=exports))
    assert "`SidePanel2` is not exported" in only(played, "HP204", "error").message
    assert played.rehearsal.console[0].text == "undefined false object"


def test_a_name_that_only_a_shell_announced_is_there() -> None:
    text = "import { BrandNew } from '@hermes/plugin-sdk'\nexport default { id: 'demo', register() { BrandNew({}) } }"
    names = (("@hermes/plugin-sdk", ("BrandNew",)),)
    exports = (("@hermes/plugin-sdk", ("host", "BrandNew")),)
    assert rehearse_text(text, names, AnalysisSettings(sdk_exports=exports)).findings == ()


def test_register_that_throws_warns_at_its_place() -> None:
    finding = only(play("\n  throw new TypeError('no such thing')"), "HP401", "warning")
    assert "TypeError: no such thing" in finding.message
    assert finding.span is not None
    assert finding.span.line == 7


def test_register_that_rejects_warns() -> None:
    assert (
        "late"
        in only(play("await null; throw new Error('late')", register="async register(ctx)"), "HP401", "warning").message
    )


def test_enforcing_makes_it_an_error() -> None:
    only(play("throw new Error('no')", mode="enforce"), "HP401", "error")
    only(play("", before="throw new Error('no')", mode="enforce"), "HP403", "error")


def test_an_evaluation_that_throws_warns_with_the_missing_import() -> None:
    finding = only(play("", before="const a = createContext(1)"), "HP403", "warning")
    assert finding.hint == "add `import { createContext } from 'react'`"


def test_the_first_declaration_of_a_module_has_its_place_although_the_engine_says_none() -> None:
    text = "import 'react'\nconst a = nope.x\nexport default { id: 'demo', register() { a } }\n"
    finding = only(play_text(text), "HP403", "warning")
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (2, 11)


def test_the_place_on_the_first_line_is_not_shifted() -> None:
    finding = only(play_text("throw new Error('x'); export default {}"), "HP403", "warning")
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (1, 11)


@pytest.mark.parametrize("where", ["before", "body"])
def test_a_browser_feature_that_the_sandbox_lacks_is_no_fault(where: str) -> None:
    code = "new RTCPeerConnection()"
    played = play(code) if where == "body" else play("", before=code)
    assert "RTCPeerConnection" in only(played, "HP405", "info").message
    assert not played.rehearsal.ran
    assert played.rehearsal.stopped_by is not None


def test_an_import_that_can_never_finish_is_refused() -> None:
    only(play("", before="await new Promise(() => {})"), "HP402", "error")


@pytest.mark.parametrize("call", ["fetch('https://example.com')", "host.request('session.list')"])
def test_an_import_that_waits_for_the_app_is_not_rehearsed(call: str) -> None:
    assert "waits for the app" in only(play("", before=f"await {call}"), "HP405", "info").message


@pytest.mark.parametrize(
    "wait",
    [
        "document.body.addEventListener('transitionend', done)",
        "host.onEvent('gateway.ready', done)",
        "host.state.gateway.listen(done)",
        "window.onfocus = done",
        "document.onvisibilitychange = done",
        "Object.assign(new Image(), { onload: done }).src = 'data:image/png;base64,AA=='",
        "document.head.append(Object.assign(document.createElement('script'), { src: '/x.js', onload: done }))",
        "Object.assign(document.createElement('link'), { rel: 'stylesheet', onload: done, href: '/x.css' })",
        "new WebSocket('ws://localhost:1').onopen = done",
        "new ResizeObserver(done).observe(document.body)",
        "new MutationObserver(done).observe(document.createElement('div'), { childList: true })",
        "matchMedia('print').onchange = done, matchMedia('print').addEventListener('change', done)",
        "(function look() { document.querySelector('#chat main') ? done() : setTimeout(look, 50) })()",
        "(function look() { document.querySelector('#chat main') ? done() : requestAnimationFrame(look) })()",
        "setInterval(() => globalThis.appReady && done(), 100)",
    ],
)
def test_who_may_still_be_called_back_is_not_refused(wait: str) -> None:
    found = only(play("", before=f"await new Promise(done => {{ {wait} }})"), "HP405", "info")
    assert "waits for the app" in found.message


@pytest.mark.parametrize(
    "use",
    [
        "document.createElement('form').reportValidity()",
        "document.createElement('select').add(new Option('a', 'b'), 0)",
        "document.createElement('slot').assignedNodes().length",
        "document.getAnimations().length",
        "document.implementation.createHTMLDocument('x').body.innerHTML = '<p>x</p>'",
        "if (!new KeyboardEvent('keydown', { ctrlKey: true }).getModifierState('Control')) throw 1",
        "new PointerEvent('pointermove').getCoalescedEvents().length",
        "if (new Response().body !== null) throw 1",
    ],
)
def test_what_a_browser_does_quietly_is_quiet_here(use: str) -> None:
    assert play(use).findings == ()


@pytest.mark.parametrize(
    ("use", "lacking"),
    [
        ("new Blob(['a']).stream()", "ReadableStream"),
        ("new Response('a').body.getReader()", "ReadableStream"),
        ("return navigator.storage.getDirectory()", "FileSystemDirectoryHandle"),
        ("document.evaluate('//p', document, null, 0, null)", "XPathEvaluator"),
    ],
)
def test_a_method_that_the_sandbox_lacks_is_no_fault(use: str, lacking: str) -> None:
    assert (
        f"`{lacking}`, which the sandbox does not have"
        in only(play(use, register="async register(ctx)"), "HP405", "info").message
    )


def test_bytes_that_are_embedded_as_text_take_no_more_than_they_need() -> None:
    unpacked = "Uint8Array.from(atob('" + "QUJD" * 200_000 + "'), c => c.charCodeAt(0))"
    check = "if (bytes.length !== 600_000 || bytes[1] !== 66) throw new Error('' + bytes.length)"
    text = f"const bytes = {unpacked}\n{check}\nexport default {{ id: 'demo', register() {{}} }}\n"
    assert (
        play_text(text, rehearsal_memory_floor_bytes=16 * 1024 * 1024, rehearsal_memory_per_source_byte=1).findings
        == ()
    )


def test_text_becomes_numbers_as_the_language_has_it() -> None:
    checks = {
        "Uint8Array.from('12')": "1,2",
        "Uint16Array.from('a\U0001f600b', (c, n) => c.length * 10 + n)": "10,21,12",
        "Uint8Array.from('\\ud83dx', c => c.length)": "1,1",
        "Uint8Array.from('ab', function (c) { return this.n }, { n: 7 })": "7,7",
        "Float64Array.from([1, 2], n => n / 2)": "0.5,1",
        "Uint8Array.from(new Set([3]))": "3",
        "Uint8Array.from({ length: 2 }, (_, n) => n)": "0,1",
        "(class extends Uint8Array { mine = true }).from('12').mine": "true",
    }
    body = "".join(f"if (String({call}) !== '{said}') throw new Error('{said}');" for call, said in checks.items())
    assert play(body).findings == ()
    assert [one.code for one in play("Uint8Array.from('a', 1)").findings] == ["HP401"]


def test_a_wait_beyond_what_the_app_waits_is_refused() -> None:
    slow = only(play("", before="await new Promise(done => setTimeout(done, 60_000))"), "HP402", "error")
    assert "takes 60 s" in slow.message


def test_a_wait_that_ends_early_in_the_app_is_not_refused() -> None:
    look = "for (let i = 0; i < 400 && !document.querySelector('#chat main'); i += 1)"
    played = play("", before=f"{look} await new Promise(done => setTimeout(done, 50))")
    assert played.findings == ()


# ---------------------------------------------------------------- drawing


def test_a_render_that_throws_names_the_import_it_wants() -> None:
    finding = only(play(PANE, before="const View = () => jsx(Codicon, { name: 'beaker' })"), "HP406", "warning")
    assert "drawing `pane` (panes) failed: ReferenceError" in finding.message
    assert finding.hint == "add `import { Codicon } from '@hermes/plugin-sdk'`"


def test_one_contribution_that_fails_does_not_hide_the_others() -> None:
    played = play(
        "for (const [id, render] of [['a', () => 'A'], ['b', () => { throw new Error('no') }], ['c', () => 'C']])"
        " ctx.register({ id, area: 'statusBar.left', render })"
    )
    only(played, "HP406", "warning")
    assert [one.wireframe for one in played.rehearsal.contributions] == ["A", None, "C"]


def test_a_timer_that_throws_warns() -> None:
    assert (
        "setTimeout callback threw"
        in only(play("setTimeout(() => { throw new Error('x') }, 5)"), "HP406", "warning").message
    )


def test_a_click_changes_what_is_drawn() -> None:
    before = (
        "const View = () => { const [n, set] = useState(0);"
        " return jsx(Button, { onClick: () => set(n + 1), children: 'Clicked ' + n }) }"
    )
    assert play(PANE, before=before).rehearsal.contributions[0].wireframe == "[ Clicked 0 ]"
    played = play(PANE, before=before, events=(UserEvent("click", "Clicked 0"), UserEvent("click", "Clicked 1")))
    assert played.rehearsal.contributions[0].wireframe == "[ Clicked 2 ]"


def test_typing_reaches_the_handler() -> None:
    before = (
        "const View = () => { const [v, set] = useState(''); return jsxs('div', { children: ["
        "jsx(Input, { placeholder: 'Name', value: v, onChange: e => set(e.target.value) }),"
        " jsx('p', { children: 'Hi ' + v })] }) }"
    )
    played = play(PANE, before=before, events=(UserEvent("change", "Name", value="Ada"),))
    assert "Hi Ada" in (played.rehearsal.contributions[0].wireframe or "")


def test_a_palette_row_can_be_run_by_its_label() -> None:
    played = play(
        "ctx.register({ id: 'go', area: PALETTE_AREA,"
        " data: { id: 'demo.go', label: 'Go', run: () => host.navigate('/x') } })",
        events=(UserEvent("click", "Go"),),
    )
    assert played.findings == ()
    assert played.rehearsal.events == ("press 'Go': handled",)
    assert any("navigate" in action for action in played.rehearsal.actions)


def test_an_event_that_nobody_hears_is_told() -> None:
    played = play(PANE, before="const View = () => 'x'", events=(UserEvent("click", "Nobody"),))
    assert played.findings == ()
    assert played.rehearsal.events == ("click 'Nobody': nothing there hears it",)


# ---------------------------------------------------------------- contributions


@pytest.mark.parametrize(
    ("contribution", "says"),
    [
        ("{ id: 'p', area: 'pane' }", "unknown area `pane`"),
        ("{ id: 'p' }", "names no area"),
        ("{ area: 'statusBar.left', render: () => null }", "no string `id`"),
        ("{ id: 'p', area: 'panes', render: () => null, data: { placement: 'lefft' } }", "unknown placement 'lefft'"),
        ("{ id: 'p', area: 'panes', render: () => null, data: {} }", "no `placement`"),
        ("{ id: 'p', area: 'panes', data: { placement: 'left' } }", "needs a `render` function"),
        (
            "{ id: 'p', area: 'panes', render: () => 1, data: { placement: 'left', dock: { pane: 'x', pos: 'mid' } } }",
            "unknown dock position 'mid'",
        ),
        (
            "{ id: 'p', area: 'sidebar.nav', data: { path: '/a', label: 'A', codicon: 'rocket-ship' } }",
            "unknown codicon 'rocket-ship'",
        ),
        ("{ id: 'p', area: 'sidebar.nav', data: { path: '/a', codicon: 'beaker' } }", "`data.label` is missing"),
        ("{ id: 'p', area: 'routes', render: () => null, data: { path: 'a/b' } }", "not one absolute segment"),
        ("{ id: 'p', area: 'routes', render: () => null, data: { path: '/a' } }", "nothing leads to the route `/a`"),
        ("{ id: 'p', area: 'palette', data: { id: 'a', label: 'A' } }", "`data.run` is not a function"),
        (
            "{ id: 'p', area: 'keybinds', data: { id: 'view.showBrowser', label: 'A', run() {} } }",
            "one of the app's own actions",
        ),
        ("{ id: 'p', area: 'themes', data: { name: 'a', label: 'A' } }", "no `colors`"),
        ("{ id: 'p', area: 'transcript.directives', data: { name: '9x', render: () => null } }", "never be written"),
        ("{ id: 'p', area: 'composer.middleware', data: {} }", "`data.handler` is not a function"),
        ("{ id: 'p', area: 'titleBar.right' }", "neither `render` nor `data`"),
        ("{ id: 'p', area: 'sessionRow.leading', data: {} }", "`data.render` is not a function"),
    ],
)
def test_a_contribution_that_its_area_cannot_use_warns_at_its_place(contribution: str, says: str) -> None:
    played = play(f"\n  ctx.register({contribution})")
    finding = only(played, "HP407", "warning")
    assert says in finding.message
    assert finding.span is not None
    assert finding.span.line == 7


def test_a_route_of_several_segments_is_only_worth_knowing_and_a_row_that_acts_needs_no_path() -> None:
    played = play(
        "\n  ctx.register({ id: 'p', area: 'routes', render: () => null, data: { path: '/a/b' } })"
        "\n  ctx.register({ id: 'n', area: 'sidebar.nav', data: { path: '/a/b', label: 'A', codicon: 'beaker' } })"
        "\n  ctx.register({ id: 'o', area: 'sidebar.nav', data: { label: 'B', codicon: 'beaker', onSelect() {} } })"
    )
    assert [(one.code, one.severity) for one in played.findings] == [("HP407", "info"), ("HP407", "info")]


def test_a_frame_asked_for_once_before_unload_is_no_leak() -> None:
    assert play("\n  requestAnimationFrame(() => {})").findings == ()


@pytest.mark.parametrize(
    "contribution",
    [
        "{ id: 'p', area: 'statusBar.left', render: () => 'x' }",
        "{ id: 'p', area: 'statusBar.right', data: { id: 'x', label: 'X' } }",
        "{ id: 'p', area: 'titleBar.left', data: { id: 'x', label: 'X', icon: 'beaker', onSelect() {} } }",
        "{ id: 'p', area: 'keybinds', data: { id: 'demo.x', label: 'X', run() {}, defaults: ['mod+shift+k'] } }",
        "{ id: 'p', area: 'transcript.directives', data: { name: 'note', render: ({ attrs }) => attrs.text } }",
        "{ id: 'p', area: 'composer.middleware', data: { handler: draft => draft } }",
        "{ id: 'p', area: 'sessionRow.trailing', data: { render: ({ sessionId }) => sessionId } }",
        "{ id: 'p', area: 'panes', render: () => 1, data: { placement: 'main' }, when: () => true, enabled: false }",
    ],
)
def test_a_good_contribution_is_silent(contribution: str) -> None:
    assert play(f"ctx.register({contribution})").findings == ()


def test_the_same_id_twice_warns_and_the_later_one_counts() -> None:
    played = play(
        "for (const title of ['one', 'two'])"
        " ctx.register({ id: 'p', area: 'statusBar.left', title, render: () => title })"
    )
    only(played, "HP408", "warning")
    assert [one.title for one in played.rehearsal.contributions] == ["two"]


def test_a_route_that_the_sidebar_leads_to_is_fine() -> None:
    played = play(
        "ctx.register({ id: 'page', area: 'routes', data: { path: '/x' }, render: () => 'page' });"
        "ctx.register({ id: 'nav', area: 'sidebar.nav', data: { path: '/x', label: 'X', codicon: 'beaker' } })"
    )
    assert played.findings == ()


@pytest.mark.parametrize(
    ("area", "data"),
    [
        ("composer.middleware", "{ handler() { throw new Error('no') } }"),
        ("composer.modelPill", "{ label() { throw new Error('no') } }"),
        ("modelMenu.row", "{ decorate() { throw new Error('no') } }"),
        ("sessionRow.leading", "{ render() { throw new Error('no') } }"),
        ("transcript.directives", "{ name: 'x', render() { throw new Error('no') } }"),
    ],
)
def test_contributions_that_compute_are_tried_once(area: str, data: str) -> None:
    only(play(f"ctx.register({{ id: 'p', area: '{area}', data: {data} }})"), "HP406", "warning")


# ---------------------------------------------------------------- unload


def test_every_clean_up_runs_although_one_throws() -> None:
    played = play(
        "ctx.onDispose(() => console.log('one')); ctx.onDispose(() => { throw new Error('boom') });"
        "ctx.onDispose(() => console.log('three'));"
        "ctx.register({ id: 'p', area: 'statusBar.left', render: () => 'x' })"
    )
    finding = only(played, "HP410", "warning")
    assert "`demo`" in finding.message
    assert "boom" in finding.message
    assert [line.text for line in played.rehearsal.console] == ["one", "three"]
    assert played.rehearsal.leaks == ()


def test_a_listener_made_in_register_is_retired_with_the_plugin() -> None:
    played = play("host.onEvent('message.complete', () => host.notify({ message: 'done' }))")
    assert played.findings == ()
    assert played.rehearsal.leaks == ()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("setInterval(() => {}, 5000)", "timer"),
        ("window.addEventListener('resize', () => {})", "listener"),
        ("document.addEventListener('keydown', () => {})", "listener"),
        ("new WebSocket('ws://localhost/x')", "socket"),
        ("new MutationObserver(() => {}).observe(document.body, { childList: true })", "observer"),
        ("const loop = () => requestAnimationFrame(loop); loop()", "timer"),
    ],
)
def test_what_outlives_the_plugin_is_reported_at_its_place(code: str, kind: str) -> None:
    played = play("\n  " + code)
    finding = only(played, "HP409", "warning")
    assert finding.span is not None
    assert finding.span.line == 7
    assert [leak.kind for leak in played.rehearsal.leaks] == [kind]


@pytest.mark.parametrize(
    "code",
    [
        "const t = setInterval(() => {}, 5000); ctx.onDispose(() => clearInterval(t))",
        "ctx.setInterval(() => {}, 5000)",
        "ctx.addEventListener(window, 'resize', () => {})",
        "const f = () => {}; addEventListener('resize', f); ctx.onDispose(() => removeEventListener('resize', f))",
        "const s = new WebSocket('ws://localhost/x'); ctx.onDispose(() => s.close())",
        "const o = new ResizeObserver(() => {}); o.observe(document.body); ctx.onDispose(() => o.disconnect())",
        "ctx.socket('/live', () => {})",
        "setTimeout(() => {}, 10)",
    ],
)
def test_what_is_cleaned_up_is_silent(code: str) -> None:
    assert play(code).findings == ()


def test_an_effect_without_its_clean_up_leaks() -> None:
    played = play(
        PANE, before="const View = () => { useEffect(() => { setInterval(() => {}, 5000) }, []); return 'x' }"
    )
    only(played, "HP409", "warning")


# ---------------------------------------------------------------- console and bounds


def test_console_lines_are_kept_with_their_level() -> None:
    played = play("console.log('a', 1, { b: [2] }); console.warn(new Error('w')); console.error(null, undefined)")
    assert [(line.level, line.text) for line in played.rehearsal.console] == [
        ("log", 'a 1 {"b":[2]}'),
        ("warn", "Error: w"),
        ("error", "null undefined"),
    ]


def test_tells_what_it_used() -> None:
    rehearsal = play("").rehearsal
    assert rehearsal.cpu_ms > 0
    assert rehearsal.memory_bytes > 0
