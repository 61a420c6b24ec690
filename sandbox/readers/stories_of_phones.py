"""Stories of phones: what people write and read, and where a rule connects street and feed.

A post of which it is known what it is about makes a row; comments, likes and reading make none. A post by a rule makes
one row, that of the post; that the rule ran adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sandbox.core.events import Event, Record, Stamp
from sandbox.core.plain import count_of
from sandbox.core.text import clean
from sandbox.feed.events import Commented, Connected, Deed, Messaged, Posted, Quoted, Writing
from sandbox.phones.model import Crossed, Read, kind_and_number
from sandbox.phones.old_log import OldWrote
from sandbox.readers.stories_of_feed import CONNECTIONS, MARK
from sandbox.readers.stories_of_pressures import matter_blocks
from sandbox.readers.story import (
    Block,
    MarkAndWeight,
    Story,
    Teller,
    WrappedText,
    ties_from_feelings,
    ties_from_relations,
)

SHORT = 200  # characters of a text quoted in a sentence
RULE_WORDS = {
    "subtweet": "a post without a name",
    "screenshot": "a message shown round",
    "pile_on": "strangers turn on somebody",
    "apology": "an apology for all to read",
    "falsehood": "a falsehood goes round",
    "provenance": "who told it first",
    "telling_like": "a telling like",
    "unfollow": "unfollowed, or blocked",
    "appeal": "an appeal for money",
    "clip": "a row that was filmed",
}
WHAT = {"post": "a post", "comment": "a comment", "message": "a message"}
# Rule -> what somebody did who wrote a post by it.
POSTED = {
    "subtweet": "posted, and named nobody",
    "screenshot": "showed everybody a message from {whom}, and wrote",
    "apology": "apologised to {whom} for all to read",
    "falsehood": "posted what is not so",
    "appeal": "asked everybody for money",
    "clip": "posted a clip of a row",
}


def _about(topic: str) -> str:
    return f" about {clean(topic)}" if topic else ""


def events_behind(records: Iterable[Record]) -> dict[int, Event]:
    """The events among these that sentences about other events may need, by number."""
    return {at.seq: e for at, e in records if isinstance(e, Deed | Read)}


def _wrote(teller: Teller, e: Writing | OldWrote, stamp: Stamp) -> str:
    act = e if isinstance(e, Writing) else teller.came_of(stamp, Writing)
    words = f": “{clean(act.text, SHORT)}”" if act is not None else ""
    about, name = e.about, teller.name(stamp.actor)
    if about is None:
        return f"{name} {_plainly(teller, e)}{words}"
    kind, whom = kind_and_number(e)[0], teller.name(about.whom) if about.whom else ""
    told = words or _about(about.topic)
    if kind == "message":
        return f"{name} wrote to {whom or 'somebody'}{told}"
    if kind == "comment":
        under = f"a post of {whom}'s" if whom else "a post"
        return f"{name} wrote under {under}{told}"
    if about.on >= 0:
        what = f"what {whom} posted" if whom else "a post"
        return f"{name} passed on {what}" + (f", and wrote{words}" if words else told)
    did = POSTED.get(about.rule, "posted").format(whom=whom or "somebody")
    return f"{name} {did}{told}"


def _plainly(teller: Teller, e: Event) -> str:
    """What is written by somebody of whom no more is known."""
    match e:
        case Quoted():
            return f"wrote about post {e.of}"
        case Commented():
            return f"commented on post {e.post}"
        case Messaged():
            return f"wrote to {teller.user(e.to) if e.group < 0 else f'group {e.group}'} on the feed"
    return "posted"


def _weigh_wrote(teller: Teller, e: Writing | OldWrote, stamp: Stamp) -> MarkAndWeight | None:
    about = e.about
    if about is None or kind_and_number(e)[0] != "post":
        return None
    return MarkAndWeight(MARK, teller.notable["feed.rule" if about.rule else "feed.post"], about.matter)


def _wrote_sheet(teller: Teller, e: Writing | OldWrote, clock: object) -> Sequence[Block]:
    """Why it was written, by which rule, and the matter it is about."""
    out: list[Block] = []
    if e.about is not None and e.about.rule:
        out.append(WrappedText(f"It is {RULE_WORDS.get(e.about.rule, clean(e.about.rule))}"))
    if e.reason:
        out.append(WrappedText(f"Why: {clean(e.reason)}"))
    if e.about is None:
        return out
    if e.about.topic and kind_and_number(e)[0] != "comment":
        out.append(WrappedText(f"It is about {clean(e.about.topic)}"))
    return [*out, *matter_blocks(teller, e.about.matter, over=True)]


# ---- what is read


def _read(teller: Teller, e: Read, stamp: Stamp) -> str:
    name = teller.name(stamp.actor)
    if e.counts is not None:
        likes, dislikes, comments = e.counts
        made = [count_of(likes, "like"), f"{dislikes:,} against", count_of(comments, "comment")]
        return f"{name} saw what has come of their post{_about(e.topic)}: {', '.join(made)}"
    return f"{name} read {WHAT[e.kind]} by {teller.name(e.by) if e.by else 'a stranger'}{_about(e.topic)}"


def _read_link(teller: Teller, e: Read, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} {'read it' if e.counts is None else 'saw what came of it'}"


def _read_sheet(teller: Teller, e: Read, clock: object) -> Sequence[Block]:
    out: list[Block] = []
    if e.meant:
        out.append(WrappedText(f"Took it to be meant for {teller.name(e.meant)}"))
    for x in e.swayed:
        way = "more for" if x.after > x.before else "less for"
        out.append(WrappedText(f"Is {way} {clean(x.opinion)} since"))
    return out


# ---- what a rule led to


def _crossed(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    said = SAID.get((e.rule, e.way))
    return said(teller, e, stamp) if said is not None else clean(e.says).rstrip(".")


def _guessed(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    read, name, whom = teller.came_of(stamp, Read), teller.name(stamp.actor), teller.name(e.whom)
    if read is None:
        return f"A post without a name has made {name} think of {whom}"
    if read.by == e.whom:
        return f"{name} takes a post of {whom}'s that names nobody to be about them"
    return f"{name} takes a post of {teller.name(read.by)}'s that names nobody to be about {whom}"


def _let_go(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} {_went(teller, e, stamp)} {teller.name(e.whom)} on the feed"


def _seen_gone(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} saw that {teller.name(e.whom)} {_went(teller, e, stamp)} them on the feed"


def _went(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    """The word for how somebody blocked or unfollowed another, from the act itself. Whoever notices may do so long
    after, when the act is no longer at hand; then the key of their event says which of the two it was.
    """
    did = teller.came_of(stamp, Connected)
    if did is not None:
        return CONNECTIONS[did.act]
    if e.way == "feed":
        return "has let go of"
    return CONNECTIONS["block" if e.key.endswith(" blocked") else "unfollow"]


def _asked(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    name, whom, what = teller.name(stamp.actor), teller.name(e.whom), e.key.partition(" ")[0]
    if what == "paid":
        return f"Strangers have sent {name} {count_of(e.coins, 'coin')}" if e.coins else f"Nothing came in for {name}"
    if what == "looks":
        return f"{name} wonders whether what {whom} asks money for is true"
    return f"{name} read that {whom} asks everybody for what is owed to them"


def _settled(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    name, whom = teller.name(stamp.actor), teller.name(e.whom)
    if e.feelings:
        return f"{name} read that {whom} has put it right"
    return f"{name} read {whom}'s apology to them"


def _set_upon(teller: Teller, e: Crossed, stamp: Stamp) -> str:
    name = teller.name(stamp.actor)
    if e.pile is False:
        return f"Strangers leave {name} alone again"
    return f"{count_of(e.hostile, 'stranger')} {'has' if e.hostile == 1 else 'have'} turned on {name} for a post"


Sentence = Callable[[Teller, Crossed, Stamp], str]
# (rule, way) -> sentence. Towards the street, about the one who read it; towards the feed the event's own `says` does,
# except for unfollowing.
SAID: dict[tuple[str, str], Sentence] = {
    ("subtweet", "street"): _guessed,
    ("screenshot", "street"): lambda teller, e, at: (
        f"{teller.name(at.actor)} saw their own message to {teller.name(e.whom)} shown to everybody"
    ),
    ("pile_on", "street"): _set_upon,
    ("apology", "street"): _settled,
    ("falsehood", "street"): lambda teller, e, at: (
        f"{teller.name(at.actor)} read what {teller.name(e.whom)} posted, and it is not so"
    ),
    ("unfollow", "feed"): _let_go,
    ("unfollow", "street"): _seen_gone,
    ("appeal", "street"): _asked,
    ("clip", "street"): lambda teller, e, at: (
        f"{teller.name(at.actor)} found themselves on {teller.name(e.whom)}'s clip"
    ),
}


def _weigh_crossed(teller: Teller, e: Crossed, stamp: Stamp) -> MarkAndWeight | None:
    """What returns to the street weighs more than what is done by phone; a post by a rule has a row already."""
    if e.way == "feed":
        return None if e.card >= 0 else MarkAndWeight(MARK, teller.notable["feed.rule"])
    bystander = e.rule == "apology" and bool(e.feelings)  # somebody else read the apology
    return MarkAndWeight(MARK, teller.notable["feed.rule" if bystander else "feed.crossed"])


def _crossed_sheet(teller: Teller, e: Crossed, clock: object) -> Sequence[Block]:
    way = "from the street to the feed" if e.way == "feed" else "from the feed to the street"
    out: list[Block] = [WrappedText(f"{RULE_WORDS.get(e.rule, clean(e.rule))}: {way}".capitalize())]
    return [*out, *([WrappedText(clean(e.says))] if (e.rule, e.way) in SAID else [])]


WROTE = Story(
    sentence=_wrote,
    weigh=_weigh_wrote,
    about=lambda e: (e.about.whom,) if e.about is not None and e.about.whom else (),
    sheet=_wrote_sheet,
    result=True,
    matter=lambda e: e.about.matter if e.about is not None else "",
    counts=lambda e: ((f"{kind_and_number(e)[0]}s", 1),) if e.about is not None else (),
)
STORIES: dict[type[Event], Story] = {
    **dict.fromkeys((Posted, Quoted, Commented, Messaged, OldWrote), WROTE),
    Read: Story(
        sentence=_read,
        untold="what it does to moods and beliefs has rows of its own",
        about=lambda e: (e.by,) if e.by else (),
        sheet=_read_sheet,
        link=_read_link,
        result=True,
        ties=lambda e: ties_from_feelings(e.feelings) + ties_from_relations(e.relations),
    ),
    Crossed: Story(
        sentence=_crossed,
        weigh=_weigh_crossed,
        about=lambda e: (e.whom,) if e.whom else (),
        sheet=_crossed_sheet,
        link=lambda teller, e, at: RULE_WORDS.get(e.rule, "something on the feed"),
        result=True,
        ties=lambda e: ties_from_feelings(e.feelings),
    ),
}
