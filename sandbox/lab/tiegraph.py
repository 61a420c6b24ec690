"""The ties of a town as a graph in GraphML or GEXF, for graph software.

An edge goes from the holder of a tie to its object, with closeness and feeling. (`networks.py` uses the opposite
direction, as papers do: from the actor to the person acted on.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from sandbox.core.events import r6
from sandbox.core.plain import safe_line
from sandbox.engine.world import World
from sandbox.lab.networks import THETA, communities, community_numbers, cut, matrix, undirected
from sandbox.people.mood_queries import mood_of
from sandbox.people.mood_words import term
from sandbox.readers.tielines import tie_states

if TYPE_CHECKING:
    import networkx as nx

LEAST = 1e-6  # weight of an edge without closeness: some programs read 0 as missing, which they take for 1
_MADE = re.compile(r'<meta lastmodifieddate="[^"]*">\s*<creator>[^<]*</creator>')


class TieRecord(NamedTuple):
    """A tie of `who` to `whom`. closeness: in [0, 1]; feeling: in [-1, 1]; kind: close, friendly, cool, stranger or
    sour; talks they have had.
    """

    who: str
    whom: str
    closeness: float
    feeling: float
    kind: str
    talks: int


def tie_records(world: World) -> Iterator[TieRecord]:
    """All current ties, in the order of the cast."""
    stand = tie_states(world)
    for who, whom in product(world.cast, world.cast):
        if (tie := stand.get((who, whom))) is not None:
            yield TieRecord(who, whom, r6(tie.closeness), r6(tie.feeling), tie.kind, tie.talks)


def graph(world: World) -> nx.DiGraph:
    """The town as it stands. Nodes have label (the name), job, age, mood (a word) and community (a number, 1 is the
    largest, 0 for who is in none; of ties whose mean is .3 or more); edges weight (the closeness, but never 0),
    closeness, feeling, kind and talks.
    """
    import networkx as nx

    people, ties = [*world.cast], [*tie_records(world)]
    close = matrix(people, {(tie.who, tie.whom): tie.closeness for tie in ties})
    of = community_numbers(communities(cut(undirected(close), THETA))) if people else []
    out = nx.DiGraph(name=safe_line(world.scenario.title))
    for who, community in zip(people, of, strict=True):
        p = world.cast[who]
        mood = term(mood_of(world, who, world.now))
        out.add_node(who, label=safe_line(p.name), job=safe_line(p.job), age=p.age, mood=mood, community=community)
    for tie in ties:
        own = tie._asdict()
        out.add_edge(own.pop("who"), own.pop("whom"), weight=max(LEAST, tie.closeness), **own)
    return out


def graph_text(made: nx.DiGraph[Any], form: str) -> str:
    """A graph as file content, "graphml" or "gexf"; deterministic."""
    import networkx as nx

    if form == "graphml":
        lines = nx.generate_graphml(made, named_key_ids=True)
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(lines) + "\n"
    text = "\n".join(nx.generate_gexf(made, version="1.2draft"))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + _MADE.sub("<meta><creator>Sandbox</creator>", text, 1) + "\n"
