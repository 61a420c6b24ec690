"""The tab Matters: pressures, knowledge of others, secrets, opinions of a person. Only a spectator sees all of it."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.text import join_names
from sandbox.people.claim_handlers import claim_words
from sandbox.people.goal_handlers import rival_claims
from sandbox.people.guest_model import in_town
from sandbox.people.matters import fact_forms, facts_known_to, knows_fact
from sandbox.people.persona import Opinion
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at, of
from sandbox.play.knowing import knows_matter
from sandbox.readers.beliefs import HOW, Knower, answer_and_clues, beliefs_about_others, surely
from sandbox.readers.pressures import STAGES, Matter, matter_sentence
from sandbox.readers.stories_of_claims import step_words, wanted_claim_words
from sandbox.tui.panes.person_tab import PersonTab
from sandbox.tui.view.text_lines import Ink, Line, fit, gauge, hung, ink, justify, outside
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, remark

STANCES: tuple[tuple[float, str, Ink], ...] = (
    (0.6, "strongly for", "warm"),
    (0.15, "for", "warm"),
    (-0.15, "of two minds about", "soft"),
    (-0.6, "against", "sour"),
    (-9.0, "strongly against", "sour"),
)
STAGE_INKS: tuple[Ink, ...] = ("soft", "link", "accent", "alarm")
KNOWN = 4  # most names of people who know of a pressure
HEARD = 5  # most beliefs about others shown


def matter_of_pressure(p: ActivePressure) -> Matter:
    """The matter that describes an open pressure."""
    return Matter(p.id, p.kind, p.holder, p.about, p.stakes, p.cause, p.thread, p.seq)


def strength(viewer: Viewer, p: ActivePressure, t: float) -> float:
    """The intensity of a pressure at second t, in [0, 1]."""
    return intensity_at(p, int(t), viewer.world.pressure_parameters)


def visible_pressures(viewer: Viewer, who: str, t: float) -> list[ActivePressure]:
    """The open pressures that concern somebody and that the view may show, heaviest first."""
    me, w = viewer.knower, viewer.world
    found = [p for p in of(w.pressures, who) if not me or knows_matter(w, me, p)]
    return sorted(found, key=lambda p: (-strength(viewer, p, t) * (p.stage + 1), p.id))


def strongest_pressure(viewer: Viewer, who: str, t: float) -> ActivePressure | None:
    """The heaviest pressure that somebody knows of: their own go before those that others have about them."""
    kinds = viewer.world.drama.kinds
    found = visible_pressures(viewer, who, t)
    mine = [p for p in found if p.holder == who]
    others = (p for p in found if who in p.known_by or (p.kind in kinds and kinds[p.kind].mutual))
    return mine[0] if mine else next(others, None)


def purse_words(viewer: Viewer, who: str) -> str:
    """Somebody's coins, and what they owe and are owed: "19, owes 120"; "" in a world without money."""
    w = viewer.world
    if w.money is None:
        return ""
    owes = sum(p.amount for p in of(w.pressures, who) if p.holder == who)
    owed = sum(p.amount for p in of(w.pressures, who) if p.holder != who)
    out = [str(w.people.residents[who].purse.coins)]
    out += [f"owes {owes:,}"] if owes else []
    return ", ".join(out + ([f"is owed {owed:,}"] if owed else []))


def trouble(viewer: Viewer, who: str, t: float) -> float:
    """The sum of intensity times stage over somebody's open pressures."""
    return sum(strength(viewer, p, t) * p.stage for p in of(viewer.world.pressures, who))


# ---- the tab


class MattersTab(PersonTab):
    """Each pressure leads to its latest event. Secrets and opinions lead nowhere, as no event made them."""

    name = "Matters"

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        world, name = self.viewer.world, self.viewer.name(who)
        persona = world.cast[who]
        found = visible_pressures(self.viewer, who, t)
        out: list[Entry] = []
        for p in found:
            out.append(Entry(self._lines(who, p, t, width), self.to_event(p.last), p.id))
            out += self._facts(who, p, width)
            out += [*((*self._asks(p, t, width), *self._plan(p, width)) if p.holder == who else ()), Entry([[]])]
        if not found and world.drama.kinds:
            out += [remark(f"Nothing presses {name} now.", width), Entry([[]])]
        for p in (x.press for x in world.resting.pressures.values() if who in (x.press.holder, x.press.about)):
            out += [Entry(self._rests(p, width), self.to_event(p.last), ("rests", p.id)), Entry([[]])]
        known = [p for p in world.pressures.open.values() if who in p.known_by and who not in (p.holder, p.about)]
        if known:
            out.append(_head("Knows of others"))
            for p in known:
                out.append(Entry(self._known(p, width), self.to_event(p.last), ("knows", p.id)))
                out += self._facts(who, p, width)
            out.append(Entry([[]]))
        told = {p.id for p in known}
        heard = beliefs_about_others(world, who, int(t))
        tales = [k for k in heard if k.event or not k.right or k.source in world.cast]
        tales = [k for k in tales if not (k.right and k.fact in told)]
        if tales:
            out.append(_head("Has heard"))
            out += [Entry(self._tale(k, width), self.to_event(k.seq), ("heard", k.seq)) for k in tales[:HEARD]]
            out.append(Entry([[]]))
        out.append(_head("Secrets, in their own words"))
        out += [Entry(hung([ink("? ", "sour")], secret, width)) for secret in persona.secrets]
        if not persona.secrets:
            out.append(remark(f"{name} hides nothing.", width))
        out += [Entry([[]]), _head("Opinions")]
        out += [Entry(_opinion(topic, opinion, width)) for topic, opinion in persona.opinions.items()]
        if not persona.opinions:
            out.append(remark(f"{name} has no opinion on what divides the town.", width))
        return out

    def _lines(self, who: str, p: ActivePressure, t: float, width: int) -> list[Line]:
        """Kind, other person, sum owed, intensity, stage; then its subject, cause, who knows, when due."""
        viewer = self.viewer
        clock, handbook = viewer.world.clock, viewer.world.handbook
        kind = viewer.world.drama.kinds.get(p.kind)
        mine = p.holder == who
        other = p.about if mine else p.holder
        fg = STAGE_INKS[p.stage]
        called = f"{kind.called if kind else p.kind}{', ' if mine else ' of '}{viewer.name(other)}" if other else p.kind
        called += f": {p.amount:,}" if p.amount else ""
        hour = clock.hhmm(p.due) if clock.day(p.due) == clock.day(int(t)) else clock.words(p.due)
        due = [ink(f"by {hour}" if p.due >= int(t) else f"since {hour}", "accent" if p.due >= int(t) else "alarm")]
        mark = [*gauge(strength(viewer, p, t), 6, fg), ink(f" {STAGES[p.stage]}", fg)]
        head = justify([outside(called, bold=True)], mark, width)
        matter = matter_of_pressure(p)
        out = [head, *hung([ink("  ")], matter_sentence(handbook, matter, matter.stakes), width, "soft")]
        out += hung([ink("  ")], f"because {matter.cause}", width, "dim")
        known = [viewer.name(x) for x in p.known_by if x not in (p.holder, p.about)]
        names = known if len(known) <= KNOWN else [*known[: KNOWN - 1], f"{len(known) - KNOWN + 1} more"]
        says = "" if viewer.knower else f"known to {join_names(names)}" if names else "nobody else knows"
        foot = [ink("  "), ink(says, "dim")]
        return [*out, justify(fit(foot, width - 12), due if p.due >= 0 else [], width)]

    def _facts(self, who: str, p: ActivePressure, width: int) -> list[Entry]:
        """The facts of a matter that somebody knows; while somebody is played, those that they know, too."""
        world, knower = self.viewer.world, self.viewer.knower
        facts = facts_known_to(world, p, who)
        seen = facts if not knower else {key: fact for key, fact in facts.items() if knows_fact(world, p, fact, knower)}
        return [
            Entry(
                hung([ink("  knows: ", "dim")], fact_forms(world, p, fact, "", "").fact, width, "soft"), key=(p.id, key)
            )
            for key, fact in seen.items()
        ]

    def _rests(self, p: ActivePressure, width: int) -> list[Line]:
        """A pressure that rests while one of the two is out of town, and who has left."""
        world, matter = self.viewer.world, matter_of_pressure(p)
        gone = [self.viewer.name(x) for x in (p.holder, p.about) if x and not in_town(world, x)]
        out = hung([ink("  ")], matter_sentence(world.handbook, matter, matter.stakes), width, "dim")
        says = f"it rests: {join_names(gone)} {'has' if len(gone) == 1 else 'have'} left town"
        return [*out, *hung([ink("  ")], says, width, "dim")]

    def _asks(self, p: ActivePressure, t: float, width: int) -> list[Entry]:
        """The question whose answer would end the pressure, and the clues found so far; nothing if it has none."""
        says, clues = answer_and_clues(self.viewer.world, p, int(t))
        if not says:
            return []
        lines = hung([ink("  wants to know: ", "dim")], f"whether {says}", width)
        found = [Entry(hung([ink("  clue: ", "accent")], k.says, width, "soft"), self.to_event(k.seq)) for k in clues]
        return [Entry(lines, key=(p.id, "asks")), *found]

    def _plan(self, p: ActivePressure, width: int) -> list[Entry]:
        """The plan for a pressure: what is wanted, the steps taken, the next step, and rival claims."""
        world = self.viewer.world
        plan, handbook, matter = world.goals.open.get(p.id), world.handbook, matter_of_pressure(p)
        if plan is None:
            return []
        wants = hung([ink("  wants: ", "dim")], wanted_claim_words(handbook, plan.claim), width)
        out = [Entry(wants, self.to_event(plan.seq), (p.id, "wants"))]
        for todo, done in zip(plan.steps, plan.done, strict=False):
            said = step_words(handbook, matter, todo.step, todo.whom, done=True)
            lines = hung([ink("  + ", "warm")], f"{said} ({world.clock.words(done.t)})", width, "soft")
            out.append(Entry(lines, self.to_event(done.seq), (p.id, todo.step)))
        if plan.next is not None:
            said = step_words(handbook, matter, plan.next.step, plan.next.whom)
            out.append(Entry(hung([ink("  next: ", "accent")], f"to {said}", width), self.to_event(plan.seq)))
        for claim in rival_claims(world, p, plan.claim):
            said = claim_words(handbook, handbook.claims.kinds[claim.kind].says, claim)
            out.append(Entry(hung([ink("  in the way: ", "sour")], said, width, "soft")))
        return out

    def _tale(self, knower: Knower, width: int) -> list[Line]:
        """A belief about others, with its source and how sure they are."""
        source = knower.source
        name = self.viewer.name(source) if source in self.viewer.world.cast else HOW.get(source, source)
        return hung([ink("? ", "accent")], f"{knower.says} ({name}, {surely(knower.strength)})", width, "soft", most=3)

    def _known(self, p: ActivePressure, width: int) -> list[Line]:
        says = matter_sentence(self.viewer.world.handbook, matter_of_pressure(p))
        return hung([ink("& ", "link")], says, width, "soft", most=2)


def _head(text: str) -> Entry:
    return Entry([[ink(text, "dim")]])


def _opinion(topic: str, opinion: Opinion, width: int) -> list[Line]:
    word, fg = next((word, fg) for least, word, fg in STANCES if opinion.stance >= least or least < -1)
    out: list[Line] = [[ink("  "), *gauge(abs(opinion.stance), 4, fg), ink(f" {word} ", fg), outside(topic, bold=True)]]
    if opinion.why:
        out += hung([ink("  ")], f"because {opinion.why}", width, "soft")
    return out
