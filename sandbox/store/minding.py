"""Which mind a sitting lives by: what the world says, over it the player's settings, over them the command line, or
what the command line said when the save was lived last.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandbox.core.faults import Fault, Faults, unknown
from sandbox.core.places import settings_file
from sandbox.core.protocols import Mind
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.engine.loading import WorldFaults
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.calls import CallStore
from sandbox.minds.embedded.mind import EmbeddedMind
from sandbox.minds.spec import MindSpec, parse_mind
from sandbox.minds.specfile import read_mind
from sandbox.minds.thinking import Thinking

META = "minds"  # where a save remembers what the command line said


def spec_of(scenario: Scenario, given: Iterable[str], remembered: str = "") -> MindSpec:
    """The minds of a sitting. given: as `--mind` takes them; remembered: what a save kept (`noted`) of earlier ones.

    Raises WorldFaults for a fault of the settings, or a person there is not; ValueError for what is no model.
    """
    spec = own_spec(scenario.mind or MindSpec())
    given = tuple(given)
    cast = [p.id for p in scenario.cast]
    strangers = [who for who in parse_mind(given).people if who not in cast]
    if strangers:
        raise WorldFaults([Fault("--mind", 0, 0, unknown("person", who, cast)) for who in strangers])
    return parse_mind(given or _recalled(remembered), spec)


def own_spec(base: MindSpec) -> MindSpec:
    """What the player's settings say over a world's. Raises WorldFaults; other faults of the file the screen tells."""
    path, faults = settings_file(), Faults()
    if not path.exists():
        return base
    said = Reader(open_yaml(path, faults)).get("mind")
    before = faults.errors
    spec = read_mind(said, base, trusted=True)
    if wrong := [fault for fault in faults.errors if fault not in before]:
        raise WorldFaults(wrong)
    return spec


def noted(given: Iterable[str]) -> str:
    """What a save remembers of `--mind`: nothing of what is reached away from this computer, or costs money, for the
    next who opens the file may be somebody else.
    """
    return msgspec.json.encode([text for text in given if _here(text)]).decode()


def _recalled(text: str) -> tuple[str, ...]:
    """What a save remembers; the save may come from anywhere."""
    try:
        found = msgspec.json.decode(text or "[]", type=list[str])
    except msgspec.MsgspecError:
        return ()
    return tuple(said for said in found[:1000] if _here(said))


def _here(text: str) -> bool:
    try:
        spec = parse_mind([text])
    except ValueError:
        return False
    return all(model.private for model in spec.models)


def mind_of(spec: MindSpec, world: World, calls: CallStore) -> tuple[Mind, Thinking | None]:
    """The mind of a world, and what can be seen of its thinking. Whoever lets it go calls `let_go`.

    What talks to models is imported only where there are any: it takes a while.
    """
    embedded = EmbeddedMind(world.chance, world.scenario.lines)
    if not spec.models:
        return embedded, None
    from sandbox.minds.choosing import choose

    mind, thinking = choose(spec, embedded, calls)
    if thinking is not None:
        answering = {who: spec.people.get(who, spec.default) for who in world.cast}
        thinking.models = {who: model.name for who, model in answering.items() if model is not None}
    return mind, thinking


async def let_go(mind: Mind) -> None:
    """Close what a mind holds open."""
    if not isinstance(mind, EmbeddedMind):
        from sandbox.minds.choosing import leave

        await leave(mind)
