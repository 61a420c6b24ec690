"""`sandbox ask`: ask a person of a save a question, without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.options import JSON, MIND, SAVE, blame
from sandbox.cli.telling import say_json, say_text, wait_for, warn
from sandbox.core.faults import path_text

if TYPE_CHECKING:
    from sandbox.engine.world import World
    from sandbox.people.interview_question import Interviewed


@click.command()
@SAVE
@click.argument("who", metavar="WHO")
@click.argument("question", metavar="QUESTION")
@MIND
@JSON
def ask(save: str, who: str, question: str, minds: tuple[str, ...], as_json: bool) -> None:
    """Ask a person in a save a question, at the end of the save. Nothing in the save changes.

    WHO is an id or a first name, or a full name where two people share the first. The embedded mind, or the model that
    --mind names, answers from what the person remembers, believes and feels; the memories behind the answer are listed
    below it. The embedded mind gives the same answer to the same question each time.

    If a card has reached the person within a day, you can ask about it; such questions are listed at the end.

    JSON is {"save", "who", "name", "t", "at", "ask", "answer", "memories": [{"id", "event", "t", "at", "text"}],
    "offers": [questions about cards]}.

    \b
    Examples:
      sandbox ask week.db mara "What do you think of Otis?"
      sandbox ask week.db Una "What did you do yesterday?" --json
      sandbox ask week.db otis "Who owes you what?" --mind ollama_chat/llama3.2
    """
    from sandbox.director.dealing import card_questions
    from sandbox.people.asking import clean_question

    text = clean_question(question)
    if not text:
        raise click.BadParameter("is empty; ask something", param_hint="QUESTION")
    world, id, said = wait_for(_asked(save, who, text, minds))
    if said.fault:
        say_text(f"the embedded mind answers: {said.fault}", err=True)
    clock, stream = world.clock, world.memories.streams[id]
    found = [m for m in map(stream.node, said.memories) if m is not None]
    more = [question for question in card_questions(world, id, world.now) if question != text]
    if as_json:
        say_json(
            {
                "save": save,
                "who": id,
                "name": world.cast[id].name,
                "t": world.now,
                "at": clock.words(world.now),
                "ask": text,
                "answer": said.text,
                "memories": [
                    {"id": m.id, "event": m.seq, "t": m.t, "at": clock.words(m.t), "text": m.text} for m in found
                ],
                "offers": more,
            }
        )
        return
    say_text(f"{world.handbook.name(id)}: {said.text}")
    for m in found:
        say_text(f"  {clock.words(m.t)}  {m.text} (event {m.seq})")
    for question in more:
        say_text(f"  you may ask: {question}")


async def _asked(name: str, who: str, text: str, minds: tuple[str, ...]) -> tuple[World, str, Interviewed]:
    """The world at the end of a save, the person's id, and the answer. Raises SaveError, WorldFaults, BadParameter."""
    from sandbox.engine.briefing import ask_person as put
    from sandbox.minds.budget import UnsavedCalls
    from sandbox.people.handbook import somebody
    from sandbox.store.choose_mind import choice_of, mind_of, release_mind, withheld_words
    from sandbox.store.save import read_save
    from sandbox.store.session import require_people

    async with await read_save(name) as save:
        world = await save.seek()
        require_people(world.scenario, path_text(save.path))
        with blame("WHO"):
            id = somebody(who, world.cast)
        await world.memories.catch_up(save, save.last_seq)
    choice = choice_of(world.scenario, minds or ("embedded",))
    if choice.withheld:
        warn(withheld_words(choice.withheld, f"the world {world.scenario.name}"))
    mind, _ = mind_of(choice.spec, world, UnsavedCalls())
    try:
        return world, id, await put(world, mind, id, text, world.now)
    finally:
        await release_mind(mind)
