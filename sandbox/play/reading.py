"""What a player has somebody do, as a line of text: `as kit`, `zeno 2: I need a little longer`, `lunch at the cafe`.

as PERSON (play them), arrive (as somebody new: `arrive as ROBIN VALE; nature: warm; secret: ...`), PERSON (what there
is to say to them), PERSON NUMBER (say that; after a colon in words of one's own), or what it is called there with a
name for "them" (`ask esme for work`), PERSON: words (what they mean is worked out), give, lend or pay PERSON 5, borrow
5 from PERSON, send PERSON to PERSON, begin WHAT with PERSON (something that nothing presses yet; about PERSON, over 5),
vote yes or no, put by (the coins that something wanted takes), sit beside PERSON, pin: words (a note), phone (look at
it), post: words, message PERSON: words, follow PERSON, like, repost or comment 12: words, accept, dodge, refuse or lie
(to what another has come for; after a colon in one's own words), let be, speak up or expose (what has come to a head),
leave (the talk), go to PLACE, DO at PLACE for 2h, wait 10m, idle (leave them to themselves), take over, give back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.domain import Command
from sandbox.core.faults import Faults, in_quotes, unknown
from sandbox.core.places import data_dir
from sandbox.core.text import clean, content_words
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.director.dealing import room_of
from sandbox.director.reading import parse_person, parse_place, parse_span
from sandbox.people.model import SEEK
from sandbox.people.played import PAY, SET_RIGHT, SPOKEN, TWIST
from sandbox.people.pressure_deck import ANSWERS, LIE, PASS_ON
from sandbox.play.acts import TalkOffer, every_offer, oldest_debt, talk_offers
from sandbox.play.beginnings import votes
from sandbox.play.model import (
    Arrive,
    Begin,
    Bid,
    GiveBack,
    Hand,
    HasPlay,
    Lean,
    Leave,
    PhoneCommand,
    Pin,
    Play,
    PutBy,
    Reply,
    SetAside,
    Speak,
    Stance,
    Stand,
    Walk,
)
from sandbox.talk import move_rules

FEW = 3  # offers to choose from if unsure
SURE = 1.5  # factor by which the best must beat the second to be sure
LEAST = 0.5  # score below which a match is a guess
MATTER = 1.5  # score if all words of the matter occur
WORD = re.compile(r"[a-z']+")


def match_offers(w: HasPlay, found: list[TalkOffer], text: str) -> tuple[list[TalkOffer], bool]:
    """The offers that a text resembles most, best first, and whether the first is certain."""
    found = [x for x in found if x.do != TWIST]  # nobody is made to lie by a guess
    said = WORD.findall(text.casefold().replace("’", "'"))
    known = {*content_words(text)}
    thirds = [w.handbook.name(x.third) if x.third else "" for x in found]
    turns = [_fits(x.begins or move_of(w, x), said) for x in found]
    fits = [
        0.0 if x.begins and not turn else turn + _matter(x, third, known)  # a name alone begins nothing
        for x, third, turn in zip(found, thirds, turns, strict=True)
    ]
    scores = [(fit, not x.aim, -n) for n, (x, fit) in enumerate(zip(found, fits, strict=True))]
    order = sorted(range(len(found)), key=lambda n: scores[n], reverse=True)
    best = scores[order[0]][0] if order else 0.0
    next_ = scores[order[1]][0] if len(order) > 1 else 0.0
    return [found[n] for n in order[:FEW]], best >= LEAST and best >= SURE * next_


def move_of(w: HasPlay, offer: TalkOffer) -> str:
    """The move by which something is said."""
    if offer.do in w.drama.exchanges:
        return w.drama.exchanges[offer.do].move
    if offer.do == SET_RIGHT:
        return SET_RIGHT
    return PASS_ON if offer.aim else move_rules.LEADS[offer.do]


def _fits(move: str, said: list[str]) -> float:
    """How much words resemble a move or beginning: total length of its phrases that occur in them."""
    return float(sum(len(turn) for turn in meanings().get(move, ()) if _holds(said, turn)))


def _holds(said: list[str], turn: tuple[str, ...]) -> bool:
    """Whether a phrase's words occur in a row, each at least by its beginning."""
    places = range(len(said) - len(turn) + 1)
    return any(all(map(_begins, said[i : i + len(turn)], turn)) for i in places)


def _begins(word: str, part: str) -> bool:
    return word.startswith(part) if len(part) > 2 else word == part


def _matter(offer: TalkOffer, third: str, known: set[str]) -> float:
    """The share of the matter's words, or of the third person's name, that occur, times MATTER."""
    own = {*content_words(third or offer.matter)}
    return MATTER * len(own & known) / len(own) if own else 0.0


@cache
def meanings() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Move or beginning -> its phrases, each as words."""
    faults = Faults()
    rows = MappingReader(open_yaml(data_dir() / "meanings.yaml", faults)).entries()
    found = {move: tuple(tuple(WORD.findall(turn)) for turn in value.texts()) for move, value in rows}
    assert not len(faults), "\n".join(map(str, faults))
    return found


USUAL = 10 * MINUTE  # to wait, where no time is given
ARRIVES = ("hair", "skin", "nature", "home", "job", "work", "secret")  # fields that can be set for a newcomer
STANCES: dict[str, Stance] = {"let be": "let_be", "speak up": "speak", "expose": "expose"}  # as typed -> stance
HANDING = re.compile(r"(give|lend|pay) (.+?)(?: (\d{1,7}|all)(?: coins?)?)?", re.IGNORECASE)
BEGINNING = re.compile(
    r"borrow (?P<loan>\d{1,7})(?: coins?)? (?:from|of) (?P<lender>.+)"
    r"|send (?P<sent>.+?) (?:to|for) (?P<to>.+)"
    r"|begin (?P<what>.+?) with (?P<whom>.+?)(?: about (?P<about>.+?))?(?: over (?P<coins>\d{1,7})(?: coins?)?)?",
    re.IGNORECASE,
)
BESIDE = "sit beside "
HOUR_OF_DAY = re.compile(r"(?<=until )(\d{1,2}):(\d\d)(?!\d)")  # a time, whose colon does not start the words
LETTERS = 1000  # letters of a line, at most
HOW = "say `PERSON`, `PERSON 1`, `go to PLACE`, `lunch at PLACE`, `wait 10m`, `leave`, `idle` or `give back`"


class ListOffers(NamedTuple):
    """List what can be said to somebody."""

    whom: str


class Wait(NamedTuple):
    """Let that many seconds pass."""

    seconds: int


def read(w: HasPlay, text: str) -> Command | ListOffers | Wait:
    """Parse a line. Raises ValueError, with a sentence, if it cannot."""
    head, _, said = HOUR_OF_DAY.sub(r"\1.\2", clean(text, LETTERS)).partition(":")
    words, line = clean(said, SPOKEN), " ".join(head.split())
    low, me = line.casefold(), w.played.who
    if low == "arrive" or low.startswith(("arrive ", "arrive;")):
        return _arrive(w, clean(text, LETTERS)[len("arrive") :])
    if low.startswith("as "):
        return Play(by=parse_person(w, line[3:]))
    if not me:
        raise ValueError("nobody is played yet; say whom you want to be: `as PERSON`, or `arrive` as somebody new")
    simple: dict[str, Command] = {
        "leave": Leave(by=me), "give back": GiveBack(by=me), "idle": SetAside(by=me, on=True),
        "take over": SetAside(by=me, on=False), "put by": PutBy(by=me),
    }  # fmt: skip
    if low in simple:
        return simple[low]
    if low in (*ANSWERS, LIE):
        return Reply(by=me, how=low, words=words)
    if low in STANCES:
        return Stand(by=me, how=STANCES[low], words=words)
    if low == "wait" or low.startswith("wait "):
        return Wait(parse_span(low[5:]) if low[5:] else USUAL)
    if low == "go home":
        return _go(w, me, w.cast[me].home)
    if low.startswith("go to "):
        return _go(w, me, line[6:])
    if (deed := _deed(w, me, line, low, words)) is not None:
        return deed
    if low.startswith(BESIDE):
        return Bid(by=me, do="", where="", beside=parse_person(w, line[len(BESIDE) :]))
    if (handed := HANDING.fullmatch(line)) is not None:
        return _handed(w, me, handed[1].casefold(), handed[2], (handed[3] or "").casefold())
    if (begun := BEGINNING.fullmatch(line)) is not None:
        return _begun(w, me, begun, words)
    if (doing := _doing(w, me, line)) is not None:
        return doing
    return _said(w, me, line, words)


def _arrive(w: HasPlay, text: str) -> Arrive:
    """A newcomer: the name after "as", then "key: words" separated by semicolons."""
    first, *rest = (" ".join(part.split()) for part in text.split(";"))
    if first and not first.casefold().startswith("as "):
        raise ValueError(f"{in_quotes(first)} is not understood; say `arrive as NAME`")
    told = {"name": first[3:]}
    for part in filter(None, rest):
        key, _, value = part.partition(":")
        key, value = key.strip().casefold(), value.strip()
        if key not in ARRIVES or not value:
            raise ValueError(f"{in_quotes(part)} is not understood; say one of {', '.join(ARRIVES)}, a colon, and what")
        told[key] = room_of(w, parse_place(w, value)) if key in ("home", "work") else value
    return Arrive(**told)


def _go(w: HasPlay, me: str, where: str) -> Walk:
    """To the first free tile of a place."""
    area = w.map.areas[room_of(w, parse_place(w, where))]
    taken = {spot.to if spot.path else spot.tile for who, spot in w.town.spots.items() if who != me}
    x, y = w.map.xy(next((tile for tile in area.tiles if tile not in taken), area.tiles[0]))
    return Walk(by=me, x=x, y=y)


def _deed(w: HasPlay, me: str, line: str, low: str, words: str) -> Lean | Pin | PhoneCommand | None:
    """A vote, a note, or a use of the phone; None if the line is none of these."""
    if (vote := re.fullmatch(r"vote (yes|no|for|against)(?: on (.+))?", low)) is not None:
        about = next((x for x in votes(w) if x.casefold() == vote[2]), vote[2] or "")
        return Lean(by=me, yes=vote[1] in ("yes", "for"), opinion=about)
    if low == "pin":
        return Pin(by=me, words=words)
    if low == "phone":
        return PhoneCommand(by=me, do="look")
    if low == "post":
        return PhoneCommand(by=me, do="post", words=words)
    if (card := re.fullmatch(r"(like|repost|comment) (\d{1,9})", low)) is not None:
        return PhoneCommand(by=me, do=card[1], card=int(card[2]), words=words)
    if (to := re.fullmatch(r"(message|follow) (.+)", line, re.IGNORECASE)) is not None:
        return PhoneCommand(by=me, do=to[1].casefold(), whom=parse_person(w, to[2]), words=words)
    return None


def _handed(w: HasPlay, me: str, how: str, whom: str, sum_: str) -> Hand:
    """The coins, or if no sum is given (only to pay) the whole debt; without a debt all of the purse."""
    other = parse_person(w, whom)
    if not sum_ and how != PAY:
        raise ValueError(f"say how many coins you {how} {w.handbook.name(other)}: `{how} {other} 5`")
    debt = oldest_debt(w, me, other) if how == PAY else None
    all_ = debt.amount if debt is not None else w.people.residents[me].purse.coins
    return Hand(by=me, whom=other, how=how, coins=int(sum_) if sum_.isdecimal() else all_)


def _begun(w: HasPlay, me: str, found: re.Match[str], words: str) -> Begin:
    """A beginning by name, with whom, about whom else, for how many coins."""
    if found["lender"]:
        return Begin(by=me, whom=parse_person(w, found["lender"]), what="borrow", coins=int(found["loan"]), words=words)
    if found["sent"]:
        return Begin(
            by=me, whom=parse_person(w, found["sent"]), what="send", third=parse_person(w, found["to"]), words=words
        )
    what = found["what"].casefold().replace(" ", "_")
    if what not in w.drama.beginnings:
        raise ValueError(f"there is {unknown('beginning', found['what'], w.drama.beginnings)}")
    third = parse_person(w, found["about"]) if found["about"] else ""
    coins = int(found["coins"] or 0)
    return Begin(by=me, whom=parse_person(w, found["whom"]), what=what, third=third, coins=coins, words=words)


def _doing(w: HasPlay, me: str, line: str) -> Bid | None:
    """An activity with place and duration; None if the line does not begin with one."""
    names = {key.replace("_", " "): key for key in w.handbook.deck.blocks if key != SEEK}
    names |= {b.do.casefold(): key for key, b in w.handbook.deck.blocks.items() if key != SEEK}
    found = re.fullmatch(r"(.+?)(?: (?:at|in) (.+?))?(?: for (\S+)| until (\d{1,2})\.(\d\d))?", line.casefold())
    if found is None or found[1] not in names:
        return None
    do, lasts = names[found[1]], parse_span(found[3]) if found[3] else 0
    if found[4]:
        hour = int(found[4]) * HOUR + int(found[5]) * MINUTE
        if hour >= DAY:
            raise ValueError(f"there is no hour {found[4]}:{found[5]}")
        lasts = w.clock.next_time(w.now, hour) - w.now
    where = found[2] or ("work" if do == "work" else "home")
    where = where if where in ("home", "work") else room_of(w, parse_place(w, where))
    return Bid(by=me, do=do, where=where, lasts=lasts)


def _said(w: HasPlay, me: str, line: str, words: str) -> ListOffers | Speak | Begin:
    """A person, and perhaps the number of an offer."""
    found = re.fullmatch(r"(.+?)(?: (\d{1,2}))?", line)
    if found is None:
        raise ValueError(HOW)
    whom = w.handbook.meant(found[1])
    if not whom:
        if (called := _called(w, me, line, words)) is not None:
            return called
        raise ValueError(f"{in_quotes(line)} is not understood; {HOW}")
    if whom == me:
        raise ValueError(f"{w.handbook.name(me)} cannot speak to themselves")
    all_ = talk_offers(w, me, whom) if found[2] else every_offer(w, me, whom) if words else []
    if not found[2] and words:
        likely, sure = match_offers(w, all_, words)
        if not sure:
            name = w.handbook.name(whom)
            raise _several(name, likely, f"say {name} and the number of one first")
        return likely[0].command(me, whom, words)
    if not found[2]:
        return ListOffers(whom)
    n = int(found[2])
    if not 1 <= n <= len(all_):
        raise ValueError(f"there are {len(all_)} things to say to {w.handbook.name(whom)} now; name one by its number")
    return all_[n - 1].command(me, whom, words)


def _called(w: HasPlay, me: str, line: str, words: str) -> Speak | Begin | None:
    """An offer as it is listed, with a name for "them": `ask esme for work`; None for a line that names nobody, or
    begins with the name.
    """
    parts = line.split()
    spans = ((n, n + m) for n in range(1, len(parts)) for m in (2, 1))  # full names before first names
    whom, a, b = next(((x, a, b) for a, b in spans if (x := w.handbook.meant(" ".join(parts[a:b])))), ("", 0, 0))
    if not whom or whom == me:
        return None
    name, wanted = w.handbook.name(whom), _plain(" ".join([*parts[:a], *parts[b:]]))
    found = [x for x in every_offer(w, me, whom) if _plain(x.says)[: len(wanted)] == wanted]
    if len(found) == 1:
        return found[0].command(me, whom, words)
    if found:
        raise _several(name, found[:3], "say more")
    there = "; ".join(x.says for x in talk_offers(w, me, whom))
    raise ValueError(f"you cannot say that to {name} now; you can: {there}; or {HOW}")


def _several(name: str, offered: Iterable[TalkOffer], mend: str) -> ValueError:
    return ValueError(f"that could mean several things to {name}: {'; '.join(x.says for x in offered)}; {mend}")


def _plain(says: str) -> list[str]:
    """The words of an offer, without "them"."""
    return [x for x in says.casefold().replace(",", " ").split() if x != "them"]
