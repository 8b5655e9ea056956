import re

from loader.server.capabilities import Capabilities, Grant, module_path, sdk_path


def test_a_capability_opens_one_plugin_at_one_revision() -> None:
    capabilities = Capabilities()
    first, second = capabilities.grant("demo", "ab"), capabilities.grant("demo", "cd")
    assert capabilities.opens(first) == Grant("demo", "ab")
    assert capabilities.opens(second) == Grant("demo", "cd")
    assert first != second


def test_a_revoked_capability_is_dead() -> None:
    capabilities = Capabilities()
    dead = capabilities.grant("demo", "ab")
    capabilities.revoke(dead)
    assert capabilities.opens(dead) is None
    assert capabilities.opens("x" * 43) is None


def test_a_capability_needs_no_escaping_in_a_path() -> None:
    capability = Capabilities().grant("demo", "ab")
    assert re.fullmatch("[A-Za-z0-9_-]{43}", capability)
    assert module_path(capability) == f"/modules/{capability}/plugin.js"
    assert sdk_path(capability, "react") == f"/sdk/{capability}/react.js"
