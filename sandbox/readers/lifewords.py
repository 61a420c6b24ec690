"""A person's day in sentences: what they did while played, gossip about them, ties, coins, and what is open."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from sandbox.core.plain import count_of
from sandbox.core.text import join_names, often, spelt, upper
from sandbox.people.handbook import Handbook
from sandbox.people.paying import DEBT, LOAN, PART
from sandbox.readers.life import Life, LifeDay, TurningPoint
from sandbox.readers.phrases import MARKED, SLIGHT
from sandbox.readers.pressures import matter_sentence
from sandbox.readers.stories_of_play import turning_point_headline

SAID, OPEN, TALKED = 3, 5, 5  # rumours, open matters and names listed at most
WAYS = {  # (whether the feeling rose, whether by much) -> words
    (True, True): "a good deal more", (True, False): "more", (False, False): "less", (False, True): "a good deal less",
}  # fmt: skip

PAID = {DEBT: "what was owed to {}", PART: "a part of what was owed to {}", LOAN: "a loan to {}"}
GOT = {DEBT: "what {} owed", PART: "a part of what {} owed", LOAN: "a loan from {}"}


def life_paragraphs(life: Life, n: int, told: Collection[int] = (), changes: Sequence[str] = ()) -> tuple[str, ...]:
    """The part of a day's page about the person who was played, in paragraphs. n: the day; told, changes: numbers of
    the events, and changes of ties, that stand on the page already.
    """
    day, name = life.of(n), life.handbook.name(life.who)
    said, moved, still = gossip_sentences(life, day), tie_sentences(life, day, changes), open_matters(life, day)
    talks, money = talk_sentence(life, day), coin_sentence(life, day)
    parts = (
        [
            *player_deeds(life, day, told),
            *(turning_point_sentence(life, x) for x in day.turns),
            *([talks] if talks else []),
        ],
        [f"Of {name} it went round: {'; '.join(said)}"] if said else [],
        moved,
        [money] if money else [],
        [f"Still open: {'; '.join(still)}"] if still else [],
    )
    return tuple(" ".join(f"{text.rstrip('.')}." for text in part) for part in parts if part)


def player_deeds(life: Life, day: LifeDay, but: Collection[int] = ()) -> list[str]:
    """What they did and answered while played. but: numbers of events that are left out."""
    times = Counter(upper(x.text) for x in day.done if x.by_hand and x.seq not in but)
    out = [text + (f" ({often(n)})" if n > 1 else "") for text, n in times.items()]
    if day.vain:
        whom = join_names(_times(life.handbook, day.vain.items()))
        out.append(f"{life.handbook.name(life.who)} looked for {whom} in vain")
    if day.things:
        out.append(f"{life.handbook.name(life.who)} {join_names(list(dict.fromkeys(day.things)))}")
    return out


def turning_point_sentence(life: Life, turn: TurningPoint) -> str:
    """A turning point and the stance taken in it, as a sentence without full stop."""
    book, e = life.handbook, turn.e
    name = book.name(life.who)
    came = turning_point_headline(book, e, life.who, life.matters.get(e.matter), past=True).rstrip(".")
    text = f"At {life.clock.hhmm(turn.t)} {as_clause(book, came)}"
    taken = turn.taken
    if taken is None:
        return f"{text}, and {name} took no stance"
    if taken.wish is None:
        return f"{text}, and {name} let it be"
    how = "speak up" if taken.stance == "speak" else "bring it out"
    return f"{text}, and {name} chose to {how}, and set out to see {book.name(taken.wish.whom)} {taken.wish.says}"


def talk_sentence(life: Life, day: LifeDay) -> str:
    """With whom they talked, as a sentence; "" for nobody."""
    most = day.talks.most_common()
    if not most:
        return ""
    return f"{life.handbook.name(life.who)} talked with {_some(_times(life.handbook, most), TALKED)}"


def _times(book: Handbook, most: Iterable[tuple[str, int]]) -> list[str]:
    return [book.name(who) + (f" ({often(n)})" if n > 1 else "") for who, n in most]


def _some(names: Sequence[str], most: int) -> str:
    """The first names of a list, and how many more there are."""
    rest = len(names) - most
    if rest <= 1:
        return join_names(names)
    return join_names([*names[:most], f"{spelt(rest)} others"])


def gossip_sentences(life: Life, day: LifeDay) -> list[str]:
    """What others told each other about them, the most widespread first."""
    by: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for x in day.said:
        by[x.says.rstrip(".")].append((x.source, x.who))
    name = life.handbook.name
    out = []
    for text, ways in sorted(by.items(), key=lambda one: -len(one[1]))[:SAID]:
        source, who = ways[0]
        rest = len({who for _, who in ways} - {who})
        more = f" ({'another' if rest == 1 else f'{spelt(rest)} others'} heard it, too)" if rest else ""
        out.append(f"{name(source)} told {name(who)} that {as_clause(life.handbook, text)}{more}")
    return out


def as_clause(book: Handbook, text: str) -> str:
    """A sentence as part of another: first letter lower-case, unless it begins with a name."""
    first = text.partition(" ")[0].removesuffix("'s").rstrip(",")
    named = any(first == p.first for p in book.cast.values()) or not first[1:].islower()
    return text if named else text[:1].lower() + text[1:]


def tie_sentences(life: Life, day: LifeDay, told: Sequence[str] = ()) -> list[str]:
    """How others' feelings towards them, and their own, moved; equal changes share a sentence. told: sentences already
    on the page, whose pairs are left out.
    """
    book, me = life.handbook, life.who
    towards: defaultdict[tuple[bool, bool], list[str]] = defaultdict(list)
    own: defaultdict[tuple[bool, bool], list[str]] = defaultdict(list)
    for (u, v), delta in sorted(day.feelings.items(), key=lambda one: -abs(one[1])):
        if abs(delta) >= SLIGHT and not any(book.name(u) in text and book.name(v) in text for text in told):
            over = day.reasons[u, v][1] if abs(delta) >= MARKED else ""
            named = book.name(u if v == me else v) + (f" (over {over})" if over else "")
            (towards if v == me else own)[delta > 0, abs(delta) >= MARKED].append(named)
    name, out = book.name(me), []
    for way, words in WAYS.items():
        if names := towards[way]:
            out.append(f"{_some(names, TALKED)} {'likes' if len(names) == 1 else 'like'} {name} {words}")
    *first, last = [f"{_some(own[way], TALKED)} {words}" for way, words in WAYS.items() if own[way]] or [""]
    sep = ";" if any(", " in x or " and " in x for x in (*first, last)) else ","
    mine = f"{f'{sep} '.join(first)}{sep} and {last}" if first else last
    return [*out, f"{name} likes {mine}"] if mine else out


def coin_sentence(life: Life, day: LifeDay) -> str:
    """What they paid and got, as a sentence; "" for nothing."""
    name = life.handbook.name
    parts = []
    if day.paid:
        parts.append(f"paid {count_of(sum(x[0] for x in day.paid), 'coin')} ({_for(day.paid, name, PAID)})")
    if day.got:
        parts.append(f"got {count_of(sum(x[0] for x in day.got), 'coin')} ({_for(day.got, name, GOT)})")
    return f"{name(life.who)} {join_names(parts)}" if parts else ""


def _for(rows: Sequence[tuple[int, str, str]], name: Callable[[str], str], words: Mapping[str, str]) -> str:
    found = (words.get(what, "{}").format(name(who)) if who and what in words else what for _, what, who in rows)
    return join_names(list(dict.fromkeys(found)))


def open_matters(life: Life, day: LifeDay) -> list[str]:
    """Matters of theirs that the day touched and left open."""
    return [matter_sentence(life.handbook, m) for m in day.still[:OPEN]]
