"""What one writes of models: names, addresses, budgets, and what a world may not say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.faults import Faults
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.minds.budget import Limit, Limits
from sandbox.minds.spec import UNPRICED, MindSpec, Model, loopback, parse_mind, parse_model, read_mind

HERE = "http://127.0.0.1:8000/v1"


def test_a_model_is_written_as_litellm_does_with_its_addresses_behind_it() -> None:
    assert parse_model("ollama/llama3.2:3b") == Model("ollama/llama3.2:3b")
    assert parse_model(f"openai/x@{HERE},http://10.0.0.2/v1") == Model("openai/x", (HERE, "http://10.0.0.2/v1"))
    assert parse_model("vertex_ai/claude-3@20240229") == Model("vertex_ai/claude-3@20240229")
    assert parse_model("embedded") is None


@pytest.mark.parametrize(
    "text",
    [
        "", "no model", "a//b", "huggingface/https://evil.example/x", "openai/x@https://", "openai/x@ftp://a",
        "openai/x@https://me:secret@a.example", "openai/x@https://a.example?key=1", "x\x1b[31m", "=x", "x@https://a:0",
        "openai/x@http://a b", "embedded@http://127.0.0.1",
    ],
)  # fmt: skip
def test_what_is_no_model_is_refused_with_a_mend(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|no address|holds no|is no"):
        parse_model(text)


@given(st.text(max_size=80))
def test_any_text_is_a_model_or_a_fault(text: str) -> None:
    try:
        found = parse_model(text)
    except ValueError:
        return
    assert found is None or "//" not in found.name


def test_different_people_have_different_minds_and_the_last_word_holds() -> None:
    spec = parse_mind(["ollama/a", f"mara=openai/b@{HERE}", "tom=embedded"])
    assert spec.default == Model("ollama/a")
    assert spec.people == {"mara": Model("openai/b", (HERE,)), "tom": None}
    assert spec.models == (Model("ollama/a"), Model("openai/b", (HERE,)))
    one_more = parse_mind(["una=ollama/c"], spec)
    assert one_more.people.keys() == {"mara", "tom", "una"}
    assert parse_mind(["embedded"], spec).models == ()


def test_money_is_bounded_unless_one_says_otherwise() -> None:
    assert MindSpec().limits == Limits(Limit(usd=1.0), Limit(usd=5.0))
    assert Limit(5, None, 2.0).within(Limit(None, 7, 1.0)) == Limit(5, 7, 1.0)


@pytest.mark.parametrize(
    ("url", "here"),
    [
        (HERE, True), ("http://localhost:1", True), ("http://[::1]:1", True), ("http://127.9.9.9", True),
        ("http://127.0.0.1.evil.example", False), ("https://localhost.evil.example", False), ("http://10.0.0.1", False),
        ("http://0.0.0.0", False), ("http://[", False),
    ],
)  # fmt: skip
def test_only_this_computer_is_here(url: str, here: bool) -> None:
    assert loopback(url) is here


def read(tmp_path: Path, text: str, trusted: bool, base: MindSpec | None = None) -> tuple[MindSpec, list[str]]:
    file = tmp_path / "world.yaml"
    file.write_text(text)
    faults = Faults()
    r = MappingReader(open_yaml(file, faults))
    spec = read_mind(r.get("mind"), base or MindSpec(), people=("mara", "tom"), trusted=trusted)
    return spec, [str(f) for f in faults]


WHOLE = f"""
mind:
  model: openai/a
  at: [{HERE}, http://localhost:9/v1]
  people:
    mara: ollama/b
    tom: {{model: openai/c, at: {HERE}}}
  budget: {{day: {{calls: 100, usd: 0.5}}, save: {{tokens: 1000000}}}}
  timeout: 10
  patience: 20
  together: 4
  asks: [say, exchange]
  structured: json
"""


def test_a_file_says_all_of_it(tmp_path: Path) -> None:
    spec, faults = read(tmp_path, WHOLE, trusted=False)
    assert faults == []
    assert spec == MindSpec(
        Model("openai/a", (HERE, "http://localhost:9/v1")),
        {"mara": Model("ollama/b"), "tom": Model("openai/c", (HERE,))},
        Limits(Limit(100, None, 0.5), Limit(None, 1_000_000, 5.0)),
        10.0,
        20.0,
        4,
        ("say", "exchange"),
        "json",
        Limits(Limit(100, UNPRICED.day.tokens), Limit(UNPRICED.save.calls, 1_000_000)),
    )


def test_one_word_is_enough(tmp_path: Path) -> None:
    assert read(tmp_path, "mind: ollama/b", trusted=False) == (MindSpec(Model("ollama/b")), [])
    assert read(tmp_path, "mind: embedded", trusted=False) == (MindSpec(), [])


@pytest.mark.parametrize(
    "text",
    [
        "mind: openai/a@https://evil.example/v1",
        "mind: {model: openai/a, at: 'http://127.0.0.1.evil.example'}",
        "mind: {model: openai/a, key: AWS_SECRET_ACCESS_KEY}",
        f"mind: {{model: openai/a, at: {HERE}, key: OPENAI_API_KEY}}",
        "mind: {people: {mara: 'openai/a@http://10.0.0.1/v1'}}",
    ],
)
def test_a_world_cannot_send_a_key_anywhere(tmp_path: Path, text: str) -> None:
    spec, faults = read(tmp_path, text, trusted=False)
    assert spec.models == ()
    assert len(faults) == 1
    assert "a world may not" in faults[0]
    assert "settings" in faults[0]
    assert read(tmp_path, text, trusted=True)[1] == []


def test_a_world_cannot_raise_a_budget(tmp_path: Path) -> None:
    text = "mind: {budget: {day: {usd: 900, calls: 5}, save: {usd: none}}}"
    spec, faults = read(tmp_path, text, trusted=False)
    assert (spec.limits, faults) == (Limits(Limit(calls=5, usd=1.0), Limit(usd=5.0)), [])
    assert read(tmp_path, text, trusted=True)[0].limits == Limits(Limit(calls=5, usd=900.0), Limit())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mind: {modle: x}", "did you mean"),
        ("mind: {model: ''}", "empty"),
        ("mind: {people: {moira: embedded}}", "moira"),
        ("mind: {asks: [sing]}", "sing"),
        ("mind: {structured: xml}", "xml"),
        ("mind: {timeout: 0}", "out of range"),
        ("mind: {budget: {day: {usd: -1}}}", "out of range"),
        ("mind: {people: {mara: {model: ollama/b, at: [], colour: red}}}", "colour"),
        ("mind: [a]", "text belongs here"),
    ],
)
def test_a_fault_is_told_with_its_line_and_leaves_the_rest(tmp_path: Path, text: str, says: str) -> None:
    spec, faults = read(tmp_path, text, trusted=True)
    assert any(says in fault for fault in faults), faults
    assert spec.default is None
