"""One table with the story (the description) of every type of event, and functions that look an event up in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping

from sandbox.core.events import Event, Record
from sandbox.engine.registry import EVENTS
from sandbox.people.claim_model import Claim, Made
from sandbox.people.persona import Persona
from sandbox.readers import (
    stories_of_claims,
    stories_of_feed,
    stories_of_people,
    stories_of_phones,
    stories_of_play,
    stories_of_pressures,
    stories_of_run,
    stories_of_showdowns,
    stories_of_talk,
)
from sandbox.readers.facts import ActStage, EndedMatter, Intent, MoodChange, Payment, TieShift
from sandbox.readers.pressures import Matter
from sandbox.readers.story import Story, Teller


def complete(
    tables: Iterable[Mapping[type[Event], Story]], events: Collection[type[Event]]
) -> dict[type[Event], Story]:
    """Merge tables of stories into one. Raises TypeError unless each type of event has exactly one story."""
    out: dict[type[Event], Story] = {}
    for table in tables:
        if twice := out.keys() & table.keys():
            raise TypeError(f"told by two stories: {_names(twice)}")
        out |= table
    if missing := set(events) - out.keys():
        raise TypeError(f"events without a story: {_names(missing)}; declare one in a module readers/stories_of_...py")
    if unknown := out.keys() - set(events):
        raise TypeError(f"stories of what is no event of engine/registry.py: {_names(unknown)}")
    return out


def _names(types: Iterable[type[Event]]) -> str:
    return ", ".join(sorted(t.__name__ for t in types))


TOLD = (
    stories_of_run,
    stories_of_people,
    stories_of_talk,
    stories_of_pressures,
    stories_of_showdowns,
    stories_of_claims,
    stories_of_feed,
    stories_of_phones,
    stories_of_play,
)
STORIES = complete((m.STORIES for m in TOLD), EVENTS.values())


def events_where(test: Callable[[Story], object]) -> tuple[type[Event], ...]:
    """The types of event whose story passes a test."""
    return tuple(event for event, story in STORIES.items() if test(story))


def kinds_where(test: Callable[[Story], object]) -> tuple[str, ...]:
    """The kinds of event whose story passes a test; for readers that load only those kinds from a log."""
    return tuple(event.KIND for event in events_where(test))


BEGINNINGS = kinds_where(lambda story: story.begins)  # kinds of event that begin a pressure


def event_sentence(record: Record, teller: Teller) -> str:
    """An event as a sentence without full stop; never empty."""
    at, e = record
    return (
        STORIES[type(e)].sentence(teller, e, at) or f"{teller.name(at.actor) or 'The town'}: {e.KIND.replace('_', ' ')}"
    )


def event_people(record: Record, teller: Teller, aside: bool = False) -> tuple[str, ...]:
    """The people an event concerns, its actor first. aside: with those whom only the event's detail page lists."""
    at, e = record
    story = STORIES[type(e)]
    m = teller.matters.get(story.matter(e))
    of_matter = (m.holder, m.about) if m is not None else ()
    found = (at.actor, *e.touches(), *(story.others(e) if aside else ()), *story.about(e), *of_matter)
    return tuple(who for who in dict.fromkeys(found) if who)


def event_matter(record: Record) -> str:
    """The id of the pressure an event belongs to, or ""."""
    return STORIES[type(record.event)].matter(record.event)


def event_talk(e: Event) -> str:
    """The id of the talk an event is a part of, or ""."""
    return STORIES[type(e)].talk(e)


def event_moods(record: Record) -> Iterable[MoodChange]:
    """The changes of mood that an event made."""
    moods = STORIES[type(record.event)].moods
    return moods(record.event, record.stamp) if moods is not None else ()


def event_ties(e: Event, still: bool = False) -> Iterable[TieShift]:
    """The changes of ties that an event made. still: with those by 0, too."""
    ties = STORIES[type(e)].ties
    return [x for x in ties(e) if x.delta or still] if ties is not None else ()


def event_guest(e: Event) -> Persona | None:
    """Who comes to town with an event, None for nobody."""
    guest = STORIES[type(e)].guest
    return guest(e) if guest is not None else None


def event_stages(record: Record) -> Iterable[ActStage]:
    """How far an event brings people with what they do."""
    stages = STORIES[type(record.event)].stages
    return stages(record.event, record.stamp) if stages is not None else ()


def event_claims(e: Event) -> Iterable[Claim | Made]:
    """The claims that began with an event."""
    claims = STORIES[type(e)].claims
    return claims(e) if claims is not None else ()


def event_end(e: Event) -> EndedMatter | None:
    """The end of a claim or pressure that an event is, None if it ends none."""
    ends = STORIES[type(e)].ends
    return ends(e) if ends is not None else None


def event_payments(record: Record) -> Iterable[Payment]:
    """The coins that changed hands by an event."""
    payments = STORIES[type(record.event)].payments
    return payments(record.event, record.stamp) if payments is not None else ()


def event_intent(e: Event) -> Intent | None:
    """What the person who is played means to do since an event, None = as before."""
    intent = STORIES[type(e)].intent
    return intent(e) if intent is not None else None


def matter_begun(record: Record) -> Matter | None:
    """What the pressure that begins with an event is about, None if none does."""
    begins = STORIES[type(record.event)].begins
    return begins(record.event, record.stamp) if begins is not None else None


def learn(matters: MutableMapping[str, Matter], record: Record) -> None:
    """If a record begins a pressure, add its matter."""
    if (matter := matter_begun(record)) is not None:
        matters[matter.id] = matter


def event_counts(e: Event) -> Iterable[tuple[str, int]]:
    """What an event adds to the counts of a day or an experiment: (name, number), such as ("talks", 1)."""
    return STORIES[type(e)].counts(e)
