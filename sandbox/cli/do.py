"""`sandbox do`: deal a card into a save, without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandbox.cli.moments import world_at_end
from sandbox.cli.options import JSON, SAVE, blame, require_save
from sandbox.cli.telling import align_columns, say_json, say_text, wait_for, warn
from sandbox.core.text import upper

if TYPE_CHECKING:
    from sandbox.director.card_rule import Touch
    from sandbox.engine.world import World
    from sandbox.store.session import Session


class DealResult(NamedTuple):
    """A dealt card. seq: its event, 0 if it was only tried; at: when, in words; effect: when it takes effect, in words,
    "" for at once; touched: whom it is likely to touch.

    reached: names of those it reached at once; how: how it ended at once, "" if it waits.
    """

    seq: int
    at: str
    effect: str
    says: str
    touched: list[tuple[str, Touch]]
    reached: list[str]
    how: str


@click.command()
@SAVE
@click.argument("card", metavar="CARD", required=False)
@click.option("--try", "only_try", is_flag=True, help="Say whom it is likely to touch, and deal nothing.")
@JSON
def do(save: str, card: str | None, only_try: bool, as_json: bool) -> None:
    """Deal a card into a save: a cause that becomes an event, and makes one step.

    CARD is the name of a card and its parts, in one line: `to PERSON`, `with PERSON`, `about MATTER`, `at PLACE`, `in
    2h` or `tomorrow 09:00` (when it takes effect), `for 3h` (how long it holds), `30 coins`, `post 17`, and after a
    colon its words. A matter is an id, or words of it in quotes. Without CARD, the cards and what they can be about are
    listed.

    The command says whom the card is likely to touch, and why, and then deals it. Continue with `sandbox run SAVE`; a
    day later, `sandbox receipt SAVE` shows what came of it. To take it back, branch before it: `sandbox saves branch`.

    JSON is {"save", "card", "event", "at", "effect", "says", "touches": [{"who", "why", "likely"}],
    "reached", "how"}; effect is null for a card that takes effect at once.

    \b
    Examples:
      sandbox do day.db                                         what can be dealt
      sandbox do day.db "letter to mara about frozen_boxes"     a letter about a matter
      sandbox do day.db "rain for 3h" --try                     whom would it touch?
      sandbox do day.db "occasion at the cafe in 1h: Pancakes"  people are invited
      sandbox do day.db "locked door at the library tomorrow 09:00"
    """
    if card is None:
        _list(save, as_json)
        return
    done = wait_for(_deal(save, card, only_try))
    if as_json:
        say_json(
            {
                "save": save,
                "card": card,
                "event": done.seq or None,
                "at": done.at,
                "effect": done.effect or None,
                "says": done.says,
                "touches": [{"who": t.who, "why": t.why, "likely": round(t.much, 2)} for _, t in done.touched],
                "reached": done.reached,
                "how": done.how,
            }
        )
        return
    say_text(f"{done.at}  {upper(done.says)}.")
    if done.effect:
        say_text(f"It takes effect {done.effect}.")
    say_text("\nLikely to touch:")
    rows = [(f"  {name}", t.why) for name, t in done.touched]
    say_text(align_columns((), rows) if rows else "  nobody in particular")
    if only_try:
        say_text("\nNothing was dealt; leave out --try to deal it.")
        return
    came = f"It has reached {', '.join(done.reached)}." if done.reached else ""
    rest = "" if done.how or done.effect else "It is still in effect." if done.reached else "It waits for its moment."
    ended = "" if done.how in ("", "done") else f"It came to nothing: {done.how}."
    became = " ".join(x for x in (came, rest, ended) if x)
    say_text("\n" + (f"{became}\n" if became else "") + f"Event {done.seq}; go on with `sandbox run {save}`.")


def _list(save: str, as_json: bool) -> None:
    from sandbox.director.reading import card_matters

    world = wait_for(world_at_end(save))
    cards = world.card_deck.cards
    known = card_matters(world)
    if as_json:
        say_json(
            {
                "save": save,
                "cards": [{"card": name, **_of(card)} for name, card in cards.items()],
                "matters": [{"matter": k.id, "says": k.says} for k in known],
            }
        )
        return
    if not cards:
        say_text("This save has no cards: it was made before there were any, or its world removes them all.")
        return
    for force, title in ((False, "Cards: causes, never moods"), (True, "By force")):
        rows = [
            (f"  {name.replace('_', ' ')}", ", ".join(card.needs) or "-", card.does)
            for name, card in cards.items()
            if card.force == force
        ]
        say_text(f"{title}\n" + align_columns(("  card", "needs", "what it may bring about"), rows) + "\n")
    say_text("What they can be about\n" + align_columns((), [(f"  {k.id}", k.says) for k in known]))


def _of(card: Any) -> dict[str, object]:
    return {
        "called": card.called, "does": card.does, "needs": list(card.needs), "may": list(card.may),
        "on": list(card.on), "price": card.price, "force": card.force,
    }  # fmt: skip


async def _deal(name: str, text: str, only_try: bool) -> DealResult:
    if only_try:
        return _tried(await world_at_end(name), text)
    from sandbox.store.session import open_session

    require_save(name)
    async with open_session(name, watched=True) as session:
        return await _dealt(session, text)


def _tried(world: World, text: str) -> DealResult:
    """Check a card without dealing it. Raises BadParameter for one that cannot be dealt."""
    from sandbox.director.card_rule import card_sentence
    from sandbox.director.dealing import afford, likely_touches, validate_card
    from sandbox.director.reading import read_card

    with blame("CARD"):
        card, dealt = validate_card(world, read_card(world, text))
        afford(world, card)
        found = likely_touches(world, dealt)
    names = [(world.handbook.name(t.who), t) for t in found]
    clock = world.clock
    effect = clock.words(world.now + dealt.later) if dealt.later else ""
    return DealResult(0, clock.words(world.now), effect, card_sentence(world, dealt, card), names, [], "")


async def _dealt(session: Session, text: str) -> DealResult:
    from sandbox.director.dealing import card_fates
    from sandbox.director.model import DealCard
    from sandbox.director.reading import read_card

    world = session.world
    warn(session.notice)
    tried = _tried(world, text)
    session.engine.do(DealCard(dealt=read_card(world, text)))
    records = await session.engine.step()
    fate = card_fates(records)[0]
    reached = [world.handbook.name(who) for who in fate.reached]
    return tried._replace(seq=fate.at.seq, reached=reached, how=fate.over or "")
