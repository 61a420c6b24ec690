"""Turning points of whoever is played in words: what has come to a head and why, and what each stance is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sandbox.core.clock import Clock
from sandbox.core.text import percents, upper
from sandbox.engine.world import World
from sandbox.people.handbook import Handbook
from sandbox.people.played import CameToHead
from sandbox.play.acts import REASONS, TalkOffer
from sandbox.play.model import Stance
from sandbox.play.reading import STANCES
from sandbox.play.turning import StanceChoice
from sandbox.readers import pressures
from sandbox.readers.pressures import Matter, matter_sentence
from sandbox.talk.model import ScoredRule

TITLES: dict[Stance, str] = {stance: words for words, stance in STANCES.items()}  # as a line has them


def turning_point_headline(handbook: Handbook, e: CameToHead, me: str, m: Matter | None, past: bool = False) -> str:
    """What has come to a head, as a sentence without full stop. m: its matter, None if that is not known. past: told
    when it may be over.
    """
    name, other = handbook.name(me), handbook.name(e.whom) if e.whom else "everybody"
    what = m.gist if m is not None else ""
    if e.what in ("broken", "losing") and e.says:
        may = "might" if past else "may"
        return upper(e.says) if e.what == "broken" else f"{name} {may} lose what is theirs: {e.says}"
    if e.what == "found":
        return f"What {name} kept from {other} {'was' if past else 'is'} out" + (f": {what}" if what else "")
    if e.what == "betrayed":
        knows, has = ("came", "had") if past else ("has come", "has")
        return f"{name} {knows} to know what {other} {has} done" + (f": {what}" if what else "")
    if e.what == "due":
        hour, two = f"The hour {'was' if past else 'is'} near", f", between {name} and {other}" if e.whom else ""
        return f"{hour}{two}: {what}" if what.startswith("to ") else f"{hour} for {what or 'what is open'}{two}"
    between = f" between {name} and {other}" if e.whom else f" for {name}"
    verb = "It broke open" if e.stage >= 3 else "It came to a head"
    if not past:
        verb = "It has broken open" if e.stage >= 3 else "It has come to a head"
    return f"{verb}{between}" + (f": {what}" if what else "")


def turning_point_words(
    handbook: Handbook, clock: Clock, e: CameToHead, me: str, m: Matter | None, due: int = -1
) -> str:
    """The same in two or three sentences: with what it is, its hour and what it came of. due: -1 for no hour."""
    out = [turning_point_headline(handbook, e, me, m)]
    if m is not None and e.what not in ("found", "broken"):
        out.append(matter_sentence(handbook, m, m.stakes))
    if due >= 0 and e.what == "due":
        out.append(f"It is due at {clock.hhmm(due)}")
    why = e.why or (m.cause if m is not None else "")
    if why:
        out.append(f"It came of this: {why.rstrip('.')}")
    return " ".join(f"{text.rstrip('.')}." for text in out)


def waiting_point_words(w: World, e: CameToHead) -> str:
    """The same of what waits for whoever is played now."""
    p = w.pressures.open.get(e.matter)
    m = pressures.world_matters(w).get(e.matter)
    return turning_point_words(w.handbook, w.clock, e, w.played.who, m, p.due if p is not None else -1)


def stance_words(handbook: Handbook, choice: StanceChoice) -> str:
    """What one does by a stance, and with whom, in words that can follow its name."""
    if choice.offer is None:
        return "" if choice.why_not else "do nothing, and go on"
    return f"go to {handbook.name(choice.whom)}, to {choice.offer.says}"


def reasons_with_signs(rules: Iterable[ScoredRule]) -> str:
    """Rules by name, those that speak for it after a plus, those against it after a minus."""
    return ", ".join(f"{'+' if rule.value >= 0 else '-'}{rule.name}" for rule in rules)


def forecast(offer: TalkOffer) -> str:
    """How something is likely to be taken, and why, in a line."""
    why = f" ({reasons_with_signs(offer.why[:REASONS])})" if offer.why else ""
    if offer.chances is None:
        return f"you hardly know them: who can tell?{why}"
    return ", ".join(f"{how} {percent} %" for how, percent in outcome_percents(offer.chances)) + why


def outcome_percents(chances: Mapping[str, float]) -> list[tuple[str, int]]:
    """Each way something may be taken, in whole percents, the likeliest first; what is less than one is left out."""
    found = percents(chances).items()
    return sorted((one for one in found if one[1]), key=lambda one: -chances[one[0]])


def minders(handbook: Handbook, choice: StanceChoice, about: str) -> Sequence[str]:
    """Who will mind a stance, and why, a clause each. about: whom what has come to a head concerns."""
    if choice.offer is None:
        return ()
    found = {m.who: m.why for m in choice.offer.minds}
    if choice.stance == "expose" and about and about != choice.whom:
        found = {about: "it is told of them", **{k: v for k, v in found.items() if k != about}}
    return [f"{handbook.name(who)}: {why}" for who, why in found.items()][:3]
