"""Stories of phones: what people post and read, and where a rule ties street and feed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.events import Event, Stamp
from sandbox.core.text import clean
from sandbox.phones.model import Crossed, Read, Wrote
from sandbox.stories.story import Block, Said, Story, Teller, Tied, Weighed, turned

MARK = "#"
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


def _about(teller: Teller, topic: str) -> str:
    return f" about {clean(topic)}" if topic else ""


def _wrote(teller: Teller, e: Wrote, at: Stamp) -> str:
    name = teller.name(at.actor)
    if e.kind == "message":
        return f"{name} wrote to {teller.name(e.whom)}{_about(teller, e.topic)}"
    if e.kind == "comment":
        return f"{name} said something under a post{_about(teller, e.topic)}"
    if e.on >= 0:
        return f"{name} passed a post on with words of their own{_about(teller, e.topic)}"
    return f"{name} posted{_about(teller, e.topic)}"


def _weigh_wrote(teller: Teller, e: Wrote, at: Stamp) -> Weighed | None:
    if e.kind != "post":
        return None
    return Weighed(MARK, teller.notable["feed.rule" if e.rule else "feed.post"], e.matter)


def _read(teller: Teller, e: Read, at: Stamp) -> str:
    name = teller.name(at.actor)
    if e.counts is not None:
        likes, dislikes, comments = e.counts
        return f"{name} saw that {likes} like their post{_about(teller, e.topic)}, {dislikes} do not, and {comments} answer"
    return f"{name} read {WHAT[e.kind]} by {teller.name(e.by) or 'a stranger'}{_about(teller, e.topic)}"


def _read_sheet(teller: Teller, e: Read, clock: object) -> Sequence[Block]:
    out: list[Block] = []
    if e.meant:
        out.append(Said(f"Took it to be meant for {teller.name(e.meant)}"))
    for x in e.swayed:
        way = "more for" if x.after > x.before else "less for"
        out.append(Said(f"Is {way} {clean(x.opinion)} since"))
    return out


def _crossed(teller: Teller, e: Crossed, at: Stamp) -> str:
    return clean(e.says).rstrip(".")


def _crossed_sheet(teller: Teller, e: Crossed, clock: object) -> Sequence[Block]:
    way = "from the street to the feed" if e.way == "feed" else "from the feed to the street"
    return [Said(f"{RULE_WORDS.get(e.rule, e.rule)}: {way}")]


def _ties(e: Crossed | Read) -> Iterable[Tied]:
    return turned(e.feelings)


STORIES: dict[type[Event], Story] = {
    Wrote: Story(
        sentence=_wrote,
        weigh=_weigh_wrote,
        about=lambda e: (e.whom,) if e.whom else (),
        matter=lambda e: e.matter,
        counts=lambda e: (("posts", 1),) if e.kind == "post" else ((f"{e.kind}s", 1),),
    ),
    Read: Story(
        sentence=_read,
        untold="what it does to moods and beliefs has rows of its own",
        about=lambda e: (e.by,) if e.by else (),
        sheet=_read_sheet,
        ties=_ties,
    ),
    Crossed: Story(
        sentence=_crossed,
        mark=MARK,
        weight="feed.crossed",
        about=lambda e: (e.whom,) if e.whom else (),
        sheet=_crossed_sheet,
        ties=_ties,
    ),
}
