"""What a person can tell an interviewer about their own life: what they want and mean to do for it, what they owe and
are owed, whom they like best and least and why, what has changed, where they belong. They know all of it, and none of
it is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from sandbox.core.clock import DAY
from sandbox.core.text import join_names, spelt
from sandbox.people.claim_handlers import claim_words, claims_of, gone, new_claims
from sandbox.people.goal_handlers import HasGoals, next_step
from sandbox.people.interview_question import AnswerWriter, Interviewed
from sandbox.people.mark_habits import new_marks
from sandbox.people.model import Block, HasPeople
from sandbox.people.mood import DEEDS
from sandbox.people.pressure_deck import HUSHED, gist
from sandbox.people.pressure_handlers import HasPressures
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at, of, pressures_between
from sandbox.people.question_plan import BEDTIME, USUAL
from sandbox.people.ties import Tie
from sandbox.people.wording import lower_first_word, myself, since_phrase


def behind(w: HasPeople, who: str, block: Block) -> str:
    """Why a block is in somebody's plan, a clause without a subject: "wants to get some air". If an occasion brings
    them, its title follows: "wants to be seen to: The walk-in clinic".
    """
    found = w.handbook.deck.blocks.get(block.do)
    want = f"wants {(found.want or f'to {found.do}') if found is not None else f'to {block.do}'}"
    if block.why in (USUAL, BEDTIME):
        return want
    called = (o.title for o in w.calendar.of(who, w.clock.day(block.start)) if o.block == block.do)
    return f"{want}: {block.why}" if block.why in called else block.why


KNOWN, LIKED = 0.2, 0.15  # least closeness of somebody who is near; least feeling for one liked (negative: disliked)
RECENT = 10 * DAY  # seconds for which a change counts as new
ANSWERS_EACH = 3  # answers told under each heading
_WANTS = re.compile(r"^wants\b")
_BRACKETS = re.compile(r" \((?:at stake: )?(.+)\)$")  # the stakes in brackets at the end of a sentence
_OWNERS = re.compile(r"(?:heard|has less time|had a message|was written of|took .+?['’]s side)\b")
DEBT, COUPLE = "debt", "couple"


def life(w: HasGoals, who: str, named: Sequence[str], t: int) -> dict[str, tuple[str, ...]]:
    """Heading -> up to ANSWERS_EACH answers, weightiest first: "wants", "means" (to do), "owes", "owed", "best",
    "worst", "changed", "home", "work", "couple", "coins", "now", and "why NAME" for each person named.
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
    return {key: tuple(dict.fromkeys(found))[:ANSWERS_EACH] for key, found in out.items() if found}


def _wanted(w: HasGoals, p: ActivePressure) -> str:
    """What somebody wants, an infinitive without "to"."""
    said = w.drama.kinds[p.kind].wanted.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))
    return _BRACKETS.sub(r", and it is all about \1", said)


def _step(w: HasGoals, p: ActivePressure, t: int) -> str:
    """The next step of the holder's plan, an infinitive without "to"; "" if there is none."""
    todo = next_step(w, p, t)
    if todo is None:
        return ""
    name = w.handbook.name
    words = {"holder": name(p.holder), "about": name(p.about), "whom": name(todo.whom), "stakes": gist(p.stakes)}
    return w.drama.steps[todo.step].says.format(**words)


def as_said(w: HasPressures, p: ActivePressure) -> str:
    """A pressure as a sentence that others would say about it; "" if its kind has no words."""
    deck = w.handbook.drama
    told = deck.rumours.says.get(p.kind) or ((deck.kinds[p.kind].says,) if p.kind in deck.kinds else ("",))
    return told[0].format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes), place="")


def _ranked(w: HasGoals, who: str, sign: float) -> list[str]:
    """The people somebody likes (sign 1) or dislikes (sign -1), strongest feeling first."""
    ties = w.people.ties.get(who, {})
    found = [x for x, tie in ties.items() if sign * tie.feeling >= LIKED and (sign < 0 or tie.closeness >= KNOWN)]
    return sorted(found, key=lambda x: (-sign * ties[x].feeling, x))


def _regard(w: HasGoals, who: str, other: str) -> str:
    """`other` and the reason for the feeling about them, as the end of a sentence: "Rufus, who brought me what was
    owed".
    """
    name, why = w.handbook.name(other), next(iter(_why(w, who, other)), "")
    if why.startswith(f"{name} ") and not why.startswith(f"{name} and "):
        return f"{name}, who{why.removeprefix(name)}"
    return f"{name}: {why}" if why else name


def _why(w: HasGoals, who: str, other: str) -> Iterator[str]:
    """The reasons for how `who` feels about `other`: what moved the tie most, their history, and the open pressures
    between them. The pressures come first if `who` does not like `other`.
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
    """A tie's cause in the words of its owner: "them" in it means the owner, and the other (`name`) is the subject,
    except where the verb is one that only the owner can be the subject of (_OWNERS). first: the owner's first name.
    """
    does = why.partition(" ")[0]
    if _OWNERS.match(why):
        return myself(f"{first} {why}", first)
    if not why[:1].isupper() and does not in DEEDS and not does.endswith("ed"):
        return f"what {'brought us together was' if liked else 'stands between us is'} {myself(why, first)}"
    text = re.sub(r"\bthem\b", "me", myself(why, first))
    return text if text[:1].isupper() else f"{name} {text}"


def _hushed(w: HasGoals, who: str) -> list[str]:
    """The stakes and causes of the secrets that involve somebody: phrases that no answer may contain."""
    open_ = [(p.stakes, p.cause) for p in of(w.pressures, who) if p.kind in HUSHED]
    known = [(f.stakes, f.cause) for f in w.beliefs.facts.values() if f.kind in HUSHED and who in (f.a, f.b)]
    return [text for stakes, cause in (*open_, *known) for text in (gist(stakes), cause) if text]


def _moved(tie: Tie, hushed: Collection[str]) -> str:
    """The cause that moved a feeling most in its present direction, except mere talk; "" if none. hushed: phrases it
    must not contain.
    """
    found = (x for x in tie.causes if x.what == "feeling" and x.delta * tie.feeling > 0 and x.seq)
    told = [x for x in found if not x.why.startswith("talked about") and not any(words in x.why for words in hushed)]
    return max(told, key=lambda x: abs(x.delta)).why if told else ""


def _changed(w: HasGoals, who: str, t: int) -> Iterator[str]:
    """What has changed in a life of late, in its owner's words, each with since when, newest first; no secrets."""
    first = w.handbook.name(who)
    news = [(m.t, m.why) for m in new_marks(w, who, t, RECENT) if not gone(w, who, m)]
    for c in new_claims(w, who, t, RECENT):
        kind = w.claim_deck.kinds[c.kind]
        if not kind.private and (c.a == who or kind.mutual):
            said = claim_words(w.handbook, kind.says, c)
            news += [(c.t, said)] if said.startswith(w.handbook.name(c.a)) else []
    for then, why in sorted(news, reverse=True):
        yield f"since {since_phrase(w.clock, then, t)}, {lower_first_word(myself(why, first))}"


def _now(w: HasGoals, who: str, t: int) -> Iterator[str]:
    """What somebody is doing now, and why."""
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


# ---- answers from these facts


YOURS = re.compile(r"\b(you|your|yours|yourself)\b")


def _of_another(writer: AnswerWriter) -> bool:
    """Whether the question is about somebody else's life."""
    return bool(writer.whom) and not YOURS.search(writer.low)


def of_life(key: str, ways: str, none: str) -> Callable[[AnswerWriter], Interviewed | None]:
    """A rule that answers with the facts under a heading. ways, none: keys of sentences with {it}, and of others."""

    def rule(writer: AnswerWriter) -> Interviewed | None:
        if _of_another(writer):
            return None
        found = writer.q.life.get(key, ())
        if not found:
            return Interviewed(writer.one(none, job=writer.job))
        return Interviewed(writer.one(ways, it="; ".join(myself(x, writer.name) for x in found[:2])))

    return rule


def _wants(writer: AnswerWriter) -> Interviewed | None:
    """What one wants most, and what one means to do for it next."""
    if _of_another(writer):
        return None
    wants, means = writer.q.life.get("wants", ()), writer.q.life.get("means", ())
    if not wants:
        return Interviewed(writer.one("wants_nothing"))
    told = writer.one("wants", it=wants[0])
    return Interviewed(f"{told} {writer.one('means', it=means[0])}" if means else told)


def _why_them(writer: AnswerWriter) -> Interviewed | None:
    """Why one feels as one does about somebody: the feeling and up to two reasons."""
    if not writer.whom:
        return None
    found = writer.q.life.get(f"why {writer.whom}", ())
    out = writer.feeling()
    out += [writer.one("because" if i == 0 else "and_also", cause=lower_first_word(x)) for i, x in enumerate(found[:2])]
    return Interviewed(" ".join(out)) if found else None


def _couple(writer: AnswerWriter) -> Interviewed | None:
    """Who one's partner is. Without one, the question is evaded: whom one may love otherwise stays private."""
    if writer.whom:
        return None
    found = writer.q.life.get("couple", ())
    return Interviewed(writer.one("couple", it=join_names(found)) if found else writer.one(f"evade.{writer.p.voice}"))


# (pattern of a question, rule that answers it); these come before the general rules.
# fmt: off
OF_LIFE: tuple[tuple[str, Callable[[AnswerWriter], Interviewed | None]], ...] = (
    (r"\bowe(s|d)? (you|me)\b", of_life("owed", "life", "owed_nothing")),
    (r"\b(owe|owing|debts?)\b", of_life("owes", "life", "owes_nothing")),
    (r"\bwhy\b.*\b(like|dislike|hate|avoid|cross|angry|trust|stand|love|feel|fallen out|quarrel\w*|row|think)\b",
     _why_them),
    (r"\b(whom?|which (?:person|man|woman|friend|neighbour|of \w+))\b.*\b(best|most|fond|closest|dearest)\b"
     r"|\bbest friend\b",
     of_life("best", "best", "nobody")),
    (r"\b(whom?)\b.*\b(least|stand|dislike|hate|angry|cross|avoid|enem\w+)\b",
     of_life("worst", "worst", "nobody_bad")),
    (r"\b(want|wish|goal|ambition|hope for|dream of|after most)\b", _wants),
    (r"\b(mean to do|going to do|will you do) about\b", _wants),
    (r"\b(changed|what is new|what's new|new in your life)\b", of_life("changed", "life", "nothing_new")),
    (r"\bwhere do you (live|sleep|lodge)\b|\byour home\b", of_life("home", "home", "no_home")),
    (r"\b(where do you work|for a living|what is your work)\b", of_life("work", "work", "no_work")),
    (r"\b(in love|married|couple|sweetheart|walking out|seeing any\w+)\b",
     _couple),
    (r"\bhow (much money|many coins|rich|poor|well off)\b|\byour (money|coins|purse)\b|\byou (rich|poor|well off)\b"
     r"|\byou have (any |much |enough )?(money|coins)\b", of_life("coins", "coins", "no_coins")),
    (r"\b(what are you doing|why are you (here|doing))\b", of_life("now", "now", "not_up")),
)
# fmt: on
