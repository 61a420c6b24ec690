"""The domains of this package: people (days, moods, ties, needs, purses, memories), marks, claims, goals and pressures,
each with what it begins as and how a snapshot of it is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandbox.core.chance import Chance, Stream
from sandbox.core.clock import DAY, HOUR, Clock, parse_start
from sandbox.core.domain import Domain, ParameterTable, Phase, State, System, merge_handlers
from sandbox.people import (
    claim_handlers,
    goal_handlers,
    handlers,
    mark_habits,
    paying,
    pressure_handlers,
    pressure_rules,
    question_mood,
    question_plan,
    question_reflection,
)
from sandbox.people import guest_handlers as guests
from sandbox.people.beliefs import FIRSTHAND, STRONGEST, WORST, BeliefParameters, BeliefState
from sandbox.people.claim_handlers import COUPLE, beginning, live_by_claims
from sandbox.people.claim_model import ClaimDeck, ClaimParameters, ClaimState
from sandbox.people.daily_life import Living, leave_town
from sandbox.people.goal_model import GoalParameters, GoalPlan, GoalState, RestingPlans
from sandbox.people.guest_handlers import new_resident, ties_of, wrong_life
from sandbox.people.guest_model import GuestState
from sandbox.people.interview_question import Interview, Interviewed, interview_spec
from sandbox.people.matter_model import MatterState
from sandbox.people.memory import MemoryParameters
from sandbox.people.model import Block, PeopleState, PlanParameters, Resident
from sandbox.people.mood import UPCASTERS, MoodParameters, effective
from sandbox.people.mood_events import feel
from sandbox.people.needs import NeedParameters
from sandbox.people.perceive import perceive
from sandbox.people.persona import FAR, Pressure
from sandbox.people.planning import resolve
from sandbox.people.pressure_model import ActivePressure, PressureParameters, PressureState, ShowdownState, TryState
from sandbox.people.pressure_rules import RestState
from sandbox.people.reflect import reflect_if_due
from sandbox.people.ties import TieParameters, pair_key

STAY = 1800  # seconds for which somebody does what the scenario's opening says


def _found(w: Any) -> PeopleState:
    """The state of people at second 0: asleep, or doing what the opening says, moods at rest, ties from their
    histories.
    """
    return PeopleState(
        {who: _resident(w, who) for who in w.cast}, {p.id: ties_of(w, p.history, 0) for p in w.cast.values()}
    )


def _resident(w: Any, who: str) -> Resident:
    persona = w.cast[who]
    opening = w.scenario.opening.get(who)
    awake = opening is not None or not persona.routine.asleep(w.clock.second_of_day(0))
    r = new_resident(w, who, 0, awake)
    r.join = Block(0, STAY, opening.do, resolve(persona, opening.where), "already there") if opening else None
    return r


def _settle(w: Any, scenario: Any) -> None:
    w.money = scenario.money if scenario.rules.get("drama") != "off" else None


def _check(w: Any, state: PeopleState, now: int) -> None:
    if set(state.residents) != set(w.cast):
        raise ValueError("other people")


def _check_guests(w: Any, state: GuestState, now: int) -> None:
    """Raise ValueError unless each stay is of the person it is filed under, lies before now and fits this town."""
    for who, stay in state.stays.items():
        if who != stay.persona.id or not 0 <= stay.came < max(1, now) or stay.left >= now or stay.off >= now:
            raise ValueError("other guests")
        if wrong := wrong_life(stay.persona, w.map, w.handbook.deck):
            raise ValueError(wrong)


def _interviewed(q: Interview, chance: Stream) -> Interviewed:
    """The rule for an interview, imported when somebody is first asked, as in few runs."""
    from sandbox.people.interview_rule import answer

    return answer(q, chance)


PEOPLE = Domain(
    "people",
    states=(
        State("guests", GuestState, lambda w: GuestState(), _check_guests, later=True),
        State("people", PeopleState, _found, _check, parts=("residents", "ties")),
    ),
    tables=(
        ParameterTable("mood", "mood_parameters", MoodParameters, effective),
        ParameterTable("ties", "tie_parameters", TieParameters),
        ParameterTable("memory", "memory_parameters", MemoryParameters),
        ParameterTable("plan", "plan_parameters", PlanParameters),
        ParameterTable("needs", "need_parameters", NeedParameters),
    ),
    settle=_settle,
    handlers={**handlers.HANDLERS, **paying.HANDLERS, **guests.HANDLERS},
    memories={**handlers.REMEMBER, **paying.REMEMBER, **guests.REMEMBER},
    questions=(
        *question_plan.QUESTIONS,
        *question_reflection.QUESTIONS,
        *question_mood.QUESTIONS,
        interview_spec(_interviewed),
    ),
    upcasters=UPCASTERS,
    systems=(
        System(lambda: leave_town, (Phase.GUESTS,)),
        System(lambda: perceive, (Phase.SEE,)),
        System(Living, (Phase.LIVE, Phase.LIVE_ON)),  # people go on living after talks have freed them
        System(lambda: feel, (Phase.FEEL,)),
        System(lambda: reflect_if_due, (Phase.REFLECT,)),
    ),
)


MARKS = Domain("marks", handlers=mark_habits.HANDLERS, memories=mark_habits.REMEMBER)


# ---- claims


def _settle_claims(w: Any, scenario: Any) -> None:
    on, said = w.claim_parameters.on, scenario.claims
    w.claim_deck = said if on else ClaimDeck()
    w.claims = beginning(w.claim_deck, scenario.cast)  # whose a bed is hangs on it, and so where people begin
    w.wedded = () if on else [(c.a, c.b) for c in said.claims if c.kind == COUPLE and c.b]


def _check_claims(w: Any, state: ClaimState, now: int) -> None:
    """Raise ValueError unless claims name kinds, people and places of this world, and `of` lists exactly the open."""
    of: dict[str, set[str]] = {}
    for id, c in (*state.open.items(), *((c.id, c) for two in state.was.values() for c in two.values())):
        strange = {*c.people, *c.known_by} - w.cast.keys()
        if strange or id != c.id or c.kind not in w.claim_deck.kinds or (c.where and c.where not in w.map.areas):
            raise ValueError("other claims")
        for who in c.of if id in state.open else ():
            of.setdefault(who, set()).add(id)
    held = {who: {*ids} for who, ids in state.of.items() if ids}
    if held != of or any(len({*ids}) < len(ids) for ids in state.of.values()):
        raise ValueError("claims of others")


CLAIMS = Domain(
    "claims",
    states=(
        State("claims", ClaimState, lambda w: beginning(w.claim_deck, w.scenario.cast), _check_claims, later=True),
    ),
    tables=(ParameterTable("claims", "claim_parameters", ClaimParameters),),
    settle=_settle_claims,
    derive=live_by_claims,
    handlers=claim_handlers.HANDLERS,
)


# ---- goals: people's plans for the claims they want


def _check_plans(w: Any, plans: Iterable[GoalPlan]) -> None:
    """Raise ValueError unless plans name people, steps and kinds of claim of this world."""
    for plan in plans:
        strange = {*plan.claim.people, *(x.whom for x in plan.steps if x.whom)} - w.cast.keys()
        known = all(x.step in w.drama.steps and x.by < max(1, len(w.drama.steps[x.step].by)) for x in plan.steps)
        if strange or not known or plan.claim.kind not in w.claim_deck.kinds:
            raise ValueError("other plans")
        if len(plan.done) > len(plan.steps):
            raise ValueError("more steps are taken than there are")


GOALS = Domain(
    "goals",
    states=(
        State(
            "goals",
            GoalState,
            lambda w: GoalState(),
            lambda w, state, now: _check_plans(w, state.open.values()),
            later=True,
        ),
        State(
            "resting_plans",
            RestingPlans,
            lambda w: RestingPlans(),
            lambda w, state, now: _check_plans(w, state.plans.values()),
            later=True,
        ),
    ),
    tables=(ParameterTable("goals", "goal_parameters", GoalParameters),),
    handlers=goal_handlers.HANDLERS,
)


# ---- pressures, with beliefs, attempts and showdowns


PLAYED = 30 * HOUR  # a pressure that an occasion decides wakes at least this long before it


def dealt(
    pressures: Sequence[Pressure], chance: Chance, most: int, hours: Mapping[str, int] | None = None
) -> tuple[Pressure, ...]:
    """The pressures with waking and due seconds varied by the seed, so that no two towns begin alike. Those without a
    due time swap their waking times within their kind, and wake up to `most` days later unless awake from the start.

    One with a due time moves as a whole, up to its `drift` days. hours: pressure -> latest second at which it may wake.
    """
    lots: dict[str, list[int]] = {}
    for p in pressures:
        if p.due is None:
            lots.setdefault(p.kind, []).append(p.wakes)
    for kind, drawn in lots.items():
        chance.stream(0, kind, "wakes").shuffle(drawn)
    out = []
    for p in pressures:
        wakes = lots[p.kind].pop() if p.due is None else p.wakes
        days = p.drift if p.due is not None else most if wakes else 0
        later = DAY * chance.stream(0, p.id, "drift").below(days + 1)
        first = min(wakes + later, (hours or {}).get(p.id, FAR)) if p.due is None else wakes + later
        out.append(replace(p, wakes=first, due=None if p.due is None else p.due + later))
    return tuple(out)


def _settle_pressures(w: Any, scenario: Any) -> None:
    hours = _hours(scenario) if w.pressure_parameters.truth else {}
    cast = dealt(scenario.pressures, w.chance, w.pressure_parameters.drift, hours)
    w.founding_pressures = {p.id: p for p in cast}
    w.cast_pressures = {**w.founding_pressures}
    w.cast_clues = {p.id: p.clues for p in scenario.pressures if p.clues}
    w.truths = {truth.id: truth for truth in scenario.facts}
    w.clue_places = {}
    for x in (*scenario.pressures, *scenario.facts):
        for n, clue in enumerate(x.clues):
            if clue.where:
                w.clue_places.setdefault(clue.where, []).append((x.id, n))


def _derive_pressures(w: Any) -> None:
    """Add the pressures that newcomers brought to those of the cast."""
    came = {p.id: p for stay in w.guests.stays.values() for p in stay.pressures}
    w.cast_pressures = {**w.founding_pressures, **came}


def _hours(scenario: Any) -> dict[str, int]:
    """Pressure or fact -> latest second at which it may wake, if a dated occasion's decision depends on it."""
    clock = Clock(parse_start(scenario.start))
    out: dict[str, int] = {}
    for o in scenario.calendar:
        if o.on and o.decides is not None:
            hour = clock.midnight(clock.day_of(o.on)) + o.from_ + o.decides.at
            out |= dict.fromkeys((*o.decides.settles, *o.decides.sways, *o.decides.beliefs), max(0, hour - PLAYED))
    return out


def _is_known(w: Any, p: ActivePressure) -> bool:
    """Whether a pressure has a kind and people of this world."""
    return p.kind in w.drama.kinds and {p.holder, p.about or p.holder, *p.known_by} <= w.cast.keys()


def _check_pressures(w: Any, state: PressureState, now: int) -> None:
    if not all(_is_known(w, p) for p in state.open.values()):
        raise ValueError("other pressures")
    if not state.hurt.keys() <= w.cast.keys():
        raise ValueError("other people are hurt")


def _check_resting(w: Any, state: RestState, now: int) -> None:
    if not all(id == x.press.id and _is_known(w, x.press) for id, x in state.pressures.items()):
        raise ValueError("other pressures rest")


def _check_tries(w: Any, state: TryState, now: int) -> None:
    for two in {two for thread in state.threads.values() for two in thread.tried}:
        a, _, b = two.partition("|")
        if pair_key(a, b) != two or not {a, b} <= w.cast.keys():
            raise ValueError("other people tried")


def _check_beliefs(w: Any, state: BeliefState, now: int) -> None:
    """Raise ValueError unless beliefs name people, places and facts of this world and are in range."""
    people = w.cast.keys()
    for fact in state.facts.values():
        if not {fact.a, fact.b or fact.a} <= people or fact.kind not in w.drama.kinds:
            raise ValueError("other facts")
    named, sources, places = {who for who, held in state.held.items() if held}, set[str](), set[str]()
    for held in state.held.values():
        for id, b in held.items():
            sound = 0 <= b.bad <= WORST and 0 <= b.strength <= STRONGEST and 0 <= b.t <= now and 0 <= b.since <= now
            if not sound or id != b.fact or id not in state.facts:
                raise ValueError("other beliefs")
            named |= {b.a, b.b or b.a, *b.told}
            sources.add(b.source)
            places.add(b.where)
    if not named | (sources - {*FIRSTHAND}) <= people:
        raise ValueError("other beliefs")
    if not places - {""} <= w.map.areas.keys():
        raise ValueError("other places")


def _check_matters(w: Any, state: MatterState, now: int) -> None:
    """Raise ValueError unless only people of this world know facts, or have exchanged them."""
    if {*state.known, *(who for pair in state.shared for who in pair.split("|"))} - w.cast.keys():
        raise ValueError("other people who know facts")


PRESSURES = Domain(
    "pressures",
    states=(
        State("pressures", PressureState, lambda w: PressureState(), _check_pressures),
        State("beliefs", BeliefState, lambda w: BeliefState(), _check_beliefs),
        State("matters", MatterState, lambda w: MatterState(), _check_matters, later=True),
        State("tries", TryState, lambda w: TryState(), _check_tries, later=True),
        State("showdowns", ShowdownState, lambda w: ShowdownState(), later=True),
        State("resting", RestState, lambda w: RestState(), _check_resting, later=True),
    ),
    tables=(
        ParameterTable("pressures", "pressure_parameters", PressureParameters),
        ParameterTable("beliefs", "belief_parameters", BeliefParameters),
    ),
    settle=_settle_pressures,
    derive=_derive_pressures,
    handlers=merge_handlers(pressure_handlers.HANDLERS, pressure_rules.HANDLERS),
    memories=pressure_handlers.REMEMBER,
)
