"""`sandbox phones`: what crosses between street and feed, as a table, as sentences and for a script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clishell import Shell
from test_cli_foreign_saves import ACTIVE, ESCAPE, edit

from sandbox.phones.deck import RULES
from sandbox.readers.phonestats import TARGETS


def test_the_table_has_every_figure_and_every_rule(shell: Shell, save: Path) -> None:
    plain = shell("phones", save)
    assert (plain.code, "MISS" in plain.out, "SHOULD BE" in plain.out) == (0, False, False), "nobody has asked"
    done = shell("phones", save, "--check")
    assert done.code == 1
    lines = done.out.splitlines()
    assert re.fullmatch(r"Larkspur, seed \d+: 1 day, \d+ posts?", lines[0])
    assert lines[2].split() == ["MEASURE", "ALL", "SHOULD", "BE"]
    labels = [line.split("  ")[0] for line in lines]
    assert all(target.label in labels for target in TARGETS.values())
    assert all(rule.replace("_", " ") in labels for rule in RULES)
    assert max(map(len, lines)) <= 80


def test_of_several_days_the_mean_stands_beside_the_whole(shell: Shell, save: Path) -> None:
    """An hour's events, drawn out over two days."""
    edit(save, "UPDATE events SET t = t + 86400 * (seq * 3 / (1 + (SELECT max(seq) FROM events)))")
    edit(save, "UPDATE steps SET t = t + 86400 * 3 WHERE step = (SELECT max(step) FROM steps)")
    lines = shell("phones", save, "--check").out.splitlines()
    assert lines[2].split() == ["MEASURE", "ALL", "A", "DAY", "SHOULD", "BE"]
    assert max(map(len, lines)) <= 80
    assert [day["day"] for day in shell("phones", save, "--json").json["days"]] == [1, 2, 3]


def test_json_has_the_same_figures_for_each_day_and_for_the_whole(shell: Shell, save: Path) -> None:
    found = shell("phones", save, "--json").json
    assert list(found) == ["save", "days", "whole", "crossings"]
    assert [list(day) for day in found["days"]] == [["day", *TARGETS, "rules"]]
    assert list(found["whole"]) == [*TARGETS, "rules", "most_seen"]
    assert list(found["whole"]["rules"]) == list(RULES)
    assert len(found["crossings"]) == found["whole"]["crossings"] > 0
    one = found["crossings"][0]
    assert list(one) == ["way", "rule", "thread", "came", "made"]
    assert list(one["made"]) == ["seq", "t", "kind", "who"]
    assert all(x["came"]["seq"] < x["made"]["seq"] for x in found["crossings"])


def test_each_crossing_is_told_as_two_sentences_with_their_hours(shell: Shell, save: Path) -> None:
    out = shell("phones", save, "--tell").out
    assert out.startswith("Day 1, Tuesday 4 March\n")
    came = re.findall(r"^  (?:\w{3} )?\d\d:\d\d  \S", out, re.M)
    made = re.findall(r"^    -> \d\d:\d\d  \S", out, re.M)
    assert len(came) == len(made) == shell("phones", save, "--json").json["whole"]["crossings"]
    assert re.search(r"-> \d\d:\d\d \w+ .+: “", " ".join(out.split())), "with the words of a post"
    assert "posted about" not in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.slow
def test_a_town_without_phones_says_so(shell: Shell) -> None:
    off = ("--set", "phones.looks=0")
    assert shell("run", "larkspur", "--steps", "3", "--save", "off.db", *off).code == 0
    for args in ([], ["--tell"]):
        assert "nobody has looked at one" in shell("phones", "off.db", *args).out
    assert shell("phones", "off.db", "--json").json["whole"]["posts"] == 0


@pytest.mark.parametrize(
    ("args", "says"), [(["--day", "2"], "has 1 day"), (["--tell", "--json"], "--tell prints sentences only")]
)
def test_what_cannot_be_asked_is_told(shell: Shell, save: Path, args: list[str], says: str) -> None:
    done = shell("phones", save, *args)
    assert done.code == 2
    assert says in done.err
    assert not done.out


def test_no_save_is_told_in_a_line(shell: Shell) -> None:
    done = shell("phones", "nowhere.db")
    assert (done.code, len(done.err.splitlines())) == (2, 1)


def test_a_foreign_save_is_read_as_text(shell: Shell, save: Path) -> None:
    odd = "json_set(data, '$.text', '" + ESCAPE.replace("\x1b", "").replace("\x07", "") + "' || char(27, 91, 51, 7))"
    edit(save, f"UPDATE events SET data = {odd} WHERE kind = 'posted'")
    for args in ([], ["--tell"], ["--json"]):
        done = shell("phones", save, *args)
        assert done.code == 0
        assert not ACTIVE.search(done.out)
        assert not ACTIVE.search(done.err)


def test_a_post_by_nobody_of_the_town_is_no_residents(shell: Shell, save: Path) -> None:
    before = shell("phones", save, "--json").json["whole"]["posts"]
    assert before > 0
    edit(save, "UPDATE events SET actor = 'nobody' WHERE kind IN ('posted', 'wrote', 'quoted')")
    assert shell("phones", save, "--json").json["whole"]["posts"] == 0
