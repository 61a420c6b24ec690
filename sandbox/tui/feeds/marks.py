"""What the feed puts over people on the map: who has their phone out, and whose post has just landed."""

from __future__ import annotations

from sandbox.phones.model import PhoneState

PHONE, SPARK = "#", "&"  # of one cell each, and ASCII
LOOKS, LANDS = 150, 60  # seconds of the town for which somebody has it out after a look, and for which a post is new


def landed(phones: PhoneState, t: float) -> frozenset[str]:
    """Whose post has just landed at second t. Only the latest that were written are looked at."""
    out = set()
    for written in reversed(phones.written.values()):
        if written.t <= t - LANDS:
            break
        if written.t <= t:
            out.add(written.author)
    return frozenset(out)


def looking(phones: PhoneState, who: str, t: float) -> bool:
    """Whether somebody has their phone out at second t."""
    phone = phones.phones.get(who)
    return phone is not None and phone.looked >= 0 and 0 <= t - phone.looked < LOOKS
