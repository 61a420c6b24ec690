"""How feelings and ties stand at the end of a day against its beginning, in a handful of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from sandbox.people.handbook import Handbook
from sandbox.stories.phrases import both, crossing
from sandbox.talk.model import Relation

LESS, MORE, CLOSE, HEALED, AWAY, PLANS = 3, 2, 2, 1, 2, 2
WORTH = 0.02  # sums of a feeling's changes below this are not told
MUCH = 0.15
TIMES = ("", "", "twice", "three times", "four times", "five times", "time and again")


class Shifted(msgspec.Struct):
    """All that changed in how u is tied to v. was, now: kinds of tie; gist: of the talk that moved the feeling most."""

    u: str
    v: str
    was: str
    now: str = ""
    feeling: float = 0.0
    closeness: float = 0.0
    largest: float = 0.0
    gist: str = ""

    def add(self, r: Relation, now: str, gist: str) -> None:
        """Take in what a talk of that gist changed."""
        self.now = now
        self.feeling += r.feeling_delta
        self.closeness += r.closeness_delta
        if abs(r.feeling_delta) >= abs(self.largest):
            self.largest, self.gist = r.feeling_delta, gist


def _after(gist: str, cold: bool = False) -> str:
    """What a talk was about as the end of a sentence. cold: it is held against somebody."""
    return f" over {gist}" if cold else f", since they talked about {gist}"


def told_changes(
    shifted: Iterable[Shifted],
    refused: Counter[tuple[str, str]],
    replans: Sequence[tuple[str, str]],
    handbook: Handbook,
) -> tuple[str, ...]:
    """The largest changes, worst first; none that is slight."""
    by = {(s.u, s.v): s for s in shifted}
    all_ = sorted(by.values(), key=lambda s: (s.feeling, s.u, s.v))
    name = handbook.name
    out: list[str] = []
    told: set[tuple[str, str]] = set()
    fell = [s for s in all_ if s.feeling <= -WORTH or s.now == "sour" != s.was]
    for s in sorted(fell, key=lambda s: not s.now == "sour" != s.was)[:LESS]:
        text = crossing(name(s.u), name(s.v), s.was, s.now) if s.now == "sour" != s.was else ""
        much = "much less" if s.feeling <= -MUCH else "less"
        out.append((text or f"{name(s.u)} thinks {much} of {name(s.v)}") + _after(s.gist, cold=True))
        told.add((s.u, s.v))
    for (u, v), n in sorted(refused.items(), key=lambda x: (-x[1], x[0]))[:AWAY]:
        if (u, v) in told:
            continue
        back = refused.get((v, u), 0)
        told |= {(u, v), (v, u)}
        times = TIMES[min(n + back, len(TIMES) - 1)]
        if back:
            total = f", {times} in all" if n + back < len(TIMES) - 1 else f" {times}"
            out.append(f"{name(u)} and {name(v)} turned each other away{total}")
        else:
            out.append(f"{name(u)} turned {name(v)} away{' ' + times if times else ''}")
    for s in [s for s in reversed(all_) if s.was == "sour" != s.now and (s.u, s.v) not in told][:HEALED]:
        out.append(crossing(name(s.u), name(s.v), s.was, s.now) + _after(s.gist))
        told.add((s.u, s.v))
    out += _closer(by, told, handbook)
    rose = [s for s in reversed(all_) if s.feeling >= WORTH and (s.u, s.v) not in told][: MORE + 1]
    for s in rose:
        if (s.u, s.v) in told:
            continue
        much = "the world" if s.feeling >= 2 * MUCH else "much better" if s.feeling >= MUCH else "better"
        if any((x.u, x.v) == (s.v, s.u) for x in rose):
            out.append(f"{name(s.u)} and {name(s.v)} think {much} of each other{_after(s.gist)}")
            told.add((s.v, s.u))
        else:
            out.append(f"{name(s.u)} thinks {much} of {name(s.v)}{_after(s.gist)}")
        told.add((s.u, s.v))
    out += [f"{name(who)} changed plans: {why}" for who, why in replans[:PLANS]]
    return tuple(out)


def _closer(by: dict[tuple[str, str], Shifted], told: set[tuple[str, str]], handbook: Handbook) -> list[str]:
    """Pairs that have become friends or close, both ways, those that grew most first."""
    found = []
    for (u, v), s in by.items():
        back = by.get((v, u))
        new = ("close", "friendly")
        if u >= v or back is None or told & {(u, v), (v, u)}:
            continue
        if s.now == back.now in new and s.now != s.was and back.now != back.was:
            found.append((-(s.closeness + back.closeness), u, v, s))
    out = []
    for _, u, v, s in sorted(found, key=lambda x: x[:3])[:CLOSE]:
        told |= {(u, v), (v, u)}
        out.append(both(handbook.name(u), handbook.name(v), s.now) + _after(s.gist))
    return out
