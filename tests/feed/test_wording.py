"""The words of a crowd: the same for the same numbers, fit to read, and every fault in their file told at its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from sandbox.core.chance import Chance, Stream
from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.core.text import vector
from sandbox.feed.word_lists import MOODS, NAME, TOPICS, check_lists, read_lists
from sandbox.feed.wording import (
    BIO,
    HANDLE,
    Who,
    Wording,
    a,
    default_wording,
    read_wording,
)

SHIPPED = data_dir() / NAME
MANY = 20_000
CLAIMS = ("Larkspur has no mayor", "The reservoir is full of eels!", 'they call it "soup"', "Is the bridge {hollow}?")
SUBJECTS = ("", "the night bus", "duck ponds", "a list of rules", "salt and pepper")


def who(number: int, stream: Stream) -> Who:
    """Anybody at all."""
    o, c, e, k, n = (stream.between(-1.0, 1.0) for _ in range(5))
    return Who(
        number=number,
        age=13 + stream.below(80),
        gender=stream.below(3),
        traits=(o, c, e, k, n),
        profession=stream.below(13),
        topics=(stream.below(9), stream.below(9)),
        stance=stream.between(-1.0, 1.0),
        pleasure=stream.between(-1.0, 1.0),
    )


def crowd(n: int, seed: int = 5) -> Iterator[Who]:
    stream = Chance(seed).stream(0, "", "crowd")
    for _ in range(n):
        yield who(stream.below(1_000_000), stream)


ONE = next(crowd(1))


def post(w: Wording, x: Who, number: int, seed: int) -> str:
    return w.post(x.topics[0], x.stance, x.pleasure, x.number, number, seed)


def comment(w: Wording, x: Who, number: int, seed: int) -> str:
    return w.comment(x.topics[0], x.gender - 1, x.number, number, seed, SUBJECTS[number % len(SUBJECTS)])


def doubt(w: Wording, x: Who, number: int, seed: int) -> str:
    return w.doubt(number % 10 + 1, CLAIMS[number % len(CLAIMS)], x.number, number, seed)


Made = Callable[[Wording, Who, int, int], str]
WRITTEN: dict[str, Made] = {"post": post, "comment": comment, "doubt": doubt}
OF_THEMSELVES: dict[str, Made] = {
    "name": lambda w, x, n, seed: w.name(x, seed),
    "bio": lambda w, x, n, seed: w.bio(x, seed),
    "persona": lambda w, x, n, seed: w.persona(x, seed),
}
EVERY = {**WRITTEN, **OF_THEMSELVES, "handle": lambda w, x, n, seed: w.handle(x, seed)}
LONGEST = {"post": 300, "comment": 300, "doubt": 300, "name": 40, "bio": BIO, "persona": 600}


@pytest.mark.parametrize("kind", EVERY)
def test_the_same_seed_gives_the_same_words_and_another_others(kind: str) -> None:
    make, faults = EVERY[kind], Faults()
    again = read_wording([SHIPPED], faults)
    assert again is not None
    people = list(crowd(200))
    first = [make(default_wording(), x, n, 7) for n, x in enumerate(people)]
    assert first == [make(again, x, n, 7) for n, x in enumerate(people)]
    others = [make(default_wording(), x, n, 8) for n, x in enumerate(people)]
    assert sum(old != new for old, new in zip(first, others, strict=True)) > 150


def test_words_stay_what_they_are() -> None:
    """A save says nothing of them: who changes how they are drawn changes what is read of old runs."""
    x = Who(4711, 41, 1, (0.5, -0.2, 0.1, 0.4, -0.6), 12, (0, 7), 0.5, 0.1)
    assert default_wording().handle(x, 7).endswith("_3mv")
    assert default_wording().mbti(x.traits) == "ENFP"
    assert default_wording().subject(0, 9, 7) in default_wording().comment(
        0, 1, 4, 2, 7, default_wording().subject(0, 9, 7)
    )


@pytest.mark.slow
def test_no_two_users_have_one_handle() -> None:
    stream = Chance(3).stream(0, "", "crowd")
    one = who(0, stream)
    handles = [
        default_wording().handle(one._replace(number=i, age=14 + i % 70, profession=i % 13), 7) for i in range(200_000)
    ]
    assert len(set(handles)) == len(handles)
    assert all(re.fullmatch(rf"[a-z0-9_]{{4,{HANDLE}}}", h) for h in handles)
    assert len(default_wording().handle(one._replace(number=10**12), 7)) <= HANDLE


ODD = {
    "a slot unfilled": r"[{}]",
    "two blanks": r"  ",
    "a blank before a sign": r" [.,!?]",
    "two signs": r"\.\.|,,|[.!?],",
    "a, for an": r"\b[Aa] [aeio]\w",
    "an, for a": r"\b[Aa]n [^aeiouhAEIOUH]",
    "a word twice": r"\b(\w+) \1\b",
    "no capital after a full stop": r"[.!?] [a-z]",
    "blanks at the ends": r"^ | $",
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", [*WRITTEN, *OF_THEMSELVES])
def test_whatever_is_drawn_is_whole_and_well_written(kind: str) -> None:
    make, wrong = EVERY[kind], []
    odd = {name: re.compile(pattern) for name, pattern in ODD.items()}
    if kind == "name":
        del odd["a word twice"]  # there is no reason why Kim Kim should not live here
    for n, x in enumerate(crowd(MANY)):
        text = make(default_wording(), x, n, n % 50)
        bare = text.replace("Is the bridge {hollow}?", "Is it?")
        wrong += [(name, text) for name, pattern in odd.items() if pattern.search(bare)]
        if not text[0].isupper() and not text[0].isdigit() and text[0] != '"':
            wrong.append(("no capital", text))
        if kind in (*WRITTEN, "persona") and not text.rstrip('"').endswith((".", "!", "?")):
            wrong.append(("no full stop", text))
        if len(text) > LONGEST[kind]:
            wrong.append(("too long", text))
    assert wrong == []


def test_a_persona_is_two_to_four_sentences() -> None:
    for x in crowd(2000):
        assert 2 <= len(re.findall(r"[.!?](?= |$)", default_wording().persona(x, 1))) <= 4


def test_ten_posts_in_a_row_of_one_author_differ_in_subject_and_in_words() -> None:
    for topic, stance, pleasure in product(range(9), (-0.8, 0.0, 0.8), (-0.8, 0.0, 0.8)):
        for author in (0, 17, 999_999):
            numbers = range(author, author + 10)
            subjects = [default_wording().subject(topic, n, 7) for n in numbers]
            texts = [default_wording().post(topic, stance, pleasure, author, n, 7) for n in numbers]
            bare = [text.replace(upper, "").replace(s, "") for text, s in zip(texts, subjects, strict=True)
                    for upper in [s[0].upper() + s[1:]]]  # fmt: skip
            assert len(set(subjects)) == len(set(texts)) == len(set(bare)) == 10


def test_ten_posts_in_a_row_of_ten_authors_differ() -> None:
    people = [x.number for x in crowd(9000)]
    for first in range(0, 9000, 10):
        stance, pleasure = (first % 3 - 1) * 0.8, (first // 30 % 3 - 1) * 0.8
        texts = {default_wording().post(first % 9, stance, pleasure, people[n], n, 7) for n in range(first, first + 10)}
        assert len(texts) == 10


def test_a_post_is_about_its_subject_whatever_its_author_thinks() -> None:
    for topic, stance, pleasure in product(range(9), (-0.9, 0.0, 0.9), (-0.9, 0.0, 0.9)):
        subject = default_wording().subject(topic, 345, 7)
        assert subject[1:] in default_wording().post(topic, stance, pleasure, 12, 345, 7)


def test_an_answer_to_words_of_ones_own_names_nothing_that_they_do_not() -> None:
    named = [default_wording().subject(topic, i, 7) for topic in range(9) for i in range(200)]
    said = {
        default_wording().comment(topic, tone, i, i, 7) for topic in range(9) for tone in (-1, 0, 1) for i in range(40)
    }
    assert len(said) > 60
    assert not [text for text in said if any(subject.lower() in text.lower() for subject in named)]


def test_an_answer_names_what_it_answers_with_one_or_many() -> None:
    said = {
        s: " ".join(default_wording().comment(0, t, i, i, 7, s) for i in range(300) for t in (-1, 0, 1))
        for s in SUBJECTS[1:]
    }
    assert "the night bus isn't" in said["the night bus"]
    assert "duck ponds aren't" in said["duck ponds"]
    assert "a list of rules isn't" in said["a list of rules"]
    assert "salt and pepper aren't" in said["salt and pepper"]


def test_a_claim_is_quoted_as_it_stands_and_made_safe() -> None:
    texts = [default_wording().doubt(10, 'the well\x1b[2J is "dry"', i, i, 7) for i in range(100)]
    assert any("\"The well is 'dry'.\"" in text for text in texts)
    assert not any("\x1b" in text for text in texts)


def test_a_war_is_not_joked_about() -> None:
    """That topic has words of its own throughout."""
    war = TOPICS.index("war")
    lists = default_wording()._lists
    for mood in MOODS:
        general = {x for name in ("openers", "tails") for x in lists[f"{name}.{mood}"] if "{" not in x}
        for i in range(500):
            text = default_wording().post(war, 0.0, {"low": -1.0, "level": 0.0, "high": 1.0}[mood], i, i, 7)
            assert not [x for x in general if x in text]


def test_the_words_of_a_topic_are_nearest_to_it() -> None:
    vectors = [vector(default_wording().topic_text(i)) for i in range(9)]
    vectors = [v / (v @ v) ** 0.5 for v in vectors]
    for i, key in enumerate(TOPICS):
        words = vector(" ".join(default_wording()._lists[f"topics.{key}.words"][::2]))
        assert max(range(9), key=lambda j: float(vectors[j] @ words)) == i


def test_an_article_goes_by_the_sound() -> None:
    assert [a(x) for x in ("usher", "welder", "optician", "university clerk", "hourly cook")] == [
        "an usher", "a welder", "an optician", "a university clerk", "an hourly cook",
    ]  # fmt: skip


# ---- the file, and a world's own


def faults_of(path: Path, *before: Path) -> list[str]:
    faults = Faults()
    found = read_wording([*before, path], faults)
    assert (found is None) == bool(faults.errors)
    return [f"{f.line}: {f.message}" for f in faults]


def changed(tmp_path: Path, old: str, new: str) -> tuple[Path, int]:
    """The shipped file with one thing changed, and the line of it."""
    text = SHIPPED.read_text("utf-8")
    assert old in text
    path = tmp_path / NAME
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path, text[: text.index(old)].count("\n") + 1


def test_a_topic_that_is_missing_is_told(tmp_path: Path) -> None:
    path, line = changed(tmp_path, "\n  health:\n", "\n  wealth:\n")
    (told,) = [x for x in faults_of(path) if "health" in x]
    assert told.startswith(f"{line + 1}: ")
    assert 'no key "wealth"; did you mean "health"?' in told


def test_a_slot_that_is_none_is_told_with_its_line(tmp_path: Path) -> None:
    path, line = changed(tmp_path, '"I\'ve had it up to here with {subject}."', '"Enough of {subjet}."')
    (told,) = faults_of(path)
    assert told.startswith(f"{line}: posts.against.low[1]: ")
    assert 'no slot "{subjet}"; did you mean "subject"?' in told
    path, line = changed(tmp_path, '"{first}_{last}"', '"{subject}_{last}"')
    (told,) = faults_of(path)
    assert told.startswith(f"{line}: handles.patterns[1]: ")
    path, line = changed(tmp_path, "Lower Sallow,", '"{town}",')
    (told,) = faults_of(path)
    assert told.startswith(f"{line + 1}: towns[1]: ") or told.startswith(f"{line}: towns[1]: ")


def test_a_list_that_is_empty_is_told_with_its_line(tmp_path: Path) -> None:
    path, line = changed(tmp_path, "  farming: [", "  farming: []\n  dummy: [")
    assert f"{line}: jobs.farming: is an empty list; write at least one text" in faults_of(path)


def test_a_brace_without_a_partner_is_told(tmp_path: Path) -> None:
    path, line = changed(tmp_path, '"Bless {subject}, but no."', '"Bless {subject, but no."')
    (told,) = faults_of(path)
    assert told.startswith(f"{line}: ")
    assert "brace" in told


def test_a_list_that_is_missing_and_a_file_that_is_missing_are_told(tmp_path: Path) -> None:
    path, _ = changed(tmp_path, "  quiet:", "  quite:")
    assert any('no key "quite"; did you mean "quiet"?' in x for x in faults_of(path))
    assert faults_of(tmp_path / "nowhere.yaml") == ["0: there is no such file; add it"]


OWN = """\
towns: [Nether Wallop End]
slots:
  sweet: [a humbug]
comments:
  warm: ["Have {sweet} and tell me about {subject}."]
topics:
  war:
    title: quarrels
    words: [quarrel, feud]
    subjects: {one: [the hedge feud], many: [the two bands]}
    posts:
""" + "".join(
    f"      {band}: {{" + ", ".join(f'{m}: ["{band} {m}: {{subject}} {{is}} it."]' for m in ("any", *MOODS)) + "}\n"
    for band in ("Against", "Torn", "For")
).replace("      Against", "      against").replace("      Torn", "      torn").replace("      For", "      for")


def test_a_world_adds_words_and_puts_a_topic_in_the_place_of_one(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text(OWN, "utf-8")
    assert faults_of(path, SHIPPED) == []
    both = read_wording([SHIPPED, path], Faults())
    assert both is not None
    war = TOPICS.index("war")
    assert both.topic_text(war) == "quarrels quarrel feud"
    assert {both.subject(war, i, 7) for i in range(9)} == {"the hedge feud", "the two bands"}
    assert any(
        "The two bands" in x or "the two bands are it" in x for x in (both.post(war, 0, 0, i, i, 7) for i in range(99))
    )
    assert any(both.comment(0, 1, i, i, 7, "the bins").startswith("Have a humbug") for i in range(999))
    assert any("Nether Wallop End" in both.bio(x, 7) for x in crowd(999))
    assert [both.topic_text(i) for i in range(9) if i != war] == [
        default_wording().topic_text(i) for i in range(9) if i != war
    ]


def test_a_world_has_no_tenth_topic_and_replaces_whole_ones(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text("topics:\n  gardening: {title: gardening}\n", "utf-8")
    (told,) = faults_of(path, SHIPPED)
    assert told.startswith('2: topics: no key "gardening"')
    path.write_text("topics:\n  health:\n    title: health\n", "utf-8")
    assert {x.split('"')[1] for x in faults_of(path, SHIPPED)} == {"words", "subjects", "posts"}


# ---- of a save, which may come from anywhere


def shipped_lists() -> dict[str, tuple[str, ...]]:
    found = read_lists([SHIPPED], Faults())
    assert found is not None
    return found


def test_what_ships_may_stand_in_a_save() -> None:
    check_lists(shipped_lists())


@pytest.mark.parametrize(
    ("path", "texts", "words"),
    [
        ("comments.warm", (), "lack comments.warm"),
        ("bios.any", ("I am {nobody}.",), "nothing fills: bios.any"),
        ("towns", ("\x1b[2J",), "cannot be shown: towns"),
        ("towns", ("x" * 300,), "cannot be shown: towns"),
        ("towns", ("x",) * 6000, "cannot be shown: towns"),
        ("towns.more", ("x",), "nobody knows: towns.more"),
    ],
)
def test_lists_from_which_nobody_could_speak_are_refused(path: str, texts: tuple[str, ...], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        check_lists(shipped_lists() | {path: texts})
