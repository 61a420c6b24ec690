"""How phone events change the state, and the memories they leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp
from sandbox.feed.events import (
    Browsed,
    Commented,
    Connected,
    Messaged,
    Posted,
    Quoted,
    Reacted,
    Writing,
    WritingDetails,
)
from sandbox.people.beliefs import believe
from sandbox.people.claim_handlers import person
from sandbox.people.memory import Memories
from sandbox.people.needs import feed
from sandbox.people.pressure_deck import AWAY
from sandbox.people.pressure_handlers import check_residents, facts_of, turn_feelings
from sandbox.people.pressure_model import Ended, Stirred
from sandbox.phones.deck import BEGINS
from sandbox.phones.model import (
    KEPT,
    LATELY,
    CardResponse,
    Crossed,
    HasPhones,
    Kind,
    Phone,
    PhoneState,
    Pile,
    Read,
    RecentTurn,
    Written,
    WrittenItem,
    kind_and_number,
)
from sandbox.talk.closing import related

ANSWER: Literal["comment"] = "comment"
MOST_WAITING = 200  # most unseen responses kept per person
MOST_READ = 600  # most cards remembered as read per person


def phone_of(state: PhoneState, who: str) -> Phone:
    """Somebody's phone, created if missing."""
    found = state.phones.get(who)
    if found is None:
        found = state.phones[who] = Phone()
    return found


def browsed(w: HasPhones, e: Browsed, stamp: Stamp) -> None:
    if stamp.actor not in w.people.residents:
        return
    phone = phone_of(w.phones, stamp.actor)
    phone.looked = stamp.t
    for card in e.shown if e.act == "refresh" else ():
        phone.read.pop(card, None)
        phone.read[card] = stamp.t
    for card in [*phone.read][: max(0, len(phone.read) - MOST_READ)]:
        del phone.read[card]


def connected(w: HasPhones, e: Connected, stamp: Stamp) -> None:
    other = w.feed.accounts.get(e.other)
    if other is None or stamp.actor not in w.people.residents or other.handle not in w.people.residents:
        return
    key = f"{stamp.actor}>{other.handle}"
    if e.act in ("unfollow", "block"):
        w.phones.let_go[key] = (stamp.seq, stamp.t)
    elif e.act in ("follow", "unblock"):
        w.phones.let_go.pop(key, None)


def reacted(w: HasPhones, e: Reacted, stamp: Stamp) -> None:
    if e.on != "post" or e.target not in w.phones.written:
        return
    if e.act == "like":
        w.phones.liked[f"{stamp.actor} {e.target}"] = stamp.seq
    elif e.act == "unlike":
        w.phones.liked.pop(f"{stamp.actor} {e.target}", None)
    author = w.phones.written[e.target].author
    voted = [
        c for c in w.phones.waiting.get(author, ()) if (c.by, c.card) == (stamp.actor, e.target) and c.what != ANSWER
    ]
    for c in voted:  # one vote per person and card
        w.phones.waiting[author].remove(c)
    if (e.act == "like" or e.act == "dislike") and f"{stamp.actor} {e.target}" not in w.phones.counted:
        _waits(w, author, CardResponse(stamp.actor, e.target, e.act))


def _waits(w: HasPhones, author: str, c: CardResponse) -> None:
    """Keep a resident's response to another's card until that one sees it."""
    if c.by in w.people.residents and c.by != author:
        waiting = w.phones.waiting.setdefault(author, [])
        waiting.append(c)
        del waiting[: max(0, len(waiting) - MOST_WAITING)]


def _resident(w: HasPhones, stamp: Stamp) -> None:
    """Raise KeyError if the actor is no resident."""
    w.people.residents[stamp.actor]


def wrote(w: HasPhones, e: Writing, stamp: Stamp) -> None:
    """Runs before the feed has it."""
    if e.about is None:
        return
    if w.feed.handles.get(stamp.actor, -1) != e.user:
        raise ValueError(f"user {e.user} is not {stamp.actor}")
    keep_written(w, *kind_and_number(e), e.about, stamp)


def keep_written(w: HasPhones, kind: Kind, number: int, about: WritingDetails, stamp: Stamp) -> None:
    """Keep what something written is about. Raises KeyError or ValueError if that cannot be."""
    _resident(w, stamp)
    check_residents(w, about.a, about.b, about.whom)
    if about.on >= w.feed.posts.n:
        raise ValueError(f"there is no post {about.on}")
    state = w.phones
    told = {name: getattr(about, name) for name in WritingDetails.__struct_fields__}
    written = Written(kind, number, author=stamp.actor, t=stamp.t, seq=stamp.seq, **told)
    {"post": state.written, "comment": state.comments, "message": state.messages}[kind][number] = written
    if kind == ANSWER and about.on in state.written:
        to = {state.written[about.on].author, about.whom} - {"", stamp.actor}
        for who in sorted(to):
            _waits(w, who, CardResponse(stamp.actor, about.on, ANSWER, about.valence, number))
    if kind != "post":
        return
    phone = phone_of(state, stamp.actor)
    phone.wrote = [t for t in phone.wrote if stamp.t - t < DAY] + [stamp.t]
    if about.cites:
        state.cited[about.cites] = state.cited.get(about.cites, 0) + 1
    _forget(state, stamp.t)


def _forget(state: PhoneState, t: int) -> None:
    """Drop everything written longer than KEPT ago, and what refers to it. Tables are in order of writing."""
    held = len(state.written)
    for table in (state.written, state.comments, state.messages):
        while table and t - next(iter(table.values())).t > KEPT:
            del table[next(iter(table))]
    if len(state.written) == held:
        return
    written = {*map(str, state.written)}
    for votes in (state.liked, state.counted):
        for key in [key for key in votes if key[key.rfind(" ") + 1 :] not in written]:
            del votes[key]
    for author, waiting in state.waiting.items():
        state.waiting[author] = [c for c in waiting if c.card in state.written]
    live = {x.cites for x in state.written.values()}
    for seq in [seq for seq in state.cited if seq not in live]:
        del state.cited[seq]


def read(w: HasPhones, e: Read, at: Stamp) -> None:
    _resident(w, at)
    people = (x for row in e.told for x in (row.who, row.a, row.b))
    check_residents(w, e.by, e.meant, *people, *(x for f in e.feelings for x in (f.u, f.v)))
    if any(x.opinion not in w.cast[at.actor].opinions for x in e.swayed):
        raise ValueError(f"{at.actor} has no view of it")
    if e.told:
        believe(w, e.told, facts_of(w, e.told), at)
    turn_feelings(w, e.feelings, at)
    check_residents(w, *(who for r in e.relations for who in (r.u, r.v)))
    related(w, e.relations, at)
    if e.kind == ANSWER and at.actor in w.phones.waiting:
        waiting = w.phones.waiting[at.actor]
        waiting[:] = [c for c in waiting if c.comment != e.number]
    if e.swayed:
        w.people.residents[at.actor].leanings |= {x.opinion: x.after for x in e.swayed}
        w.cast[at.actor] = person(w, at.actor)
    if e.counts is not None:
        phone_of(w.phones, at.actor).seen[e.number] = e.counts
        waiting = w.phones.waiting.get(at.actor, [])
        w.phones.counted |= {f"{c.by} {c.card}": at.seq for c in waiting if c.card == e.number and c.what != ANSWER}
        waiting[:] = [c for c in waiting if c.card != e.number]
        _keep_seen(w.phones, at.actor)
    if e.standing:
        feed(w.people.residents[at.actor].needs, at.t, w.need_parameters, {"standing": e.standing})


def _keep_seen(state: PhoneState, who: str) -> None:
    """Drop the counts somebody saw of cards that are forgotten."""
    seen = state.phones[who].seen
    for card in [card for card in seen if card not in state.written]:
        del seen[card]


def stirred(w: HasPhones, e: Stirred, stamp: Stamp) -> None:
    if e.answer not in ("", AWAY):  # nobody writes about merely being turned away
        _lately(w, e, stamp, "", e.answer == "accept" and not e.turn and not e.hostile, e.how)


def ended(w: HasPhones, e: Ended, stamp: Stamp) -> None:
    if e.turn:
        _lately(w, e, stamp, e.how, e.good, e.by)


def _lately(w: HasPhones, e: Stirred | Ended, stamp: Stamp, how: str, good: bool, do: str) -> None:
    """Note what has happened to a pressure. Runs before the pressure itself is changed."""
    p, lately = w.pressures.open[e.id], w.phones.lately
    lately[stamp.seq] = RecentTurn(
        stamp.t, p.id, p.thread, p.kind, how, good, do, stamp.actor, e.to, p.holder, p.about, p.stakes, e.hostile,
        e.turn,
    )  # fmt: skip
    while lately and stamp.t - next(iter(lately.values())).t > LATELY:
        del lately[next(iter(lately))]


def crossed(w: HasPhones, e: Crossed, stamp: Stamp) -> None:
    _resident(w, stamp)
    check_residents(w, e.whom, *(x for f in e.feelings for x in (f.u, f.v)))
    purse = w.people.residents[stamp.actor].purse
    if e.rule not in BEGINS:
        raise ValueError(f"there is no rule {e.rule}")
    if purse.coins + e.coins < 0:
        raise ValueError(f"{-e.coins} is lost by somebody who has {purse.coins}")
    if e.pile and not 0 <= e.card < w.feed.posts.n:
        raise ValueError(f"there is no post {e.card}")
    state = w.phones
    fired = state.fired.setdefault(e.rule, {})
    for key in [key for key, t in fired.items() if stamp.t - t > 14 * DAY]:
        del fired[key]
    fired[e.key] = stamp.t
    if e.way == BEGINS.get(e.rule) and e.pile is not False:
        state.begun[e.rule] = [t for t in state.begun.get(e.rule, ()) if stamp.t - t < DAY] + [stamp.t]
    turn_feelings(w, e.feelings, stamp)
    if e.standing:
        feed(w.people.residents[stamp.actor].needs, stamp.t, w.need_parameters, {"standing": e.standing})
    purse.coins += e.coins
    if e.pile:
        state.piles[stamp.actor] = Pile(e.card, stamp.t, e.hostile, stamp.seq)
    elif e.pile is False:
        state.piles.pop(stamp.actor, None)


def without_feed_part(e: Event) -> Event | None:
    """An event reduced to its effects on people, for a reader that has no feed; None if nothing is left."""
    if isinstance(e, WrittenItem):
        return None
    return replace(e, pile=None) if isinstance(e, Crossed) and e.pile else e


WRITINGS: tuple[type[Event], ...] = (Posted, Quoted, Commented, Messaged)
HANDLERS: dict[type[Event], Callable[..., None]] = {
    Browsed: browsed,
    Connected: connected,
    Reacted: reacted,
    **dict.fromkeys(WRITINGS, wrote),
    Read: read,
    Stirred: stirred,
    Ended: ended,
    Crossed: crossed,
}


# ---- memory


def remember_read(memories: Memories, e: Read, stamp: Stamp) -> None:
    if not e.poignancy:
        return
    if e.counts is not None:
        text = f"saw what people make of the post about {e.topic}" if e.topic else "saw what people make of a post"
        memories.keep(stamp.actor, stamp, "read", text, (), e.poignancy, form="deed")
    elif e.by:
        what = {"post": "posted", "comment": "wrote on the feed", "message": "wrote in a message"}[e.kind]
        text = f"read what {memories.lexicon.name(e.by)} {what}" + (f" about {e.topic}" if e.topic else "")
        topic = e.topic if e.kind == "post" else ""  # a private message is not spoken of as a post
        memories.keep(stamp.actor, stamp, "read", text, (e.by,), e.poignancy, topic=topic, form="deed")


def remember_wrote(memories: Memories, e: Writing, stamp: Stamp) -> None:
    about = e.about
    if about is None:
        return
    memories.spoken.say(stamp.actor, about.whom, e.variants, -1, stamp.t)
    if kind_and_number(e)[0] == "post" and about.topic:
        whom = (about.whom,) if about.whom else ()
        memories.keep(stamp.actor, stamp, "read", f"posted about {about.topic}", whom, 3, form="deed")


def remember_crossed(memories: Memories, e: Crossed, stamp: Stamp) -> None:
    whom = (e.whom,) if e.whom else ()
    # Of a kind that nobody posts of: the rule has done so itself.
    memories.keep(stamp.actor, stamp, "read", e.says, whom, 6)


REMEMBER: dict[type[Event], Callable[..., None]] = {
    Read: remember_read,
    **dict.fromkeys(WRITINGS, remember_wrote),
    Crossed: remember_crossed,
}
