"""Text files from anybody: types as asked for, bounds, and never anything but faults."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tinyworld import FILES, Tiny

from sandbox.core import yamlnodes
from sandbox.core.faults import PER_FILE, Faults, safe, suggestion
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.core.yamlnodes import compose_yaml
from sandbox.engine.checking import check_scenario

Build = Callable[..., Tiny]


def reader(tmp_path: Path, text: str | bytes) -> tuple[MappingReader, Faults]:
    """A reader of a file with that text, and its faults."""
    path = tmp_path / "a.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    faults = Faults()
    return MappingReader(open_yaml(path, faults)), faults


def found(r: MappingReader, key: str) -> Value:
    """The value of a key that is there."""
    value = r.get(key)
    assert value is not None
    return value


def said(faults: Faults) -> list[str]:
    """Line and message of each fault."""
    return [f"{f.line}: {f.message}" for f in faults]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_scalars_have_the_type_that_is_asked_for(tmp_path: Path) -> None:
    r, faults = reader(tmp_path, "t: 12:30\nu: '7:05'\nn: no\nz: 0123\nf: 1e3\ni: 010\nb: off\ny: y\nd: 2025-03-04\n")
    assert (found(r, "t").time(), found(r, "u").time()) == (45000, 25500)
    assert [r.text(k) for k in "nzyd"] == ["no", "0123", "y", "2025-03-04"]
    assert (found(r, "f").number(), found(r, "i").integer()) == (1000.0, 10)
    assert found(r, "b").flag() is False
    r.rest()
    assert said(faults) == []


def test_text_is_one_trimmed_line_unless_asked_exactly(tmp_path: Path) -> None:
    r, faults = reader(tmp_path, 'a: >-\n  one\n  two\n\n  three\nb: "  x  y "\nc: "well, "\n')
    assert r.text("a") == "one two three"
    assert r.text("b") == "x y"
    value = r.get("c")
    assert value is not None
    assert value.text(exact=True) == "well, "
    assert said(faults) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a:\n\tb: 1\n", "2: a tab; indent with spaces"),
        ("a: x\n\tb: 1\n", "2: a tab; indent with spaces"),
        ("a: b: c\n", '1: a ":" where none can stand'),
        ("a: [1, 2\nb: 3\n", '2: a "[" is not closed, or a comma is missing (it begins in line 1)'),
        ("a: {b: 1\nc: 3\n", '2: a "{" is not closed, or a comma is missing (it begins in line 1)'),
        ("a: 'x\nb: 3\n", "a quote is opened and never closed"),
        ("a: 'it's'\n", "1: this line does not fit the ones above"),
        ("a: *b\n", '1: a word that begins with "*"'),
        ("a: &x 1\nb: &x 2\n", '2: a word that begins with "&"'),
        ("a: @x\n", '1: a value cannot begin with @; put it in "quotes"'),
        ("a: `x`\n", "1: a value cannot begin with `"),
        ('a: "\\q"\n', '1: a "\\" in double quotes'),
        ('a: "\\ud800"\n', '1: a "\\" code in double quotes'),
        ("a: 1\n---\nb: 2\n", '2: a second document after "---"'),
        ("a: 1\na: 2\n", '2: the key "a" stands here twice, first in line 1; keep one'),
        ("- a\n", '1: is no mapping; write "key: value" pairs'),
        ("just text\n", '1: is no mapping; write "key: value" pairs'),
        ("", "0: is empty; add its keys"),
        ("# nothing\n", "0: is empty; add its keys"),
        (b"a: 1\nb: \xff\n", "2: byte 0xff is not UTF-8; save the file as UTF-8"),
        (b"a: 1\nb: \x1b[2J\n", "2: holds the control character U+001B; take it out"),
        ("a: 1\nb: x\u2028y\n", "2: holds the control character U+2028"),
        ("a: " + "[" * 200, "1: is nested more than 40 deep"),
        ("a: " + "[" * 500_000, "1: is nested more than 40 deep"),
        ("a: &x [*x]\n", "1: its anchors and aliases unfold without end"),
        ("? [a]\n: 1\n", "1: is a list; text belongs here"),
        ("x" * 2_000_001, "0: larger than 2 MB; split it"),
    ],
)
def test_what_cannot_be_read_is_named_with_a_mend(tmp_path: Path, text: str | bytes, fault: str) -> None:
    _, faults = reader(tmp_path, text)
    assert any(fault in s for s in said(faults)), said(faults)


def test_a_tag_is_a_fault_and_makes_no_object(tmp_path: Path) -> None:
    r, faults = reader(tmp_path, "a: !!python/object/apply:os.getcwd []\nb: !!str 5\n")
    assert (r.text("a"), r.text("b")) == ("", "")
    assert [s[:20] for s in said(faults)] == ['1: a: has the tag "t', '2: b: has the tag "t']


def test_aliases_that_multiply_are_refused_at_once(tmp_path: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    began = time.process_time()
    _, faults = reader(tmp_path, "\n".join(rows))
    assert said(faults) == ["1: its anchors and aliases unfold without end; write the values out"]
    assert time.process_time() - began < 2


def test_a_modest_alias_is_read(tmp_path: Path) -> None:
    r, faults = reader(tmp_path, "a: &a [x, y]\nb: *a\n")
    assert r.texts("b") == r.texts("a") == ("x", "y")
    assert said(faults) == []


def test_the_parser_without_c_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(yaml.SafeLoader):
        depth = 0
        resolve = yamlnodes._Loader.resolve
        descend_resolver = yamlnodes._Loader.descend_resolver
        ascend_resolver = yamlnodes._Loader.ascend_resolver

    def dump(name: str) -> str:
        faults = Faults()
        node = compose_yaml(FILES[name], Path(name), faults)
        assert not faults.errors
        return repr(node)

    names = [n for n in FILES if n.endswith(".yaml")]
    fast = [dump(n) for n in names]
    monkeypatch.setattr(yamlnodes, "_Loader", Slow)
    assert [dump(n) for n in names] == fast


def test_messages_are_safe_for_a_terminal(tmp_path: Path) -> None:
    r, faults = reader(tmp_path, '"\\e[31mred": 1\n"ok": "\\u202e"\n')
    r.text("ok")
    r.rest()
    assert len(list(faults)) == 2
    assert all(str(f).isprintable() for f in faults)
    assert safe("a\x1b[2J\u202eb\n") == "a<U+001B>[2J<U+202E>b "


def test_a_broken_file_names_a_bounded_number_of_faults(tmp_path: Path) -> None:
    r, faults = reader(tmp_path, "\n".join(f"k{i}: 1" for i in range(5000)))
    r.rest()
    assert len(faults) == PER_FILE


def test_a_near_word_is_suggested_whatever_its_capitals() -> None:
    assert suggestion("tansy bakry", ["Tansy Bakery", "Clinic"]) == '; did you mean "Tansy Bakery"?'
    assert suggestion("zzz", ["Tansy Bakery"]) == ""


@given(st.binary(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_a_tree_or_faults(tmp_path: Path, data: bytes) -> None:
    r, faults = reader(tmp_path, data)
    r.rest()
    assert r.value is not None or faults.errors


@given(st.text(alphabet="ab:[]{}-,#&*!|>'\"%@`? \n\t\\0.~<", max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_signs_give_a_tree_or_faults(tmp_path: Path, text: str) -> None:
    r, faults = reader(tmp_path, text)
    for key in ("a", "b", "ab"):
        r.text(key)
        value = r.get(key)
        if value is not None:
            value.number(0, 1)
            value.time()
        r.texts(key)
        r.section(key).rest()
    r.rest()
    assert r.value is not None or faults.errors


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_mutated_world_gives_a_scenario_or_faults(tiny_world: Build, data: st.DataObject) -> None:
    tiny = tiny_world()
    for name in data.draw(st.lists(st.sampled_from(sorted(FILES)), min_size=1, max_size=2, unique=True)):
        text = FILES[name]
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(text)))
            cut = data.draw(st.integers(0, 12))
            put = data.draw(st.text(alphabet="ab:[]{}-,#&*!|>'\" \n0", max_size=4) | st.sampled_from(PIECES))
            text = text[:at] + put + text[at + cut :]
        tiny.write(name, text)
    scenario, faults = tiny.read()
    assert (scenario is None) == bool(faults.errors)
    if scenario is not None:  # what may be played may be opened again
        check_scenario(msgspec.structs.replace(scenario, parameters={}))


PIECES = [
    "null",
    "{}",
    "[]",
    "x: 1",
    "\n  - ",
    "99",
    "-1",
    "''",
    "home",
    " / ",
    "*a",
    "&a ",
    "!!int ",
    "\x07",
]


@given(st.sampled_from(sorted(FILES)), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_value_of_another_shape_gives_faults(tiny_world: Build, name: str, data: st.DataObject) -> None:
    tiny = tiny_world()
    rows = FILES[name].split("\n")
    at = data.draw(st.integers(0, len(rows) - 1))
    key, colon, _ = rows[at].partition(":")
    if colon:
        rows[at] = f"{key}: " + data.draw(st.sampled_from(["", "null", "[]", "{}", "[[]]", "{a: {b: 1}}", "5", "x"]))
    else:
        del rows[at]
    tiny.write(name, "\n".join(rows))
    scenario, faults = tiny.read()
    assert (scenario is None) == bool(faults.errors)
