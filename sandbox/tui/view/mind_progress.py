"""What is seen of a mind that takes its time: the first words while a step waits, a mark over whoever is asked, what
it has cost, and where the embedded mind answered instead.
"""

from __future__ import annotations

from collections import Counter

from sandbox.core.text import clean, join_names
from sandbox.minds.budget import Thinking
from sandbox.minds.calls import Spent
from sandbox.tui.view.action import GO_ON, first_key
from sandbox.tui.view.viewer import Viewer

SILENT = 4  # answers in a row that no model gave, from which on that is said
LONG = 0.5  # seconds that a step may take before it is said that it waits
CENT = 0.01
THOUSAND = 1000
PEOPLE = 6  # who are named with their model
FAULT = 160  # letters of a fault


def state(viewer: Viewer) -> tuple[object, ...]:
    """Changes when anything here would be told otherwise."""
    thinking = viewer.session.thinking
    if thinking is None:
        return ()
    return waiting_words(viewer), viewer.asked, thinking_words(viewer), thinking.spent, thinking.fallbacks


def thinking_mark(viewer: Viewer) -> str:
    """What stands over whoever is asked; in ASCII not what stands for fear."""
    return ":" if viewer.settings["glyphs"] == "ascii" else "…"


def waiting_words(viewer: Viewer) -> str:
    """What time does while a step waits, "" if none has waited for long, or if time stands anyway."""
    pace = viewer.pace
    if pace.waits <= LONG or not (pace.running or pace.stepping):
        return ""
    if pace.hurried:
        return "… going on without the model"
    key = first_key(GO_ON, viewer.keys)
    return f"… waiting for the model{_seconds(pace.waits)}" + (f" ({key}: go on without)" if key else "")


def thinking_words(viewer: Viewer) -> str:
    """How many are asked, and for how long: "thinking 3, 4 s"; or that no model answers; or ""."""
    thinking = viewer.session.thinking
    if thinking is not None and thinking.silent >= SILENT and not viewer.pace.hurried:
        return "no budget left" if thinking.stopped else "no model answers"
    if thinking is None or not thinking.waiting:
        return ""
    return f"thinking {len(thinking.waiting)}{_seconds(viewer.pace.waits or thinking.seconds)}"


def _seconds(n: float) -> str:
    return f", {int(n)} s" if n >= 1 else ""


def spent_words(spent: Spent) -> str:
    """What it came to: in dollars, in tokens where no price is known, "" if nothing was asked yet."""
    if spent.cost > 0:
        return f"${spent.cost:.2f}" if spent.cost >= CENT else "under $0.01"
    return _tokens(spent.tokens) if spent.tokens else ""


def _tokens(n: int) -> str:
    return f"{n / THOUSAND:.0f}k tokens" if n >= 10 * THOUSAND else f"{n:,} tokens"


def model_facts(viewer: Viewer) -> list[tuple[str, str]]:
    """Names and values for the sheet of facts; nothing where the embedded mind answers all."""
    thinking = viewer.session.thinking
    if thinking is None:
        return []
    spent = thinking.spent
    out = [("models", text) for text in _models(viewer, thinking)]
    cost = f", ${spent.cost:.4f}" if spent.cost else ", no price known" if spent.calls else ""
    out.append(("calls", f"{spent.calls:,}, {spent.tokens:,} tokens{cost}"))
    if thinking.stopped or thinking.left:
        out.append(("budget", thinking.stopped if thinking.stopped else f"{thinking.left} left"))
    if thinking.fallbacks:
        last = f"; the last: {clean(thinking.fault, FAULT)}" if thinking.fault else ""
        n = thinking.fallbacks
        out.append(("fallbacks", f"{n:,} {'answer was' if n == 1 else 'answers were'} the embedded mind's{last}"))
    return out


def _models(viewer: Viewer, thinking: Thinking) -> list[str]:
    """A line for each model, that of most people first: who they are, or how many."""
    out = []
    for model, count in sorted(Counter(thinking.models.values()).items(), key=lambda m: (-m[1], m[0])):
        who = [viewer.name(id) for id, theirs in thinking.models.items() if theirs == model]
        everybody = count == len(viewer.world.cast)
        whose = "everybody" if everybody else join_names(who) if count <= PEOPLE else f"{count} people"
        out.append(f"{model}: {whose}")
    return out


def stopped_text(stopped: str) -> str:
    """What is told once when a budget is used up."""
    stopped = clean(stopped, FAULT)
    return f"{stopped[:1].upper()}{stopped[1:]}: the embedded mind answers instead of the model"
