"""What accounts do on the platform, as events: one per action, so that the log is everybody's trace.

The crowd's acts are not single events but one packed event per tick. Events give posts, comments and users by number;
acting on a repost is recorded on its root, and `via` names the repost. What is written may say what it is about; that
is known of people of a town only, whose phones give it (phones/), and the feed makes nothing of it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

from sandbox.core.events import Event
from sandbox.feed.model import DIMENSIONS, HOT, NOBODY, UNIT
from sandbox.people.mood import Pad

TEXT = 500  # letters of a post, a comment or a message
BIO = 400
NAME = 80  # of a user and of a group
HANDLE = 24
WORD = 80  # of a muted word
QUERY = 200
REASON = 200
MOST_SHOWN = 1000  # numbers of what was shown, at most, in an event
LAST = 2**31 - 2  # the highest number of anything

Number = Annotated[int, Meta(ge=0, le=LAST)]
OrNone = Annotated[int, Meta(ge=NOBODY, le=LAST)]  # -1 = none
Vector = Annotated[bytes, Meta(min_length=DIMENSIONS, max_length=DIMENSIONS)]  # int8 values
Text = Annotated[str, Meta(min_length=1, max_length=TEXT)]
Topic = Annotated[int, Meta(ge=-1, le=8)]
Stance = Annotated[int, Meta(ge=-UNIT, le=UNIT)] | None  # thousandths; None = no stance


class Deed(Event, frozen=True, kw_only=True):
    """An act of an account. user: its number. reason: the sentence its mind gave, "" = none."""

    ON_FEED: ClassVar[bool] = True
    user: Number
    reason: Annotated[str, Meta(max_length=REASON)] = ""


Signed = Annotated[float, Meta(ge=-1, le=1)]


class WritingDetails(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What something that a resident wrote is about. move: of the line book. cites: the event it comes from (0 = none).
    topic: in a few words. matter: the pressure it is about; fact: the one it claims, with a, b, where, bad as claimed
    (people/beliefs.py). proof: it shows evidence, as a screenshot or clip does. whom: the person meant or spoken of.
    valence: how warm it sounds, in [-1, 1]. opinion, stance: the topic and the view taken. on: the card it is on or
    answers (-1 = none). rule: the rule it was written by ("" = none).
    """

    move: str
    cites: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0
    topic: str = ""
    matter: str = ""
    fact: str = ""
    a: str = ""
    b: str = ""
    where: str = ""
    bad: Annotated[int, Meta(ge=0, le=3)] = 0
    proof: bool = False
    whom: str = ""
    valence: Signed = 0.0
    opinion: str = ""
    stance: Signed = 0.0
    on: OrNone = NOBODY
    rule: str = ""


class Writing(Deed, frozen=True, kw_only=True):
    """Something is written. about: what it is about, None = unknown. mood: of the writer. variants: of the line it was
    made from.
    """

    CITES: ClassVar[tuple[str, ...]] = ("cites",)
    text: Text
    about: WritingDetails | None = None
    mood: Pad = Pad(0.0, 0.0, 0.0)
    variants: tuple[str, ...] = ()


class SignedUp(Deed, frozen=True):
    """A new account. user: the next free number. vector: of the bio."""

    KIND: ClassVar[str] = "signed_up"
    handle: Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_]{{1,{HANDLE}}}\Z")]
    name: Annotated[str, Meta(min_length=1, max_length=NAME)]
    bio: Annotated[str, Meta(max_length=BIO)]
    vector: Vector


class Posted(Writing, frozen=True):
    """A post. post: the number of its card. topic: 0 to 8, -1 unknown. heat: how much it agitates, in hundredths."""

    KIND: ClassVar[str] = "posted"
    post: Number
    vector: Vector
    topic: Topic
    stance: Stance
    heat: Annotated[int, Meta(ge=0, le=HOT)] = 0


class Quoted(Writing, frozen=True):
    """A quote: one's own text about a post. post: its card; of: the original post; via: the card acted on."""

    KIND: ClassVar[str] = "quoted"
    post: Number
    of: Number
    via: Number
    vector: Vector
    topic: Topic
    stance: Stance


class Reposted(Deed, frozen=True):
    """A repost. post: the new card; root: the card whose text it shows; via: the card acted on."""

    KIND: ClassVar[str] = "reposted"
    post: Number
    root: Number
    via: Number


class Commented(Writing, frozen=True):
    """A comment. post: the root it belongs to. tone: -1 hostile, 0 neutral, 1 warm. doubt: of the post, 1 to 10, 0 =
    not stated.
    """

    KIND: ClassVar[str] = "commented"
    comment: Number
    post: Number
    tone: Annotated[int, Meta(ge=-1, le=1)] = 0
    doubt: Annotated[int, Meta(ge=0, le=10)] = 0


ReactionAct: TypeAlias = Literal["like", "unlike", "dislike", "undo_dislike"]


class Reacted(Deed, frozen=True):
    """A like or dislike, or its withdrawal. target: a root, or a comment."""

    KIND: ClassVar[str] = "reacted"
    act: ReactionAct
    on: Literal["post", "comment"]
    target: Number


ConnectionAct: TypeAlias = Literal["follow", "unfollow", "mute", "unmute", "block", "unblock"]


class Connected(Deed, frozen=True):
    """A follow, mute or block of another user begins or ends. A block ends both follows."""

    KIND: ClassVar[str] = "connected"
    act: ConnectionAct
    other: Number


class MutedWord(Deed, frozen=True):
    """A word, or several in a row, is muted or unmuted. word: folded by `reading.fold_text`."""

    KIND: ClassVar[str] = "muted_word"
    act: Literal["mute", "unmute"]
    word: Annotated[str, Meta(min_length=1, max_length=4 * WORD)]  # folding may lengthen a word


class Reported(Deed, frozen=True):
    """A root is reported. why: the complaint."""

    KIND: ClassVar[str] = "reported"
    post: Number
    why: Annotated[str, Meta(max_length=REASON)] = ""


class Deleted(Deed, frozen=True):
    """One's own card is deleted. Deleting a post or quote deletes its reposts."""

    KIND: ClassVar[str] = "deleted"
    post: Number


class Messaged(Writing, frozen=True):
    """A message to a user or a group; the unused one is -1. quotes: the message it answers, -1 = none."""

    KIND: ClassVar[str] = "messaged"
    message: Number
    to: OrNone
    group: OrNone
    quotes: OrNone = NOBODY


class Grouped(Deed, frozen=True):
    """A group is created, joined or left. name: when created, else ""."""

    KIND: ClassVar[str] = "grouped"
    act: Literal["create", "join", "leave"]
    group: Number
    name: Annotated[str, Meta(max_length=NAME)] = ""


class Browsed(Deed, frozen=True):
    """Something was read, or nothing done. query: of a search. shown: numbers of cards, of users (search_users), or of
    messages (listen). other, group: whose messages were read, -1 = none.
    """

    KIND: ClassVar[str] = "browsed"
    act: Literal["refresh", "trend", "search_posts", "search_users", "listen", "do_nothing"]
    query: Annotated[str, Meta(max_length=QUERY)] = ""
    shown: Annotated[tuple[Number, ...], Meta(max_length=MOST_SHOWN)] = ()
    other: OrNone = NOBODY
    group: OrNone = NOBODY


class StanceTold(Event, frozen=True):
    """Where a user stands is told by whoever studies them; it is no act of theirs. stance: thousandths."""

    KIND: ClassVar[str] = "stance_told"
    user: Number
    stance: Annotated[int, Meta(ge=-UNIT, le=UNIT)]


MAKES: dict[type[Deed], str] = {
    SignedUp: "user", Posted: "post", Quoted: "post", Reposted: "post", Commented: "comment", Messaged: "message",
    Grouped: "group",
}  # fmt: skip


def number_made(e: Deed) -> int:
    """The number of the user, card, comment, message or group that an act made; NOBODY if it made nothing."""
    if type(e) not in MAKES or (isinstance(e, Grouped) and e.act != "create"):
        return NOBODY
    made: int = getattr(e, MAKES[type(e)])
    return made
