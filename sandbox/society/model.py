"""What a growing society is: its parameters, and the events that it is made of (seed 002, 2 and B.2)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import Meta

from sandbox.core.events import Event
from sandbox.core.fields import plainly

COORDINATES = ("tokens", "rounds", "effort")  # of a grant, each in [0, 1]
D = len(COORDINATES)
TYPES = ("R", "B")
R, B = range(2)  # places in TYPES
NOBODY = -1
NEWCOMER_ASKS, NEWCOMER_ASKED, AMONG_ALL = 1, 2, 3  # the three events of a step
LONGEST = 1_000_000  # steps
MOST_WORDS = 4000  # letters of a pitch that are kept

Share = Annotated[float, Meta(ge=0, le=1)]
Vector = tuple[Share, Share, Share]
NONE: Vector = (0.0, 0.0, 0.0)


class GrowthParameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network grows. newcomer_asks, newcomer_asked: p and q, the chances that a step's newcomer asks others, or
    is asked by others; else agents who are there ask each other. of_r: r, the chance that a newcomer is of type R.
    trials: M, in a step of each kind. target, source: delta and xi, what even an agent without mass weighs. choice:
    within a type an agent is chosen by `mass`, or all alike (`uniform`). begin: agents of each type at the start;
    begin_weight: of each arc between these, in each coordinate. beta: added to what type R grants to type B; beta_on:
    to refusals, too, as printed, or only where something is `granted` (ours). steps, agents: where it ends, whichever
    comes first; 0 = no such end.
    """

    newcomer_asks: Share = 0.25
    newcomer_asked: Share = 0.25
    of_r: Share = 0.5
    trials: tuple[Annotated[int, Meta(ge=1, le=100)], ...] = (3, 3, 3)
    target: Annotated[float, Meta(gt=0, le=1e9)] = 1.5
    source: Annotated[float, Meta(gt=0, le=1e9)] = 1.5
    choice: Literal["mass", "uniform"] = "mass"
    begin: Annotated[int, Meta(ge=2, le=1000)] = 2
    begin_weight: Annotated[float, Meta(gt=0, le=1)] = 0.01
    beta: Annotated[float, Meta(ge=0, le=100)] = 0.0
    beta_on: Literal["all", "granted"] = "all"
    steps: Annotated[int, Meta(ge=0, le=LONGEST)] = 100
    agents: Annotated[int, Meta(ge=0, le=100_000)] = 0


def check_parameters(p: GrowthParameters) -> GrowthParameters:
    """The same parameters. Raises ValueError, with place and mend, if a network cannot grow by them."""
    try:
        p = msgspec.convert(msgspec.to_builtins(p), GrowthParameters)
    except msgspec.ValidationError as error:
        raise ValueError(f"a society's parameter cannot be: {plainly(error)}") from None
    if p.newcomer_asks + p.newcomer_asked > 1 + 1e-9:
        total = p.newcomer_asks + p.newcomer_asked
        raise ValueError(f"newcomer_asks and newcomer_asked are {total:g} together; the chances of a step sum to 1")
    if len(p.trials) != 3:
        raise ValueError(f"trials are {len(p.trials)} numbers; give three, one for each kind of step")
    if not p.steps and not p.agents:
        raise ValueError("neither steps nor agents say where it ends; set one of them")
    if p.agents and p.agents < 2 * p.begin:
        raise ValueError(f"agents is {p.agents}, and {2 * p.begin} are there at the start; give more")
    if not p.steps and p.agents > LONGEST * (p.newcomer_asks + p.newcomer_asked):
        raise ValueError(f"too few ever come for {p.agents} agents to be there within {LONGEST} steps; set steps")
    return p


class Proposal(msgspec.Struct, frozen=True, array_like=True):
    """What an agent asks of another. words: the pitch. asked: how much of each coordinate, in [0, 1]."""

    words: Annotated[str, Meta(max_length=MOST_WORDS)] = ""
    asked: Vector = (1.0, 1.0, 1.0)


class Grant(msgspec.Struct, frozen=True, array_like=True):
    """What is granted. given: in [0, 1], all 0 for a refusal. accepted: whether it is none. words: what is said."""

    given: Vector
    accepted: bool = True
    words: Annotated[str, Meta(max_length=MOST_WORDS)] = ""


class Trial(msgspec.Struct, frozen=True, array_like=True):
    """One agent asks another. source, target: numbers. proposal, grant: what is asked and granted, as it was said."""

    source: Annotated[int, Meta(ge=0)]
    target: Annotated[int, Meta(ge=0)]
    proposal: Proposal
    grant: Grant


class Grew(Event, frozen=True):
    """A step of growth. number: from 1 on. kind: which of the three events. newborn: the type of who came, a place in
    TYPES, -1 = nobody. trials: in order.
    """

    KIND: ClassVar[str] = "grew"
    number: Annotated[int, Meta(ge=1)]
    kind: Annotated[int, Meta(ge=1, le=3)]
    newborn: Annotated[int, Meta(ge=-1, le=1)]
    trials: tuple[Trial, ...]

    @property
    def without_words(self) -> Grew:
        """The same without what was said: it makes the same network."""
        return msgspec.structs.replace(
            self,
            trials=tuple(
                Trial(t.source, t.target, Proposal(asked=t.proposal.asked), Grant(t.grant.given, t.grant.accepted))
                for t in self.trials
            ),
        )


def check_follows(p: GrowthParameters, event: Grew, number: int, agents: int) -> None:
    """Raise ValueError unless an event may follow so many steps of a society, with so many agents."""
    try:
        msgspec.json.decode(msgspec.json.encode(event), type=Grew)
    except (msgspec.ValidationError, TypeError, UnicodeError) as error:
        raise ValueError(f"step {number + 1} cannot be: {plainly(error)}") from None
    if event.number != number + 1:
        raise ValueError(f"step {event.number} does not follow step {number}")
    if (p.steps and number >= p.steps) or (p.agents and agents >= p.agents):
        raise ValueError(f"step {event.number} comes after the end")
    if (event.newborn == NOBODY) != (event.kind == AMONG_ALL) or len(event.trials) != p.trials[event.kind - 1]:
        raise ValueError(f"step {event.number} is of kind {event.kind}, and its newcomer or its trials are of another")
    for t in event.trials:
        new = {NEWCOMER_ASKS: {t.source}, NEWCOMER_ASKED: {t.target}}.get(event.kind, set())
        if t.source == t.target or new - {agents} or max({t.source, t.target} - new) >= agents:
            raise ValueError(f"step {event.number} is of agents who are not there, or of one alone")
        if not t.grant.accepted and any(t.grant.given):
            raise ValueError(f"step {event.number} has a refusal that grants something")


class Asking(NamedTuple):
    """A trial before anybody has said a word. of_r: whether source and target are of type R. trial: its place in the
    step.
    """

    step: int
    trial: int
    source: int
    target: int
    of_r: tuple[bool, bool]
