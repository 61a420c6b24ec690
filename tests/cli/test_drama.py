"""`sandbox drama`: a save's measures beside their ranges, its incidents as sentences, and JSON for a script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clishell import Shell
from test_cli_foreign_saves import ACTIVE, ESCAPE, edit

from sandbox.readers.measures import FORTNIGHT, KEYS, WEEKS, value

OF_WEEKS = (*WEEKS, *FORTNIGHT)


def test_the_table_says_what_is_measured_and_what_it_should_be(shell: Shell, save: Path) -> None:
    plain = shell("drama", save)
    assert (plain.code, "MISS" in plain.out, "SHOULD BE" in plain.out) == (0, False, False), "nobody has asked"
    done = shell("drama", save, "--check")
    assert done.code == 1
    assert re.search(r"\n\d+ of these are not as they should be", done.out)
    lines = done.out.splitlines()
    assert plain.out.splitlines()[2].split() == ["MEASURE", "DAY", "1"]
    assert re.fullmatch(r"Larkspur, seed \d+: 1 day, \d+ incidents?", lines[0])
    assert lines[2].split() == ["MEASURE", "DAY", "1", "SHOULD", "BE"]
    rows = lines[3 : 3 + len(KEYS)]
    assert len(rows) == len(KEYS)
    assert all(re.search(r"  (ok|MISS)  ", row) for row in rows)
    assert max(map(len, lines)) <= 80


def test_json_has_the_same_keys_for_each_day_and_for_the_whole(shell: Shell, save: Path) -> None:
    found = shell("drama", save, "--json").json
    assert list(found) == ["save", "days", "weeks", "whole"]
    assert [list(day) for day in found["days"]] == [["day", *KEYS, *OF_WEEKS]]
    assert list(found["whole"]) == [*KEYS, *OF_WEEKS]
    assert found["weeks"] == [], "no week is whole yet"
    assert found["whole"]["incidents"] == found["days"][0]["incidents"]


def test_whole_weeks_stand_beside_their_ranges(shell: Shell, save: Path) -> None:
    """An hour's events, drawn out over two weeks."""
    edit(save, "UPDATE events SET t = t + 86400 * (seq * 15 / (1 + (SELECT max(seq) FROM events)))")
    edit(save, "UPDATE steps SET t = t + 86400 * 14 WHERE step = (SELECT max(step) FROM steps)")
    found = shell("drama", save, "--json").json
    assert [list(week) for week in found["weeks"]] == [["week", *KEYS, *OF_WEEKS]] * 2
    assert [week["week"] for week in found["weeks"]] == [1, 2]
    lines = shell("drama", save, "--check").out.splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("OF A WEEK"))
    assert lines[begin].split() == ["OF", "A", "WEEK", "DAYS", "1-7", "DAYS", "8-14", "SHOULD", "BE"]
    for line, (key, target) in zip(lines[begin + 1 :], WEEKS.items(), strict=False):
        assert line.startswith(target.label)
        assert value(key, found["weeks"][1][key]) in line
    assert lines[begin + 1].endswith("at least 85 %; then 60 %")
    assert {label for label, *_ in FORTNIGHT.values()} <= {line.split("  ")[0] for line in lines}
    assert max(map(len, lines[begin:])) <= 80


def test_told_it_is_in_sentences_with_the_hour_of_each_turn(shell: Shell, save: Path) -> None:
    out = shell("drama", save, "--tell").out
    assert out.startswith("Day 1, Tuesday 4 March\n")
    told = re.findall(r"^  (\d\d:\d\d)  (.+(?:\n {9}.+)*)", out, re.M)
    assert len(told) >= shell("drama", save, "--json").json["whole"]["incidents"] > 0
    assert [hour for hour, _ in told] == sorted(hour for hour, _ in told)
    for _, text in told:
        words = " ".join(text.split())
        assert re.fullmatch(r"[A-Z].+\.", words)
        assert not re.search(r"[{}]|\.\.|wanted to .+ because|in the matter of", words)


def test_against_another_save_it_tells_what_they_share(shell: Shell, save: Path) -> None:
    assert shell("drama", save, "--against", save, "--json").json["whole"]["shared_with_seed"] == 1.0
    assert re.search("shared with the other +100 %  MISS", shell("drama", save, "--against", save, "--check").out)


@pytest.mark.slow
def test_a_town_that_nothing_presses_says_so(shell: Shell) -> None:
    assert shell("run", "larkspur", "--steps", "5", "--save", "off.db", "--set", "rules.drama=off").code == 0
    for args in ([], ["--tell"]):
        done = shell("drama", "off.db", *args)
        assert done.code == 0
        assert "nothing presses anybody" in done.out
    assert shell("drama", "off.db", "--json").json["whole"]["incidents"] == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--day", "2"], "has 1 day"),
        (["--day", "0"], "--day"),
        (["--tell", "--json"], "--tell prints sentences only"),
        (["--tell", "--against", "b.db"], "--tell prints sentences only"),
        (["--against", "nowhere.db"], "nowhere.db: there is no such save"),
    ],
)
def test_what_cannot_be_asked_is_told(shell: Shell, save: Path, args: list[str], says: str) -> None:
    done = shell("drama", save, *args)
    assert done.code == 2
    assert says in done.err
    assert not done.out


def test_no_save_and_a_file_that_is_none_are_told_in_a_line(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "junk.db").write_text("junk")
    for name in ("nowhere.db", "junk.db"):
        done = shell("drama", name)
        assert done.code == 2
        assert done.err.startswith(name)
        assert len(done.err.splitlines()) == 1


def test_a_foreign_save_is_read_as_text(shell: Shell, save: Path) -> None:
    odd = (
        "replace(data, json_extract(data, '$.cause'), '" + ESCAPE.replace("\x1b", "\\u001b").replace("\x07", "") + "')"
    )
    edit(save, f"UPDATE events SET data = {odd} WHERE kind = 'pressure_began'")
    for args in ([], ["--tell"], ["--json"]):
        done = shell("drama", save, *args)
        assert not ACTIVE.search(done.out)
        assert not ACTIVE.search(done.err)


def test_people_and_places_that_are_not_there_are_told_or_go_by_their_ids(shell: Shell, save: Path) -> None:
    for column, of in (
        ("place", "talk_opened"),
        ("where", "chose"),
        ("to", "pressure_ended"),
        ("about", "pressure_began"),
    ):
        edit(save, f"UPDATE events SET data = json_set(data, '$.{column}', 'nowhere') WHERE kind = '{of}'")
    edit(save, "UPDATE events SET actor = 'nobody' WHERE kind IN ('pressure_ended', 'exchanged')")
    for args in ([], ["--tell"], ["--json"]):
        done = shell("drama", save, *args)
        assert done.code == 0, done.err


def test_an_event_that_cannot_be_read_is_told_in_a_line(shell: Shell, save: Path) -> None:
    edit(save, "UPDATE events SET data = '{}' WHERE kind = 'pressure_began'")
    done = shell("drama", save)
    assert done.code == 2
    assert "event" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.slow
def test_it_tells_who_knows_of_a_matter_and_from_whom(shell: Shell, save: Path) -> None:
    shell("run", save, "--until", "12:30")  # by then there is much to tell
    found = shell("drama", save, "--knows", "all", "--json").json["matters"]
    out = shell("drama", save, "--knows", "all").out
    chains = [facts for facts in found.values() if any(k["depth"] for fact in facts for k in fact["knowers"])]
    assert chains
    for facts in chains:
        for fact in facts:
            above: list[str] = []
            for k in fact["knowers"]:
                del above[k["depth"] :]
                assert not k["depth"] or k["source"] == above[-1]
                above.append(k["who"])
                assert f"(event {k['event']})" in out
                assert k["strength"] >= 1
    one = next(iter(found))
    assert list(shell("drama", save, "--knows", one, "--json").json["matters"]) == [one]


def test_a_matter_that_nobody_knows_of_is_named_with_the_nearest(shell: Shell, save: Path) -> None:
    known = max(shell("drama", save, "--knows", "all", "--json").json["matters"], key=len)
    done = shell("drama", save, "--knows", f"{known}d")
    assert done.code == 2
    assert f'did you mean "{known}"?' in done.err
    assert shell("drama", save, "--knows", "all", "--tell").code == 2
