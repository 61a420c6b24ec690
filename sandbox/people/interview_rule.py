"""The rule for an interview: what the question asks for, and a short answer to it in the person's own voice.

It says nothing that is not in the question: each memory it tells is named with the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sandbox.core.chance import Stream
from sandbox.core.questions import QuestionSpec, nobody, text_fault
from sandbox.core.text import content_words, upper
from sandbox.people import interview_words as say
from sandbox.people.interview_life import OF_LIFE
from sandbox.people.interview_question import AnswerWriter, Interview, Interviewed, Recollection
from sandbox.people.question_mood import FAINT, STRONG, DescribeMood
from sandbox.people.question_parts import ANN
from sandbox.people.wording import add_opening, clause, lower_first_word, myself, use_nicknames

STANCE = 0.2  # an opinion nearer to none is no side
HABIT = 0.3  # how often an answer begins with a habit of speech
_COMMON = """
    about also because been came come does done even ever every from gave good have here into just know like
    made make many more most much near never only other over said same some such take than that them then there these
    they thing things think this those time today told very want went were what when where which while whom whose will
    with would yesterday your
"""
COMMON = frozenset(_COMMON.split())
_OF_TIME = """
    afternoon between day days evening happened happen last late lately latest morning night noon recently week yourself
    anything everything interesting first next then monday tuesday wednesday thursday friday saturday sunday were been
    done talk talked speak spoke say said
"""
OF_TIME = frozenset(_OF_TIME.split())
SAYS_I = re.compile(r"I('\w+)? ")
ANYTHING = re.compile(
    r"\b(any(thing|body)?\b.*\b(new|news|hear\w*|tell|told)|(hear\w*|told) anything|(what's|what is) new)\b"
)
NAME = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+)(?=[?.!, ]|$)")


def answer(q: Interview, chance: Stream) -> Interviewed:
    """An answer to what was asked, in one to three sentences."""
    asked = AnswerWriter(q, chance)
    told = (
        _which(asked)
        or _of_brought(asked)
        or next((found for asks, rule in RULES if asks.search(asked.low) and (found := rule(asked))), None)
    )
    told = told or _else(asked)
    text = " ".join(told.text.split())
    starts = [start for start in asked.p.speech.starts if not start.lower().startswith(("no", "yes"))]
    if starts and SAYS_I.match(text) and chance.unit() < HABIT:
        text = add_opening(text, chance.choice(starts))
        text = upper(text)
    calls = {q.names[id]: call for id, call in asked.p.speech.calls.items() if id in q.names}
    return Interviewed(use_nicknames(text, calls), told.memories)


# ---- what may be asked; None = it was not that


def _which(a: AnswerWriter) -> Interviewed | None:
    """Whoever is asked of somebody by a first name that several have asks back."""
    if not a.q.which:
        return None
    return Interviewed(a.one(say.WHICH, people=" or ".join("me" if x == a.p.name else x for x in a.q.which)))


def _greet(a: AnswerWriter) -> Interviewed | None:
    return Interviewed(a.one(say.GREET[a.p.voice])) if len(content_words(a.q.ask)) <= 2 else None


def _secret(a: AnswerWriter) -> Interviewed | None:
    return Interviewed(a.one(say.EVADE[a.p.voice]))


def _of_somebody(a: AnswerWriter) -> Interviewed | None:
    """What one thinks of a person: the feeling, the best memory of them, a thought or what one believes."""
    if not a.whom:
        return _self(a) if a.q.own else _stranger(a)
    feeling = a.q.feelings.get(a.whom, "")
    out = [a.one(say.OF_THEM[feeling], name=a.whom)] if feeling in say.OF_THEM else []
    theirs = [m for m in a.q.memories if a.q.about[0] in m.about]
    done = (m for m in theirs if m.kind != "thought")
    best = max(done, key=lambda m: (m.poignancy, m.kind == "event"), default=None)
    used = []
    if best is not None:
        out.append(a.memory(say.WITH_THEM, best))
        used.append(best.id)
    thought = next((m for m in theirs if m.kind == "thought"), None)
    believed = _believed(a)
    if thought is not None and (not believed or a.chance.unit() < 0.5):
        out.append(a.one(say.I_THINK, thought=a.said(thought)))
        used.append(thought.id)
    elif believed:
        out.append(believed)
    return Interviewed(" ".join(out), tuple(used)) if out else None


def _stranger(a: AnswerWriter) -> Interviewed | None:
    """Whoever is named and lives elsewhere."""
    mine = a.p.name.split() if a.q.own else ()
    name = next((m[1] for m in NAME.finditer(a.q.ask) if m[1] not in mine), "")
    return Interviewed(a.one(say.STRANGER, name=name)) if name and not a.q.topic else None


def _of_brought(a: AnswerWriter) -> Interviewed | None:
    """What one says to whoever asks about a thing that has come to one from outside, or whether one has heard anything:
    what it was, what one makes of it, what one means to do. Of what one keeps to oneself one says nothing.
    """
    named = next((b for b in a.q.brought if re.search(rf"(?<!\w){re.escape(b.name)}(?!\w)", a.low)), None)
    if named is not None and (named.hushed or named.told is None):
        return _secret(a)
    asks = named is None and not a.whom and not a.q.topic and ANYTHING.search(a.low)
    told = [b for b in a.q.brought if b.told is not None] if asks else []
    weighs = max(told, key=lambda b: b.told.poignancy if b.told is not None else 0, default=None)
    b = named or weighs
    if b is None or b.told is None:
        return None
    out = [a.memory(say.DID, b.told)]
    if b.believed or b.doubted:
        out.append(a.one(say.I_BELIEVE_IT if b.believed else say.I_DOUBT_IT))
    if b.wants:
        out.append(a.one(say.I_MEAN_TO, wants=b.wants))
    elif len(out) == 1:
        out.append(a.one(say.UNDECIDED))
    return Interviewed(" ".join(out), (b.told.id,))


def _heard(a: AnswerWriter) -> Interviewed | None:
    """What one knows of a matter: what one believes, and from whom; else what one remembers of it."""
    if a.q.matter:
        source = a.q.heard[0]
        ways = say.BELIEVED[True] if source else say.OF_THING
        return Interviewed(a.one(ways, belief=lower_first_word(a.q.matter), source=source))
    if a.whom and (a.q.own or " and you" in a.low):
        return _of_somebody(a)
    return _brought(a) or _opinion(a) or Interviewed(a.one(say.NOT_HEARD))


def _brought(a: AnswerWriter) -> Interviewed | None:
    """What one believes of what is asked for; else what one remembers of it."""
    if believed := _believed(a):
        return Interviewed(believed)
    near = _nearest(a)
    return Interviewed(a.memory(say.NEARBY, near), (near.id,)) if near is not None else None


def _opinion(a: AnswerWriter) -> Interviewed | None:
    if not a.q.topic:
        return None
    held = a.p.opinions[a.q.topic]
    side = 1 if held.stance > STANCE else -1 if held.stance < -STANCE else 0
    ways = say.OPINION[side]
    told = a.one(ways, topic=a.q.topic, why=held.why)
    memory = next((m for m in a.deeds if a.q.topic in m.text), None)
    return Interviewed(told) if memory is None else Interviewed(f"{told} {a.memory(say.ALSO, memory)}", (memory.id,))


def _tomorrow(a: AnswerWriter) -> Interviewed | None:
    if not a.q.tomorrow:
        return Interviewed(a.one(say.UNKNOWN[a.p.voice]))
    return Interviewed(a.one(say.TOMORROW, first=a.q.tomorrow[0]))


def _plans(a: AnswerWriter) -> Interviewed | None:
    if not a.q.ahead:
        return Interviewed(a.one(say.NO_PLAN))
    first, *then = a.q.ahead
    text = a.one(say.PLAN, first=first)
    return Interviewed(f"{text} {a.one(say.PLAN_THEN, then=then[0])}" if then else text)


def _worry(a: AnswerWriter) -> Interviewed | None:
    if a.q.pressed:
        return Interviewed(a.one(say.PRESSED, pressed=lower_first_word(a.q.pressed)))
    if a.p.concerns:
        return Interviewed(a.one(say.WORRY, concern=a.chance.choice(a.p.concerns)))
    return Interviewed(a.one(say.NO_WORRY))


def _likes(a: AnswerWriter) -> Interviewed | None:
    if a.whom:
        return _of_somebody(a)
    if (stranger := _stranger(a)) is not None:
        return stranger
    dislikes = re.search(r"\b(dislike|hate|stand|annoy|not like|n't like)", a.low)
    these = a.p.dislikes if dislikes else a.p.likes
    if not these:
        return None
    thing = a.chance.choice(these)
    return Interviewed(a.one(say.I_DISLIKE, dislike=thing) if dislikes else a.one(say.I_LIKE, like=thing))


def _self(a: AnswerWriter) -> Interviewed | None:
    told = [a.one(say.WHO_I_AM, name=a.name, job=a.job)]
    if a.p.likes:
        told.append(a.one(say.I_LIKE, like=a.chance.choice(a.p.likes)))
    return Interviewed(" ".join(told))


def _feel(a: AnswerWriter) -> Interviewed | None:
    """How one is and why, from the labels and causes of the mood."""
    if a.whom or a.q.topic:
        return None
    felt = a.q.felt
    if felt is None or not felt.labels:
        return Interviewed(a.one(say.UNKNOWN[a.p.voice]))
    size = sum(x * x for x in felt.mood) ** 0.5
    label = felt.labels[0]
    plain = label in ("Neutral", "Vague") or label not in say.FEEL
    feels = say.FEEL.get(label, say.FEEL["Vague"])
    feel = feels[0] if felt.asleep else a.chance.choice(feels)  # the first says nothing of being up
    how = "" if plain or " " in feel else "a little " if size < FAINT else "very " if size >= STRONG else ""
    causes = [myself(clause(cause, sort), a.name) for cause, sort in zip(felt.causes, felt.sorts, strict=True)]
    out = [] if causes and " why " in a.low else [a.one(say.HOW_I_AM[a.p.voice], feel=how + feel)]
    if not causes:
        out.append(a.one(say.NO_CAUSE))
    for i, cause in enumerate(causes[:2]):
        out.append(a.one(say.AND_ALSO if i else say.BECAUSE, cause=cause))
    return Interviewed(" ".join(out))


def _did(a: AnswerWriter) -> Interviewed | None:
    """What happened: of what the question is about the weightiest, and one thing more; of everything if it says only
    when, or with whom.
    """
    among = [m for m in a.deeds if not a.q.about or a.q.about[0] in m.about]
    if asked := _asked_after(a):
        among = [m for m in among if asked.intersection(content_words(f"{m.text} {m.topic}"))]
    if not among:
        return Interviewed(a.one(say.NOTHING_WITH, name=a.whom) if a.whom else a.one(say.NOTHING_DONE))
    first, *others = sorted(among, key=lambda m: -m.poignancy)
    text, used = a.memory(say.DID, first), [first.id]
    other = next((m for m in others if m.kind == "event" and m.text != first.text), None)
    if other is not None:
        ways = say.SAME_DAY if other.when == first.when else say.ALSO
        text, used = f"{text} {a.memory(ways, other)}", [*used, other.id]
    return Interviewed(text, tuple(used))


def _else(a: AnswerWriter) -> Interviewed:
    """Whatever fits best: a person, an opinion, a memory that shares a word; else one would not know."""
    told = (_of_somebody(a) if a.whom else None) or _opinion(a) or _brought(a)
    return told or Interviewed(a.one(say.UNKNOWN[a.p.voice]))


# fmt: off
RULES: tuple[tuple[re.Pattern[str], Callable[[AnswerWriter], Interviewed | None]], ...] = tuple(
    (re.compile(asks), rule) for asks, rule in (
        (r"\b(hello|hi|hey|good (morning|day|evening))\b", _greet),
        (r"\b(secrets?|hiding|hide|confess|not telling|keep(ing)? from)\b", _secret),
        (r"\b(who are you|your name)\b", _self),
        *OF_LIFE,
        (r"\b(think (of|about)|feel (about|for|towards)|opinion|view|get on|trust|friends?|love|in favour|against)\b",
         lambda a: _opinion(a) if a.q.topic and not a.whom else _of_somebody(a)),
        (r"\b(worr\w*|troubl\w*|bother\w*|afraid of|on your mind|weighs?|keeps you awake)\b", _worry),
        (r"\btomorrow\b", _tomorrow),
        (r"\b(yesterday|happened|did you|have you (done|been)|was your|were you|last night|this morning)\b", _did),
        (r"\b(plans?|planning|going to|will you|next|tonight|later|this evening|this afternoon)\b", _plans),
        (r"\b(know|heard|hear|rumou?rs?|gossip|news|going on|what about|tell me about)\b",
         lambda a: _self(a) if re.search(r"about yourself|know you\b", a.low) else _heard(a)),
        (r"\b(how are|how do you|how is it|how are things|how's|feel|feeling|mood|are you|why are you|wrong)\b", _feel),
        (r"\b(like|likes|enjoy|dislike|hate|stand)\b", _likes),
        (r"\b(what do you do|your job|yourself)\b", _self),
        (r"\b(today|day)\b", _did),
    )
)
# fmt: on


# ---- words


def _believed(a: AnswerWriter) -> str:
    """The first belief about all whom the question names, or if it names nobody, about what it asks for; else ""."""
    names = [a.q.names[id] for id in a.q.about]
    for text, source in zip(a.q.believes, a.q.heard, strict=True):
        fits = all(name in text for name in names) if names else _fits(a.q.ask, text)
        if fits and source not in names:
            return a.one(say.BELIEVED[bool(source)], belief=lower_first_word(text), source=source)
    return ""


def _asked_after(a: AnswerWriter) -> set[str]:
    """The words of a question for a thing or a deed, and not only for a time or a person."""
    named = {word for name in a.q.names.values() for word in content_words(name)}
    return {word for word in content_words(a.q.ask) if len(word) > 3} - COMMON - OF_TIME - named


def _fits(ask: str, text: str) -> bool:
    """Whether a text shares a word of some length with a question."""
    return any(len(word) > 3 for word in set(content_words(ask)).intersection(content_words(text)) - COMMON)


def _nearest(a: AnswerWriter) -> Recollection | None:
    """The first memory of all whom the question names that shares a word with it."""
    theirs = (m for m in a.deeds if set(a.q.about) <= {*m.about})
    return next((m for m in theirs if _fits(a.q.ask, f"{m.text} {m.topic}")), None)


# ---- the question


def _fault(q: Interview, a: Interviewed) -> str:
    unseen = set(a.memories) - {m.id for m in q.memories}
    return text_fault(a.text, 1200) or ("a memory that was not shown" if unseen else "")


_RECALLED = Recollection(5, "event", "saw Bo wheeling a barrow", ("bo",), 5, 0.3, "barrow", when="this morning")
_SAMPLE = Interview(
    "ann",
    ask="What do you think of Bo?",
    persona=ANN,
    mood="Ann feels calm.",
    memories=(_RECALLED,),
    feelings={"Bo": "likes Bo"},
    felt=DescribeMood("ann", persona=ANN, labels=("Neutral", "Neutral", "Neutral")),
    about=("bo",),
    plan="work at the bakery",
    ahead=("work at the bakery",),
    names={"bo": "Bo"},
)
INTERVIEW = QuestionSpec(
    question=Interview, answer=Interviewed, name="Interview", rule=answer, fault=_fault, samples=(_SAMPLE,),
    concerns=nobody, taken=False, asks="interview", asked=True,
)  # fmt: skip
QUESTIONS = (INTERVIEW,)
