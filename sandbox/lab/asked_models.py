"""What all questions of the laboratory to language models share: their prompts, the fallback without an answer, and the
models themselves, opened with one budget and one file of calls.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec

from sandbox.core.chance import Chance
from sandbox.core.questions import QuestionSpec, nobody
from sandbox.minds.budget import CallStore, Limit, Limits
from sandbox.minds.client import PAUSE
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.language_mind import LanguageMind, share_models
from sandbox.minds.prompt_form import Prompt
from sandbox.minds.spec import MindSpec, Model
from sandbox.store.choose_mind import own_spec
from sandbox.talk.lines import LineBook

FOLDER = Path(__file__).parent / "prompts"
COLD = 0.0  # temperature for judging, rating and filling in forms
Text = Annotated[str, msgspec.Meta(max_length=2000)]


def prompt_source(name: str) -> str:
    """The source of a template in `lab/prompts`."""
    return (FOLDER / name).read_text(encoding="utf-8")


def model_question(
    question: type, answer: type, sample: Any, fault: Callable[[Any, Any], str] = lambda q, a: ""
) -> QuestionSpec:
    """The spec of a question that only models answer; an answer without content stands where a model gives none. fault:
    what is wrong with an answer, "" = nothing.
    """
    name, nothing = question.__name__, answer()
    return QuestionSpec(
        question=question, answer=answer, name=name, rule=lambda q, chance: nothing, fault=fault, samples=(sample,),
        concerns=nobody, taken=False, asks=name.lower(), asked=True,
    )  # fmt: skip


@asynccontextmanager
async def open_models(
    models: Sequence[Model],
    calls: CallStore,
    specs: Sequence[QuestionSpec],
    prompts: Sequence[Prompt],
    who: str,
    pause: float = PAUSE,
    ask: Collection[str] | None = None,
) -> AsyncIterator[tuple[dict[str, LanguageMind], int]]:
    """Open models, by name, that share one rate limit, one budget and one file of calls; also yields how many questions
    may be put at once (a question's time limit begins when it is put).

    Time limits, concurrency and the limit per save are those of the player's settings; their address or key is used for
    a model given by name only. who: name of the caller in messages on limits. ask: names of the models that may be
    called, None = all; of others only stored answers are used, since their names may come from anybody. Raises
    WorldFaults for a fault of the settings.
    """
    own = own_spec(MindSpec())
    known = {m.name: m for m in own.models}
    of_all, unpriced = Limits(Limit(), own.limits.save), Limits(Limit(), own.unpriced.save)
    spec = msgspec.structs.replace(own, limits=of_all, unpriced=unpriced, asks=tuple(s.asks for s in specs))
    still = msgspec.structs.replace(own, limits=Limits(Limit(), Limit(calls=0)))
    asked, unasked = (share_models(one, calls, who) for one in (spec, still))
    embedded = EmbeddedMind(Chance(0), LineBook((), {}), specs)
    minds: dict[str, LanguageMind] = {}
    async with AsyncExitStack() as stack:
        for m in models:
            if m.name not in minds:
                model = m if m.bases else known.get(m.name, m)
                shared = asked if ask is None or m.name in ask else unasked
                minds[m.name] = LanguageMind(model, spec, embedded, shared, prompts=prompts, pause=pause)
                stack.push_async_callback(minds[m.name].close)
        yield minds, spec.together
