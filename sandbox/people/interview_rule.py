"""The rule for an interview: finds what the question asks for, and answers briefly in the person's own voice.

It uses only what the Interview holds; the answer lists the memories it tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sandbox.core.chance import Stream
from sandbox.core.text import content_words, upper
from sandbox.people.asking_life import OF_LIFE
from sandbox.people.interview_question import INTERVIEW_WORDS, AnswerWriter, Interview, Interviewed, Recollection
from sandbox.people.question_mood import FAINT, STRONG
from sandbox.people.wording import add_opening, clause, lower_first_word, myself, phrases, use_nicknames

STANCE = 0.2  # an opinion within this of 0 takes no side
FACTS = 3  # most facts of a matter that an answer tells
HABIT = 0.3  # chance that an answer begins with a habit of speech
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
        or next((found for asks, rule in RULES if re.search(asks, asked.low) and (found := rule(asked))), None)
    )
    told = told or _else(asked)
    text = " ".join(told.text.split())
    starts = [start for start in asked.p.speech.starts if not start.lower().startswith(("no", "yes"))]
    if starts and SAYS_I.match(text) and chance.unit() < HABIT:
        text = add_opening(text, chance.choice(starts))
        text = upper(text)
    calls = {q.names[id]: call for id, call in asked.p.speech.calls.items() if id in q.names}
    return Interviewed(use_nicknames(text, calls), told.memories)


# ---- rules by what is asked; a rule returns None if it does not apply


def _which(writer: AnswerWriter) -> Interviewed | None:
    """Ask back if the question uses a first name that several people have."""
    if not writer.q.which:
        return None
    return Interviewed(
        writer.one("which", people=" or ".join("me" if x == writer.p.name else x for x in writer.q.which))
    )


def _greet(writer: AnswerWriter) -> Interviewed | None:
    return Interviewed(writer.one(f"greet.{writer.p.voice}")) if len(content_words(writer.q.ask)) <= 2 else None


def _secret(writer: AnswerWriter) -> Interviewed | None:
    return Interviewed(writer.one(f"evade.{writer.p.voice}"))


def _of_somebody(writer: AnswerWriter) -> Interviewed | None:
    """What one thinks of a person: the feeling, the weightiest memory of them, and a thought or a belief."""
    if not writer.whom:
        return _self(writer) if writer.q.own else _stranger(writer)
    out = writer.feeling()
    theirs = [m for m in writer.q.memories if writer.q.about[0] in m.about]
    done = (m for m in theirs if m.kind != "thought")
    best = max(done, key=lambda m: (m.poignancy, m.kind == "event"), default=None)
    used = []
    if best is not None:
        out.append(writer.memory("with_them", best))
        used.append(best.id)
    thought = next((m for m in theirs if m.kind == "thought"), None)
    believed = _believed(writer)
    if thought is not None and (not believed or writer.chance.unit() < 0.5):
        out.append(writer.one("i_think", thought=writer.said(thought)))
        used.append(thought.id)
    elif believed:
        out.append(believed)
    return Interviewed(" ".join(out), tuple(used)) if out else None


def _stranger(writer: AnswerWriter) -> Interviewed | None:
    """Answer that a name in the question is of nobody one knows."""
    mine = writer.p.name.split() if writer.q.own else ()
    name = next((m[1] for m in NAME.finditer(writer.q.ask) if m[1] not in mine), "")
    return Interviewed(writer.one("stranger", name=name)) if name and not writer.q.topic else None


def _of_brought(writer: AnswerWriter) -> Interviewed | None:
    """About something that came from outside, if it is asked for by name or by "any news?": what it was, whether one
    believes it, what one means to do. A secret one is evaded.
    """
    named = next((b for b in writer.q.brought if re.search(rf"(?<!\w){re.escape(b.name)}(?!\w)", writer.low)), None)
    if named is not None and (named.hushed or named.told is None):
        return _secret(writer)
    asks = named is None and not writer.whom and not writer.q.topic and ANYTHING.search(writer.low)
    told = [b for b in writer.q.brought if b.told is not None] if asks else []
    weighs = max(told, key=lambda b: b.told.poignancy if b.told is not None else 0, default=None)
    b = named or weighs
    if b is None or b.told is None:
        return None
    out = [writer.memory("did", b.told)]
    if b.believed or b.doubted:
        out.append(writer.one("i_believe_it" if b.believed else "i_doubt_it"))
    if b.wants:
        out.append(writer.one("i_mean_to", wants=b.wants))
    elif len(out) == 1:
        out.append(writer.one("undecided"))
    return Interviewed(" ".join(out), (b.told.id,))


def _heard(writer: AnswerWriter) -> Interviewed | None:
    """What one knows of a matter: its facts, or a belief and its source, else a memory, an opinion, or nothing."""
    told = [upper(fact) + "." for fact in writer.q.facts[:FACTS]]
    if writer.q.matter:
        source = writer.q.heard[0]
        key = "believed.heard" if source else "of_thing"
        told.insert(0, writer.one(key, belief=lower_first_word(writer.q.matter), source=source))
    elif told:
        told.insert(0, writer.one("of_facts"))
    if told:
        return Interviewed(" ".join(told))
    if writer.whom and (writer.q.own or " and you" in writer.low):
        return _of_somebody(writer)
    return _brought(writer) or _opinion(writer) or Interviewed(writer.one("not_heard"))


def _brought(writer: AnswerWriter) -> Interviewed | None:
    """A belief about what is asked for, else a memory of it."""
    if believed := _believed(writer):
        return Interviewed(believed)
    near = _nearest(writer)
    return Interviewed(writer.memory("nearby", near), (near.id,)) if near is not None else None


def _opinion(writer: AnswerWriter) -> Interviewed | None:
    if not writer.q.topic:
        return None
    held = writer.p.opinions[writer.q.topic]
    side = "for" if held.stance > STANCE else "against" if held.stance < -STANCE else "torn"
    told = writer.one(f"opinion.{side}", topic=writer.q.topic, why=held.why)
    memory = next((m for m in writer.deeds if writer.q.topic in m.text), None)
    return Interviewed(told) if memory is None else Interviewed(f"{told} {writer.memory('also', memory)}", (memory.id,))


def _tomorrow(writer: AnswerWriter) -> Interviewed | None:
    if not writer.q.tomorrow:
        return Interviewed(writer.one(f"unknown.{writer.p.voice}"))
    return Interviewed(writer.one("tomorrow", first=writer.q.tomorrow[0]))


def _plans(writer: AnswerWriter) -> Interviewed | None:
    if not writer.q.ahead:
        return Interviewed(writer.one("no_plan"))
    first, *then = writer.q.ahead
    text = writer.one("plan", first=first)
    return Interviewed(f"{text} {writer.one('plan_then', then=then[0])}" if then else text)


def _worry(writer: AnswerWriter) -> Interviewed | None:
    if writer.q.pressed:
        return Interviewed(writer.one("pressed", pressed=lower_first_word(writer.q.pressed)))
    if writer.p.concerns:
        return Interviewed(writer.one("worry", concern=writer.chance.choice(writer.p.concerns)))
    return Interviewed(writer.one("no_worry"))


def _likes(writer: AnswerWriter) -> Interviewed | None:
    if writer.whom:
        return _of_somebody(writer)
    if (stranger := _stranger(writer)) is not None:
        return stranger
    dislikes = re.search(r"\b(dislike|hate|stand|annoy|not like|n't like)", writer.low)
    these = writer.p.dislikes if dislikes else writer.p.likes
    if not these:
        return None
    thing = writer.chance.choice(these)
    return Interviewed(writer.one("i_dislike", dislike=thing) if dislikes else writer.one("i_like", like=thing))


def _self(writer: AnswerWriter) -> Interviewed | None:
    told = [writer.one("who_i_am", name=writer.name, job=writer.job)]
    if writer.p.likes:
        told.append(writer.one("i_like", like=writer.chance.choice(writer.p.likes)))
    return Interviewed(" ".join(told))


def _feel(writer: AnswerWriter) -> Interviewed | None:
    """How one feels and why, from the labels and causes of the mood."""
    if writer.whom or writer.q.topic:
        return None
    felt = writer.q.felt
    if felt is None or not felt.labels:
        return Interviewed(writer.one(f"unknown.{writer.p.voice}"))
    size = sum(x * x for x in felt.mood) ** 0.5
    label = felt.labels[0]
    words = phrases(INTERVIEW_WORDS)
    plain = label in ("Neutral", "Vague") or f"feel.{label}" not in words
    feels = words.get(f"feel.{label}", words["feel.Vague"])
    feel = feels[0] if felt.asleep else writer.chance.choice(feels)  # the first says nothing of being up
    how = "" if plain or " " in feel else "a little " if size < FAINT else "very " if size >= STRONG else ""
    causes = [myself(clause(cause, sort), writer.name) for cause, sort in zip(felt.causes, felt.sorts, strict=True)]
    out = [] if causes and " why " in writer.low else [writer.one(f"how_i_am.{writer.p.voice}", feel=how + feel)]
    if not causes:
        out.append(writer.one("no_cause"))
    for i, cause in enumerate(causes[:2]):
        out.append(writer.one("and_also" if i else "because", cause=cause))
    return Interviewed(" ".join(out))


def _did(writer: AnswerWriter) -> Interviewed | None:
    """What happened: the weightiest fitting memory and one more. If the question names only a time or a person, any
    memory of that fits.
    """
    among = [m for m in writer.deeds if not writer.q.about or writer.q.about[0] in m.about]
    if asked := _asked_after(writer):
        among = [m for m in among if asked.intersection(content_words(f"{m.text} {m.topic}"))]
    if not among:
        return Interviewed(writer.one("nothing_with", name=writer.whom) if writer.whom else writer.one("nothing_done"))
    first, *others = sorted(among, key=lambda m: -m.poignancy)
    text, used = writer.memory("did", first), [first.id]
    other = next((m for m in others if m.kind == "event" and m.text != first.text), None)
    if other is not None:
        key = "same_day" if other.when == first.when else "also"
        text, used = f"{text} {writer.memory(key, other)}", [*used, other.id]
    return Interviewed(text, tuple(used))


def _else(writer: AnswerWriter) -> Interviewed:
    """The fallback: a person, an opinion, a belief or memory that shares a word, else "I don't know"."""
    told = (_of_somebody(writer) if writer.whom else None) or _opinion(writer) or _brought(writer)
    return told or Interviewed(writer.one(f"unknown.{writer.p.voice}"))


# fmt: off
RULES: tuple[tuple[str, Callable[[AnswerWriter], Interviewed | None]], ...] = (
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
# fmt: on


# ---- words


def _believed(writer: AnswerWriter) -> str:
    """The first belief about everybody the question names, or, if it names nobody, about what it asks for; else ""."""
    names = [writer.q.names[id] for id in writer.q.about]
    for text, source in zip(writer.q.believes, writer.q.heard, strict=True):
        fits = all(name in text for name in names) if names else _fits(writer.q.ask, text)
        if fits and source not in names:
            return writer.one(
                f"believed.{'heard' if source else 'known'}", belief=lower_first_word(text), source=source
            )
    return ""


def _asked_after(writer: AnswerWriter) -> set[str]:
    """The content words of a question that name a thing or a deed, without those for times and people."""
    named = {word for name in writer.q.names.values() for word in content_words(name)}
    return {word for word in content_words(writer.q.ask) if len(word) > 3} - COMMON - OF_TIME - named


def _fits(ask: str, text: str) -> bool:
    """Whether a text shares an uncommon word of at least four letters with a question."""
    return any(len(word) > 3 for word in set(content_words(ask)).intersection(content_words(text)) - COMMON)


def _nearest(writer: AnswerWriter) -> Recollection | None:
    """The first memory about everybody the question names that shares a word with it."""
    theirs = (m for m in writer.deeds if set(writer.q.about) <= {*m.about})
    return next((m for m in theirs if _fits(writer.q.ask, f"{m.text} {m.topic}")), None)
