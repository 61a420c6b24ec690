"""Which signs of a text are letters of it, wherever words come in or go out.

A joiner (U+200C, U+200D) between letters is one of them: Persian, Sinhala and others are misspelt without it; and so is
U+200D between pictures. Whatever else does not show, above all what turns the direction of writing, is none, and could
hide or forge what stands beside it.
"""

from __future__ import annotations

import unicodedata

ZWNJ, ZWJ = "\u200c", "\u200d"
_VIRAMA = 9  # the combining class of signs that take a letter's vowel away
_LINES = "\u2028\u2029"


def is_joiner(text: str, at: int) -> bool:
    """Whether the sign there is a joiner of a word: with a letter or its mark before and after it, or, as the word
    ends, after a virama (as of Unicode's identifiers, UAX 31); or one of pictures.
    """
    if text[at] not in (ZWNJ, ZWJ) or at == 0:
        return False
    before, after = unicodedata.category(text[at - 1]), unicodedata.category(text[at + 1 : at + 2] or "\0")
    if before[0] in "LM" and (after[0] in "LM" or unicodedata.combining(text[at - 1]) == _VIRAMA):
        return True
    return text[at] == ZWJ and after == "So" and before in ("So", "Sk", "Mn")


def is_printable(text: str) -> bool:
    """Whether all signs of a text show as they are, or join those that do."""
    return text.isprintable() or all(ch.isprintable() or is_joiner(text, at) for at, ch in enumerate(text))


def strange(text: str) -> str:
    """The first sign of a text that is neither a letter nor a blank of any sort, "" if there is none."""
    if text.isprintable():
        return ""
    for at, ch in enumerate(text):
        control = ch not in "\n\r\t" and unicodedata.category(ch)[0] == "C" and not is_joiner(text, at)
        if control or ch in _LINES:
            return ch
    return ""


def clean_name(text: str) -> str:
    """A name as it is kept: its blanks are blanks of a line. Raises ValueError for a sign that is none of a name."""
    if sign := strange(text):
        raise ValueError(f"holds the control character U+{ord(sign):04X}; take it out")
    return text if text.isprintable() else " ".join(text.split())
