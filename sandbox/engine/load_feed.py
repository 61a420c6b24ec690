"""Reads what the words of a world are about, for its feed, and how its people use it; and the placeholder town of a
world that is only a crowd.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import msgspec
import numpy as np

from sandbox.core.faults import Faults, path_text
from sandbox.core.fields import Finding, slots
from sandbox.core.places import data_dir
from sandbox.core.structs import add_faults
from sandbox.core.textfiles import MappingReader
from sandbox.core.vectors import Embedded, Vectors, local, project
from sandbox.engine.load_decks import read_files
from sandbox.engine.load_population import PopulationOptions, Tables
from sandbox.engine.load_rules import WorldRules
from sandbox.engine.references import KnownNames, unknown_names
from sandbox.feed.model import Subjects
from sandbox.feed.population import bio
from sandbox.feed.word_lists import NAME, TOPICS, read_lists
from sandbox.feed.wording import Wording, default_wording
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import DramaDeck
from sandbox.phones.deck import PhoneDeck
from sandbox.town.plan import Arena, FloorPlan, Glyph, Sector

# A world without a map gets one tile, on which nobody stands.
NOWHERE = FloorPlan(
    (".",),
    {".": Glyph("ground", "ground", "grass")},
    (Sector("Nowhere", (0, 0, 1, 1), (Arena("here", (0, 0, 1, 1)),)),),
)


def read_feed(
    reader: MappingReader,
    folder: Path,
    start: datetime,
    rules: WorldRules,
    cast: Sequence[Persona],
    tables: Tables,
    faults: Faults,
) -> Subjects | None:
    """The vectors of topics and people, and the users of the world's tables; None without a feed. If the world does not
    set `feed.crowd`, it has as many users as its tables. tables: cache of tables read before.
    """
    loads = "population" in reader
    if not rules.feed.on and not rules.feed.crowd and not loads:
        if rules.parameters.get("policy.learner"):
            mend = "say `feed.on: true` or `feed.crowd: 1000` under parameters, or leave the policy out"
            faults.add(path_text(folder / "world.yaml"), 0, 0, f"a policy is named, and there is no feed; {mend}")
        return None
    own = folder / NAME
    lists = read_lists([data_dir() / NAME, own], faults) if own.exists() else None
    words = default_wording() if lists is None else Wording(lists)
    try:
        vectors = local(rules.feed.vectors)
    except ValueError as error:
        faults.add(path_text(folder / "world.yaml"), 0, 0, f"feed.vectors: {error}")
        vectors = Embedded()
    found = msgspec.structs.replace(subjects(cast, words, vectors), words=lists or {})
    if not loads:
        return found
    topics = np.frombuffer(found.topics, np.int8).reshape(len(TOPICS), -1)
    asked = PopulationOptions(start, vectors, topics, tuple(person.id for person in cast), rules.feed.lenient)
    loaded = tables.read(reader, folder, asked, faults)
    if loaded is not None:
        crowd = rules.feed.crowd
        if 0 < crowd < loaded.count:
            many = f"feed.crowd is {crowd:,}, and the tables hold {loaded.count:,} users"
            reader.key_fault("population", f"{many}; say as many or more, or take feed.crowd out")
        rules.parameters["feed.crowd"] = max(crowd, loaded.count)
    return msgspec.structs.replace(found, population=loaded)


def subjects(cast: Sequence[Persona], words: Wording, vectors: Vectors) -> Subjects:
    """The vectors of topics and people."""
    texts = [*(words.topic_text(i) for i in range(len(TOPICS))), *map(bio, cast)]
    rows = project(vectors.embed(texts), vectors.name)
    own = {person.id: row.tobytes() for person, row in zip(cast, rows[len(TOPICS) :], strict=True)}
    return Subjects(vectors.name, rows[: len(TOPICS)].tobytes(), own)


# ---- how people use their phones


NAMED = ("who", "whom", "what")  # slots of sentences


def of_phones(deck: PhoneDeck, drama: DramaDeck) -> Iterator[Finding]:
    """Faults of a phone deck."""
    for rule in deck.rules.values():
        yield from slots(rule, "says", (rule.says,), NAMED)
        yield from slots(rule, "back", (rule.back,), NAMED)
    yield from unknown_names(deck, {"child": KnownNames("child", drama.children, of="children")})


def read_phones(files: Iterable[Path], drama: DramaDeck, faults: Faults) -> PhoneDeck:
    """The phone deck of all files, without children that the drama deck lacks."""
    whole = read_files(PhoneDeck, files, faults)
    add_faults(of_phones(whole, drama), faults, lambda odd, file: odd.of == "children" and not drama.children)
    kept = {
        name: msgspec.structs.replace(rule, children={x: c for x, c in rule.children.items() if c in drama.children})
        for name, rule in whole.rules.items()
    }
    return msgspec.structs.replace(whole, rules=kept)
