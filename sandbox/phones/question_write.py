"""The question for the words of something written on the feed; they come from the line book, like those of talk."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, NamedTuple

from msgspec.structs import replace

from sandbox.core.chance import Stream
from sandbox.core.clock import part_of_day
from sandbox.core.questions import Concern, FromBook, QuestionSpec
from sandbox.core.text import clean
from sandbox.people.matters import facts_known_to
from sandbox.people.mood_queries import mood_of
from sandbox.people.perceive import area_at
from sandbox.people.persona import Speech
from sandbox.people.played import SPOKEN
from sandbox.people.ties import closeness_at
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import NAMELESS, Idea
from sandbox.phones.model import HasPhones, Written
from sandbox.talk.content import (
    WORST_RUMOUR,
    act_words,
    age_word,
    impression_of,
    may_joke,
    place_word,
    spoken_mood,
    stake_of,
    tie_of,
    tie_word,
)
from sandbox.talk.fact_turns import STATE, FactTurn, answer_fact, fact_context
from sandbox.talk.lines import LineBook
from sandbox.talk.saying import Said, Say
from sandbox.talk.speaker import speaker_for, words_fault

Form = Literal["post", "comment", "quote", "message"]


class Write(Say, frozen=True):
    """Put this move into written words: `Say`, for readers. form: what is written; to: the words it answers ("" =
    none), written by `other` ("" = a stranger). about: id of the person the post is about, named or not ("" = nobody);
    matter: the pressure it comes from ("" = none). A mind is briefed on both.
    """

    PUBLIC: ClassVar[bool] = True

    form: Form = "post"
    to: str = ""
    about: str = ""
    matter: str = ""


def _rule(book: LineBook) -> Callable[[Write, Stream], Said]:
    say = speaker_for(book).say

    def write(q: Write, chance: Stream) -> Said:
        try:
            return say(q, chance)
        except KeyError:  # no fitting line: nothing is written
            return Said("")

    return write


def _fault(q: Write, a: Said) -> str:
    """Why an answer is no words that can be shown; "" if it is, or if there is nothing to say to a post."""
    return words_fault(q, a) if a.text or q.form != "comment" else ""


def _concerns(q: Write) -> Concern:
    """Who is written to, else about whom; and everything mentioned."""
    told = (q.slots.get(slot, "") for slot in ("topic", "matter", "third", "recall", "rumour"))
    words = " ".join(dict.fromkeys(x for x in told if x))
    return Concern(q.other or q.about, (q.matter,) if q.matter else (), words)


_SLOTS = {"name": "Bo", "act": "kneading dough", "place": "the bakery"}
WRITE = QuestionSpec(
    question=Write, answer=Said, name="Write", rule=FromBook(_rule), fault=_fault,
    samples=(Write("ann", moves=("post_small",), slots=_SLOTS),),
    concerns=_concerns, taken=True, asks="write", asked=True,
)  # fmt: skip
QUESTIONS = (WRITE,)


# ---- questions for the words of posts, comments and messages


HABITS = 0.35  # share of texts that show habits of speech
TELLING = frozenset(("post_ask", "beg", "apologise_all"))  # posts that tell a fact of their matter
TAKING_UP = {
    "back_up": "accept",
    "chip_in": "accept",
    "answer_post": "accept",
    "have_a_go": "refuse",
}  # comments, as answers
POST_KINDS = {
    "post_small": "like", "post_view": "opinion", "post_plan": "occasion", "apologise_all": "pressure",
    "post_vent": "memory", "post_brag": "memory", "post_thanks": "memory", "post_news": "rumour",
    "post_rumour": "rumour", "post_proof": "rumour",
}  # fmt: skip
BACK = "answer_back"  # the move of a writer to a comment
OF_ONESELF = ("post_vent", "post_brag", "post_thanks", "subtweet")  # posts that tell what their writer felt
FELT = 0.2  # least valence of a post, or of a comment, whose feeling an answer takes up
GLAD, SORE = ("happy",), ("sad", "angry", "afraid", "contempt")  # moods that good, and bad, news is worded without


def _write(
    w: HasPhones, me: str, move: str, slots: dict[str, str], context: dict[str, str], t: int, n: int, stake: float
) -> Write:
    """The question for words. stake: of what they are about."""
    persona, pad = w.cast[me], mood_of(w, me, t)
    where = area_at(w, me, t)
    usual = {
        "hour": part_of_day(w.clock.second_of_day(t)),
        "mood": spoken_mood(pad),
        "place": place_word(w, me, where),
        "arousal": "high" if pad.a > 0.35 else "low" if pad.a < -0.2 else "",
        "age": age_word(persona.age),
        "topic_kind": "",
    }
    spoken = w.memories.spoken
    speech = persona.speech if w.chance.stream(0, me, "written habits", t).unit() < HABITS else Speech()
    return Write(
        me, n, (move,), persona.voice, {**usual, **context}, persona.traits,
        {"act": act_words(w, me), "place": w.handbook.place(where) if where else "", **slots},
        pad, spoken.said.get(me, {}), spoken.heard(t), "", speech, wit=may_joke(w, me, stake, t), now=t,
    )  # fmt: skip


def written_stake(w: HasPhones, me: str, x: Idea | Written, t: int) -> float:
    """How much is at stake in what is written, and in an answer to it: what presses, how bad it is, and the mood of
    somebody.
    """
    bad = x.says[3] if isinstance(x, Idea) else x.bad
    return max(stake_of(w, (me,), t, x.matter), bad / WORST_RUMOUR, -x.valence)


def refresh_question(w: HasPhones, q: Write) -> Write:
    """The question again, with the variants used up since."""
    spoken = w.memories.spoken
    return replace(q, avoid=spoken.said.get(q.who, {}), heard=spoken.heard(q.now))


def of_idea(w: HasPhones, me: str, idea: Idea, t: int, n: int) -> Write:
    """The question for the words of an own post."""
    p = w.pressures.open.get(idea.matter)
    about = idea.whom or (p.about if p is not None and p.holder == me else "")
    stake = written_stake(w, me, idea, t)
    q = replace(_write(w, me, idea.move, idea.slots, idea.context, t, n, stake), about=about, matter=idea.matter)
    if p is not None and idea.move in TELLING and (fact := fact_of_post(w, p.id, me)) is not None:
        q = _with_fact(w, q, fact, "", (fact.stance, idea.move))
    befell = "recall" in idea.slots or "rumour" in idea.slots
    if befell and q.context["mood"] in (SORE if idea.valence > 0.0 else GLAD):  # the mood does not fit the news
        return replace(q, context=q.context | {"mood": ""})
    return q


def fact_of_post(w: HasPhones, matter: str, who: str) -> FactTurn | None:
    """The fact of an open matter that somebody's post about it tells: the first they know."""
    p = w.pressures.open.get(matter)
    key = next(iter(facts_known_to(w, p, who)), "") if p is not None else ""
    return FactTurn(matter, key, STATE) if key else None


def _with_fact(w: HasPhones, q: Write, fact: FactTurn, other: str, moves: tuple[str, ...]) -> Write:
    """The question with a fact to tell, or to take up. other: to whom, "" = everybody."""
    context, slots, _ = fact_context(w, fact, q.who, other)
    return replace(q, moves=moves, context=q.context | context, slots=q.slots | slots)


class PostSays(NamedTuple):
    """What a comment can take up. text: the words of the post; subject: what they are about; tone: how warm it is, or
    the comment that is answered, in [-1, 1].
    """

    text: str
    subject: str
    tone: float


def of_comment(
    w: HasPhones, me: str, move: str, x: Written | None, post: PostSays, other: str, name: str, to: str, t: int, n: int,
    more: dict[str, str] | None = None,
) -> Write:  # fmt: skip
    """The question for a comment: of what its post says, only what stands there in so many words can be taken up, its
    subject and whom it names; and the feeling that it shows. Whoever has a view on the subject may give it.
    """
    q = of_answer(w, me, "comment", move, x, other, name, to, t, n, more)
    said = post.text.casefold()
    topic = post.subject if post.subject.casefold() in said and post.subject not in NAMELESS.values() else ""
    slots = {**q.slots, "topic": topic, "third": "", "why": ""}
    kind, tone = "opinion", post.tone
    if x is not None:
        kind = "concern" if topic in w.cast[x.author].concerns else POST_KINDS.get(x.move, "")
        third = w.handbook.name(x.whom) if x.whom not in ("", me, x.author) else ""
        slots["third"] = third if third.casefold() in said else ""
        view = w.cast[me].opinions.get(x.opinion)
        if view is not None and (view.stance * x.stance > 0.0) == (move == "back_up"):
            slots["why"] = view.why
    if move != BACK and (x is None or x.move not in OF_ONESELF or kind == "concern"):
        tone = 0.0
    found = {
        "told": "good" if tone >= FELT else "bad" if tone <= -FELT else "",
        "topic_kind": q.context["topic_kind"] or kind,
    }
    return replace(q, slots={slot: words for slot, words in slots.items() if words}, context=q.context | found)


def of_answer(
    w: HasPhones, me: str, form: Form, move: str, x: Written | None, other: str, name: str, to: str, t: int, n: int,
    more: dict[str, str] | None = None,
) -> Write:  # fmt: skip
    """The question for words that answer others. x: what they answer; other: its author ("" = a stranger), name: as
    shown; to: its words; more: further slots.
    """
    slots = {"name": name.split()[0] if name else "", "third": name}
    context = {}
    if x is not None:
        if x.move != RULE_POSTS["subtweet"]:  # nobody knows its topic
            slots["topic"] = x.topic
        p = w.pressures.open.get(x.matter)
        if p is not None and x.move in ("apologise_all", "post_ask", "beg"):
            slots["matter"] = x.topic
            context = {"topic_kind": "pressure", "pressure": p.kind, "stage": str(p.stage)}
    if other:
        tie = tie_of(w, me, other)
        close = closeness_at(tie, w.clock.day(t), w.tie_parameters)
        context["tie"] = tie_word(w, tie, close)
    stake = written_stake(w, me, x, t) if x is not None else stake_of(w, (me,), t)
    q = _write(w, me, move, {**slots, **(more or {})}, context, t, n, stake)
    if form == "comment" and x is not None and move in TAKING_UP and x.move in TELLING:
        told = fact_of_post(w, x.matter, x.author)
        fact = answer_fact(w, told, TAKING_UP[move], me, x.author) if told is not None else None
        q = _with_fact(w, q, fact, x.author, (fact.stance,)) if fact is not None else q
    left = impression_of(w, me, other, t) if other else 0.0
    return replace(q, form=form, to=clean(to, SPOKEN), other=other, left=left)
