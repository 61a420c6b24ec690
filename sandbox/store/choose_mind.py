"""Which minds a session uses: those the world names, over them the player's settings, over them the command line (or
what the save remembers of an earlier command line).

Which paid models a player lets a save ask, by a yes on the screen, is stored in the player's own folder by the save's
uid, not in the save: that may come from anybody.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from sandbox.core.faults import Fault, Faults, path_text
from sandbox.core.places import home, settings_file
from sandbox.core.protocols import Mind
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.engine.loading import WorldFaults
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.budget import CallStore, Thinking
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.spec import MindSpec, Model, parse_mind, read_mind
from sandbox.people.handbook import somebody

META = "minds"  # in meta: what the command line said
FILE, MOST = "allowed.json", 1000  # in the player's folder; the most saves in it


class MindChoice(NamedTuple):
    """The minds of a session. withheld: models that the world names and the player has not allowed, by person ("" =
    everybody); the embedded mind answers instead.
    """

    spec: MindSpec
    withheld: dict[str, Model]


def choice_of(
    scenario: Scenario, given: Iterable[str], remembered: str = "", allowed: Collection[str] = ()
) -> MindChoice:
    """Choose the minds of a session. given: as `--mind` takes them; remembered: what the save noted of earlier ones
    (`minds_to_note`); allowed: names of models that the player lets this save ask.

    A model that may cost money, or logs in by itself, is asked only if the player names or allows it. Raises
    WorldFaults for faulty settings or an unknown person; ValueError for what is no model.
    """
    spec = own_spec(scenario.mind or MindSpec())
    given = tuple(given)
    texts = given or _recalled(remembered)
    said = parse_mind(texts)
    ids, wrong = _ids(scenario, said)
    if wrong and given:
        raise WorldFaults(wrong)
    spec = parse_mind(texts, spec, ids)
    own = {*said.models, *own_spec(MindSpec()).models, *(Model(name) for name in allowed if Model(name).plain)}
    named = {"": spec.default, **spec.people}
    withheld = {who: m for who, m in named.items() if m is not None and not m.private and m not in own}
    default, *people = ((who, None if who in withheld else m) for who, m in named.items())
    return MindChoice(msgspec.structs.replace(spec, default=default[1], people=dict(people)), withheld)


def _ids(scenario: Scenario, said: MindSpec) -> tuple[dict[str, str], list[Fault]]:
    """The id of each person named by an id or a name, and a fault for each unknown one."""
    people, ids, wrong = {p.id: p for p in scenario.cast}, {}, []
    for who in said.people:
        try:
            ids[who] = somebody(who, people)
        except ValueError as error:
            wrong.append(Fault("--mind", 0, 0, str(error)))
    return ids, wrong


def withheld_words(withheld: Mapping[str, Model], by: str) -> str:
    """A line that says which models are not asked, and how to allow them. by: what names them."""
    names = " and ".join(f"{m.name} for {who}" if who else m.name for who, m in withheld.items())
    allow = " ".join(f"--mind {who}={m.name}" if who else f"--mind {m.name}" for who, m in withheld.items())
    return (
        f"{by} names {names}, which may cost you money; it is not asked, the embedded mind answers. "
        f"To allow it: {allow}, or name it in {path_text(settings_file())}"
    )


def own_spec(base: MindSpec) -> MindSpec:
    """A choice of minds with the player's settings over it. Raises WorldFaults for a fault in these; the screen reports
    other faults of the file.
    """
    path, faults = settings_file(), Faults()
    if not path.exists():
        return base
    said = MappingReader(open_yaml(path, faults)).get("mind")
    before = faults.errors
    spec = read_mind(said, base, trusted=True)
    if wrong := [fault for fault in faults.errors if fault not in before]:
        raise WorldFaults(wrong)
    return spec


def minds_to_note(given: Iterable[str]) -> str:
    """What a save notes of `--mind`, as JSON: no model that is away from this computer or costs money, since somebody
    else may open the file next.
    """
    return msgspec.json.encode([text for text in given if _here(text)]).decode()


def _recalled(text: str) -> tuple[str, ...]:
    """What a save has noted of `--mind`, checked again: the save may come from anywhere."""
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


def mind_of(
    spec: MindSpec, world: World, calls: CallStore, embedded: EmbeddedMind | None = None
) -> tuple[Mind, Thinking | None]:
    """The mind of a world, and what shows its models at work (None without models). Close it with `release_mind`.
    embedded: one with other rules than the shipped ones. Code that talks to models is imported only if there are any:
    it takes a while.
    """
    embedded = embedded or EmbeddedMind(world.chance, world.scenario.lines)
    if not spec.models:
        return embedded, None
    from sandbox.minds.language_mind import choose

    mind, thinking = choose(spec, embedded, calls)
    if thinking is not None:
        answering = {who: spec.people.get(who, spec.default) for who in world.cast}
        thinking.models = {who: model.name for who, model in answering.items() if model is not None}
    return mind, thinking


async def release_mind(mind: Mind) -> None:
    """Close what a mind holds open."""
    if not isinstance(mind, EmbeddedMind):
        from sandbox.minds.language_mind import close_mind

        await close_mind(mind)


# ---- what a player has allowed


def allowed_models(uid: str) -> tuple[str, ...]:
    """The names of models that the player lets this save ask."""
    return _read().get(uid, ()) if uid else ()


def allow(uid: str, names: Iterable[str]) -> None:
    """Let a save ask these models, from its next session on. Raises OSError."""
    known = _read()
    names = tuple(dict.fromkeys((*known.pop(uid, ()), *names)))
    latest = [*known.items(), (uid, names)][-MOST:]
    path = home() / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(dict(latest)), indent=1) + b"\n")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _read() -> dict[str, tuple[str, ...]]:
    """The allowed models by uid; empty if the file is missing or malformed."""
    try:
        return msgspec.json.decode((home() / FILE).read_bytes(), type=dict[str, tuple[str, ...]])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
