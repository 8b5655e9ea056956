import pytest

from loader.policy.answers import Dropped
from loader.policy.limits import FRAMES_REMEMBERED
from loader.policy.previews import WHY, PreviewGate, Prompted
from tests.naming import spelled


def test_a_prompt_is_trimmed_cut_by_graphemes_and_keeps_its_lines() -> None:
    answer = PreviewGate().send("frame", "  fix\r\nthis " + "🇩🇪" * 1_000, 0.0)
    assert isinstance(answer, Prompted)
    assert answer.prompt == "fix\nthis " + "🇩🇪" * 491
    assert answer.as_json() == {"ok": True, "prompt": answer.prompt}


@pytest.mark.parametrize("text", [None, "", " \n ", "\u200b"], ids=spelled)
def test_an_empty_prompt_is_dropped_with_its_reason_and_blocks_nothing(text: str | None) -> None:
    gate = PreviewGate()
    answer = gate.send("frame", text, 0.0).as_json()
    assert (answer["ok"], answer["reason"]) == (False, "empty")
    assert gate.send("frame", "x", 0.0).as_json()["ok"] is True


def test_one_a_second_for_each_frame() -> None:
    gate = PreviewGate()
    assert isinstance(gate.send("a", "x", 5.0), Prompted)
    assert isinstance(gate.send("b", "x", 5.0), Prompted)
    early = gate.send("a", "x", 5.999)
    assert isinstance(early, Dropped) and early.reason == "rate"
    assert isinstance(gate.send("a", "x", 6.0), Prompted)


@pytest.mark.parametrize("frame", ["", "f" * 129])
def test_a_frame_without_a_usable_id_is_refused(frame: str) -> None:
    answer = PreviewGate().send(frame, "x", 0.0)
    assert isinstance(answer, Dropped) and answer.reason == "frame"


def test_ten_thousand_frames_are_not_remembered() -> None:
    gate = PreviewGate()
    answers = [gate.send(f"frame{number}", "x", 0.0) for number in range(10_000)]
    assert sum(isinstance(answer, Prompted) for answer in answers) == FRAMES_REMEMBERED
    assert gate.remembered() == FRAMES_REMEMBERED
    assert isinstance(gate.send("later", "x", 1.0), Prompted)
    assert gate.remembered() == 1


def test_a_refusal_says_why() -> None:
    gate = PreviewGate()
    answers = [gate.send("f", text, 0.0).as_json() for text in ("", "x", "x")]
    assert [(answer.get("reason"), answer.get("error")) for answer in answers] == [
        ("empty", WHY["empty"]),
        (None, None),
        ("rate", "one prompt in 1 s for each frame"),
    ]
