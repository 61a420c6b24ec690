"""What somebody can tell of their own life who is asked about it: what they want and mean to do for it, what they owe
and are owed, whom they like best and least and why, what has changed with them, where they belong. All of it is theirs
to know, and nothing of it is what they hide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from sandbox.core.clock import DAY
from sandbox.core.text import spelt
from sandbox.people.causes import DEEDS
from sandbox.people.claim_handlers import claim_words, claims_of, gone, new_claims
from sandbox.people.goal_handlers import HasGoals, next_step
from sandbox.people.mark_habits import new_marks
from sandbox.people.model import Block, HasPeople
from sandbox.people.pressure_deck import HUSHED, gist
from sandbox.people.pressure_handlers import HasPressures
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at, of, pressures_between
from sandbox.people.question_plan import BEDTIME, USUAL
from sandbox.people.ties import Tie
from sandbox.people.wording import lower_first_word, myself, since_phrase


def behind(w: HasPeople, who: str, block: Block) -> str:
    """Why somebody is at a block of their plan, a clause without a subject: "wants to get some air". An occasion that
    brings them stands behind the want: "wants to be seen to: The walk-in clinic".
    """
    found = w.handbook.deck.blocks.get(block.do)
    want = f"wants {(found.want or f'to {found.do}') if found is not None else f'to {block.do}'}"
    if block.why in (USUAL, BEDTIME):
        return want
    called = (o.title for o in w.calendar.of(who, w.clock.day(block.start)) if o.block == block.do)
    return f"{want}: {block.why}" if block.why in called else block.why


KNOWN, LIKED = 0.2, 0.15  # closeness and feeling from which somebody is near, or liked; or the contrary
NEW = 10 * DAY  # for so long something is what has changed
MOST = 3  # of each that are told
_WANTS = re.compile(r"^wants\b")
_BRACKETS = re.compile(r" \((?:at stake: )?(.+)\)$")  # a matter that is told beside a sentence
_OWNERS = re.compile(r"(?:heard|has less time|had a message|was written of|took .+?['’]s side)\b")
DEBT, COUPLE = "debt", "couple"


def life(w: HasGoals, who: str, named: Sequence[str], t: int) -> dict[str, tuple[str, ...]]:
    """What there is to tell, by what it is: "wants", "means" (to do), "owes", "owed", "best", "worst", "changed",
    "home", "work", "couple", "coins", "now"; and "why NAME" of those who are named, the weightiest first.
    """
    book, p = w.handbook, w.cast[who]
    mine = [x for x in of(w.pressures, who) if x.kind not in HUSHED]
    mine.sort(key=lambda x: (-intensity_at(x, t, w.pressure_parameters), x.id))
    wants = [x for x in mine if x.holder == who]
    wants.sort(key=lambda x: not w.drama.kinds[x.kind].goal)
    out: dict[str, Sequence[str]] = {
        "wants": [_wanted(w, x) for x in wants],
        "means": [text for x in wants if (text := _step(w, x, t))],
        "owes": [as_said(w, x) for x in mine if x.kind == DEBT and x.holder == who],
        "owed": [as_said(w, x) for x in mine if x.kind == DEBT and x.about == who],
        "best": [_regard(w, who, x) for x in _ranked(w, who, 1.0)],
        "worst": [_regard(w, who, x) for x in _ranked(w, who, -1.0)],
        "changed": [*_changed(w, who, t)],
        "home": [book.place(p.home)],
        "work": [f"{p.job} {book.at(p.work)}"] if p.work else [],
        "couple": [book.name(x) for c in claims_of(w, who, COUPLE) for x in c.people if x != who],
        "coins": [spelt(w.people.residents[who].purse.coins)] if w.money is not None else [],
        "now": [*_now(w, who, t)],
    }
    out |= {f"why {book.name(other)}": [*_why(w, who, other)] for other in named}
    return {key: tuple(dict.fromkeys(found))[:MOST] for key, found in out.items() if found}


def _wanted(w: HasGoals, p: ActivePressure) -> str:
    """What somebody wants, an infinitive without "to"."""
    said = w.drama.kinds[p.kind].wanted.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))
    return _BRACKETS.sub(r", and it is all about \1", said)


def _step(w: HasGoals, p: ActivePressure, t: int) -> str:
    """What they mean to do for it next, an infinitive without "to"; "" for nothing more."""
    todo = next_step(w, p, t)
    if todo is None:
        return ""
    name = w.handbook.name
    words = {"holder": name(p.holder), "about": name(p.about), "whom": name(todo.whom), "stakes": gist(p.stakes)}
    return w.drama.steps[todo.step].says.format(**words)


def as_said(w: HasPressures, p: ActivePressure) -> str:
    """What presses somebody, as a sentence of those who speak of it; "" of a kind that has no words."""
    deck = w.handbook.drama
    told = deck.rumours.says.get(p.kind) or ((deck.kinds[p.kind].says,) if p.kind in deck.kinds else ("",))
    return told[0].format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes), place="")


def _ranked(w: HasGoals, who: str, sign: float) -> list[str]:
    """Whom somebody likes, the most first (1), or dislikes (-1)."""
    ties = w.people.ties.get(who, {})
    found = [x for x, tie in ties.items() if sign * tie.feeling >= LIKED and (sign < 0 or tie.closeness >= KNOWN)]
    return sorted(found, key=lambda x: (-sign * ties[x].feeling, x))


def _regard(w: HasGoals, who: str, other: str) -> str:
    """Somebody, and what it comes of, as a sentence's end: "Rufus, who brought me what was owed"."""
    name, why = w.handbook.name(other), next(iter(_why(w, who, other)), "")
    if why.startswith(f"{name} ") and not why.startswith(f"{name} and "):
        return f"{name}, who{why.removeprefix(name)}"
    return f"{name}: {why}" if why else name


def _why(w: HasGoals, who: str, other: str) -> Iterator[str]:
    """What it comes of how somebody feels for another: what moved the tie most, what there was before; and what is open
    between them, which comes first where one does not like the other.
    """
    first, tie = w.handbook.name(who), w.people.ties.get(who, {}).get(other)
    liked = tie is not None and tie.feeling > 0.0
    open_ = []
    for p in pressures_between(w.pressures, who, other):
        knows = who == p.holder or (who in p.known_by and who != p.about)
        if knows and p.kind not in HUSHED and p.cause:
            open_.append(myself(p.cause, first))
    moved = _moved(tie, _hushed(w, who)) if tie is not None else ""
    stayed = [of_them(moved, w.handbook.name(other), first, liked)] if moved else []
    stayed += [x.why for x in w.cast[who].history if x.with_ == other and x.why][:1]
    yield from [*stayed, *open_] if liked else [*open_, *stayed]


def of_them(why: str, name: str, first: str, liked: bool) -> str:
    """The cause of a tie as its owner says it: "them" is they themselves, who does it is the other, but for what only
    the owner of a tie does or has done to them.
    """
    does = why.partition(" ")[0]
    if _OWNERS.match(why):
        return myself(f"{first} {why}", first)
    if not why[:1].isupper() and does not in DEEDS and not does.endswith("ed"):
        return f"what {'brought us together was' if liked else 'stands between us is'} {myself(why, first)}"
    text = re.sub(r"\bthem\b", "me", myself(why, first))
    return text if text[:1].isupper() else f"{name} {text}"


def _hushed(w: HasGoals, who: str) -> list[str]:
    """What is at stake in what somebody hides, or is hidden from them, as words that are then said of nothing."""
    open_ = [(p.stakes, p.cause) for p in of(w.pressures, who) if p.kind in HUSHED]
    known = [(f.stakes, f.cause) for f in w.beliefs.facts.values() if f.kind in HUSHED and who in (f.a, f.b)]
    return [text for stakes, cause in (*open_, *known) for text in (gist(stakes), cause) if text]


def _moved(tie: Tie, hushed: Collection[str]) -> str:
    """What has moved a feeling most, in the direction it has, of what is not just talk; "" for nothing. hushed: words
    that it does not hold.
    """
    found = (x for x in tie.causes if x.what == "feeling" and x.delta * tie.feeling > 0 and x.seq)
    told = [x for x in found if not x.why.startswith("talked about") and not any(words in x.why for words in hushed)]
    return max(told, key=lambda x: abs(x.delta)).why if told else ""


def _changed(w: HasGoals, who: str, t: int) -> Iterator[str]:
    """What is new in a life, as its owner says it, each with since when; nothing of what they hide."""
    first = w.handbook.name(who)
    news = [(m.t, m.why) for m in new_marks(w, who, t, NEW) if not gone(w, who, m)]
    for c in new_claims(w, who, t, NEW):
        kind = w.claim_deck.kinds[c.kind]
        if not kind.private and (c.a == who or kind.mutual):
            said = claim_words(w.handbook, kind.says, c)
            news += [(c.t, said)] if said.startswith(w.handbook.name(c.a)) else []
    for then, why in sorted(news, reverse=True):
        yield f"since {since_phrase(w.clock, then, t)}, {lower_first_word(myself(why, first))}"


def _now(w: HasGoals, who: str, t: int) -> Iterator[str]:
    """What somebody is at, and why."""
    r = w.people.residents[who]
    if not r.awake:
        yield "asleep"
    elif r.act is None and r.going is not None and r.going.where:
        yield f"on the way to {w.handbook.place(r.going.where)}"
    if not r.awake or r.act is None:
        return
    why = next((behind(w, who, b) for b in r.plan if b.start <= t < b.end and b.why), "")
    doing = w.handbook.doing(r.act.do)
    yield f"{doing} ({_WANTS.sub('I want', lower_first_word(why))})" if why else doing
