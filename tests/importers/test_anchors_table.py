"""A table of one's own: read whole, or refused with every fault's line and mend."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.faults import Faults
from sandbox.importers.anchors import read_anchors
from sandbox.people.mood import Pad
from sandbox.people.mood_words import Anchors


def read(path: Path, text: str | bytes) -> tuple[Anchors | None, list[str]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    faults = Faults()
    return read_anchors(path, faults), [f"{f.line}: {f.message}" for f in faults.errors]


def test_a_plain_table_is_read_in_any_order_of_columns(tmp_path: Path) -> None:
    text = "who,label,D,A,P\nann,Fear,-0.5,0.6,-0.6\nbob,happiness,0.4,0.5,0.8\ncid,Neutral,0,0,0\n"
    found, faults = read(tmp_path / "t.csv", text)
    assert not faults
    assert found is not None
    assert len(found) == 3
    assert found.labels(Pad(0.8, 0.5, 0.4)) == ("Happiness", "Neutral", "Fear")
    assert found.labels(Pad(0.8, 0.5, 0.4), "plutchik") == ("Joy", "Neutral", "Fear")


def test_a_label_file_of_the_podcast_corpus_is_read_on_its_own_scale(tmp_path: Path) -> None:
    text = (
        "FileName,EmoClass,EmoAct,EmoVal,EmoDom,SpkrID\n"
        "a.wav,A,7,1,7,1\nb.wav,X,4,4,4,2\nc.wav,C,5.5,2.5,4.0,3\nd.wav,O,1,1,1,4\n"
    )
    found, faults = read(tmp_path / "t.csv", text)
    assert not faults
    assert found is not None
    assert found.labels(Pad(-1, 1, 1))[0] == "Anger"
    assert found.labels(Pad(0, 0, 0))[0] == "Vague"
    assert found.labels(Pad(-0.5, 0.5, 0))[0] == "Contempt"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1: names no columns"),
        ("x,y,z\n1,2,3\n", "1: names no columns"),
        ("p,a,d,label\n0,0,0,Joyous\n", '2: no label "Joyous"'),
        ("p,a,d,label\n0,0,0\n", "2: has 3 columns"),
        ("p,a,d,label\n0,1.5,0,Fear\n", '2: a is "1.5", not -1 to 1'),
        ("p,a,d,label\n0,nan,0,Fear\n", '2: a is "nan", not -1 to 1'),
        ("p,a,d,label\n0,much,0,Fear\n", '2: a is "much", not -1 to 1'),
        ("EmoVal,EmoAct,EmoDom,EmoClass\n0,4,4,A\n", '2: EmoVal is "0", not 1 to 7'),
        ("p,a,d,label\n0,0,0,Fear\n", "0: holds 1 points; 3 at least are needed"),
        (b"p,a,d,label\n\xff\xfe", "0: cannot be read as a table"),
        ('p,a,d,label\n"0,0,0,Fear', "0: cannot be read as a table"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str | bytes, fault: str) -> None:
    found, faults = read(tmp_path / "t.csv", text)
    assert found is None
    assert any(one.startswith(fault) for one in faults), faults


def test_every_faulty_row_is_told(tmp_path: Path) -> None:
    found, faults = read(tmp_path / "t.csv", "p,a,d,label\n2,0,0,Fear\n0,0,0,Fear\n0,0,0,Dread\n")
    assert found is None
    assert [one.partition(":")[0] for one in faults] == ["2", "4"]


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    faults = Faults()
    assert read_anchors(tmp_path / "none.csv", faults) is None
    assert len(faults.errors) == 1


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    found, faults = read(tmp_path_factory.mktemp("t") / "t.csv", b"p,a,d,label\n" + data)
    assert (found is None) == bool(faults)
