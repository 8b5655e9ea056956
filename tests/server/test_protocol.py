import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.nouns import Json
from loader.server import protocol, requests
from loader.server.control_requests import (
    ApprovePluginGrants,
    InstallPlugin,
    ListPlugins,
    OpenPluginTab,
    SetPluginEnabled,
    UninstallPlugin,
)
from loader.server.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, Malformed
from loader.server.protocol import (
    Answer,
    CallShell,
    Failure,
    Hello,
    Log,
    Notice,
    PackageRequests,
    PetLines,
    PluginChange,
    PluginFailure,
    PluginLoad,
    PluginUnload,
    PolicyActions,
    Sent,
    WallChange,
    decode_sent,
    encode,
)
from loader.server.requests import (
    ActionReport,
    AiText,
    Call,
    PetClear,
    PetSay,
    Ping,
    PluginReport,
    Reload,
    Request,
    RunAction,
    ShellFocus,
    ShellMount,
    ShellUnmount,
    WallAttach,
    WallCall,
    WallCancel,
    WallClose,
    decode,
    encode_request,
)

ROW: dict[str, Json] = {"id": "demo", "name": "Größe 😀 \ud800"}
SENT: list[Sent] = [
    Hello(
        "0.1.0",
        "/r",
        "/h",
        "i1",
        7,
        False,
        ({"row": {"id": "demo"}, "module_url": None},),
        ({"id": "session.new"},),
        {"lines": []},
    ),
    Hello("0.1.0", "/r", "/h", "i1", 7, True, None),
    PluginLoad(
        8, ROW, "/modules/c/plugin.js", "t", ({"specifier": "react", "kind": "static", "start": 1, "end": 8},), "new"
    ),
    PluginLoad(8, ROW, None, None, (), "new", {"open": "/v1/wall/demo/frames"}),
    WallChange(9, "com.example.notes", {"enabled": True}),
    WallChange(9, "com.example.notes", None),
    Notice("wall/text", {"frame": "frame-1", "call": "c1", "text": "he"}),
    Notice("wall/closed", {"frame": "frame-1", "plugin": "com.example.notes", "reason": "disabled"}),
    PluginUnload(9, "demo", "ab", "changed"),
    PluginFailure(10, ROW, None),
    PluginChange(11, ROW),
    PluginChange(11, ROW, removed=True),
    PolicyActions(12, ({"id": "session.new"},)),
    PetLines(13, ()),
    PackageRequests(14, 2),
    Log(14, "warning", None, "polling"),
    CallShell("c1", "action/run", {"action": "session.new", "plugin": "demo"}),
    Answer("1", {"ok": True}),
    Answer(2, None),
    Failure(None, PARSE_ERROR, "the frame is not JSON"),
]
CALLS: list[Call] = [
    ShellMount("1.0", True, {"react": ("useState",)}, ("session.new",), ("clock",)),
    ShellMount("1.0", False),
    ShellMount("1.0", False, tools=[{"name": "read_page", "capability": "read-only"}], offers=("ai", "cdp")),
    WallAttach("t"),
    WallCall("t", "tools.call", {"name": "read_page"}, "c1"),
    WallCall("t", "tools.list"),
    WallCancel("t", "c1"),
    WallClose("t"),
    AiText("stream-1", "he"),
    ShellFocus(True),
    ShellUnmount(),
    PluginReport("demo", "ab", "failed", "import", "boom"),
    PluginReport("demo", "ab", "loaded", "register"),
    ActionReport("t", "session.new", {"ok": True}),
    RunAction("t", 7),
    PetSay("t", "hi", {"id": "l", "tone": "warn", "ttlMs": 1000}),
    PetSay("t", None, {}),
    PetSay("t", "hi", {"call": "c1"}),
    PetClear("t", None, "c1"),
    PetClear("t", "l"),
    PetClear("t", None),
    ListPlugins(),
    InstallPlugin(repository="ada/board", ref="0" * 40, force=True, enable=True, apis=("storage",), without=("agent",)),
    InstallPlugin(source="ada/board", digest="sha256:00", capabilities=("read-only",)),
    ApprovePluginGrants("com.example.board", ("storage",), ("read-only",)),
    SetPluginEnabled("com.example.board", True),
    UninstallPlugin("com.example.board"),
    OpenPluginTab("com.example.board"),
    Reload(("demo",), 2.5),
    Reload(),
    Ping(),
]


@pytest.mark.parametrize("message", SENT, ids=lambda m: type(m).__name__)
def test_what_the_service_sends_reads_back_the_same(message: Sent) -> None:
    assert decode_sent(encode(message)) == message


@pytest.mark.parametrize("call", CALLS, ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("wants_answer", [True, False])
def test_what_a_client_sends_reads_back_the_same(call: Call, wants_answer: bool) -> None:
    request = Request("r1" if wants_answer else None, call, wants_answer)
    assert decode(encode_request(request)) == request


def test_every_message_of_both_unions_is_tried_above() -> None:
    assert {type(message) for message in SENT} == {*protocol.METHOD_OF, Notice, CallShell, Answer, Failure}
    assert {type(call) for call in CALLS} == set(requests.CALL_METHODS)
    assert set(requests.METHODS) == set(requests.CALL_METHODS.values())


def test_a_frame_is_as_long_as_its_bytes() -> None:
    frame = encode(PluginChange(1, ROW))
    assert len(frame) == len(frame.encode())


def test_hello_is_the_notification_of_the_protocol() -> None:
    params = json.loads(encode(SENT[0]))["params"]
    assert params["protocol"] == 1
    assert {"version", "root", "home", "instance", "seq", "resumed", "plugins"} <= params.keys()


def test_a_shell_that_answers_is_told_from_one_that_asks() -> None:
    assert decode('{"jsonrpc":"2.0","id":"c1","result":{"ok":true}}') == Answer("c1", {"ok": True})
    assert decode('{"jsonrpc":"2.0","id":"c1","error":{"code":1,"message":"no"}}') == Failure("c1", -32603, "no")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", PARSE_ERROR),
        ("{", PARSE_ERROR),
        ("[" * 500_000, PARSE_ERROR),
        ('{"jsonrpc":"2.0","method":"ping","id":NaN}', PARSE_ERROR),
        ('{"jsonrpc":"2.0","method":"ping","id":1e999}', PARSE_ERROR),
        ('{"jsonrpc":"2.0","method":"ping","id":' + "9" * 5000 + "}", PARSE_ERROR),
        ("[]", INVALID_REQUEST),
        ("7", INVALID_REQUEST),
        ('{"method":"ping"}', INVALID_REQUEST),
        ('{"jsonrpc":"2.0","method":7}', INVALID_REQUEST),
        ('{"jsonrpc":"2.0","method":"ping","id":{}}', INVALID_REQUEST),
        ('{"jsonrpc":"2.0","method":"ping","id":"' + "x" * 300 + '"}', INVALID_REQUEST),
        ('{"jsonrpc":"2.0","method":"nope","id":1}', METHOD_NOT_FOUND),
        ('{"jsonrpc":"2.0","method":"__init__","id":1}', METHOD_NOT_FOUND),
        ('{"jsonrpc":"2.0","method":"ping","id":1,"params":[1]}', INVALID_PARAMS),
        ('{"jsonrpc":"2.0","method":"shell/focus","id":1}', INVALID_PARAMS),
        ('{"jsonrpc":"2.0","method":"shell/focus","id":1,"params":{"focused":1}}', INVALID_PARAMS),
        (
            '{"jsonrpc":"2.0","method":"plugin/report","id":1,"params":{"id":"a","revision":"b","outcome":"ok"}}',
            INVALID_PARAMS,
        ),
        ('{"jsonrpc":"2.0","method":"runAction","id":1,"params":{"action":"x"}}', INVALID_PARAMS),
        ('{"jsonrpc":"2.0","method":"reload","id":1,"params":{"ids":"demo"}}', INVALID_PARAMS),
        ('{"jsonrpc":"2.0","method":"reload","id":1,"params":{"wait_s":-1}}', INVALID_PARAMS),
        ('{"jsonrpc":"2.0","method":"shell/mount","id":1,"params":{"exports":{"react":[1]}}}', INVALID_PARAMS),
    ],
    ids=lambda value: str(value)[:60],
)
def test_a_frame_that_is_none_of_ours_says_which_kind_of_wrong(frame: str, code: int) -> None:
    with pytest.raises(Malformed) as found:
        decode(frame)
    assert found.value.code == code


def test_the_id_of_a_wrong_request_is_echoed() -> None:
    with pytest.raises(Malformed) as found:
        decode('{"jsonrpc":"2.0","method":"nope","id":"r7"}')
    assert found.value.id == "r7"


def test_a_wait_that_is_longer_than_any_clock_is_cut() -> None:
    received = decode('{"jsonrpc":"2.0","method":"reload","id":1,"params":{"wait_s":' + "9" * 400 + "}}")
    assert isinstance(received, Request) and isinstance(received.call, Reload)
    assert received.call.wait_s == requests.LONGEST_WAIT_S


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_frame_raises_anything_but_malformed(value: object) -> None:
    for frame in (json.dumps(value), json.dumps({"jsonrpc": "2.0", "method": "shell/mount", "id": 1, "params": value})):
        try:
            decode(frame)
        except Malformed as malformed:
            encode(Failure(malformed.id, malformed.code, str(malformed)))
