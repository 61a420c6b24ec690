"""What can be bet on now: occasions that decide something, and matters that fall due, with their odds."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import DAY, MINUTE
from sandbox.director.bet_chances import FORMS, VOTES, majority, score_spread, votes_yes, win_chances
from sandbox.director.bet_matters import goes_well
from sandbox.director.bet_model import BetOffer, HasBets
from sandbox.drama.leanings import form, vote_rules
from sandbox.people.planning import block_at, resolve
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_rules import awaits_occasion
from sandbox.talk.pressure_aims import pressures_run
from sandbox.town.plan import VOTE, Decision, Occasion, arena_of

AHEAD = DAY  # how long before its hour something can be bet on
CLOSED = 10 * MINUTE  # before its hour from which it no longer can
# That somebody is there whose plan says so, who has none yet for that hour, or whose plan has them elsewhere.
PLANNED, USUAL, ELSEWHERE = 0.98, 0.97, 0.05
SHOWN = 0.02  # chance below which a contestant is no side
YES, NO, WELL, BADLY = "yes", "no", "well", "badly"


def bet_offers(w: HasBets) -> list[BetOffer]:
    """All that can be bet on now, what falls due first first."""
    if not pressures_run(w):
        return []
    return sorted([*_occasions(w), *_matters(w)], key=lambda x: (x.t, x.on))


def offer_of(w: HasBets, on: str) -> BetOffer | None:
    """The offer of that name, None if it is none now."""
    return next((x for x in bet_offers(w) if x.on == on), None)


def _timely(w: HasBets, t: int) -> bool:
    return w.now + CLOSED <= t <= w.now + AHEAD


# ---- occasions


def _occasions(w: HasBets) -> Iterator[BetOffer]:
    for day in (w.clock.day(w.now), w.clock.day(w.now) + 1):
        for o in w.calendar.on(day):
            d = o.decides
            t = w.calendar.hour(o, day)
            if d is None or not _timely(w, t) or not _pending(w, o, d):
                continue
            chances = _vote(w, o, d, t) if d.kind == VOTE else _contest(w, o, d, t)
            if chances:
                yield _offer(w, o, d, f"{o.id}@{day}", t, chances)


def _pending(w: HasBets, o: Occasion, d: Decision) -> bool:
    """Whether it decides anything still: one that comes again and again settles matters that are open."""
    return bool(o.on) or not d.settles or any(id in w.pressures.open for id in d.settles)


def _offer(w: HasBets, o: Occasion, d: Decision, on: str, t: int, chances: dict[str, float]) -> BetOffer:
    if d.kind == VOTE:
        return BetOffer(
            on, "vote", f"{o.title}: {d.about}", t, chances, {YES: "it is carried", NO: "it is not carried"}
        )
    names = {who: f"{w.handbook.name(who)} wins" for who in chances}
    return BetOffer(on, "contest", f"{o.title}: {d.about}", t, chances, names)


def there(w: HasBets, who: str, o: Occasion, t: int) -> float:
    """The probability that somebody is where an occasion is at its hour."""
    plan, where = w.people.residents[who].plan, resolve(w.cast[who], o.where)
    if plan and plan[0].start <= t < plan[-1].end:
        return PLANNED if arena_of(plan[block_at(w.people.residents[who], t)].where) == where else ELSEWHERE
    return USUAL if who in o.who else ELSEWHERE


def _vote(w: HasBets, o: Occasion, d: Decision, t: int) -> dict[str, float]:
    """The chances of a vote that takes place."""
    sd = score_spread(VOTES, t - w.now)
    voters = [
        (there(w, who, o, t), votes_yes(sum(rule.value for rule in vote_rules(w, d, who, w.now)), sd)) for who in d.who
    ]
    yes, no, _ = majority(voters, d.least)
    return {YES: yes / (yes + no), NO: no / (yes + no)} if yes + no > 0 else {}


def _contest(w: HasBets, o: Occasion, d: Decision, t: int) -> dict[str, float]:
    """The chances of a contest that takes place, of those who have one."""
    sd = score_spread(FORMS, t - w.now)
    entrants = [(there(w, who, o, t), sum(rule.value for rule in form(w, d, who, w.now))) for who in d.who]
    wins, _ = win_chances(entrants, sd)
    whole = sum(wins)
    if whole <= 0:
        return {}
    return {who: win / whole for who, win in zip(d.who, wins, strict=True) if win / whole >= SHOWN}


# ---- matters


def _matters(w: HasBets) -> Iterator[BetOffer]:
    for p in w.pressures.open.values():
        if p.due < 0 or not _timely(w, p.due) or awaits_occasion(w, p, w.now):
            continue
        well = goes_well(w, p, w.now)
        if well is None:
            continue
        says = w.drama.kinds[p.kind].says.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))
        yield BetOffer(
            p.id, "matter", says, p.due, {WELL: well, BADLY: 1.0 - well}, {WELL: "it ends well", BADLY: "it does not"}
        )
