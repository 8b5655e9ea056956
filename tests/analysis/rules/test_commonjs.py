"""HP207: CommonJS in a module."""

from __future__ import annotations

import pytest

from tests.analysis.compiling import codes, only

END = "\nexport default { id: 'demo', register() {} }\n"


@pytest.mark.parametrize(
    "text",
    [
        "const { host } = require('@hermes/plugin-sdk')\nmodule.exports = { id: 'd', register() {} }",
        "module.exports = { id: 'd', register() {} }",
        "exports.id = 'd'",
        "module['exports'] = {}",
    ],
)
def test_without_a_default_export_it_is_the_only_finding(text: str) -> None:
    found = only(text)
    assert (found.code, found.severity) == ("HP207", "error")


def test_beside_a_default_export_it_warns() -> None:
    found = only(f"const fs = require('fs')\nfs{END}")
    assert (found.code, found.severity) == ("HP207", "warning")
    assert "require is not defined" in found.message


@pytest.mark.parametrize(
    "text",
    [
        "if (typeof require !== 'undefined') require('fs')",
        "const r = (x => typeof require !== 'undefined' ? require : x)(() => {})\nr('fs')",
        "(f => { typeof module !== 'undefined' ? (module.exports = f()) : f() })(() => 1)",
        "const require = x => x\nrequire('fs')",
        "function f(module, exports) { module.exports = exports; exports.a = 1 }\nf({}, {})",
        "const o = { require() {} }\no.require('fs')",
        "const s = \"require('fs')\" // require('fs')",
        "function load() { if (typeof require === 'undefined') return; return require('fs') }\nload()",
    ],
)
def test_near_misses(text: str) -> None:
    assert "HP207" not in codes(text + END)


def test_an_allowed_module_is_named_in_the_hint() -> None:
    assert "from 'react'" in (only("const r = require('react')").hint or "")
