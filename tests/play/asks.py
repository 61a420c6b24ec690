"""Asks of somebody who is played, each with what was expected of it and how it was taken."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sandbox.engine.drivers import run_free
from sandbox.play.acts import talk_offers
from sandbox.play.model import GiveBack, Play, WishOver
from sandbox.store.session import Session, open_session
from sandbox.talk.model import Declined, Exchanged

PATIENCE = 30 * 60  # seconds in which an ask comes to something, or not
PAIRS = 150  # of a town that are looked at in a round
AHEAD = 3  # asks by which a bin may be fuller than the emptiest and still be asked for

BINS = 5  # of chances that something is accepted


def bin_of(chance: float) -> int:
    """The bin of a chance from 0 to 1."""
    return min(BINS - 1, int(chance * BINS))


class Asked(NamedTuple):
    """expected: chance of each way, as it was told before. how: the way it was taken."""

    who: str
    whom: str
    do: str
    expected: dict[str, float]
    how: str


async def ask(session: Session, me: str, whom: str, n: int) -> Asked | None:
    """Have `me` say the n-th thing there is to say to somebody; None if it never came to that."""
    engine, w = session.engine, session.world
    found = talk_offers(w, me, whom)
    offer = found[n]
    engine.do(Play(by=me))
    await engine.step()
    taken = None
    try:
        engine.do(offer.command(me, whom))
        until = w.now + PATIENCE
        while w.now < until and not taken:
            for record in await engine.step():
                e = record.event
                if isinstance(e, WishOver):
                    return None
                if isinstance(e, Declined) and (record.stamp.actor, e.other) == (whom, me):
                    taken = "refuse" if e.how == "refuse" else "dodge"
                elif isinstance(e, Exchanged) and e.lines[0].who == me and {x.who for x in e.lines} == {me, whom}:
                    taken = e.answer or "accept"
    except ValueError:
        return None
    finally:
        engine.do(GiveBack(by=me))
        await engine.step()
    return Asked(me, whom, offer.do, offer.chances or {}, taken) if taken else None


async def asks_of(seed: int, path: Path, hours: int, each: int = 8) -> list[Asked]:
    """Have one after another of a town ask those near them for something, from half past nine on: of what there is what
    is as likely as few asks before it were, and nothing that is as likely as most were.
    """
    out, filled = [], [0] * BINS
    async with open_session("larkspur", seed=seed, save=path) as session:
        w = session.world
        await run_free(session.engine, until=2 * 3600)
        while w.now < (2 + hours) * 3600:
            chance = w.chance.stream(w.step, "asks", "choose", 0)
            pairs = [(me, x) for me in w.cast for x in w.cast if me != x]
            chance.shuffle(pairs)
            tried = 0
            for me, whom in pairs[:PAIRS]:
                a, b = w.people.residents[me], w.people.residents[whom]
                if not (a.awake and b.awake) or a.talk or b.talk:
                    continue
                told = {n: x for n, x in enumerate(talk_offers(w, me, whom)) if x.chances and x.do in w.drama.exchanges}
                if not told:
                    continue
                bins = {n: bin_of((x.chances or {}).get("accept", 0.0)) for n, x in told.items()}
                rarest = min(filled[i] for i in bins.values())
                if rarest > min(filled) + AHEAD:
                    continue
                found = await ask(session, me, whom, chance.choice([n for n, i in bins.items() if filled[i] == rarest]))
                if found is not None:
                    out.append(found)
                    filled[bin_of(found.expected.get("accept", 0.0))] += 1
                tried += 1
                if tried >= each:
                    break
            if not tried:
                await run_free(session.engine, until=w.now + 1800)
    return out
