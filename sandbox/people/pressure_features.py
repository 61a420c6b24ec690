"""What a wish or an answer may depend on: talk/pressure_aims.py reckons it from the state, and a deck weighs it."""

from __future__ import annotations

from typing import Annotated

from sandbox.core.fields import meta

# name -> what the rule is called where it speaks for it, and where against. Each is a number in [-1, 1] or [0, 1].
FEATURES: dict[str, tuple[str, str]] = {
    "base": ("in the nature of it", "it takes something"),
    "fond": ("fond of them", "does not like them"),
    "left": ("glad of their last talk", "sore from their last talk"),
    "close": ("trusts them", "hardly knows them"),
    "agreeable": ("kind-hearted", "hard-headed"),
    "outgoing": ("outgoing", "shy"),
    "nervous": ("nervous by nature", "steady by nature"),
    "orderly": ("takes things seriously", "takes things lightly"),
    "curious": ("curious by nature", "set in their ways"),
    "pleased": ("in good spirits", "in low spirits"),
    "roused": ("worked up", "too tired for it"),
    "bold": ("sure of themselves", "unsure of themselves"),
    "watched": ("others are there", "others are there"),
    "hurried": ("in a hurry", "in a hurry"),
    "pressed": ("it weighs on them", "it weighs on them"),
    "owing": ("knows they are in the wrong", "knows they are in the wrong"),
    "asked": ("has been asked before", "has been asked before"),
    "worn": ("tired, hungry or lonely", "tired, hungry or lonely"),
    "dear": ("feels the same for them", "feels nothing of the kind"),
    "flush": ("can spare the money", "would be left with nothing"),
    "barred": ("knows what stands between them", "knows what stands between them"),
    "loses": ("would lose by it", "would lose by it"),
}

Weights = dict[Annotated[str, meta(options=FEATURES, what="feature")], Annotated[float, meta(low=-10, high=10)]]
