"""What `doctor` says of language models: what the settings name, and with --mind whether a model answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from sandbox.cli.checkup import Check
from sandbox.core.faults import safe

if TYPE_CHECKING:
    from sandbox.minds.spec import MindSpec, Model

WORDS = 80  # letters of an answer that are shown


def examine_minds(given: Sequence[str]) -> Iterator[Check]:
    """What the settings say of models; and, of those given as `--mind` takes them, whether each answers a question."""
    from sandbox.engine.loading import WorldFaults
    from sandbox.minds.spec import MindSpec, parse_mind
    from sandbox.store.minding import own_spec

    try:
        own = own_spec(MindSpec())
    except WorldFaults as faults:
        for fault in faults.faults:
            yield Check("mind", "fault", str(fault), "mend that line")
        return
    for model in own.models:
        if model.key and not os.environ.get(model.key):
            yield Check("mind", "fault", f"{model.name}: {model.key} is not set", "set that environment variable")
        else:
            yield Check("mind", "ok", f"{model.name}, by the settings")
    if own.models or given:
        yield Check("budget", "ok", f"{own.limits.words}; without a price {own.unpriced.words}")
    if not own.models and not given:
        yield Check("mind", "ok", "embedded; `--mind MODEL` tries a model")
    tried = parse_mind(given, own) if given else MindSpec()
    for model in parse_mind(given).models:
        yield asyncio.run(_tried(model, tried))


async def _tried(model: Model, spec: MindSpec) -> Check:
    """Ask a model one question, as a town would."""
    import msgspec

    from sandbox.core.chance import Chance
    from sandbox.minds.calls import Unkept
    from sandbox.minds.check import samples
    from sandbox.minds.choosing import choose, leave
    from sandbox.minds.embedded.mind import EmbeddedMind
    from sandbox.talk.deciding.say import Said, Say
    from sandbox.talk.lines import LineBook

    question = next(q for q in samples() if isinstance(q, Say))
    alone = msgspec.structs.replace(spec, default=model, people={})
    mind, thinking = choose(alone, EmbeddedMind(Chance(1), LineBook((), {})), Unkept())
    began = perf_counter()
    try:
        (said,) = await mind.answer([question], 1)
    except KeyError:  # there are no lines to stand in
        said = None
    finally:
        await leave(mind)
    seconds = perf_counter() - began
    if isinstance(said, Said):
        return Check("mind", "ok", f"{model.name} answered in {seconds:.1f} s: {safe(said.text, WORDS)}")
    why = thinking.fault if thinking is not None else ""
    return Check("mind", "fault", f"{model.name}: {why}", "docs/minds.md tells how a model is named and reached")
