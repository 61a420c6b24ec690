"""Each card comes to something: it is in the causes of an incident within a day, and shows within two hours."""

import asyncio
import random
from functools import cache

import pytest
from dealt import opened

from sandbox.core.clock import DAY, HOUR
from sandbox.director.model import CardPlayed, DealCard, Dealt
from sandbox.engine.drivers import run_free
from sandbox.engine.loading import find_world, load
from sandbox.readers.incidents import KINDS, Incidents
from sandbox.store.session import open_session
from sandbox.talk.content import tie_of

SEEDS = range(2001, 2011)
FEW = SEEDS[:5]  # unless all are asked for with -m long
ASKED = 0.8  # of these
SHOWS = {"talk_opened", "pressure_began", "pressure_ended", "posted", "planned", "sought", "exchanged"}
HIDDEN = ("secret", "debt", "grudge", "crush")
CARDS = {name: card for name, card in load(find_world("larkspur")).cards.cards.items() if not card.force}


def drawn(w, name, chance):
    """A card with parts that a player might give it, drawn by chance."""
    card = CARDS[name]
    people = [who for who, p in w.cast.items() if p.age >= 16 and w.people.residents[who].awake]
    about = [p for p in w.pressures.open.values() if p.about]
    more = {}
    if "matter" in card.needs or name in ("letter", "rumour", "note", "news"):
        p = chance.choice([p for p in about if p.kind in HIDDEN])
        more["matter"] = p.id
        if "to" in card.needs:
            cares = max((x for x in people if x != p.holder), key=lambda x: abs(tie_of(w, x, p.holder).feeling))
            more["to"] = p.about if name == "leak" and p.about in people else cares
        if "whom" in card.needs:
            more["whom"] = chance.choice([x for x in people if x not in (p.holder, more["to"])])
    else:
        a, b = chance.sample(people, 2)
        more |= {"to": a} if "to" in card.needs else {}
        more |= {"whom": b} if "whom" in card.needs else {}
    other = chance.choice([x for x in people if x != more.get("to")])
    own = {
        "note": {"where": chance.choice(["Market Square", "Blue Heron Cafe", "Tansy Bakery"])},
        "locked_door": {"where": chance.choice(["Blue Heron Cafe", "Tansy Bakery", "Library"])},
        "occasion": {"where": chance.choice(["Blue Heron Cafe", "Market Square"]), "words": "Pancakes, twice"},
        "wrong_door": {"words": "Meet me by the ferry on Sunday"},
        "money_found": {"coins": 30, "whom": other},
        "false_post": {"words": f"{w.cast[other].first} has been lying to all of us, and it is a disgrace."},
        "silence": {"whom": other},
        "courage": {"to": chance.choice([p.holder for p in about if p.holder in people])},
    }
    if name == "trend":
        posts = [x.number for x in w.phones.written.values() if x.kind == "post" and x.whom]
        more["post"] = chance.choice(posts)
    return Dealt(card=name, **{**more, **own.get(name, {})})


async def came_of(morning, out, name, chance):
    """Whether a card lay in the chain of an incident within a day, and showed within two hours."""
    async with opened(morning, out) as session:
        w = session.world
        for _ in range(30):
            try:
                session.engine.do(DealCard(dealt=drawn(w, name, chance)))
                break
            except ValueError:
                continue
        reader = Incidents(w.handbook, w.clock)
        reader.read(await session.save.records(KINDS, 0, w.seq))
        records, chain, began = [], set(), w.now
        session.engine.watchers.append(records.extend)
        found, shown, read = False, False, 0
        while w.now < began + DAY and not (found and shown):
            await run_free(session.engine, until=w.now + HOUR)
            new, read = records[read:], len(records)
            for stamp, e in new:
                if isinstance(e, CardPlayed) or chain & {*stamp.causes}:
                    chain.add(stamp.seq)
                    shown |= e.KIND in SHOWS and stamp.t <= began + 2 * HOUR
            assert chain, name
            reader.read(new)
            found = any(chain & {*i.events} for day in reader.days() for i in reader.of(day).incidents)
        return found, shown


@pytest.fixture(scope="module")
def morning(tmp_path_factory):
    """seed -> a town at half past ten of its second day, in steps of three minutes."""

    async def live(path, seed):
        async with open_session("larkspur", seed=seed, save=path, step=180) as session:
            await run_free(session.engine, until=27 * HOUR)
            await session.save.settle()
        return path

    @cache
    def at(seed):
        return asyncio.run(live(tmp_path_factory.mktemp("mornings") / f"{seed}.db", seed))

    return at


@pytest.mark.sampled(0, slow=2)
@pytest.mark.parametrize("name", CARDS)
def test_a_card_comes_to_something_in_eight_towns_of_ten(morning, tmp_path, name, request):
    seeds = SEEDS if request.node.get_closest_marker("long") else FEW
    found = [
        asyncio.run(came_of(morning(seed), tmp_path / f"{seed}.db", name, random.Random(f"{seed} {name}")))
        for seed in seeds
    ]
    incidents, visible = (sum(side) for side in zip(*found, strict=True))
    assert incidents >= ASKED * len(seeds), (name, incidents)
    assert visible >= ASKED * len(seeds), (name, visible)
