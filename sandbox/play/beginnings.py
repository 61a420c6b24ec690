"""What a played person may begin with another, by the deck's `beginnings`: whether it is possible now, and the pressure
it creates.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.text import clean, spelt
from sandbox.drama.new_pressures import LOVE, plays, pressure_fits
from sandbox.people.claim_handlers import ROLE, binds, claims_of, friends
from sandbox.people.guest_model import in_town
from sandbox.people.paying import has
from sandbox.people.perceive import area_at
from sandbox.people.played import SPOKEN, TalkWish, begun_key
from sandbox.people.pressure_beginnings import Beginning
from sandbox.people.pressure_deck import child_of, ways_of
from sandbox.people.pressure_handlers import awake
from sandbox.people.pressure_model import ActivePressure, Began
from sandbox.people.pressure_rules import pressures_between
from sandbox.play.model import HasPlay
from sandbox.talk.pressure_aims import is_way_open, pressures_run
from sandbox.town.plan import VOTE

OWN = 120  # letters of the player's own words in stakes, at most
AGAIN = 16 * HOUR  # before the same can be begun with the same person again
DEAR = 0.1  # feeling from which somebody is dear
FOES = frozenset(("grudge", "suspicion", "rivalry"))  # kinds of pressure between foes


def find_beginning(w: HasPlay, name: str) -> Beginning | None:
    """A beginning of the deck, None if its child cannot be created."""
    found = w.drama.beginnings.get(name) if pressures_run(w) else None
    return found if found is not None and name in w.drama.children else None


def thirds(w: HasPlay, me: str, other: str, b: Beginning) -> list[str]:
    """Third persons that it may be about, most likely first; [""] if it needs none."""
    if not b.third:
        return [""]
    ties = w.people.ties.get(me, {})
    near = [x for x in sorted(ties, key=lambda x: (-ties[x].closeness - ties[x].feeling, x)) if in_town(w, x)]
    if b.third == "dear":
        found = friends(w, me, DEAR)
    elif b.third == "foe":
        found = list(_foes(w, me, other))
    else:
        found = [x for x in near if w.people.residents[x].awake] + [
            x for x in w.cast if x not in ties and in_town(w, x)
        ]
    return [x for x in dict.fromkeys(found) if x not in (me, other)]


def _foes(w: HasPlay, me: str, other: str) -> Iterator[str]:
    """With whom somebody is at odds, as far as `me` knows."""
    known = w.beliefs.held.get(me, {})
    for p in w.pressures.open.values():
        if p.kind in FOES and other in (p.holder, p.about) and (me in p.known_by or p.id in known):
            yield p.about if other == p.holder else p.holder


def topics(w: HasPlay, me: str, other: str, b: Beginning) -> list[str]:
    """What {stakes} may be, if `other` determines it: groups they belong to or lead, or votes they have."""
    if b.sways:
        return [vote for vote in votes(w) if other in voters(w, vote) and vote in w.cast[other].opinions][:1]
    mine = {c.terms for c in claims_of(w, me, b.of)}
    groups = [c.terms for c in w.claims.open.values() if c.kind == b.of and c.terms and c.terms not in mine]
    return [x for x in dict.fromkeys(groups) if other in _leads(w, x, b.of)]


def _leads(w: HasPlay, group: str, kind: str) -> list[str]:
    """Who is asked for a place in a group: its officers, else its members."""
    open_ = w.claims.open.values()
    leads = [c.a for c in open_ if c.kind == ROLE and c.terms.endswith(group)]
    return leads or [c.a for c in open_ if (c.kind, c.terms) == (kind, group)]


def votes(w: HasPlay) -> list[str]:
    """The topics of the coming votes, the next first."""
    found = [o for o in w.calendar.deciding if o.decides is not None and o.decides.kind == VOTE]
    days = range(w.clock.day(w.now), w.clock.day(w.now) + 8)
    ahead = [
        (w.calendar.hour(o, day), o.decides.about)
        for day in days
        for o in found
        if o.decides is not None and o in w.calendar.on(day) and w.calendar.hour(o, day) > w.now
    ]
    return [*dict.fromkeys(about for _, about in sorted(ahead))]


def voters(w: HasPlay, vote: str) -> set[str]:
    """Who may vote on that."""
    every = (o.decides for o in w.calendar.deciding)
    return {who for d in every if d is not None and (d.kind, d.about) == (VOTE, vote) for who in d.who}


def quoted_words(words: str) -> str:
    """The player's words as stakes: quoted, and without commas at which stakes would be cut; "" for none."""
    own = clean(words, OWN).rstrip(".").replace(",", ";")
    return f"“{own}”" if own else ""


def born(w: HasPlay, me: str, wish: TalkWish, t: int) -> Began:
    """The pressure that a beginning creates. wish: to begin it, with the pressure's id in `aim`."""
    b, made = w.drama.beginnings[wish.begin], w.drama.children[wish.begin]
    parts = {"actor": me, "target": wish.whom, "other": wish.third}
    names = {part: w.handbook.name(who) if who else "" for part, who in parts.items()}
    topic = next(iter(topics(w, me, wish.whom, b)), "") if b.of or b.sways else ""
    words = {**names, "place": w.handbook.at(area_at(w, me, t)), "stakes": topic, "amount": spelt(wish.coins)}
    own = quoted_words(wish.words) if b.own else ""
    n = t // MINUTE
    stakes = own or made.stakes[n % len(made.stakes)].format(**words)
    holder, about = parts[made.holder], parts[made.about]
    mutual = w.drama.kinds[made.kind].mutual
    known = tuple(x for x in (wish.whom, wish.third) if x and x != holder) if mutual else ()
    due = t + made.due if made.due else -1
    cause = made.cause[n % len(made.cause)].format(**words)
    return Began(
        wish.aim, made.kind, about, made.intensity, made.stage, due, stakes, cause, wish.aim, known, amount=wish.coins
    )


def imagined_pressure(w: HasPlay, me: str, wish: TalkWish, t: int) -> ActivePressure:
    """The pressure that a beginning would create."""
    return awake(born(w, me, wish, t), me, t, 0)


def wish_of(w: HasPlay, me: str, whom: str, name: str, third: str, coins: int, words: str) -> TalkWish:
    """The wish to begin something with somebody."""
    b, t = w.drama.beginnings[name], w.now
    made = w.drama.children[name]
    parts = {"actor": me, "target": whom, "other": third}
    id = f"{name}.{me}.{parts[made.about]}.{t}"
    while id in w.pressures.open or id in w.beliefs.facts or id in w.pressures.woken:
        id += "_"
    return TalkWish(whom, b.do, id, words, 0, 0, name, third, coins)


def why_not(w: HasPlay, me: str, wish: TalkWish, at: int = -1) -> str:
    """Why something cannot be begun, a clause; "" if it can. at: second to check for, -1 = now."""
    t = at if at >= 0 else w.now
    b, other, name = find_beginning(w, wish.begin), wish.whom, w.handbook.name(wish.whom)
    if b is None:
        return "nothing of that kind can be begun in this town"
    parts = {"actor": me, "target": other}
    if not all(plays(w, parts[x], role, parts) for x, role in b.roles.items()):
        return f"{w.handbook.name(me)} and {name} cannot begin that with each other"
    if b.needs and not binds(w, me, other, b.needs):
        return f"there is nothing between you and {name} that it could be about"
    if b.lacks and binds(w, me, other, b.lacks):
        return f"you and {name} already are that to each other"
    if any(p.kind in b.free for p in pressures_between(w.pressures, me, other)):
        return f"there is a matter of that kind between you and {name} already"
    if t - w.played.begun.get(begun_key(me, wish), -AGAIN) < AGAIN:
        return f"you have come to {name} with that today already; try another day"
    if wish.third not in thirds(w, me, other, b):
        return "say whom else it is about" if b.third else "it is about nobody else; name nobody"
    if (b.of or b.sways) and not topics(w, me, other, b):
        return f"{name} has no say in anything of the kind"
    if b.sums and (wish.coins < 1 or w.money is None):
        return "say how many coins, at least one" if w.money is not None else "there is no money in this town"
    if b.sums and not has(w, other, wish.coins):
        return f"{name} does not have {spelt(wish.coins)}"
    if wish.coins and not b.sums:
        return "it takes no coins"
    return _barred(w, me, wish, b, t)


def _barred(w: HasPlay, me: str, wish: TalkWish, b: Beginning, t: int) -> str:
    """Why the deck's own rules forbid it; "" if they do not."""
    p, name = imagined_pressure(w, me, wish, t), w.handbook.name(wish.whom)
    if not pressure_fits(w, w.drama.children[wish.begin], me, p.about):
        return f"{name} is not free for it, or you are not"
    alike = (x for x in w.pressures.open.values() if (x.kind, x.holder, x.about) == (p.kind, me, p.about))
    if any(x.id != p.id and (x.kind == LOVE or child_of(x.id) == wish.begin) for x in alike):
        return f"that is on your mind already; say it to {name}"
    ways = [x for x in ways_of(w.drama, p.id, p.kind) if x.do == b.do]
    if not any(is_way_open(w, p, x, me, wish.whom, "holder", t) for x in ways):
        return f"there has been enough of that between the two for a while; give {name} some time"
    return ""


def line_of(w: HasPlay, wish: TalkWish) -> str:
    """The words of a beginning: the player's, else the deck's; both, if the player's do not name the third person. ""
    for generated ones.
    """
    p, b = w.pressures.open.get(wish.aim), w.drama.beginnings.get(wish.begin)
    if p is None or b is None:
        return wish.words
    stakes = next(iter(topics(w, w.played.who, wish.whom, b)), p.stakes) if b.of or b.sways else p.stakes
    line = b.line.format(name=w.handbook.name(wish.whom), **beginning_slots(w, wish, stakes))
    named = bool(wish.third) and w.handbook.name(wish.third).casefold() in wish.words.casefold()
    if wish.words and b.own and line and "{stakes}" not in b.line and not named:
        return clean(f"{line} {wish.words}", SPOKEN)
    return wish.words or line


def beginning_phrase(w: HasPlay, me: str, wish: TalkWish) -> str:
    """A beginning as an infinitive without "to"."""
    b = w.drama.beginnings[wish.begin]
    return b.says.format(
        **beginning_slots(w, wish, next(iter(topics(w, me, wish.whom, b)), "") if b.of or b.sways else "")
    )


def beginning_slots(w: HasPlay, wish: TalkWish, stakes: str) -> dict[str, str]:
    """Slots in the words of a beginning."""
    return {"third": w.handbook.name(wish.third) if wish.third else "", "amount": spelt(wish.coins), "stakes": stakes}


def every_wish(w: HasPlay, me: str, other: str) -> Iterator[TalkWish]:
    """All beginnings of the deck with somebody: with a medium sum, and once for each third person."""
    for name, b in w.drama.beginnings.items():
        if find_beginning(w, name) is not None:
            for third in thirds(w, me, other, b):
                yield wish_of(w, me, other, name, third, b.sums[len(b.sums) // 2] if b.sums else 0, "")


def possible_wishes(w: HasPlay, me: str, other: str) -> Iterator[TalkWish]:
    """All that can be begun with somebody now."""
    return (wish for wish in every_wish(w, me, other) if not why_not(w, me, wish))
