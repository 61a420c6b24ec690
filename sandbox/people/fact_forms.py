"""The forms of a statement: a sentence of a file said by, to and about anybody, in any tense, asked, denied, in short.

A statement names people by slots and has its verb in brackets, in its dictionary form: "{holder} [drop] {about}'s
bicycle". From that come "I dropped your bicycle", "did you drop my bicycle", "he didn't", "drop my bicycle".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.core.textfiles import MappingReader, open_yaml

Tense = Literal["past", "present", "perfect", "future"]
TENSES: tuple[Tense, ...] = ("past", "present", "perfect", "future")
ADVERBS = "only|never|just|still|always|once|even|also|nearly|hardly"
NEVER = frozenset(("never", "hardly"))  # adverbs that deny by themselves
_STATEMENT = re.compile(rf"^(.+?)((?: (?:{ADVERBS}))*) \[([a-z]+)(, many)?\](.*)$")
_VERB = re.compile(r"\[([a-z]+)(?:, (many|past))?\]")
_PERSON = re.compile(r"\{(\w+)\}('s)?")
_DOUBLED = re.compile(  # verbs that double their last letter
    r"[^aeiou]*[aeiou][bdgklmnprt]|.*(?:admit|commit|permit|submit|omit|refer|cur|pel|rol|gret|cel|vel|bel|arrel)"
)
_MODALS = {"can": "could", "will": "would", "would": "would", "may": "might", "should": "should"}
_OWNED = re.compile(r" (?!and\b|or\b|but\b|\[)")  # what follows a possessive that has its noun
ALONE = {"my": "mine", "your": "yours", "her": "hers", "their": "theirs"}  # possessives without one
_SHORTENED = {"I have": "I've", "I will": "I'll", "I am": "I'm", "it is": "it's", "it has": "it's", "it will": "it'll"}
_SHORTENED |= {f"{who} have": f"{who}'ve" for who in ("you", "we", "they")}
_SHORTENED |= {f"{who} will": f"{who}'ll" for who in ("you", "we", "they", "he", "she")}
_SHORTENED |= {f"{who} are": f"{who}'re" for who in ("you", "we", "they")}
_NOT = {"will": "won't", "can": "can't", "am": "am not", "may": "may not", "might": "might not"}
_SHE = ("she", "her", "her", "herself")
_HE = ("he", "him", "his", "himself")
_THEY = ("they", "them", "their", "themselves")
PRONOUNS = {"she": _SHE, "he": _HE, "they": _THEY}
_ME = ("I", "me", "my", "myself")
_YOU = ("you", "you", "your", "yourself")


class Statement(NamedTuple):
    """The parts of a statement. many: its subject is a plural; adverb: words before the verb, each with its blank."""

    subject: str
    adverb: str
    verb: str
    many: bool
    rest: str

    @property
    def doer(self) -> str:
        """The slot of the person who is its subject, "" if that is a thing, or several people."""
        found = _PERSON.fullmatch(self.subject)
        return found[1] if found is not None and not found[2] else ""

    @property
    def slots(self) -> frozenset[str]:
        """All its slots."""
        return frozenset(m[1] for m in _PERSON.finditer(f"{self.subject}{self.rest}"))


class Telling(NamedTuple):
    """By whom a statement is said, and to whom. people: slot -> (id, name, pronoun); words: other slots -> their words.
    formal: nothing is contracted.
    """

    me: str
    you: str
    people: Mapping[str, tuple[str, str, str]]
    words: Mapping[str, str] = {}
    formal: bool = False


@cache
def irregular_verbs() -> Mapping[str, tuple[str, str]]:
    """Dictionary form -> (past, participle), of `data/verbs.yaml`."""
    faults = Faults()
    read = MappingReader(open_yaml(data_dir() / "verbs.yaml", faults)).entries()
    out = {verb: (forms[0], forms[1]) for verb, value in read if len(forms := value.texts()) == 2}
    assert not len(faults), "\n".join(map(str, faults))
    return out


@lru_cache(4096)
def parse_statement(text: str) -> Statement:
    """The parts of a statement. Raises ValueError, which says what is missing, if it is none."""
    found = _STATEMENT.match(text)
    if found is None:
        raise ValueError(
            'has no verb in brackets after its subject; write for example "{holder} [take] {about}\'s boat"'
        )
    return Statement(found[1], found[2], found[3], bool(found[4]), found[5])


def past_forms(verb: str) -> tuple[str, str]:
    """Past tense and participle of a verb in its dictionary form."""
    if verb in irregular_verbs():
        return irregular_verbs()[verb]
    if verb.endswith("e"):
        made = f"{verb}d"
    elif re.search(r"[^aeiou]y$", verb):
        made = f"{verb[:-1]}ied"
    elif _DOUBLED.fullmatch(verb):
        made = f"{verb}{verb[-1]}ed"
    else:
        made = f"{verb}ed"
    return made, made


def present_of(verb: str) -> str:
    """The form of the third person singular."""
    if verb in ("be", "have", "do", "go"):
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}[verb]
    if verb in _MODALS:
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh)$", verb) else f"{verb}s"


class _Subject(NamedTuple):
    """A subject as said, the pronoun that stands for it in a short answer, and the person: I, you, one or many."""

    text: str
    pronoun: str
    person: str


def _subject(s: Statement, view: Telling, told: _Told) -> _Subject:
    parts = s.subject.split(" and ")
    if len(parts) > 1 and all(_PERSON.fullmatch(part) for part in parts):
        said = sorted((told.person(part[1:-1], 0) for part in parts), key="I".__eq__)
        said = ["you", "I"] if set(said) == {"you", "I"} else said
        stands = "we" if "I" in said else "you" if "you" in said else "they"
        return _Subject(" and ".join(said), stands, "many")
    if s.doer:
        text = told.person(s.doer, 0)
        if text in ("I", "you"):
            return _Subject(text, text, text)
        return _Subject(text, told.pronoun(s.doer), "one")
    text = told.put(s.subject, "")
    stands = text if text in ("nobody", "somebody", "everybody", "there") else "they" if s.many else "it"
    return _Subject(text, stands, "many" if s.many else "one")


class _Told:
    """People as one statement names them: by name at first, by their pronoun afterwards."""

    def __init__(self, view: Telling) -> None:
        self._view = view
        self._named: list[str] = []  # third persons named so far

    def person(self, slot: str, case: int) -> str:
        """A person in a case: 0 subject, 1 object, 2 possessive, 3 reflexive."""
        id, name, pronoun = self._view.people[slot]
        if id == self._view.me:
            return _ME[case]
        if id == self._view.you:
            return _YOU[case]
        if case == 3:
            return PRONOUNS[pronoun][3]
        others = {self._view.people[x][2] for x in self._named if self._view.people[x][0] != id}
        if any(self._view.people[x][0] == id for x in self._named) and pronoun not in others:
            return PRONOUNS[pronoun][case]
        self._named.append(slot)
        return f"{name}'s" if case == 2 else name

    def pronoun(self, slot: str) -> str:
        """What stands for a person who has been named."""
        return PRONOUNS[self._view.people[slot][2]][0]

    def put(self, text: str, subject: str) -> str:
        """A text with its slots filled. subject: the slot of the sentence's subject, "" for none."""

        def fill(m: re.Match[str]) -> str:
            slot = m[1]
            if slot not in self._view.people:
                return self._view.words.get(slot, "")
            before, after = text[: m.start()], text[m.end() :]
            if m[2]:
                whose = self.person(slot, 2)
                return whose if _OWNED.match(after) else ALONE.get(whose, whose)
            if re.match(rf"(?: (?:{ADVERBS}))* \[", after):
                return self.person(slot, 0)
            same = bool(subject) and self._view.people[slot][0] == self._view.people[subject][0]
            return self.person(slot, 3 if same and not before.strip() else 1)

        return _PERSON.sub(fill, text)


def _agree(verb: str, person: str, tense: str) -> str:
    """A finite form, without auxiliary."""
    if tense == "past":
        if verb == "be":
            return "was" if person in ("I", "one") else "were"
        return _MODALS.get(verb) or past_forms(verb)[0]
    if verb == "be":
        return {"I": "am", "one": "is"}.get(person, "are")
    return present_of(verb) if person == "one" else verb


def _auxiliary(verb: str, person: str, tense: str) -> tuple[str, str]:
    """The auxiliary of questions, denials and short answers, and the verb after it ("" if it is the verb itself)."""
    if tense == "future":
        return ("will", verb) if verb not in _MODALS else (verb, "")
    if tense == "perfect" and verb not in _MODALS:
        return ("has" if person == "one" else "have"), past_forms(verb)[1]
    if verb == "be" or verb in _MODALS:
        return _agree(verb, person, "past" if tense == "past" else "present"), ""
    return ("did" if tense == "past" else "does" if person == "one" else "do"), verb


class Forms(NamedTuple):
    """A statement in all its forms, as one of two says them to the other; none has a capital or a stop at its ends.

    fact: the clause; denied: its denial; asked: inverted; short, short_no, short_q: in short ("I did", "I didn't", "did
    I"); to_do: the bare infinitive and what follows.
    """

    fact: str
    denied: str
    asked: str
    short: str
    short_no: str
    short_q: str
    to_do: str


def _conjugated(rest: str, tense: str, coordinated: Callable[[str], str]) -> str:
    """A filled rest with its verbs in brackets conjugated: one after "and" as the main verb is (coordinated), any other
    by the person before it.
    """

    def conjugate(m: re.Match[str]) -> str:
        before = re.sub(rf"(?: (?:{ADVERBS}))+$", "", rest[: m.start()].rstrip())
        last = before.rpartition(" ")[2]
        if last == "and":
            return coordinated(m[1])
        person = last if last in ("I", "you") else "many" if last in ("they", "we") or "many" in m[0] else "one"
        return _agree(m[1], person, "past" if tense in ("past", "perfect") or m[2] == "past" else "present")

    return _VERB.sub(conjugate, rest)


def forms_of(text: str, tense: str, view: Telling) -> Forms:
    """All forms of a statement. Raises ValueError if it is none, and KeyError for a slot that is nobody."""
    s = parse_statement(text)
    told = _Told(view)
    subject = _subject(s, view, told)
    words = told.put(s.rest, s.doer)
    aux, main = _auxiliary(s.verb, subject.person, tense)
    bare = (lambda verb: past_forms(verb)[1]) if tense == "perfect" else str  # after an auxiliary
    after_aux = _conjugated(words, tense, bare)
    rest = _conjugated(
        words, tense, bare if tense in ("perfect", "future") else lambda v: _agree(v, subject.person, tense)
    )
    finite = not main or tense in ("perfect", "future")  # the auxiliary is said in the plain clause, too
    verb = f"{aux}{s.adverb} {main}" if main else f"{aux}{s.adverb}"
    plain = f"{subject.text} {verb}" if finite else f"{subject.text}{s.adverb} {_agree(s.verb, subject.person, tense)}"
    never = bool(NEVER.intersection(s.adverb.split())) or subject.text == "nobody"
    kept = " ".join(["", *(x for x in s.adverb.split() if x not in NEVER)])
    tail = f"{kept} {main}" if main else kept
    rest_no = re.sub(r"^ no(?: |thing\b|body\b)", lambda m: f" any{m[0][3:]}", after_aux)
    no = aux if never else f"{aux} not" if view.formal and aux != "can" else _negated(aux)
    who = "somebody" if subject.text == "nobody" else subject.text
    stands = _auxiliary(s.verb, "many" if subject.pronoun == "they" else subject.person, tense)[0]
    sure = f"{subject.pronoun} {_negated(stands) if never and subject.text != 'nobody' else stands}"
    unsure = f"{'somebody' if subject.text == 'nobody' else subject.pronoun} {stands if never else _negated(stands)}"
    inverted = f"{aux} {subject.text}{s.adverb}{f' {main}' if main else ''}{after_aux}"
    return Forms(
        _tidy(plain + rest, view.formal),
        _tidy(f"{who} {no}{tail}{rest_no}", view.formal),
        _tidy(inverted, True),
        _tidy(sure, True),
        _tidy(unsure, True),
        _tidy(f"{stands} {subject.pronoun}", True),
        _tidy(f"{s.verb}{_conjugated(words, tense, str)}", True),
    )


def _negated(aux: str) -> str:
    return _NOT.get(aux, f"{aux}n't")


def _tidy(text: str, formal: bool) -> str:
    """Single blanks, and contractions unless formal."""
    text = " ".join(text.split())
    if formal:
        return text
    two = " ".join(text.split(" ", 2)[:2])
    return _SHORTENED[two] + text[len(two) :] if two in _SHORTENED and len(text) > len(two) else text
