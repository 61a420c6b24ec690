"""Who speaks to whom: people in reach who think of it, with what intent, and the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step
from sandbox.people.claim_effects import parted_of_late
from sandbox.people.daily_life import stop
from sandbox.people.mark_habits import is_hurt_by, shunned
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.mood_queries import mood_of, tag_of
from sandbox.people.perceive import near_pairs
from sandbox.people.played import is_played, wish_for
from sandbox.people.ties import pair_key
from sandbox.talk import move_rules
from sandbox.talk.content import busy, hurry, met_today, partner_of, tie_of
from sandbox.talk.model import Declined, HasTalk, Opened
from sandbox.talk.played_talk import begins_unheard, first_speaker
from sandbox.talk.pressure_aims import AtStake, aims, bound_by, knows_pressure, pressure_pulls, seeks, ways_at_stake
from sandbox.talk.question_replies import Accept, Accepted
from sandbox.talk.question_wishes import Approach, Approached, Chosen, Exchange
from sandbox.talk.rumours import owes_telling, possible_intents, tellable
from sandbox.talk.subjects import read_of_late
from sandbox.town.ways import tile_at

WALKING = 0.35  # factor on the rate, per person who walks
WORKING = 0.6  # factor on the rate, per person at a duty
MOST = 2.301  # factor on the rate for the closest and most talkative, which no pressure draws; with room for rounding
# Effects of a pressure: how much more often two talk, how much shorter the pause; times the rate, the least
# frequency, and the frequency when one came looking for the other.
DRAWN, HASTE, LEAST, FOUND = 5.0, 0.75, 0.5, 9.0
_Met = tuple[str, str, int, list[AtStake] | None]  # the initiator, the other, when, and what urges the first, if known


class _Pair(NamedTuple):
    """Two who think of talking at t. order: lower comes first; chance: their random stream."""

    order: float
    a: str
    b: str
    t: int
    chance: Stream


def _encounters(step: Step, w: HasTalk) -> list[_Met]:
    """The pairs that think of talking now; each person at most once."""
    spots, now, end, width = w.town.spots, step.now, step.end, w.map.width
    since = {
        who: max(now, w.last.get(who, 0))
        for who, r in w.people.residents.items()
        if r.awake and not r.talk and (r.act is not None or r.going is not None or is_played(w, who))
    }
    tiles = {who: tile_at(spots[who], t, width) for who, t in since.items()}
    near = near_pairs(w, tiles, w.talk_parameters.reach)
    if not near:
        return []
    pulls, pressed = pressure_pulls(w, now, {(a, b) for a, b, _ in near})
    apart, parted, minutes, pause = shunned(w, now), w.talk.last, (end - now) / 60.0, w.talk_parameters.cooldown * 60
    most = 1.0 - (1.0 - min(0.9, MOST * w.talk_parameters.rate)) ** minutes
    pairs: list[_Pair] = []
    for a, b, _ in near:
        t = max(since[a], since[b])
        if t >= end:
            continue
        first = first_speaker(w, a, b) if w.played.who else ""
        if first and wish_for(w, b if first == a else a) is not None:
            if _in_reach(w, a, b, t):
                pairs.append(_Pair(-1.0, a, b, t, step.chance(a, f"meet {b}")))  # a player's wish needs no chance
            continue
        pull, key = pulls.get((a, b), 0.0), pair_key(a, b)
        if (not pull and key in apart) or (key in parted and t - parted[key] < pause * (1.0 - HASTE * pull)):
            continue
        chance = step.chance(a, f"meet {b}")
        x = chance.unit()
        may = (x < most or pull) and x < 1.0 - (1.0 - min(0.9, max(0.0, _rate(w, a, b, t, pull)))) ** minutes
        if may and _in_reach(w, a, b, t):
            pairs.append(_Pair(chance.unit(), a, b, t, chance))
    pairs.sort(key=lambda pair: pair[:3])
    taken: set[str] = set()
    out: list[_Met] = []
    for pair in pairs:
        if pair.a not in taken and pair.b not in taken:
            taken |= {pair.a, pair.b}
            out.append(_in_order(w, pair, pressed))
    return out


def _in_reach(w: HasTalk, a: str, b: str, t: int) -> bool:
    """Whether two are in reach and sight of each other at t, in one room; walkers may have moved on."""
    spots, width, inside, area_of = w.town.spots, w.map.width, w.map.inside, w.map.area_of
    ta, tb = tile_at(spots[a], t, width), tile_at(spots[b], t, width)
    if inside[ta] != inside[tb] or (inside[ta] and area_of[ta] != area_of[tb]):
        return False
    reach = w.talk_parameters.reach
    return abs(ta % width - tb % width) <= reach and abs(ta // width - tb // width) <= reach and w.ways.sees(ta, tb)


def _rate(w: HasTalk, a: str, b: str, t: int, pull: float) -> float:
    """The chance per minute that two think of talking; may exceed its bounds."""
    usual = w.talk_parameters.rate
    rate = usual * (0.6 + 0.2 * (w.cast[a].big_five.extraversion + w.cast[b].big_five.extraversion))
    tie = tie_of(w, a, b)
    rate *= 0.6 + 1.2 * tie.closeness + 0.5 * abs(tie.feeling)
    for who in (a, b):
        if w.town.spots[who].path:
            rate *= WALKING
        elif busy(w, who) and pull < HASTE:
            rate *= WORKING
    if pull and (seeks(w, a, b, t) or seeks(w, b, a, t)):
        return FOUND * usual
    return max(rate, LEAST * usual * pull) * (1.0 + DRAWN * pull)


def _in_order(w: HasTalk, pair: _Pair, pressed: bool) -> _Met:
    """The two, the initiator first. pressed: whether any pressure draws anybody."""
    a, b, t = pair.a, pair.b, pair.t
    lead = 0.5 + 0.25 * (w.cast[a].big_five.extraversion - w.cast[b].big_five.extraversion)
    mine = theirs = None
    if pressed:
        mine, theirs = [*ways_at_stake(w, a, b, t)], [*ways_at_stake(w, b, a, t)]
        lead += 0.5 * (_pull(mine) - _pull(theirs))
        lead += float(seeks(w, a, b, t)) - float(seeks(w, b, a, t))
    first = first_speaker(w, a, b) or (a if pair.chance.unit() < lead else b)
    return (a, b, t, mine) if first == a else (b, a, t, theirs)


def _pull(at_stake: list[AtStake]) -> float:
    """How strongly pressures urge somebody to begin, in [0, 1]."""
    return min(1.0, max([x * way.weight + sought for _, way, x, sought in at_stake], default=0.0))


async def meet(step: Step, w: HasTalk) -> None:
    """Let people who meet decide whether to talk, and begin the talks that are accepted."""
    met = _encounters(step, w)
    if not met:
        return
    asked = [approach_question(w, *m) for m in met]
    wished: list[Approached] = await step.ask(asked)
    going = [(m[:3], q) for m, q, wish in zip(met, asked, wished, strict=True) if wish.yes and (q.options or q.aims)]
    if not going:
        return
    wanted: list[Chosen] = await step.ask([exchange_question(q) for _, q in going])
    keen = [(*m, want) for (m, _), want in zip(going, wanted, strict=True)]
    answers: list[Accepted] = await step.ask([accept_question(w, *x) for x in keen])
    for (a, b, t, want), answer in zip(keen, answers, strict=True):
        if w.people.residents[a].talk or w.people.residents[b].talk:
            continue
        if answer.how != "accept":
            mood = tag_of(w, a, t)
            seq = step.emit(Declined(a, answer.how, want.intent, answer.why, mood, want.aim), t=t, actor=b)
            express(step, w, a, _turned_away(w, a, b, answer.how), t, seq)
            continue
        for who in (a, b):
            stop(step, w, who, t)
        traits = w.cast[a].big_five
        close = tie_of(w, a, b).closeness
        rushed = hurry(w, a, t) or hurry(w, b, t) or (busy(w, a) and busy(w, b))
        chance = step.chance(a, "length")
        arousal, rushed = mood_of(w, a, t).a, rushed and not want.aim
        length = move_rules.length(traits.extraversion, close, arousal, rushed, w.talk_parameters.cap, chance)
        cause = w.pressures.open[want.aim].last if want.aim in w.pressures.open else 0
        wish = wish_for(w, b) if is_played(w, a) else None
        if want.intent == "mention" and (post := read_of_late(w, a, b, t)) is not None:
            cause = post.seq
        unheard = begins_unheard(w, a, b, t, want)
        place = w.map.area_of[tile_at(w.town.spots[a], t, w.map.width)]
        step.emit(
            Opened(f"{t}.{a}.{b}", b, place, want.intent, length, want.why, want.over, want.aim, unheard),
            t=t,
            actor=a,
            causes=tuple(seq for seq in (wish.seq if wish is not None else 0, cause) if seq),
        )


def _turned_away(w: HasTalk, who: str, by: str, how: str) -> Appraisal:
    name = w.handbook.name(by)
    if how == "refuse":
        proud = w.cast[who].big_five.agreeableness < 0.2
        return Appraisal("anger" if proud else "shame", 0.8, f"turned away by {name}", by, "rejection")
    return Appraisal("disappointment", 0.4, f"no time from {name}", by)


def approach_question(w: HasTalk, a: str, b: str, t: int, at_stake: Iterable[AtStake] | None = None) -> Approach:
    """The question whether a speaks to b. at_stake: the result of `ways_at_stake`, if known."""
    traits = w.cast[a].big_five
    held, hurt = tellable(w, a, b, t), is_hurt_by(w, a, b, t)
    return Approach(
        who=a,
        now=t,
        other=partner_of(w, a, b, t),
        options=() if hurt or parted_of_late(w, a, b, t) else tuple(possible_intents(w, a, b, t, held)),
        pad=mood_of(w, a, t),
        extraversion=traits.extraversion,
        agreeableness=traits.agreeableness,
        neuroticism=traits.neuroticism,
        busy=busy(w, a),
        hurry=hurry(w, a, t),
        first_today=not met_today(w, a, b, t),
        aims=tuple(x for x in aims(w, a, b, t, at_stake) if not hurt or _is_between(w, x.pressure, b)),
        owes=owes_telling(w, a, b, held),
    )


def _is_between(w: HasTalk, pressure: str, other: str) -> bool:
    """Whether a pressure is about the other, or theirs."""
    p = w.pressures.open[pressure]
    return other in (p.holder, p.about)


def exchange_question(q: Approach) -> Exchange:
    """The question with what intent somebody speaks to another, once they do."""
    return Exchange(**msgspec.structs.asdict(q))


def accept_question(w: HasTalk, a: str, b: str, t: int, wish: Chosen | Opened | Declined) -> Accept:
    """The question whether b accepts the talk that a wishes for, or has begun."""
    traits = w.cast[b].big_five
    return Accept(
        who=b,
        now=t,
        other=partner_of(w, b, a, t),
        intent=wish.intent,
        pad=mood_of(w, b, t),
        agreeableness=traits.agreeableness,
        extraversion=traits.extraversion,
        busy=busy(w, b),
        hurry=hurry(w, b, t),
        hurt=is_hurt_by(w, b, a, t) and not wish.aim,
        knows=knows_pressure(w, wish.aim, b),
        bond=bound_by(w, wish.intent, a, b),
    )
