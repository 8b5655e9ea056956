"""Every hostile plugin of the table, played alone: its finding, its bound, and an untouched neighbour after it."""

import time

import pytest

from loader.analysis.rehearsal.play import rehearse_text
from loader.settings import AnalysisSettings
from tests.analysis.rehearsal.hostile_plugins import ROWS, Hostile

pytestmark = pytest.mark.real

# What must hit the limit hits a small one; what must not has room on the slowest machine.
SHORT, LONG = AnalysisSettings(rehearsal_cpu_s=0.25), AnalysisSettings(rehearsal_cpu_s=3.0)
STATIC_CODES = {"HP203"}
GOOD = "export default { id: 'good', name: 'Good', register(ctx) { ctx.register({ id: 'p', area: 'nowhere' }) } }"


def test_the_table_is_as_large_as_promised() -> None:
    assert len(ROWS) >= 40
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", [row for row in ROWS if row.code not in STATIC_CODES], ids=lambda row: row.name)
def test_a_hostile_plugin_gets_its_finding_within_its_bound(row: Hostile) -> None:
    settings = SHORT if row.code == "HP404" else LONG
    cpu_before = time.process_time()
    played = rehearse_text(row.text, (), settings)
    codes = {one.code for one in played.findings}
    refused = any(one.severity == "error" for one in played.findings)
    assert refused is not row.loads, played.findings
    if row.code is not None:
        assert row.code in codes, played.findings
    # Two budgets (load and register, then everything else), a hard stop each, and our own work around them.
    assert time.process_time() - cpu_before < 2 * settings.rehearsal_cpu_s + 3
    after = rehearse_text(GOOD, (), LONG)
    assert after.identity is not None
    assert after.identity.exported_id == "good"
    assert [one.code for one in after.findings] == ["HP407"]
