"""How people tell what has names in it: "I" and "you" for the two who talk, "Dad" for whom one calls so."""

from __future__ import annotations

import re

ME = ("I", "me", "my", (("is", "am"), ("has", "have"), ("does", "do")))
YOU = ("you", "you", "your", (("is", "are"), ("was", "were"), ("has", "have"), ("does", "do")))
_DID = r"(?= (?:\w+ed|did|gave|had|let|said|told|took|was)\b)"  # after a name that does something
_AFTER = (  # a name to which something is done
    r"(?=$|[,.;:]| (?:a|an|about|again|and|as|at|before|by|for|from|in|of|on|once|over|that|the|to|twice|with"
    r"|\w+ing)\b)"
)
_PRONOUN = re.compile(r"\b(he|she|his|her|hers|him|himself|herself)\b")


def as_told(text: str, me: str, other: str) -> str:
    """A cause or what is at stake as one of the two tells it to the other: "I" and "you" for their names.

    As it stands where that cannot be said: who "he" is would be lost.
    """
    named = [(name, *words) for name, words in ((me, ME), (other, YOU)) if _names(text, name)]
    if named and _PRONOUN.search(text):
        return text
    told = text
    for name, subject, object_, their, verbs in named:
        told = re.sub(rf"\b{re.escape(name)}['’]s\b", their, told)
        for verb, mine in verbs:
            told = re.sub(rf"\b{re.escape(name)} {verb}\b", f"{subject} {mine}", told)
        told = re.sub(rf"^{re.escape(name)}\b|(?<=\band ){re.escape(name)}\b|\b{re.escape(name)}{_DID}", subject, told)
        told = re.sub(rf"(?<=\w ){re.escape(name)}\b{_AFTER}", object_, told)
        if _names(told, name):
            return text
    return told


def _names(text: str, name: str) -> bool:
    return name in text and re.search(rf"\b{re.escape(name)}\b", text) is not None
