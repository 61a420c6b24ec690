"""`sandbox ties`, and ties exported as a graph: what they say is what the town has, and what cannot be is told."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from xml.etree import ElementTree

import click
import networkx as nx
import pytest
from clishell import ROOT, Shell
from test_cli_foreign_saves import ACTIVE, ESCAPE, edit

from sandbox.cli.ties import ties as command
from sandbox.engine.world import World
from sandbox.lab import rewiring
from sandbox.lab.networks import MEASURES, THETAS
from sandbox.lab.published import FRIENDSHIP
from sandbox.people.ties import closeness_at
from sandbox.readers.tielines import DISLIKES
from sandbox.store.save import read_save

FEW = 20  # random networks: a test looks at the form


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewiring, "TIMES", FEW)


def stood(save: Path, step: int | None = None) -> World:
    async def read() -> World:
        async with await read_save(str(save)) as opened:
            return await opened.seek(step)

    return asyncio.run(read())


def held(world: World) -> dict[tuple[str, str], tuple[float, float]]:
    """What the town has: closeness and feeling of each pair."""
    day, p = world.clock.day(world.now), world.tie_parameters
    return {
        (u, v): (round(closeness_at(tie, day, p), 6), round(tie.feeling, 6))
        for u, row in world.people.ties.items()
        for v, tie in row.items()
    }


# ---- the report


@pytest.mark.slow
def test_the_report_stands_beside_the_first_morning_real_networks_and_chance(shell: Shell, save: Path) -> None:
    done = shell("ties", save)
    assert done.code == 0
    lines = done.out.splitlines()
    assert re.fullmatch(r"Larkspur, seed \d+: 25 people, \d+ ties of 0\.3 or more, Tue 4 Mar 08:30", lines[0])
    assert lines[2].split() == ["MEASURE", "DAY", "0", "DAY", "1", "REAL", "NETWORKS", "REWIRED", "RANDOM"]
    for line, (middle, low, high) in zip(lines[3:8], FRIENDSHIP.values(), strict=True):
        assert f"{middle:.3f} {low:.3f}-{high:.3f}" in line
    for head in ("THETA", "MOST LIKED", "MOST DISLIKED", "PAIRS", "Outside the range of rewirings: "):
        assert any(line.startswith(head) for line in lines)
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_json_has_every_measure_and_what_stands_beside_it(shell: Shell, save: Path) -> None:
    found = shell("ties", save, "--json").json
    assert [list(found["began"]), list(found["then"])] == [list(MEASURES)] * 2
    assert [row["theta"] for row in found["sweep"]] == list(THETAS)
    at_theta = next(row for row in found["sweep"] if row["theta"] == 0.3)
    assert {**at_theta, "homophily": 0, "theta": 0} == {**found["then"], "homophily": 0, "theta": 0}
    assert list(found["real"]) == list(found["rewired"]) == list(found["random"]) == list(FRIENDSHIP)
    assert found["then"]["homophily"] < 0.9, "homes keep together"
    assert found["rewired"]["density"]["low"] == pytest.approx(found["then"]["density"])
    assert (found["day"], found["t"], found["theta"]) == (1, 3600, 0.3)
    assert found["began"] != found["then"]
    assert shell("ties", save, "--theta", ".6", "--json").json["then"]["edges"] < found["then"]["edges"]


@pytest.mark.slow
def test_the_most_disliked_is_who_is_disliked_most_by_most(shell: Shell, save: Path) -> None:
    found = shell("ties", save, "--json").json
    world = stood(save)
    feelings = {two: feeling for two, (_, feeling) in held(world).items()}
    means = {
        who: sum(x for (_, v), x in feelings.items() if v == who) / (len(world.cast) - 1)
        for who in {v for _, v in feelings}
    }
    assert {one["who"]: one["mean"] for one in found["disliked"]} == pytest.approx(means)
    sums = {v: sum(x for (_, to), x in feelings.items() if to == v and x <= DISLIKES) for v in means}
    assert {one["who"]: one["summed"] for one in found["disliked"]} == pytest.approx(sums)
    assert [one["summed"] for one in found["disliked"]] == sorted(one["summed"] for one in found["disliked"])
    for one in found["disliked"]:
        to_them = {u: x for (u, v), x in feelings.items() if v == one["who"]}
        assert one["feeling"] == to_them[one["by"]] == min(to_them.values())
        assert one["moved"] is None or (one["moved"]["delta"] < 0 and one["moved"]["seq"])
        assert one["began"] is None or not one["began"]["seq"]
    since = [one for one in [*found["liked"], *found["disliked"]] if one["moved"]]
    assert since
    for one in since:
        causes = world.people.ties[one["by"]][one["who"]].causes
        assert (one["moved"]["seq"], one["moved"]["why"]) in {(c.seq, c.why) for c in causes}


def test_the_help_says_what_each_measure_is() -> None:
    text = command.get_help(click.Context(command))
    for key in MEASURES:
        assert re.search(rf"\b{key}\b", text) or key.endswith(("_low", "_high")), key


@pytest.mark.parametrize(
    ("args", "says"),
    [(["--day", "2"], "has 1 day"), (["--day", "0"], "--day"), (["--theta", "0"], "--theta"), (["--theta", "2"], "2")],
)
def test_what_cannot_be_asked_is_told(shell: Shell, save: Path, args: list[str], says: str) -> None:
    done = shell("ties", save, *args)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


@pytest.mark.slow
def test_a_foreign_save_is_read_as_text(shell: Shell, save: Path) -> None:
    odd = ESCAPE.replace("\x1b", "\\u001b").replace("\x07", "")
    edit(save, "UPDATE events SET data = json_set(data, '$.relations[0][2]', 0.9) WHERE kind = 'talk_closed'")
    edit(save, f"UPDATE events SET data = json_set(data, '$.relations[0][7]', '{odd}') WHERE kind = 'talk_closed'")
    for args in ([], ["--json"]):
        done = shell("ties", save, *args)
        assert done.code == 0
        assert not ACTIVE.search(done.out + done.err)
    edit(save, "UPDATE events SET data = json_set(data, '$.relations[0][5]', 7.5) WHERE kind = 'talk_closed'")
    done = shell("ties", save)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "Expected `float` <= 1.0" in done.err


@pytest.mark.slow
def test_the_program_of_the_page_runs() -> None:
    page = (ROOT / "docs" / "ties.md").read_text(encoding="utf-8")
    told = io.StringIO()
    with redirect_stdout(told):
        exec(re.findall(r"```python\n(.*?)```", page, re.S)[0], {})
    assert "Spread(low=" in told.getvalue()


# ---- the graph


@pytest.mark.parametrize("form", ["graphml", "gexf"])
def test_networkx_reads_the_graph_as_the_town_has_it(shell: Shell, save: Path, form: str) -> None:
    world = stood(save)
    assert shell("export", save, "--what", "ties", "--out", f"town.{form}").code == 0
    graph = nx.read_graphml(f"town.{form}") if form == "graphml" else nx.read_gexf(f"town.{form}", version="1.2draft")
    assert graph.is_directed()
    assert list(graph) == list(world.cast)
    for who, p in world.cast.items():
        node = graph.nodes[who]
        assert (node["label"], node["job"], node["age"]) == (p.name, p.job, p.age)
        assert node["mood"].isalpha()
        assert node["community"] >= 0
    numbers = Counter(node["community"] for _, node in graph.nodes(data=True))
    assert [n for n, size in numbers.items() if n and size < 2] == [], "one alone is no community"
    assert {*numbers} - {0} == {*range(1, len({*numbers} - {0}) + 1)}
    assert {two: (e["closeness"], e["feeling"]) for *two_, e in graph.edges(data=True) for two in [tuple(two_)]} == {
        two: x for two, x in held(world).items() if any(x)
    }
    for _, _, edge in graph.edges(data=True):
        assert edge["weight"] == max(edge["closeness"], 1e-6)
        assert edge["kind"] in ("close", "friendly", "cool", "stranger", "sour")


@pytest.mark.parametrize(
    ("form", "space"),
    [("graphml", "http://graphml.graphdrawing.org/xmlns"), ("gexf", "http://www.gexf.net/1.2draft")],
)
def test_the_file_is_of_its_format_and_always_the_same(shell: Shell, save: Path, form: str, space: str) -> None:
    out = shell("export", save, "--what", "ties", "--format", form).out
    tree = ElementTree.fromstring(out)
    assert tree.tag == f"{{{space}}}{form}"
    edges = tree.findall(f".//{{{space}}}edge")
    assert len(edges) == len({(e.get("source"), e.get("target")) for e in edges}) > 100
    assert {e.get("source") for e in edges} <= {n.get("id") for n in tree.findall(f".//{{{space}}}node")}
    assert out == shell("export", save, "--what", "ties", "--format", form).out
    assert not re.search(r"lastmodified|202\d-\d\d-\d\d|NetworkX", out)


@pytest.mark.slow
def test_ties_at_a_moment_are_those_of_that_step(shell: Shell, save: Path) -> None:
    world = stood(save, 30)
    for moment in ("30", "08:00", "1 08:00", "day 1 08:00"):
        rows = shell("export", save, "--what", "ties", "--at", moment, "--format", "csv").out
        found = [*csv.DictReader(io.StringIO(rows))]
        assert list(found[0]) == ["who", "whom", "closeness", "feeling", "kind", "talks"]
        stood_then = {(r["who"], r["whom"]): (float(r["closeness"]), float(r["feeling"])) for r in found}
        assert stood_then == {two: x for two, x in held(world).items() if any(x)}
    first = [json.loads(line) for line in shell("export", save, "--what", "ties", "--at", "0").out.splitlines()]
    assert {row["talks"] for row in first} == {0}


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (
            ["--what", "talk", "--format", "gexf"],
            "gexf goes with --what ties or society: talk is not a graph; choose jsonl or csv",
        ),
        (["--out", "all.graphml"], "graphml goes with --what ties or society: events is not a graph"),
        (["--what", "moods", "--at", "12:00"], "--at goes with --what ties or society: moods is written whole"),
        (["--what", "ties", "--at", "noon"], '"noon" is not a moment'),
        (["--what", "ties", "--at", "day 2 09:00"], "goes from Tue 4 Mar 07:30 (day 1) to Tue 4 Mar 08:30 (day 1)"),
        (["--what", "ties", "--at", "07:00"], "goes from Tue 4 Mar 07:30"),
        (["--what", "ties", "--at", "61", "--out", "late.gexf"], "has no step 61; name one from 0 to 60"),
    ],
)
def test_a_graph_that_cannot_be_is_refused_and_leaves_no_file(
    shell: Shell, save: Path, args: list[str], says: str
) -> None:
    done = shell("export", save, *args)
    assert (done.code, done.out) == (2, "")
    assert says in " ".join(done.err.split())
    assert not [*Path().glob("*.g*")]


def test_what_is_no_number_is_no_theta(shell: Shell, save: Path) -> None:
    done = shell("ties", save, "--theta", "nan")
    assert done.code == 2
    assert '--theta must be a number from 0.01 to 1, not "nan"' in done.err
