import pytest

from tests.analysis.finding import messages


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("const SDK = window.__HERMES_PLUGIN_SDK__; c.onDispose(SDK.utils.cn)", "__HERMES_PLUGIN_SDK__"),
        ("const { React } = globalThis['__HERMES_PLUGIN_SDK__']; c.onDispose(React)", "__HERMES_PLUGIN_SDK__"),
        ("c.onDispose(__HERMES_PLUGIN_SDK__.hooks)", "__HERMES_PLUGIN_SDK__"),
        ("window.__HERMES_PLUGINS__.register('demo', () => null)", "__HERMES_PLUGINS__"),
    ],
)
def test_flags_the_dashboards_globals(body: str, name: str) -> None:
    (message,) = messages("HP514", body)
    assert f"`{name}` belongs to the web dashboard" in message


@pytest.mark.parametrize(
    "body",
    [
        "if (typeof window.__HERMES_PLUGIN_SDK__ !== 'undefined') c.onDispose(() => {})",
        "if ('__HERMES_PLUGIN_SDK__' in window) c.onDispose(() => {})",
        "const __HERMES_PLUGIN_SDK__ = sdk; c.onDispose(__HERMES_PLUGIN_SDK__)",
        "const own = { __HERMES_PLUGIN_SDK__: 1 }; c.onDispose(own.__HERMES_PLUGIN_SDK__)",
        "c.storage.set('note', 'window.__HERMES_PLUGIN_SDK__') // window.__HERMES_PLUGIN_SDK__",
        "window.__HERMES_OTHER__ = 1",
    ],
)
def test_leaves_tests_own_names_and_texts_alone(body: str) -> None:
    assert messages("HP514", body) == []


def test_each_use_is_said_once_where_it_is_written() -> None:
    body = "const SDK = window.__HERMES_PLUGIN_SDK__\nSDK.a(); SDK.b(SDK.c)"
    assert len(messages("HP514", body)) == 1
