"""Whatever happens in whatever order: events tell the whole truth, and an id runs once."""

import hashlib
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loader.codes import finding
from loader.integrity import integrity_of
from loader.inventory.identity import folder_findings
from loader.inventory.inventory import Deciders, Inventory
from loader.inventory.subject import Subject
from loader.nouns import (
    Candidate,
    Door,
    Event,
    Identity,
    Plugin,
    PluginChanged,
    PluginFailed,
    PluginLoaded,
    PluginUnloaded,
    Source,
    Verdict,
)
from loader.settings import IdMismatch, OnBrokenSave, ServiceSettings

NOW = "2026-01-01T00:00:00.000Z"


def candidate(door: Door, folder: str) -> Candidate:
    place = "desktop-plugins" if door == "standalone" else "plugins"
    return Candidate(door, folder, f"/home/{place}/{folder}/plugin.js", "/home")


def subject(
    where: Candidate,
    *,
    exported: str | None = None,
    version: str = "1",
    broken: str | None = None,
    default_enabled: bool = True,
    mismatch: IdMismatch = "error",
) -> Subject:
    """A plugin in its folder; ``broken`` is the code of the one error that it has."""
    data = f"{where.key} {exported} {version} {broken} {default_enabled}".encode()
    source = Source(data, data.decode(), hashlib.sha256(data).hexdigest())
    unreadable = broken in ("HP010", "HP101")
    identity = Identity() if unreadable else Identity(exported, f"v{version}", default_enabled=default_enabled)
    found = (finding(broken, "broken"),) if broken else ()
    verdict = None if broken == "HP010" else Verdict(source.sha256, identity, diagnostics=found)
    about_folder = folder_findings(where, identity, id_mismatch=mismatch)
    return Subject(where, source, verdict, (*found, *about_folder), integrity_of(source.sha256))


@dataclass
class Client:
    """A shell that believes every event and nothing else."""

    rows: dict[str, Plugin] = field(default_factory=dict)
    running: dict[str, str] = field(default_factory=dict)
    told: list[Event] = field(default_factory=list)

    def hear(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.told.append(event)
            match event:
                case PluginLoaded(plugin=row, running=running):
                    assert running.id not in self.running, "a second load without an unload between"
                    assert row.state == "ready"
                    assert (row.id, row.revision, row.running_revision) == (running.id, running.revision, row.revision)
                    self.running[running.id] = running.revision
                    self.rows[row.key] = row
                case PluginUnloaded():
                    assert self.running.pop(event.id) == event.revision
                case PluginFailed():
                    assert event.plugin.state == "failed"
                    assert event.running_revision == event.plugin.running_revision
                    self.rows[event.plugin.key] = event.plugin
                case PluginChanged(removed=True):
                    del self.rows[event.plugin.key]
                case PluginChanged():
                    assert self.rows.get(event.plugin.key) != event.plugin, "nothing is told twice"
                    self.rows[event.plugin.key] = event.plugin

    def agrees_with(self, inventory: Inventory) -> None:
        assert tuple(row for _, row in sorted(self.rows.items())) == inventory.rows()
        assert self.running == {running.id: running.revision for running in inventory.all_running()}


# ---------------------------------------------------------------- any order of anything

NAMES = ("alpha", "beta", "gamma")
CANDIDATES = [candidate(door, name) for door in ("standalone", "unified") for name in NAMES]
SUBJECTS = st.fixed_dictionaries(
    {
        "exported": st.sampled_from((*NAMES, "../x", None)),
        "version": st.sampled_from("123"),
        "broken": st.sampled_from((None, None, None, "HP101", "HP201", "HP010", "HP204")),
        "default_enabled": st.booleans(),
    }
)
SWITCHES = st.dictionaries(st.sampled_from(NAMES), st.booleans())
OPERATIONS = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(CANDIDATES), SUBJECTS),
    st.tuples(st.just("expect"), st.sampled_from(CANDIDATES), st.none()),
    st.tuples(st.just("drop"), st.sampled_from(CANDIDATES), st.none()),
    st.tuples(st.just("decide"), SWITCHES, st.tuples(SWITCHES, st.frozensets(st.sampled_from(NAMES), max_size=1))),
    st.tuples(st.just("mount"), st.sampled_from(("s1", "s2")), st.booleans()),
    st.tuples(st.just("report"), st.sampled_from(NAMES), st.sampled_from(("loaded", "failed"))),
)


@given(
    st.lists(OPERATIONS, max_size=30),
    st.sampled_from(("keep", "unload")),
    st.sampled_from(("error", "warn")),
)
@settings(max_examples=400, deadline=None)
def test_whatever_happens_the_events_tell_it_and_an_id_runs_once(
    operations: list[tuple[str, object, object]], on_broken_save: OnBrokenSave, mismatch: IdMismatch
) -> None:
    inventory = Inventory(ServiceSettings(on_broken_save=on_broken_save, id_mismatch=mismatch))
    client = Client()
    for operation in operations:
        client.hear(_done(inventory, operation, mismatch))
        client.agrees_with(inventory)
    # Whoever was waited for is judged or gone: then nobody waits for another any more, and the end is what counts.
    for where in CANDIDATES:
        if inventory.subject(where.key) is None:
            client.hear(inventory.drop(where.key, at=NOW))
    client.agrees_with(inventory)
    for row in inventory.rows():
        assert _state_by_the_book(inventory, row.key, mismatch) == row.state
        assert (row.state == "ready") <= (row.running_revision == row.revision)
        assert row.state in ("ready", "failed") or row.running_revision is None


def test_a_file_moved_over_a_running_one_goes_by_its_own_name_once_that_has_ended() -> None:
    """What a person decides for the name that the row shows, or the file has, counts now and after a restart."""
    moved = subject(candidate("standalone", "beta"), exported="alpha", version="2")
    inventory = Inventory(ServiceSettings())
    client = Client()
    client.hear(inventory.put(subject(candidate("standalone", "beta"), exported="beta"), at=NOW))
    client.hear(inventory.put(moved, at=NOW))
    assert client.rows["standalone:beta"].id == "beta", "the last good one runs on, under its name"
    for ours in ({"beta": False}, {"beta": False, "alpha": False}, {"alpha": False}, {}):
        client.hear(inventory.decide(Deciders(ours=ours), at=NOW))
        row = client.rows["standalone:beta"]
        started = Inventory(ServiceSettings())
        started.decide(Deciders(ours=ours), at=NOW)
        started.put(moved, at=NOW)
        after = started.row("standalone:beta")
        assert after is not None
        assert (row.id, row.state, row.enabled) == (after.id, after.state, after.enabled)
        assert client.running == {}


def _done(inventory: Inventory, operation: tuple[str, object, object], mismatch: IdMismatch) -> tuple[Event, ...]:
    match operation:
        case ("put", Candidate() as where, dict() as made):
            return inventory.put(subject(where, mismatch=mismatch, **made), at=NOW)
        case ("expect", Candidate() as where, _):
            inventory.expect(where.key, where.folder)
            return ()
        case ("drop", Candidate() as where, _):
            return inventory.drop(where.key, at=NOW)
        case ("decide", dict() as ours, (dict() as app, frozenset() as bundled)):
            return inventory.decide(Deciders(ours, app, frozenset(), bundled), at=NOW)
        case ("mount", str() as shell, bool() as comes):
            return inventory.shell_mounted(shell, "1") if comes else inventory.shell_gone(shell)
        case ("report", str() as plugin_id, str() as outcome):
            running = inventory.running(plugin_id)
            revision = running.revision if running else "0"
            return inventory.report("s1", plugin_id, revision, outcome, "boom", "register")
    raise AssertionError(operation)


def _state_by_the_book(inventory: Inventory, key: str, mismatch: IdMismatch) -> str:
    """The state as protocol.md has it, worked out anew from what is known of all plugins."""
    row = inventory.row(key)
    here = inventory.subject(key)
    assert row is not None
    assert here is not None
    if not row.enabled:
        return "disabled"

    def may_claim(other: Plugin) -> bool:
        return other.id in NAMES and (mismatch == "warn" or other.id == other.folder)

    claims = [other for other in inventory.rows() if other.id == row.id and may_claim(other)]
    claims.sort(key=lambda other: (other.door != "standalone", other.folder))
    if may_claim(row) and (row.id in inventory._deciders.bundled or claims[0].key != key):
        return "shadowed"
    return "failed" if here.failing else "ready"


@given(st.permutations(CANDIDATES), st.permutations(CANDIDATES), st.sampled_from(("error", "warn")))
@settings(max_examples=60, deadline=None)
def test_the_order_of_verdicts_does_not_matter(
    one: list[Candidate], another: list[Candidate], mismatch: IdMismatch
) -> None:
    exported = {where.key: NAMES[number % 2] for number, where in enumerate(CANDIDATES)}
    ends = []
    for order in (one, another):
        inventory = Inventory(ServiceSettings(id_mismatch=mismatch))
        inventory.decide(Deciders(dict.fromkeys(NAMES, True)), at=NOW)
        for where in CANDIDATES:
            inventory.expect(where.key, where.folder)
        client = Client()
        for where in order:
            client.hear(inventory.put(subject(where, exported=exported[where.key], mismatch=mismatch), at=NOW))
        if mismatch == "error":
            assert not any(isinstance(event, PluginUnloaded) for event in client.told), "nobody starts in vain"
        ends.append((inventory.rows(), inventory.all_running()))
    assert ends[0] == ends[1]


# ---------------------------------------------------------------- single promises


def started() -> tuple[Inventory, Candidate]:
    inventory = Inventory(ServiceSettings())
    where = candidate("standalone", "demo")
    inventory.put(subject(where, exported="demo"), at=NOW, cause="start")
    return inventory, where


def test_a_row_says_what_protocol_md_lists() -> None:
    inventory, where = started()
    (row,) = inventory.rows()
    assert (row.key, row.id, row.exported_id, row.name) == ("standalone:demo", "demo", "demo", "v1")
    assert (row.door, row.folder, row.path) == ("standalone", "demo", where.path)
    assert (row.enabled, row.choice, row.choice_from, row.default_enabled) == (True, None, "plugin", True)
    assert row.integrity == integrity_of(row.revision)
    assert row.loaded_at == NOW
    assert row.size_bytes > 0


def test_a_file_cannot_make_its_row_large() -> None:
    inventory = Inventory(ServiceSettings())
    where = candidate("standalone", "demo")
    made = subject(where)
    huge = Identity("x" * 10**6, "n" * 10**6, "d" * 10**6)
    verdict = Verdict(made.revision, huge)
    events = inventory.put(Subject(where, made.source, verdict, folder_findings(where, huge)), at=NOW)
    assert len(repr(events)) < 10_000


@pytest.mark.parametrize("code", ["HP010", "HP011", "HP201", "HP202", "HP203", "HP208", "HP209"])
def test_refusing_codes_end_what_runs(code: str) -> None:
    inventory, where = started()
    events = inventory.put(subject(where, exported="demo", version="2", broken=code), at=NOW)
    assert [type(event) for event in events] == [PluginUnloaded, PluginFailed]


@pytest.mark.parametrize("code", ["HP001", "HP101", "HP106", "HP204", "HP207", "HP301", "HP302", "HP404"])
def test_other_codes_keep_it(code: str) -> None:
    inventory, where = started()
    (event,) = inventory.put(subject(where, exported="demo", version="2", broken=code), at=NOW)
    assert isinstance(event, PluginFailed)
    assert event.running_revision is not None


def test_how_long_the_check_took_is_no_news() -> None:
    inventory, where = started()
    again = subject(where, exported="demo")
    slower = Subject(where, again.source, again.verdict, again.findings, again.integrity, checked_in_ms=99.0)
    assert inventory.put(slower, at=NOW) == ()


def test_a_plugin_that_waits_for_anothers_verdict_shows_nothing() -> None:
    inventory = Inventory(ServiceSettings())
    inventory.decide(Deciders({"demo": True}), at=NOW)
    inventory.expect("standalone:demo", "demo")
    assert inventory.put(subject(candidate("unified", "demo"), exported="demo"), at=NOW) == ()
    assert inventory.shell_mounted("s1", "1") == ()
    assert inventory.rows() == ()
    events = inventory.drop("standalone:demo", at=NOW)
    assert [type(event) for event in events] == [PluginLoaded]


def test_find_takes_keys_ids_and_folders() -> None:
    inventory, _ = started()
    other = candidate("standalone", "folder")
    inventory.put(subject(other, exported="named"), at=NOW)
    found = {name: inventory.find(name) for name in ("demo", "standalone:demo", "named", "folder", "nobody")}
    keys = {name: row.key if row else None for name, row in found.items()}
    assert keys == {
        "demo": "standalone:demo",
        "standalone:demo": "standalone:demo",
        "named": "standalone:folder",
        "folder": "standalone:folder",
        "nobody": None,
    }
