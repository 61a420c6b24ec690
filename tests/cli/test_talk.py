"""`sandbox talk`: lines checked, what a save used of them, and how well its people talk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from clishell import Shell
from test_cli_foreign_saves import ACTIVE, ESCAPE, craft, edit

from sandbox.cli.main import cli
from sandbox.readers.talkstats import KEYS

pytestmark = pytest.mark.slow

LINE = "lines:\n  - id: {id}\n    move: {move}\n    say: ['{say}']\n"


def lines(world: Path, text: str) -> None:
    (world / "lines.yaml").write_text(text, encoding="utf-8")


# ---- lint


def test_a_world_whose_lines_are_right_is_told_with_its_counts(shell: Shell, world: Path) -> None:
    done = shell("talk", "lint", world)
    said = done.out.splitlines()
    assert done.code == 0, done.out
    assert all(re.match(r".+?(:\d+)?: ", line) for line in said)  # the path may hold blanks
    assert re.fullmatch(
        r"broken: ok \([\d,]+ lines, [\d,]+ variants, \d+ slots?, \d+ warnings?, \d+ notes?\)", said[-1]
    )


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("text", "level", "says"),
    [
        (LINE.format(id="x", move="greet", say="Hello?"), "", 'asks, but the move "greet" waits for no answer'),
        (LINE.format(id="x", move="bye", say="{recall}."), "", 'the move "bye" does not fill {recall}'),
        (
            LINE.format(id="x", move="bye", say="So.") + "    when: {pressure: debt}\n",
            "warning: ",
            "never has pressure debt",
        ),
        (
            LINE.format(id="x", move="vent", say="So.") + "    when: {topic_kind: memory}\n",
            "",
            "never has topic_kind memory",
        ),
        (LINE.format(id="x", move="vent", say="So.") + "    when: {told: good}\n", "", "never has told good"),
        (LINE.format(id="x", move="declare", say="So.") + "    when: {pressure: debt}\n", "warning: ", "drama deck"),
        (
            LINE.format(id="x", move="opinion", say="So.") + "    when: {topic_kind: opinion, pressure: debt}\n",
            "",
            "what presses with topic_kind opinion",
        ),
        (
            LINE.format(id="x", move="agree", say="So.") + "    when: {stance: [for, same]}\n",
            "",
            "make two lines of it",
        ),
        (LINE.format(id="x", move="bye", say="So.") + "    when: {mood: bored, arousal: high}\n", "", "arousal high"),
        (
            LINE.format(id="x", move="bye", say="So.") + "    when: {tie: stranger, first_today: false}\n",
            "",
            "who has talked today is no stranger",
        ),
        (
            LINE.format(id="x", move="bye", say="So.") + "    when: {trait: winged}\n",
            "note: ",
            "trait winged; it is never",
        ),
        ("slots:\n  spare: [a, b]\n", "warning: ", "no line uses this slot"),
        (
            "slots:\n  what: ['what?']\n" + LINE.format(id="x", move="bye", say="Eh, {what}"),
            "",
            'asks, but the move "bye" uses it',
        ),
        (
            LINE.format(id="x", move="bye", say="Zebras never wear green hats on a Sunday in the rain"),
            "note: ",
            'has "zebras never wear green hats on a sunday in the" as x, variant 1',
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(shell: Shell, world: Path, text: str, level: str, says: str) -> None:
    if "zebras" in says:
        text += "  - {id: y, move: bye, say: ['I say, zebras never wear green hats on a Sunday in the snow']}\n"
    lines(world, text)
    done = shell("talk", "lint", world)
    found = [line for line in done.out.splitlines() if says in line and "broken/lines.yaml:" in line.replace("\\", "/")]
    assert found, done.out
    assert re.search(rf"lines\.yaml:\d+: {level}(?!warning|note)", found[0])
    if not level:
        assert done.code == 2


@pytest.mark.slow
def test_moves_that_ask_may_ask(shell: Shell, world: Path) -> None:
    text = "lines:\n" + "".join(
        f"  - {{id: x_{move}, move: {move}, say: ['Eh, {move}?']}}\n"
        for move in ("how_are_you", "remind", "flirt", "gasp", "hit_back", "scoff")
    )
    lines(world, text)
    assert "x_" not in shell("talk", "lint", world).out


@pytest.mark.slow
def test_pairs_that_sound_alike_are_told_twenty_times_at_most(shell: Shell, world: Path) -> None:
    lines(
        world,
        "lines:\n  - id: x\n    move: bye\n    say:\n"
        + "".join(f"      - Zebras never wear green {i}\n" for i in range(30)),
    )
    out = shell("talk", "lint", world).out
    assert out.count("word one anew") == 20
    assert re.search(r"\d+ more pairs of variants share 4 words in a row", out)


@pytest.mark.slow
def test_what_the_loader_finds_is_told_as_it_tells_it(shell: Shell, world: Path) -> None:
    lines(world, LINE.format(id="x", move="grete", say="Hello."))
    done, check = shell("talk", "lint", world), shell("worlds", "check", world)
    assert done.code == check.code == 2
    assert (done.out, done.err) == (check.out, check.err)
    assert 'did you mean "greet"' in done.out


def test_no_world_is_told_in_a_line(shell: Shell) -> None:
    done = shell("talk", "lint", "larkspurr")
    assert done.code == 2
    assert 'did you mean "larkspur"' in done.err


# ---- coverage


def test_coverage_tells_each_move_and_lists_what_was_never_used(shell: Shell, save: Path) -> None:
    out = shell("talk", "coverage", save).out.splitlines()
    assert out[0].split() == ["MOVE", "LINES", "VARIANTS", "SAID"]
    assert any(re.match(r"all +\d+/\d+ +\d+/\d+ +\d", row) for row in out)
    at = next(i for i, row in enumerate(out) if row.endswith("never used:"))
    assert re.fullmatch(r"  and [\d,]+ more; --json lists all", out[at + 41])


def test_coverage_in_json_adds_up(shell: Shell, save: Path) -> None:
    found = shell("talk", "coverage", save, "--json").json
    assert list(found) == ["save", "moves", "lines_never", "variants_never", "said"]
    assert sum(row["said"] for row in found["moves"]) == sum(found["said"].values()) > 0
    assert sum(row["lines"] - row["lines_used"] for row in found["moves"]) == len(found["lines_never"])
    assert sum(row["variants_used"] for row in found["moves"]) == len(found["said"])


# ---- stats


@pytest.fixture(scope="module")
def hours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save of eight hours, in which each measure has something to measure."""
    path = tmp_path_factory.mktemp("hours") / "a.db"
    made = CliRunner().invoke(cli, ["run", "larkspur", "--steps", "480", "--save", str(path), "--json"])
    assert made.exit_code == 0, made.output
    return path


def test_stats_are_a_row_each_beside_what_they_should_be(shell: Shell, hours: Path) -> None:
    plain = shell("talk", "stats", hours)
    assert (plain.code, "MISS" in plain.out, "at least" in plain.out) == (0, False, False), "nobody has asked"
    assert plain.out.splitlines()[0].split() == ["MEASURE", "HERE"]
    done = shell("talk", "stats", hours, "--check")
    rows = done.out.splitlines()
    assert done.code == any("  MISS  " in row for row in rows)
    assert rows[0].split() == ["MEASURE", "HERE", "SHOULD", "BE"]
    assert max(map(len, rows[: len(KEYS) + 1])) <= 80
    assert sum(bool(re.search(r"  (ok|MISS)  ", row)) for row in rows[1 : len(KEYS) + 1]) == len(KEYS) - 3


@pytest.mark.slow
def test_stats_in_json_have_exactly_the_keys_promised_and_are_the_same_each_time(shell: Shell, hours: Path) -> None:
    found = shell("talk", "stats", hours, "--json").json
    assert tuple(found) == ("save", "days", "whole")
    assert found == shell("talk", "stats", hours, "--json").json
    whole, days = found["whole"], found["days"]
    assert tuple(whole) == KEYS
    assert whole["utterances"] > whole["conversations"] > 0
    assert all(whole[key] is not None for key in KEYS)
    at = KEYS.index("voiced_talks")
    assert [tuple(day) for day in days] == [("day", *KEYS[at : KEYS.index("tone_correlation") + 1])]
    assert [day["day"] for day in days] == [1]
    assert {key: whole[key] for key in KEYS if key in days[0]} == {k: x for k, x in days[0].items() if k != "day"}


def test_a_save_in_which_nobody_has_spoken_has_nothing_to_measure(shell: Shell) -> None:
    assert (
        shell(
            "run", "larkspur", "--steps", "5", "--set", "talk.rate=0", "--set", "rules.drama=off", "--save", "still.db"
        ).code
        == 0
    )
    found = shell("talk", "stats", "still.db", "--json").json
    assert found["days"] == []
    assert found["whole"]["utterances"] == found["whole"]["voiced_talks"] == 0
    assert found["whole"]["new_to_listener"] is None
    assert "-" in shell("talk", "stats", "still.db").out


def test_words_of_another_mind_are_measured_as_far_as_they_can_be(shell: Shell, save: Path) -> None:
    for i in (0, 1):
        edit(
            save,
            f"UPDATE events SET data = json_set(json_set(data, '$.lines[{i}][1]', 'Words of my own, ' || seq),"
            f" '$.lines[{i}][6]', json('[]')) WHERE kind = 'exchanged' AND json_extract(data, '$.lines[{i}][1]') <> ''",
        )
    found = shell("talk", "stats", save, "--json").json["whole"]
    for key in ("frames_over_limit", "false_citations", "changed_by_mood", "changed_by_tie"):
        assert found[key] is None
    assert found["unclosed_conversations"] == 0
    assert found["distinct_4"] > 0


# ---- saves from anywhere


@pytest.mark.parametrize("command", ["stats", "coverage"])
def test_no_save_and_a_file_that_is_none_are_told_in_a_line(shell: Shell, tmp_path: Path, command: str) -> None:
    (tmp_path / "junk.db").write_text("junk")
    for name in ("nowhere.db", "junk.db"):
        done = shell("talk", command, name)
        assert done.code == 2
        assert done.err.startswith(name)
        assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["stats", "coverage"])
def test_a_foreign_save_is_read_as_text(shell: Shell, save: Path, command: str) -> None:
    escape = ESCAPE.replace("\x1b", "\\u001b").replace("\x07", "")
    said = f"'\"{escape} and three words more\"'"
    for place in ("$.lines[0][1]", "$.lines[0][6][0]", "$.lines[1][6][0]"):
        edit(
            save,
            f"UPDATE events SET data = json_set(data, '{place}', json({said})) WHERE kind = 'exchanged'",
        )
    for args in ([], ["--json"]):
        done = shell("talk", command, save, *args)
        assert done.code == 0
        assert not ACTIVE.search(done.out)
        assert not ACTIVE.search(done.err)


def test_people_that_are_not_there_are_told_in_a_line(shell: Shell, save: Path) -> None:
    edit(save, "UPDATE events SET data = json_set(data, '$.lines[0][0]', 'nobody') WHERE kind = 'exchanged'")
    done = shell("talk", "stats", save)
    assert done.code == 2
    assert "does not fit its world" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("UPDATE events SET step = 99999999999 WHERE seq = (SELECT max(seq) FROM events)", 2),
        ("UPDATE events SET step = 1 WHERE seq = (SELECT max(seq) FROM events)", 2),
        ("UPDATE events SET t = 0 WHERE seq = (SELECT max(seq) FROM events)", 2),
        ("DELETE FROM steps WHERE step = 30", 0),  # the events say themselves of which step they are
    ],
)
def test_steps_that_do_not_follow_each_other_end_the_reading(shell: Shell, save: Path, change: str, code: int) -> None:
    edit(save, change)
    done = shell("talk", "stats", save)
    assert done.code == code
    assert len(done.err.splitlines()) == (1 if code else 0)


def test_a_book_without_lines_is_told(shell: Shell, save: Path) -> None:
    craft(save, lambda s: s["lines"].update(lines=[]))
    done = shell("talk", "coverage", save)
    assert done.code == 2
    assert "has no line that always fits" in done.err
