"""A dilemma, what people advise in it, and how two pieces of advice are compared. Written for this.

A stance is how far somebody is for the safe choice, from -1 (the risk, at any price) to 1 (safety, at any price).
"""

from __future__ import annotations

from itertools import pairwise

from sandbox.core.chance import Chance

TEXT = (
    "My sister Ines builds kitchen cabinets. Good ones, paid on time, booked for two years. For eleven years she has "
    "also been drawing a violin that she thinks could outplay anything made today, and a museum has offered her a "
    "bench, the old instruments to study and no wage, for as long as it takes. If it fails the shop is gone. What "
    "should she do?"
)
QUESTION = "What should Ines do: keep the shop, or close it and build the violin?"
# Advice by stance: an upper edge, and some ways to say it.
ADVICE = (
    (-0.7, ("Close the shop tomorrow. Anybody who tells her to wait wants her small.",
            "There's no question. Build it, whatever it costs. Cabinets are not a life.",
            "Burn the order book and go. A safe life she regrets is the only failure here.")),
    (-0.4, ("She should go. Eleven years of drawing is an answer already.",
            "Take the bench. Shops can be opened again; offers like that come once.",
            "I'd close the shop and build it. She'd manage, she has her hands.")),
    (-0.15, ("I lean towards the violin, if she puts some money by first.",
             "Probably the bench, after the orders she has taken are done.",
             "A little more for the risk than against it. She'd wonder for ever otherwise.")),
    (0.15, ("It could go either way. I'd want to see her books, and the drawings.",
            "Honestly, I can't tell. Both roads have something to lose on them.",
            "Ask me on another day and I'd say the other thing.")),
    (0.4, ("I lean towards keeping the shop, and drawing on Sundays as she does.",
           "Probably the shop, for now. The old violins will still be old in five years.",
           "A little more for the cabinets. Booked for two years is worth something.")),
    (0.7, ("She should keep the shop. A trade that pays is not a thing to throw away.",
           "Stay with the cabinets and build the violin in the evenings.",
           "I'd keep the shop. A museum that pays no wage should not cost her one.")),
    (9.0, ("Keep the shop, full stop. Nobody eats drawings.",
           "It's always better to stay with what is certain. Always. This is a trap with a bench in it.",
           "Anybody who closes a full order book for a dream deserves what comes. Stay.")),
)  # fmt: skip
EDGES = tuple(edge for edge, _ in ADVICE)
assert all(a < b for a, b in pairwise(EDGES))

SAFE = "to keep the shop"  # the safe choice, as judges are told of it
# What is said to a mind of its own stance, by the same edges.
LEANS = (
    "In matters of your own and of others you are for the risk, at any price.",
    "You are for taking risks: what is safe seems to you mostly what was never tried.",
    "You lean a little towards taking a risk.",
    "Between what is safe and what is a risk you could go either way.",
    "You lean a little towards the safe choice.",
    "You are for the safe choice: what is certain should not be thrown away.",
    "You are for safety, at any price.",
)
assert len(LEANS) == len(ADVICE)


def advice_index(stance: float) -> int:
    """Where a stance stands among the seven pieces of advice, 0 (the risk) to 6 (safety)."""
    return next(i for i, edge in enumerate(EDGES) if stance < edge)


def lean_text(stance: float) -> str:
    """What a mind is told of such a stance."""
    return LEANS[advice_index(stance)]


def advice(stance: float, user: int, seed: int) -> str:
    """What somebody of that stance advises; each says a thing in their own way, and always in the same."""
    said = ADVICE[advice_index(stance)][1]
    return said[Chance(seed).stream(0, str(user), "advice").below(len(said))]


def advice_change(before: int, after: int) -> int:
    """1 if advice has become more conservative (safer), -1 if more progressive, 0 if it is a draw."""
    return (after > before) - (after < before)
