"""Moving to town as a new person: a newcomer of the world, as in their file or as changed by the player."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.core.domain import CommandEvent
from sandbox.core.faults import Faults, in_quotes, unknown
from sandbox.core.places import data_dir
from sandbox.core.text import clean
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.director.card_rule import mentioned_person
from sandbox.feed.acts_of_people import sign_up
from sandbox.feed.model import NOBODY
from sandbox.feed.reading import user_of
from sandbox.people.claim_handlers import EMPLOYS, LODGES
from sandbox.people.claim_model import Claim
from sandbox.people.guest_handlers import Came, wrong_life
from sandbox.people.persona import HAIR, SKIN, BigFive, Persona, Pressure
from sandbox.people.pressure_deck import SECRET
from sandbox.play.model import Arrive, HasPlay, Newcomer, Settled
from sandbox.town.grid import way_in

NAME, JOB, TOLD, ABOUT = 40, 60, 200, 600  # letters of a name, a job, a secret, a description, at most
FEW = 3  # words for a character, at most
WEIGHS = 0.55  # intensity of the secret that somebody brings
ELSEWHERE = "to live here"  # the purpose, if they take another room than in their file
SOON = 2 * HOUR  # seconds until anything falls due, at least


def arrive(w: HasPlay, c: Arrive) -> Sequence[CommandEvent]:
    """The events of a newcomer's arrival, who is then played. Raises ValueError, with a sentence, if impossible."""
    if w.played.who:
        raise ValueError(f"{w.handbook.name(w.played.who)} is played already; give them back first")
    if not w.newcomers:
        raise ValueError("this world has no newcomers; name somebody under `newcomers` in its world.yaml")
    who = c.who or next(iter(w.newcomers))
    if who not in w.newcomers:
        raise ValueError(f"there is {unknown('newcomer', who, w.newcomers)}")
    if who in w.cast:
        raise ValueError(f"{w.handbook.name(who)} lives here already; play them")
    new, c = w.newcomers[who], _typed(c)
    p = _person(w, new.persona, c)
    t = max(w.now, w.last.get(who, 0))
    area = w.map.areas[p.home]
    tile = way_in(w.map, area.tiles[0], w.ways.part(area.tiles[0]))
    claims = new.settling.claims if p.home == new.persona.home else _lodges(w, p)
    pressures = _brought(w, new, p, c, claims, t)
    why = new.settling.why if p.home == new.persona.home else ELSEWHERE
    came = Came(*w.map.xy(tile), p, why=why, claims=claims, pressures=pressures)
    made = Settled(w.next_seconds, who, c.name, c.hair, c.skin, c.nature, c.home, c.job, c.work, c.secret)
    return CommandEvent(came, who), *_account(w, p), CommandEvent(made, who)


def _account(w: HasPlay, persona: Persona) -> tuple[CommandEvent, ...]:
    """An account under their id, if the town's people are on the feed."""
    on_it = any(who in w.cast for who in w.feed.handles)
    free = user_of(w.feed, persona.id, w.means.words) == NOBODY
    return (
        (CommandEvent(sign_up(w.feed, persona.id, persona.name, means=w.means), persona.id),) if on_it and free else ()
    )


def _typed(c: Arrive) -> Arrive:
    """The command with its texts cleaned and shortened."""
    name = " ".join(clean(c.name, NAME).split())
    return replace(c, name=name, nature=clean(c.nature), job=clean(c.job, JOB), secret=clean(c.secret, TOLD))


def _person(w: HasPlay, persona: Persona, c: Arrive) -> Persona:
    """The newcomer with the player's changes; empty fields are as in the file."""
    name = c.name or persona.name
    first = name.split()[0]
    if not any(letter.isalpha() for letter in first):
        raise ValueError(f"{in_quotes(name)} is not a name; begin it with a word")
    _own(w, persona, first)
    for word, words, what in ((c.hair, HAIR, "colour of hair"), (c.skin, SKIN, "colour of skin")):
        if word and word not in words:
            raise ValueError(f"there is {unknown(what, word, words)}")
    traits = traits_of(c.nature)
    home = c.home or persona.home
    if home not in w.map.areas:
        raise ValueError(f"there is {unknown('place', home, w.map.areas)}")
    if c.work and c.work not in w.map.areas:
        raise ValueError(f"there is {unknown('place', c.work, w.map.areas)}")
    persona = replace(
        persona,
        name=name,
        look=replace(persona.look, hair=c.hair or persona.look.hair, skin=c.skin or persona.look.skin),
        big_five=_nature(traits) if traits else persona.big_five,
        traits=traits or persona.traits,
        home=home,
        household=next(
            (x.household for x in w.cast.values() if x.home == home), persona.household if not c.home else persona.id
        ),
        job=c.job or (_job_at(w, c.work) if c.work else persona.job),
        work=c.work or persona.work,
        wage=None if c.work else persona.wage,
        about=_about(persona, first) if home == persona.home else "",
        secrets=(c.secret,) if c.secret else persona.secrets,
    )
    if wrong := wrong_life(persona, w.map, w.handbook.deck):
        raise ValueError(wrong)
    return persona


def _own(w: HasPlay, persona: Persona, first: str) -> None:
    """Raise ValueError, with advice, if the first name is taken in town, or by somebody who may still come."""
    others = w.handbook.others.values() if first.casefold() != persona.first.casefold() else ()
    for x in (*w.cast.values(), *others):
        if x.id != persona.id and x.first.casefold() == first.casefold():
            there = "in town already" if x.id in w.cast else "who may come to town"
            raise ValueError(f"there is a {x.first} {there} ({x.name}); take another first name")


def _about(persona: Persona, first: str) -> str:
    """The description in the file, with their first name."""
    return clean(re.sub(rf"\b{re.escape(persona.first)}\b", lambda _: first, persona.about), ABOUT)


def traits_of(text: str) -> tuple[str, ...]:
    """The words for a character. Raises ValueError, with a sentence, if too many or unknown."""
    words = tuple(dict.fromkeys(clean(text).casefold().replace(",", " ").split()))
    if len(words) > FEW:
        raise ValueError(f"{len(words)} words for a character are too many; give {FEW} at most")
    for word in words:
        if word not in natures():
            raise ValueError(f"there is {unknown('word for a character', word, natures())}")
    return words


def _nature(traits: Sequence[str]) -> BigFive:
    """The five traits that these words describe."""
    sums = dict.fromkeys(BigFive.__struct_fields__, 0.0)
    for word in traits:
        for trait, by in natures()[word].items():
            sums[trait] += by
    return BigFive(**{trait: round(min(1.0, max(-1.0, x)), 3) for trait, x in sums.items()})


def _job_at(w: HasPlay, work: str) -> str:
    """The job of people who work at a place."""
    return next((x.job for x in w.cast.values() if x.work == work), "hired hand")


def _lodges(w: HasPlay, persona: Persona) -> tuple[Claim, ...]:
    """A claim to lodge with whomever the others in that room lodge with; none for the room of their file."""
    landlord = next((c.b for c in w.claims.open.values() if c.kind == LODGES and c.b and c.where == persona.home), "")
    return (Claim(f"{LODGES}.{persona.id}", LODGES, persona.id, landlord, where=persona.home),) if landlord else ()


def _brought(
    w: HasPlay, new: Newcomer, persona: Persona, c: Arrive, claims: tuple[Claim, ...], t: int
) -> tuple[Pressure, ...]:
    """The pressures of a newcomer, with hours shifted by the days they come later, and their secret. Debts for a room
    they do not take, and the wish for work if they have some, are left out.
    """
    later = (w.clock.day(t) - 1) * DAY
    out = []
    for x in new.settling.pressures:
        if (x.kind == "debt" and persona.home != new.persona.home) or (x.wants.kind == EMPLOYS and c.work):
            continue
        due = None if x.due is None else x.due + later
        if due is not None and due < t + SOON:
            due += DAY
        out.append(replace(x, wakes=max(t, x.wakes + later), due=due))
    if c.secret and SECRET in w.drama.kinds:
        host = next((claim.b for claim in claims if claim.b), next(iter(w.cast)))
        about, id = mentioned_person(w, c.secret) or host, f"{persona.id}_secret"
        why = f"{w.handbook.called(persona)} came to town with it, and has told nobody"
        out.append(Pressure(id, SECRET, persona.id, about, WEIGHS, 0, t, None, c.secret, (), id, why))
    return tuple(out)


@cache
def natures() -> Mapping[str, Mapping[str, float]]:
    """Word for a character -> its effect on each of the five traits."""
    faults = Faults()
    rows = MappingReader(open_yaml(data_dir() / "natures.yaml", faults)).entries()
    found = {word: {trait: x.number(-1, 1) or 0.0 for trait, x in value.mapping().entries()} for word, value in rows}
    assert not len(faults), "\n".join(map(str, faults))
    return found
