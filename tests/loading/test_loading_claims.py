"""A world's `claims.yaml`: what is so as it begins; every contradiction is named with file, line and mend."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace
from test_loading_outcomes import FILES as PRESSED
from test_loading_outcomes import VOTE, opened
from tinyworld import ANN, AREAS, MAP, Tiny

from sandbox.core.places import data_dir
from sandbox.engine.checking import check_scenario
from sandbox.people.claim_handlers import beginning
from sandbox.people.claim_model import Claim, ClaimDeck

RIGHT = """\
kinds:
  couple: {says: "{a} and {b} are a couple", made: "{a} has {b}", broken: "{a} left {b}", mutual: yes, hard: yes}
  lodges: {says: "{a} lives in {where}", made: "{a} moved", broken: "{a} left", needs: [a], one: a, hard: yes}
  employs: {says: "{b} is {terms}", made: "{b} began", broken: "{b} left", needs: [b], one: b, hard: yes}
  role: {says: "{a} is {terms}", made: "{a}", broken: "{a} was {terms}", needs: [a], one: terms}
  heir: {stands: 0.2, says: "{a} gets {terms} of {b}", made: "{a}", broken: "{b}", one: terms}
  confidence: {says: "{a} told {b}: {terms}", made: "{a} told", broken: "{b} told on", private: yes}
claims:
  - {id: pair, kind: couple, a: ann, b: ben, since: "the flood"}
  - {id: roof, kind: lodges, a: ann, b: ben}
  - {id: shop, kind: employs, a: ben, b: ann}
  - {id: chair, kind: role, a: ben, terms: chair}
  - {id: mill, kind: heir, a: ann, b: ben, terms: the mill}
  - {id: whisper, kind: confidence, a: ann, b: ben, terms: the oven leaks, known_by: [ann]}
"""
FILE = "world/claims.yaml"
GRUDGE = """\
kinds:
  grudge:
    called: grudge
    says: "{holder} is cross with {about}"
    shows: "{holder} is silent"
    wanted: "have it out"
    ways: []
    late: {}
    ends:
      fell_out: {good: no, says: "they fell out"}
      faded: {good: yes, says: "nobody speaks of it"}
"""


def test_homes_and_work_are_claims_and_only_the_other_end_is_said(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world({FILE: RIGHT}).read().scenario
    assert s is not None
    begun = beginning(s.claims, s.cast)
    assert (begun.open["roof"].where, begun.open["shop"].terms) == ("Mill House / bedroom", "baker")
    assert sorted(begun.of["ben"]) == ["chair", "employs.ben", "lodges.ben", "mill", "pair", "roof", "shop", "whisper"]
    assert msgspec.convert(msgspec.to_builtins(s.claims), ClaimDeck) == s.claims
    check_scenario(s)


def test_two_have_one_bed_only_as_a_couple_and_if_it_takes_two(tiny_world: Callable[..., Tiny]) -> None:
    one = {FILE: RIGHT, "world/map.txt": MAP.replace("#b.b.#", "#b...#")}
    (said,) = tiny_world(one).read().faults.at("warning")
    assert "the home of 2, has 1 to sleep in; add a bed, or one with `takes: 2` for a couple" in str(said)
    wide = AREAS.replace("affords: [sleep], idle: made", "affords: [sleep], idle: made, takes: 2")
    assert not tiny_world({**one, "world/areas.yaml": wide}).read().faults.at("warning")
    (said,) = tiny_world({**one, FILE: None, "world/areas.yaml": wide}).read().faults.at("warning")
    assert str(said).endswith("has 1 to sleep in; add a bed"), "who is no couple shares none"
    wrong = AREAS.replace("affords: [sleep], idle: made", "affords: [sleep], idle: made, takes: 0")
    assert "takes" in str(tiny_world({**one, "world/areas.yaml": wrong}).read().faults.at("error")[0])


def test_a_world_without_the_file_has_no_claims(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world().read().scenario
    assert s is not None
    assert beginning(s.claims, s.cast).open == {}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("claims:", "offices: [chiar]\nclaims:", 'offices[1]: no office "chiar"; did you mean "chair"?'),
        ("hard: yes}\n  role", "hard: yes, over: c}\n  role", 'no end "c"; choose from a, b'),
        ("kind: couple, a", "kind: cuople, a", 'claims[1].kind: no kind of claim "cuople"; did you mean "couple"?'),
        ("a: ann, b: ben, since", "a: ann, b: bne, since", 'no person of the cast "bne"; did you mean "ben"?'),
        ("a: ann, b: ben, since", "a: ann, since", "is nobody; a claim of the kind couple needs somebody here"),
        ("b: ben, terms: the mill", "b: ann, terms: the mill", "is the same person as a; name somebody else"),
        (
            "kind: role, a: ben",
            'kind: role, a: ann, terms: chair}\n  - {id: two, kind: role, a: ben',
            'contradicts "chair": there can be one claim of the kind role for "chair"; keep one',
        ),
        (
            "{id: shop, kind: employs, a: ben, b: ann}",
            "{id: home, kind: lodges, a: ann, where: Green / lawn}",
            'contradicts "roof": there can be one claim of the kind lodges for "ann"; keep one',
        ),
        ("lodges, a: ann, b: ben", "lodges, a: ann, where: Green / lawn", '"Mill House / bedroom"; leave it out here'),
        ("lodges, a: ann, b: ben", "lodges, a: ann, where: Gren / lawn", 'no area "Gren / lawn"'),
        (", since:", ", known_by: [ben], since:", "all know of a claim of the kind couple; take it out"),
        (", terms: the mill", "", 'is empty, and "{a} gets {terms} of {b}" tells it; write it'),
        ("id: chair", "id: pair", 'the id "pair" is taken; choose another'),
        ("are a couple", "are a {pair}", 'no slot "{pair}"'),
        ("one: terms}\n  confidence", "one: term}\n  confidence", 'no end "term"; did you mean "terms"?'),
        ("mutual: yes", "mutal: yes", 'no key "mutal"; did you mean "mutual"?'),
        ("mutual: yes", "mutual: yes, worth: {c: {base: 0.5}}", 'no end "c"; choose from a, b'),
        ("mutual: yes", "mutual: yes, worth: {a: {base: 1.5}}", "1.5 is out of range; it must be between -1 and 1"),
        ("mutual: yes", "mutual: yes, worth: {a: {traits: {opennes: 0.1}}}", 'did you mean "openness"?'),
        ("mutual: yes", "mutual: yes, worth: {a: {wanted: -0.1}}", "-0.1 is out of range; it must be between 0 and 1"),
        ("claims:", "claims: {}\nclaim:", "claim"),
        (
            "needs: [a], one: a, hard: yes}",
            "needs: [a], entails: [home]}",
            "somebody could have two at once, and home is one; write `one: a`, or take home out",
        ),
        ("role: {", "role: {entails: [home], ", "only lodges entails home, and no rule reads it of role; take it out"),
        ("role: {", "role: {entails: [offcie], ", 'no thing that a claim entails "offcie"; did you mean "office"?'),
        (
            "claims:",
            '  likes: {says: "{a} likes {b}", made: "{a} likes {b}", broken: "{a} does not"}\nclaims:',
            "kinds.likes: no rule reads whether a claim of the kind likes holds; give it `entails`",
        ),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_told_with_its_place(
    tiny_world: Callable[..., Tiny], old: str, new: str, says: str
) -> None:
    assert old in RIGHT
    errors = tiny_world({FILE: RIGHT.replace(old, new, 1)}).errors()
    found = [f for f in errors if says in str(f)]
    assert found, "\n".join(map(str, errors))
    assert found[0].file.endswith("claims.yaml")
    assert found[0].line > 0


PRESSES = """\
pressures:
  - id: roof
    kind: grudge
    holder: ann
    about: ben
    intensity: 0.5
    stage: 0
    wakes: "day 8 09:00"
    stakes: the roof
    known_by: []
    if: [{kind: heir, a: ann, b: ben, terms: the mill}, {kind: couple, a: ben}]
    ends: {fell_out: {makes: [{kind: role, b: nobody, terms: keeper of the roof}]}}
    cause: it rained
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("kind: heir", "kind: air", 'no kind of claim "air"; did you mean "heir"?'),
        ("a: ann, b: ben, terms", "a: anne, b: ben, terms", 'no person of the cast "anne"; did you mean "ann"?'),
        ("a: ann, b: ben, terms", "a: ann, b: bem, terms", 'no person of the cast "bem"; did you mean "ben"?'),
        ("terms: the mill", "terms: the mil", 'no claim of that kind "the mil"; did you mean "the mill"?'),
        ("{kind: couple, a: ben}", "{kind: couple}", '"a" is missing'),
        ("    if:", "    iff:", 'no key "iff"; did you mean "if"?'),
    ],
)
def test_what_a_pressure_hangs_on_can_be_so(tiny_world: Callable[..., Tiny], old: str, new: str, says: str) -> None:
    file = "world/pressures.yaml"
    drama = {"data/drama.yaml": GRUDGE}
    (p,) = tiny_world({FILE: RIGHT, file: PRESSES, **drama}).read().scenario.pressures
    assert [x.kind for x in p.hangs_on] == ["heir", "couple"]
    errors = tiny_world({FILE: RIGHT, file: PRESSES.replace(old, new, 1), **drama}).errors()
    found = [f for f in errors if says in str(f)]
    assert found, "\n".join(map(str, errors))
    assert (found[0].file.endswith("pressures.yaml"), found[0].line > 0) == (True, True)


def test_what_an_ending_of_a_child_makes_is_of_kinds_that_there_are(tiny_world: Callable[..., Tiny]) -> None:
    child = "children:\n  sour: {kind: grudge, holder: target, about: actor, stakes: a, cause: b, ends: ENDS}\n"
    child += "renewal:\n  - {tone: tense, child: sour, chance: 0.1, weights: {}}\n"
    for ends, says in (
        ("{fell_out: {breaks: [{kind: couple}]}}", ""),
        ("{fallen_out: {breaks: [{kind: couple}]}}", 'no ending "fallen_out"; did you mean "fell_out"?'),
        ("{fell_out: {breaks: [{kind: copule}]}}", 'no kind of claim "copule"; did you mean "couple"?'),
    ):
        files = {FILE: RIGHT, "world/pressures.yaml": PRESSES}
        files["data/drama.yaml"] = GRUDGE + child.replace("ENDS", ends)
        errors = [str(f) for f in tiny_world(files).errors()]
        assert bool(errors) == bool(says)
        assert all(f.startswith("data/drama.yaml:") and says in f for f in errors), errors


@pytest.mark.parametrize("effect", ["right", "wrong", "found"])
def test_what_an_answer_breaks_is_of_kinds_that_there_are(tiny_world: Callable[..., Tiny], effect: str) -> None:
    for called, odd in (("couple", False), ("copule", True)):
        deck = GRUDGE.replace("    late: {}\n", f"    late: {{}}\n    {effect}: {{breaks: [{{kind: {called}}}]}}\n")
        files = {FILE: RIGHT, "world/pressures.yaml": PRESSES, "data/drama.yaml": deck}
        errors = [str(f) for f in tiny_world(files).errors()]
        assert ['no kind of claim "copule"' in f for f in errors] == [True] * odd, errors


def test_a_foreign_world_with_such_is_refused(tiny_world: Callable[..., Tiny]) -> None:
    s = tiny_world({FILE: RIGHT}).read().scenario
    assert s is not None
    wrong = replace(s.claims, claims=(*s.claims.claims, Claim("x", "couple", "ann", "nobody")))
    with pytest.raises(ValueError, match='no person of the cast "nobody"'):
        check_scenario(replace(s, claims=wrong))


DECIDED = VOTE.replace(
    "      at: 45\n",
    """\
      at: 45
      makes: {"yes": [{kind: ground, terms: sold, where: Green / lawn}, {kind: role, a: ann, terms: buyer}]}
      breaks: {"no": [{kind: couple, a: ben, b: ann}]}
""",
)
PLACES = RIGHT.replace(
    "claims:\n",
    """\
  ground: {says: "{where} is {terms}", made: "{where}", broken: "{where}", needs: [], one: where}
uses:
  - {terms: sold, places: [Green / lawn], says: a fence, label: building ground, shut: yes}
claims:
""",
)
BOUGHT = "activities:\n  gloat: {doing: gloating, past: gloated, for: [play], claim: buyer}\n"
WORDS = {"world/world.yaml": DECIDED, FILE: PLACES, "world/activities.yaml": BOUGHT}


def files(**changed: str) -> dict[str, str]:
    """A world with a vote, what it makes, and what places are then. changed: the name of a file -> its text."""
    return {**PRESSED, **WORDS, **{f"world/{name}.yaml": text for name, text in changed.items()}}


def test_what_is_decided_and_what_places_are_by_it_is_read(tiny_world: Callable[..., Tiny]) -> None:
    reading = tiny_world(files()).read()
    s = reading.scenario
    assert s is not None, [str(f) for f in reading.faults.errors]
    d = s.calendar[0].decides
    assert d is not None
    assert [x.terms for x in d.makes["yes"]] == ["sold", "buyer"]
    assert (d.breaks["no"][0].a, s.claims.uses[0].label, s.deck.activities[-1].claim) == (
        "ben",
        "building ground",
        "buyer",
    )
    check_scenario(opened(s))


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("world", 'makes: {"yes"', 'makes: {"yse"', 'no outcome "yse"; did you mean "yes"?'),
        ("world", "kind: ground, terms", "kind: grond, terms", 'no kind of claim "grond"; did you mean "ground"?'),
        ("world", "role, a: ann", "role, a: anna", 'no person of the cast "anna"; did you mean "ann"?'),
        ("world", "role, a: ann", "role, a: winner", 'no person of the cast "winner"'),
        ("world", "role, a: ann, ", "role, ", "is nobody; a claim of the kind role needs somebody here"),
        ("world", "where: Green / lawn", "where: Green / lown", 'no area "Green / lown"'),
        ("world", "terms: buyer", 'terms: "{who}"', 'no slot "{who}"'),
        ("world", "couple, a: ben, b: ann", "couple, a: ben, b: anne", 'no person of the cast "anne"'),
        ("world", "couple, a: ben, b: ann", "couple, b: ann", '"a" is missing'),
        ("claims", "uses:\n  - {terms: sold", "uses:\n  - {terms: sould", 'no claim of these terms: "sould"; did you'),
        ("claims", "places: [Green / lawn]", "places: [Green / lwn]", 'no area "Green / lwn"'),
        ("claims", "places: [Green / lawn], ", "", '"places" is missing'),
        ("claims", ", says: a fence", "", '"says" is missing'),
        ("activities", "claim: buyer", "claim: byer", 'no claim of these terms: "byer"; did you mean "buyer"?'),
    ],
)
def test_what_is_odd_in_what_is_decided_is_told_with_its_place(
    tiny_world: Callable[..., Tiny], file: str, old: str, new: str, says: str
) -> None:
    text = WORDS[f"world/{file}.yaml"]
    assert old in text
    errors = tiny_world(files(**{file: text.replace(old, new, 1)})).errors()
    found = [f for f in errors if says in str(f)]
    assert found, "\n".join(map(str, errors))
    assert found[0].file.endswith(f"{file}.yaml")
    assert found[0].line > 0


def test_love_is_for_grown_ups_in_files_too(tiny_world: Callable[..., Tiny]) -> None:
    young = {FILE: RIGHT, "world/personas/ann.yaml": ANN.replace("age: 41", "age: 17")}
    errors = [str(x) for x in tiny_world(young).errors()]
    (told,) = (x for x in errors if "love is for people from 18 on" in x)
    assert "claims.yaml" in told
    assert "a: is 17" in told
    assert not tiny_world({FILE: RIGHT}).errors()


# ---- what can never be


@pytest.fixture
def deck(tiny_world: Callable[..., Tiny]) -> Tiny:
    """The tiny world with the drama that ships, and nothing said under pressure."""
    lines = ("pressed", "answers", "following", "news", "facts", "rumours", "told")
    drama = (data_dir() / "drama.yaml").read_text(encoding="utf-8")
    return tiny_world({"data/drama.yaml": drama, **{f"data/lines_{x}.yaml": "lines: []\n" for x in lines}})


BREACH = 'breaches:\n  - {claim: couple, fact: crush, child: jealous, stakes: "{breaker}"}\n'


def breach(old: str = "", new: str = "") -> str:
    assert old in BREACH
    return RIGHT + BREACH.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("claim: couple", "claim: cuople", 'breaches[1].claim: no kind of claim "cuople"; did you mean "couple"?'),
        ("fact: crush", "fact: crash", 'breaches[1].fact: no kind of pressure "crash"; did you mean "crush"?'),
        ("fact: crush", "fact: crush, how: [togehter]", 'no ending "togehter"; did you mean "together"?'),
        ("child: jealous", "child: jelous", 'breaches[1].child: no child "jelous"; did you mean "jealous"?'),
        ("child: jealous", "child: taken_up", 'the child "taken_up" speaks of about; there is none here'),
        ("fact: crush", "fact: crush, office: rule", 'breaches[1].office: no kind of claim "rule"'),
        (
            "fact: crush",
            "fact: crush, office: role",
            "is there for a fellow, and a fellow has one; give both, or neither",
        ),
        (
            "fact: crush",
            "fact: crush, with: fellow",
            "is there for a fellow, and a fellow has one; give both, or neither",
        ),
        ("fact: crush", "fact: crush, with: felow", 'no part "felow"; did you mean "fellow"?'),
        ("fact: crush", "fact: crush, by: nobody", 'no end "nobody"; choose from a, b, either, told'),
        ("fact: crush", "fact: crush, how: [together], bad: 2", '"together" is an ending, and nobody makes one worse'),
        ("fact: crush", "fact: crush, bad: 4", "breaches[1].bad: "),
        ("fact: crush, ", "", "a couple passes from nobody to another"),
        ('"{breaker}"', '"{braeker}"', 'no slot "{braeker}"; did you mean "breaker"?'),
        ('"{breaker}"', '"it", ends: "{who}"', 'no slot "{who}"'),
    ],
)
def test_a_breach_that_makes_no_sense_is_told_with_its_place(deck: Tiny, old: str, new: str, says: str) -> None:
    deck.write(FILE, breach(old, new))
    found = [f for f in deck.errors() if says in str(f)]
    assert found, "\n".join(map(str, deck.errors()))
    assert (found[0].file.endswith("claims.yaml"), found[0].line > 14) == (True, True)


WAITS = """\
exchanges:
  swear:
    move: grant
    replies: {accept: grant, dodge: dodge, refuse: begrudge}
    needs: [oath]
    says: "to swear"
    did: "swore to {to}"
    took: {accept: "a", dodge: "b", refuse: "c"}
"""


def test_what_waits_for_claims_that_can_never_be_is_a_warning(deck: Tiny) -> None:
    kind = RIGHT.replace("kinds:\n", 'kinds:\n  oath: {says: "{a}", made: "{a}", broken: "{a}"}\n', 1)
    said = kind + 'breaches:\n  - {claim: oath, fact: crush, child: jealous, stakes: "it"}\n'
    deck.write(FILE, said)
    deck.write("world/drama.yaml", WAITS)
    told = [str(f) for f in deck.read().faults if "there can be no oath" in str(f)]
    assert [x.partition(":")[0] for x in told] == ["world/claims.yaml", "world/drama.yaml"]
    assert all("warning" in x and "add one, or take this out" in x for x in told)
    deck.write(FILE, said.replace("claims:\n", "claims:\n  - {id: word, kind: oath, a: ann, b: ben}\n", 1))
    assert not [f for f in deck.read().faults if "there can be no" in str(f)]


def test_a_child_that_only_a_breach_bears_is_not_called_unused(deck: Tiny) -> None:
    own = 'children:\n  hurt: {kind: grudge, holder: actor, about: target, stakes: "it", cause: "{target} did it"}\n'
    deck.write("world/drama.yaml", own)
    deck.write(FILE, RIGHT)
    assert any("nothing ever bears this" in str(f) for f in deck.read().faults)
    deck.write(FILE, breach("child: jealous", "child: hurt"))
    assert not [str(f) for f in deck.read().faults if "nothing ever bears this" in str(f)]
