"""The drama deck: a world's own `drama.yaml` adds and replaces, and every fault is named with its line and its mend."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tinyworld import Tiny

from sandbox.people.pressure_deck import DramaDeck, moves_of

Build = Callable[..., Tiny]

DRAMA = """\
exchanges:
  ask:
    move: ask_help
    replies: {accept: grant, dodge: dodge, refuse: begrudge}
    wish: {base: 0.5, fond: 0.2}
    answer: {base: -0.1, pleased: 0.3}
    seeks: yes
    says: "to ask for more time"
    did: "asked {to} for more time"
    took: {accept: "gave it", dodge: "would not say", refuse: "refused"}
kinds:
  debt:
    called: debt
    says: "{holder} owes {about}: {stakes}"
    shows: "{holder} keeps clear of {about}"
    wanted: "be quits with {about}"
    mutual: yes
    ways:
      - {do: ask, from: 1, every: 6, weight: 0.9, accept: {later: 24}, refuse: {by: 0.1, children: [sour]}}
    late: {end: unpaid, children: [sour]}
    luck: paid
    ends:
      paid: {good: yes, says: "{holder} has paid {about}", holder: relief}
      unpaid: {good: no, says: "{holder} did not pay {about}", about: anger}
      faded: {good: yes, says: "nobody speaks of it"}
children:
  sour: {kind: debt, holder: target, about: actor, due: 24, stakes: "a word", cause: ["{actor} was short {place}"]}
renewal:
  - {tone: tense, child: sour, chance: 0.1, weights: {roused: 0.2}}
sparks:
  letter:
    says: "A letter for {actor} went to {target}"
    roles: {actor: {ages: [18, 90]}, target: {towards: {actor: [-1, 0.5]}}}
    children: [sour]
    cooldown: 5
"""
NAME = "data/drama.yaml"
FILES: dict[str, str] = {
    NAME: DRAMA,
    "data/lines_pressed.yaml": "lines: []\n",
    "data/lines_answers.yaml": "lines: []\n",
    "data/lines_following.yaml": "lines: []\n",
    "data/lines_news.yaml": "lines: []\n",
    "data/lines_rumours.yaml": "lines: []\n",
    "data/lines_told.yaml": "lines: []\n",
    "data/lines_posts.yaml": "lines: []\n",
}


def deck(tiny: Tiny) -> DramaDeck:
    reading = tiny.read()
    assert reading.scenario is not None, [str(f) for f in reading.faults.errors]
    return reading.scenario.drama


@pytest.fixture
def tiny(tiny_world: Build) -> Tiny:
    return tiny_world(FILES)


def test_a_deck_is_read(tiny: Tiny) -> None:
    d = deck(tiny)
    debt = d.kinds["debt"]
    (way,) = debt.ways
    assert (way.do, way.by, way.to, way.stage, way.until, way.every) == ("ask", "holder", "about", 1, 3, 6 * 3600)
    assert (way.accept.later, way.refuse.by, way.refuse.children, way.dodge.by) == (24 * 3600, 0.1, ("sour",), 0.0)
    assert (debt.mutual, debt.luck, debt.late.end, debt.late.children) == (True, "paid", "unpaid", ("sour",))
    assert debt.ends["paid"].good
    assert not debt.ends["unpaid"].good
    assert d.exchanges["ask"].wish == {"base": 0.5, "fond": 0.2}
    assert (d.children["sour"].due, d.children["sour"].stakes) == (24 * 3600, ("a word",))
    assert d.sparks["letter"].roles["target"].towards == {"actor": (-1.0, 0.5)}
    assert d.renewal[0].weights == {"roused": 0.2}
    assert moves_of(d) == {"ask_help", "grant", "dodge", "begrudge"}


def test_a_world_without_a_deck_has_no_drama(tiny_world: Build) -> None:
    assert deck(tiny_world()) == DramaDeck()


def test_empty_lists_are_a_deck(tiny: Tiny) -> None:
    tiny.write(NAME, "exchanges: {}\nkinds: {}\nchildren: {}\nrenewal: []\nsparks: {}\n")
    assert deck(tiny) == DramaDeck()


def test_a_world_adds_to_the_deck_and_replaces_entries_of_it(tiny: Tiny) -> None:
    before = deck(tiny)
    tiny.write(
        "world/drama.yaml",
        """\
children:
  sour: {kind: debt, holder: actor, about: target, stakes: ["another word"], cause: ["so it was"]}
  sweet: {kind: debt, holder: actor, about: target, stakes: ["a cake"], cause: ["{target} baked"]}
renewal:
  - {tone: warm, child: sweet, chance: 0.2}
sparks:
  cake: {says: "A cake came for {actor}", roles: {actor: {}, target: {}}, children: [sweet, sour]}
""",
    )
    after = deck(tiny)
    assert set(after.children) == {"sour", "sweet"}
    assert after.children["sour"].stakes == ("another word",)
    assert [r.child for r in after.renewal] == ["sour", "sweet"]
    assert set(after.sparks) == {"letter", "cake"}
    assert (after.kinds, after.exchanges) == (before.kinds, before.exchanges)


def test_a_kind_that_is_replaced_may_name_other_things(tiny: Tiny) -> None:
    """What the replaced entry named is of no more account."""
    tiny.write(
        "world/drama.yaml",
        """\
kinds:
  debt:
    says: "{holder} owes {about}"
    shows: "{holder} is out"
    wanted: "be quits"
    late: {end: settled}
    ends:
      settled: {good: yes, says: "it is settled"}
      faded: {good: yes, says: "it is forgotten"}
""",
    )
    assert set(deck(tiny).kinds["debt"].ends) == {"settled", "faded"}


def test_a_list_that_a_world_names_is_only_what_the_world_makes_of_it(tiny: Tiny) -> None:
    cake = 'sparks:\n  cake: {says: "A cake came for {actor}", roles: {actor: {}}}\n'
    tiny.write("world/drama.yaml", "only: [sparks, renewal]\n" + cake)
    after = deck(tiny)
    assert list(after.sparks) == ["cake"]
    assert after.renewal == ()
    assert set(after.children) == {"sour"}


def test_what_spoke_of_an_entry_that_is_gone_does_without_it(tiny: Tiny) -> None:
    tiny.write("world/drama.yaml", "only: children\n")
    d = deck(tiny)
    assert (d.children, d.renewal, d.sparks["letter"].children) == ({}, (), ())
    assert d.kinds["debt"].ways[0].refuse.by == 0.1
    assert d.kinds["debt"].ways[0].refuse.children == ()
    tiny.write("world/drama.yaml", "only: [exchanges]\n")
    assert deck(tiny).kinds["debt"].ways == ()
    tiny.write("world/drama.yaml", "only: [kinds]\n")
    assert (deck(tiny).kinds, deck(tiny).children) == ({}, {})


def test_an_emptied_list_excuses_nobody_who_writes_after_it(tiny: Tiny) -> None:
    tiny.write(
        "world/drama.yaml",
        """\
only: [children]
renewal:
  - {tone: warm, child: sour}
""",
    )
    assert [str(f) for f in tiny.errors()] == ['world/drama.yaml:3: renewal[1].child: no child "sour"']
    tiny.write("world/drama.yaml", "only: [spraks]\n")
    assert [str(f) for f in tiny.errors()] == ['world/drama.yaml:1: only[1]: no list "spraks"; did you mean "sparks"?']


def test_what_comes_of_something_may_come_of_itself(tiny: Tiny) -> None:
    """A debt may bring a debt: that is a circle, and no fault."""
    assert tiny.errors() == []


FAULTS = [
    ("do: ask,", "do: aks,", 'no exchange "aks"; did you mean "ask"?'),
    ("move: ask_help", "move: ask_halp", 'no move "ask_halp"; did you mean "ask_help"?'),
    ("{accept: grant, ", "{", '"accept" is missing'),
    ("fond: 0.2", "fnd: 0.2", 'no feature "fnd"; did you mean "fond"?'),
    ("pleased: 0.3", "pleased: 11", "11.0 is out of range; it must be between -10 and 10"),
    ("roused: 0.2", "rouse: 0.2", 'no feature "rouse"; did you mean "roused"?'),
    ('"asked {to} for', '"asked {ot} for', 'no slot "{ot}"; known: {to}'),
    ('"asked {to} for', '"asked {to for', "holds a brace without a partner; write slots as {name}"),
    ("  debt:\n    called", "  dept:\n    called", 'no kind of pressure "dept"; did you mean "debt"?'),
    ("{kind: debt,", "{kind: dept,", 'no kind of pressure "dept"; did you mean "debt"?'),
    ("from: 1", "from: 4", "4 is out of range; it must be between 0 and 3"),
    ("{do: ask,", "{do: ask, by: keeper,", 'no part "keeper"'),
    ("{do: ask,", "{do: ask, to: anybody,", 'no listener "anybody"'),
    ("{do: ask,", "{do: ask, towards: basil,", 'no key "towards"'),
    ("late: {end: unpaid", "late: {end: unpayd", 'no ending "unpayd" of debt; did you mean "unpaid"?'),
    ("{do: ask,", "{do: ask, after: aks,", "debt has no way to do "),
    ("{do: ask,", "{do: ask, by: knower, after: aks,", 'no exchange that is done with holder or about "aks"'),
    ("{do: ask,", "{do: ask, hears: yes,", "only a knower who speaks to holder can do so before whom it is about"),
    ("holder: relief", "holder: relief, below: -0.4", "nothing without another ending; add for example `else: faded`"),
    ("holder: relief", "holder: relief, else: faded", "breaks nothing, so it never comes to this"),
    ("holder: relief", "holder: relief, else: fadde", 'no ending "fadde" of debt; did you mean "faded"?'),
    ("luck: paid", "spent: payd", 'no ending "payd" of debt; did you mean "paid"?'),
    ("due: 24,", "late: paid,", "nothing without an hour; add for example `due: 20`"),
    ("due: 24,", "due: 24, late: payd,", 'no ending "payd" of debt; did you mean "paid"?'),
    ("luck: paid", "luck: payd", 'no ending "payd" of debt; did you mean "paid"?'),
    ("holder: relief", "holder: releif", 'no emotion "releif"; did you mean "relief"?'),
    ("      faded:", "      fadde:", 'no ending "faded" of debt; every pressure may end by being forgotten'),
    ("{holder} owes {about}: {stakes}", "{holder} owes {abuot}", 'no slot "{abuot}"; did you mean "about"?'),
    ("keeps clear of {about}", "keeps clear of about}", "holds a brace without a partner"),
    (
        'stakes: "a word"',
        'stakes: "having come for nothing"',
        'begins with "having", which does not go after a verb; name',
    ),
    ('stakes: "a word"', 'stakes: ["a word", "not being asked"]', 'stakes[2]: begins with "not being"'),
    ("be quits with {about}", "be quits with {holder}", 'no slot "{holder}"; known: {about}, {stakes}'),
    ('    wanted: "be quits with {about}"\n', "", '"wanted" is missing'),
    ("{holder} has paid {about}", "{holder.__class__}", 'no slot "{holder.__class__}"'),
    ("{holder} has paid {about}", "{{holder}}", "holds a brace without a partner"),
    ("refuse: {by: 0.1, children: [sour]", "refuse: {by: 0.1, children: [sore]", 'no child "sore"; did you mean'),
    ("child: sour", "child: sore", 'no child "sore"; did you mean "sour"?'),
    ("    children: [sour]", "    children: [sore]", 'no child "sore"; did you mean "sour"?'),
    ("about: actor, due", "about: target, due", "is the holder; name another part"),
    (
        "holder: target, about: actor, due",
        "holder: others, about: actor, due",
        'no part "others"; did you mean "other"?',
    ),
    ("{actor} was short {place}", "{acter} was short", 'no slot "{acter}"; did you mean "actor"?'),
    ("weights: {roused: 0.2}}", "weights: {roused: 0.2}, roles: {other: {}}}", 'no role "other"'),
    (
        "{roused: 0.2}}",
        "{roused: 0.2}, roles: {actor: {towards: {target: [0, 1]}}}}",
        'no role "target" above this one',
    ),
    ("tone: tense", "tone: tens", 'no tone "tens"; did you mean "tense"?'),
    ("chance: 0.1", "chance: 2", "2.0 is out of range; it must be between 0 and 1"),
    ("went to {target}", "went to {targte}", 'no slot "{targte}"; did you mean "target"?'),
    ("roles: {actor: {ages: [18, 90]}, target: {towards: {actor: [-1, 0.5]}}}", "roles: {}", "has no roles"),
    ("target: {towards", "thief: {towards", 'no role "thief"; did you mean "other"?'),
    ("{towards: {actor:", "{towards: {target:", 'no role "target" above this one'),
    ("ages: [18, 90]", "ages: [18]", "write two ages: [youngest, oldest]"),
    ("[-1, 0.5]", "[-1]", "write two feelings: [least, most]"),
    ("cooldown: 5", "level: wild", 'no level "wild"'),
    ("sparks:", "spraks:", 'no key "spraks"; did you mean "sparks"?'),
]


@pytest.mark.parametrize(("old", "new", "says"), FAULTS)
def test_a_fault_is_named_with_its_line_and_its_mend(tiny: Tiny, old: str, new: str, says: str) -> None:
    assert old in DRAMA
    tiny.write(NAME, DRAMA.replace(old, new, 1))
    found = [str(f) for f in tiny.errors()]
    assert any(says in fault for fault in found), found
    assert all(fault.startswith("data/drama.yaml:") for fault in found), found
    changed = DRAMA[: DRAMA.index(old) + len(new)].count("\n") + 1
    lines = {int(fault.split(":")[1]) for fault in found if says in fault}
    assert any(abs(line - changed) <= 3 for line in lines), (lines, changed)


SHOWDOWN = """\
showdowns:
  debt:
    calls: about
    holder: {end: paid}
    about: {end: paid, children: [sour]}
    peace: {end: paid, actor: 0.1}
    broken: {end: unpaid, breaks: [{kind: ally}]}
    sides: {makes: [{kind: ally, a: actor, b: target}]}
"""


def test_what_a_showdown_may_come_to_is_read(tiny: Tiny) -> None:
    tiny.write(NAME, DRAMA + SHOWDOWN)
    tiny.write("data/lines_showdown.yaml", "lines: []\n")
    found = deck(tiny).showdowns["debt"]
    assert (found.calls, found.effect("about").children, found.effect("peace").actor) == ("about", ("sour",), 0.1)
    assert [making.kind for making in found.sides.makes] == ["ally"]
    tiny.write("world/drama.yaml", "only: [showdowns]\n")
    assert deck(tiny).showdowns == {}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("  debt:\n    calls", "  dept:\n    calls", 'no kind of pressure "dept"; did you mean "debt"?'),
        ("calls: about", "calls: knower", 'no part "knower"'),
        ("holder: {end: paid}", "holder: {end: payd}", 'no ending "payd" of debt; did you mean "paid"?'),
        ("peace: {end: paid, ", "peace: {", '"peace" ends nothing; add for example `end: '),
        ("children: [sour]", "children: [sore]", 'no child "sore"; did you mean "sour"?'),
        ("    broken: {end: unpaid, breaks: [{kind: ally}]}\n", "", '"broken" ends nothing; add'),
    ],
)
def test_a_fault_of_a_showdown_is_named_with_its_mend(tiny: Tiny, old: str, new: str, says: str) -> None:
    assert old in SHOWDOWN
    tiny.write(NAME, DRAMA + SHOWDOWN.replace(old, new, 1))
    tiny.write("data/lines_showdown.yaml", "lines: []\n")
    found = [str(f) for f in tiny.errors()]
    assert any(says in fault and fault.startswith("data/drama.yaml:") for fault in found), found


def test_a_secret_is_never_given_up(tiny: Tiny) -> None:
    tiny.write(
        NAME, DRAMA.replace("  debt:\n", "  secret:\n").replace("kind: debt", "kind: secret").replace("luck:", "spent:")
    )
    assert any("a secret is never given up" in str(f) for f in tiny.errors())


def test_a_child_that_speaks_of_whom_there_is_none_is_told(tiny: Tiny) -> None:
    """Talk and sparks have an actor and a target; holder and about are those of an older pressure."""
    tiny.write(NAME, DRAMA.replace("{actor} was short {place}", "{holder} was late"))
    found = [str(f) for f in tiny.errors()]
    assert len(found) == 2, "where it comes of a debt, there is a holder"
    assert all(f.endswith('the child "sour" speaks of holder; there is none here') for f in found)
    assert ["renewal[1]" in found[0], "sparks.letter.children[1]" in found[1]] == [True, True]


def test_what_binds_a_third_comes_of_a_spark_of_three_alone(tiny: Tiny) -> None:
    three = DRAMA.replace("holder: target, about: actor, due", "holder: other, about: actor, due")
    three = three.replace("actor: [-1, 0.5]}}}", "actor: [-1, 0.5]}}, other: {}}")
    tiny.write(NAME, three)
    found = [str(f) for f in tiny.errors()]
    assert found
    assert all(f.endswith('the child "sour" speaks of other; there is none here') for f in found)
    assert not any("sparks" in f for f in found)
    assert any("renewal[1]" in f for f in found)


def test_a_spark_with_one_role_bears_nothing_between_two(tiny: Tiny) -> None:
    text = DRAMA.replace(", target: {towards: {actor: [-1, 0.5]}}", "").replace(" went to {target}", " is lost")
    tiny.write(NAME, text)
    assert [str(f) for f in tiny.errors()] == [
        f"data/drama.yaml:{text[: text.index('children: [sour]' + chr(10) + '    cooldown')].count(chr(10)) + 1}: "
        'sparks.letter.children[1]: the child "sour" speaks of target; there is none here'
    ]


def test_a_kind_without_endings_is_told_and_breaks_nothing(tiny: Tiny) -> None:
    tiny.write("world/drama.yaml", 'kinds:\n  grudge: {says: "a", shows: "b", wanted: "c"}\n')
    (fault,) = (str(f) for f in tiny.errors())
    assert fault.startswith('world/drama.yaml:2: kinds.grudge: "ends" is missing; add for example')


# ---- what is well written and cannot be


def line_of(text: str, words: str) -> int:
    """The line in which these words stand."""
    return text[: text.index(words)].count("\n") + 1


def test_an_hour_that_is_put_off_for_ever_is_a_fault(tiny: Tiny) -> None:
    text = DRAMA.replace("late: {end: unpaid, children: [sour]}", "late: {later: 24}")
    tiny.write(NAME, text)
    assert [str(f) for f in tiny.errors()] == [
        f'{NAME}:{line_of(text, "called: debt")}: kinds.debt: "late" is put off for ever; give it an "end", or take '
        '"later" out'
    ]


def test_what_comes_back_to_itself_by_the_hour_is_a_fault(tiny: Tiny) -> None:
    """No person and no luck between: a debt that is not paid in time brings a debt that is not paid in time."""
    text = DRAMA.replace("    luck: paid\n", "")
    tiny.write(NAME, text)
    assert [str(f) for f in tiny.errors()] == [
        f"{NAME}:{line_of(text, 'sour: {kind')}: children.sour: comes back to itself when its hour passes "
        '(sour > sour); take the "due" of one out, or give its kind a "luck"'
    ]
    tiny.write(NAME, text.replace("due: 24, ", ""))
    assert tiny.errors() == []


ASK = "{do: ask, from: 1, every: 6, weight: 0.9,"
AGAIN = "{do: ask, from: 2, after: ask,"


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        ((ASK, AGAIN), 0),
        ((AGAIN,), 1),  # after itself
        ((ASK.replace("ask,", "ask, by: knower,"), AGAIN), 1),  # whoever knows of it tries nothing for the holder
        ((ASK.replace("ask,", "ask, to: other,"), AGAIN), 1),
        ((AGAIN, AGAIN.replace("from: 2", "from: 3")), 2),  # each waits for the other
    ],
)
def test_what_is_done_only_after_something_else_has_a_way_there(tiny: Tiny, ways: tuple[str, ...], told: int) -> None:
    (old,) = (line for line in DRAMA.splitlines() if ASK in line)
    tiny.write(NAME, DRAMA.replace(old, "\n".join(old.replace(ASK, way) for way in ways)))
    found = [str(f) for f in tiny.errors()]
    assert len(found) == told, found
    assert all('.after: debt has no way to do "ask" with holder or about that can be tried before' in x for x in found)


OWN = """\
exchanges:
  lend:
    move: grant
    replies: {accept: grant, dodge: dodge, refuse: begrudge}
    says: "to lend"
    did: "lent {to} a ladder"
    took: {accept: "a", dodge: "b", refuse: "c"}
children:
  sweet: {kind: debt, holder: actor, about: target, stakes: "a cake", cause: "{target} baked"}
sparks:
  bell: {says: "{actor} rang", roles: {actor: {jobs: [sexton]}}}
  moth: {says: "{actor} has a moth", roles: {actor: {traits: [woolly]}}}
  tooth: {says: "{actor} lost a tooth", roles: {actor: {ages: [101, 102]}}}
  three: {says: "{actor}, {target}, {other}", roles: {actor: {}, target: {}, other: {}}}
  fine: {says: "{actor} and {target}", roles: {actor: {}, target: {towards: {actor: [0.9, 1]}}}}
"""
NEVER = {
    "lend:": "exchanges.lend: nobody ever does this; name it in a way of a kind, or take it out",
    "sweet:": "children.sweet: nothing ever bears this; name it where it comes of, or take it out",
    "bell:": 'sparks.bell: nobody of the cast can be actor: nobody is "sexton"; ask for a job that somebody has',
    "moth:": 'sparks.moth: nobody of the cast can be actor: nobody is "woolly"; ask for a trait that somebody has',
    "tooth:": "sparks.tooth: nobody of the cast can be actor: nobody is between 101 and 102; ask for other ages",
    "three:": "sparks.three: there are not 3 people of the cast for its roles together; ask for less of one",
}


def test_what_can_never_happen_in_a_world_of_ones_own_is_a_warning(tiny: Tiny) -> None:
    before = [str(f) for f in tiny.read().faults]
    tiny.write("world/drama.yaml", OWN)
    reading = tiny.read()
    assert reading.scenario is not None
    found = [str(f) for f in reading.faults if str(f) not in before]
    for key, says in NEVER.items():
        (told,) = [f for f in found if says in f]
        line = line_of(OWN, key) + (key == "lend:")
        assert told.startswith(f"world/drama.yaml:{line}: warning"), told
    assert len(found) == len(NEVER)


# ---- marks

MARK = "{kind: debt, how: [unpaid], emotion: shame, habit: stay_in}"


def test_a_worlds_marks_come_after_those_that_ship_and_may_take_their_place(tiny: Tiny) -> None:
    tiny.write(NAME, f"{DRAMA}marks:\n  - {MARK}\n")
    tiny.write("world/drama.yaml", "marks:\n  - {kind: debt, how: [paid], who: [a, b], emotion: relief, days: 2}\n")
    assert [(m.how, m.who, m.size, m.days) for m in deck(tiny).marks] == [
        (("unpaid",), ("a",), 0.35, 3),
        (("paid",), ("a", "b"), 0.35, 2),
    ]
    tiny.write("world/drama.yaml", "only: [marks]\n")
    assert deck(tiny).marks == ()
    tiny.write("world/drama.yaml", "only: [kinds]\n")
    assert deck(tiny).marks == ()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[unpaid]", "[upaid]", 'marks[1].how[1]: no ending "upaid"; did you mean "unpaid"?'),
        ("kind: debt, how: [unpaid]", "kind: contest, how: [lost]", 'how[1]: no outcome "lost"; choose from won'),
        ("kind: debt, how: [unpaid]", "kind: couple, how: [up]", 'how[1]: no outcome "up"; choose from broken, made'),
        ("kind: debt", "kind: crush", 'marks[1].kind: no kind of pressure "crush"'),
        ("emotion: shame", "emotion: sham", 'no emotion "sham"; did you mean "shame"?'),
        ("emotion: shame", "emotion: shame, size: 0.6", "0.6 is out of range; it must be between 0.2 and 0.5"),
        ("emotion: shame", "emotion: shame, days: 9", "9 is out of range; it must be between 1 and 7"),
        ("emotion: shame", "emotion: shame, who: [c]", 'no end "c"; choose from a, b'),
        ("stay_in", "stay_out", 'no habit "stay_out"; did you mean "stay_in"?'),
        ("stay_in", "do", 'habit: do needs "do"; add for example `do: letter`'),
        ("stay_in", "do, do: sleep", 'habit: do needs "where"; add for example `where: home`'),
        ("stay_in", "do, do: slep, where: home", 'do: no block "slep"; did you mean "sleep"?'),
        ("stay_in", "do, do: sleep, where: hom", 'no place "hom"; did you mean "home"?'),
        ("stay_in", "stay_in, where: home", "where: is only for the habit do; take it out"),
        ("stay_in", "stay_in, at: [sleep]", "at: only a contest or a vote has an occasion; take it out"),
        ("kind: debt, how: [unpaid]", "kind: vote, how: [won], after: 5", "only a pressure has an age; take it out"),
    ],
)  # fmt: skip
def test_a_wrong_mark_is_told_with_its_place_and_mend(tiny: Tiny, old: str, new: str, says: str) -> None:
    tiny.write("world/drama.yaml", f"marks:\n  - {MARK.replace(old, new)}\n")
    errors = [str(f) for f in tiny.errors()]
    assert any(says in error and error.startswith("world/drama.yaml:2") for error in errors), "\n".join(errors)
