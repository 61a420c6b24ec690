"""A statement is said by anybody, to anybody, about anybody, in every tense, asked, denied and in short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.people.fact_forms import (
    TENSES,
    Forms,
    Telling,
    forms_of,
    irregular_verbs,
    parse_statement,
    past_forms,
    present_of,
)

PEOPLE = {
    "holder": ("rufus", "Rufus", "he"),
    "about": ("una", "Una", "she"),
    "third": ("clem", "Clem", "he"),
    "kit": ("kit", "Kit", "they"),
}


def forms(text: str, tense: str = "past", me: str = "x", you: str = "y", formal: bool = False) -> Forms:
    return forms_of(text, tense, Telling(me, you, PEOPLE, {"place": "at the bakery"}, formal))


DROPPED = "{holder} [drop] {about}'s bicycle on the steps"


@pytest.mark.parametrize(
    ("me", "you", "fact", "asked", "short_no"),
    [
        ("rufus", "una", "I dropped your bicycle on the steps", "did I drop your bicycle on the steps", "I didn't"),
        ("una", "rufus", "you dropped my bicycle on the steps", "did you drop my bicycle on the steps", "you didn't"),
        (
            "clem",
            "una",
            "Rufus dropped your bicycle on the steps",
            "did Rufus drop your bicycle on the steps",
            "he didn't",
        ),
        (
            "x",
            "y",
            "Rufus dropped Una's bicycle on the steps",
            "did Rufus drop Una's bicycle on the steps",
            "he didn't",
        ),
    ],
)
def test_one_statement_serves_three_persons(me: str, you: str, fact: str, asked: str, short_no: str) -> None:
    found = forms(DROPPED, me=me, you=you)
    assert (found.fact, found.asked, found.short_no) == (fact, asked, short_no)


@pytest.mark.parametrize(
    ("tense", "fact", "denied"),
    [
        ("past", "Rufus dropped it", "Rufus didn't drop it"),
        ("present", "Rufus drops it", "Rufus doesn't drop it"),
        ("perfect", "Rufus has dropped it", "Rufus hasn't dropped it"),
        ("future", "Rufus will drop it", "Rufus won't drop it"),
    ],
)
def test_one_statement_serves_all_tenses(tense: str, fact: str, denied: str) -> None:
    found = forms("{holder} [drop] it", tense)
    assert (found.fact, found.denied) == (fact, denied)


def test_who_is_named_twice_has_a_pronoun_the_second_time() -> None:
    assert forms("{about} [leave] {about}'s umbrella with {holder}").fact == "Una left her umbrella with Rufus"
    assert forms("{kit} [leave] {kit}'s umbrella").fact == "Kit left their umbrella"
    assert forms("{holder} [tell] {third} that {third} [be] late").fact == "Rufus told Clem that Clem was late"
    assert forms("{about} [blame] {about}", "present").fact == "Una blames herself"
    assert forms("{about} [blame] {about}", "present", me="una").fact == "I blame myself"


def test_two_who_do_it_together_are_we_you_or_they() -> None:
    both = "{holder} and {about} [agree] on it"
    assert forms(both, me="una", you="rufus")[:1] + forms(both, me="una", you="rufus")[3:4] == (
        "you and I agreed on it", "we did",
    )  # fmt: skip
    assert forms(both, me="una").fact == "Rufus and I agreed on it"
    assert forms(both).short == "they did"


def test_a_denied_statement_is_denied_by_saying_that_it_is_so() -> None:
    never = forms("{holder} never [tell] {about}", me="rufus", you="una")
    assert (never.fact, never.denied, never.short) == ("I never told you", "I did tell you", "I didn't")
    assert forms("nobody [pay] {about}", "perfect").denied == "somebody has paid Una"
    assert forms("{about} [have] no money", "present").denied == "Una doesn't have any money"


def test_things_and_plurals_agree() -> None:
    assert forms("two wheels [be, many] bent", "present").short_no == "they aren't"
    assert forms("{about}'s parcel [lie] open").fact == "Una's parcel lay open"
    assert forms("{about}'s parcel [lie] open").short == "it did"


def test_whoever_is_formal_contracts_nothing() -> None:
    assert forms("{about} [walk] since", "perfect", me="una").fact == "I've walked since"
    stiff = forms("{about} [walk] since", "perfect", me="una", formal=True)
    assert (stiff.fact, stiff.denied) == ("I have walked since", "I have not walked since")


def test_words_of_a_slot_stand_as_they_are() -> None:
    assert forms("{holder} [shout] {place}").fact == "Rufus shouted at the bakery"


def test_what_has_no_verb_says_how_to_write_one() -> None:
    with pytest.raises(ValueError, match="no verb in brackets"):
        parse_statement("{holder} dropped it")


def test_regular_verbs_need_no_table() -> None:
    made = {
        verb: past_forms(verb)[0] for verb in ("drop", "carry", "promise", "stay", "admit", "owe", "travel", "visit")
    }
    assert made == {
        "drop": "dropped", "carry": "carried", "promise": "promised", "stay": "stayed", "admit": "admitted",
        "owe": "owed", "travel": "travelled", "visit": "visited",
    }  # fmt: skip
    assert [present_of(x) for x in ("go", "carry", "watch", "have")] == ["goes", "carries", "watches", "has"]


@given(st.sampled_from(sorted(irregular_verbs())), st.sampled_from(TENSES), st.sampled_from(("rufus", "una", "x")))
def test_every_form_of_every_verb_is_words_alone(verb: str, tense: str, me: str) -> None:
    for form in forms(f"{{holder}} only [{verb}] it for {{about}}", tense, me):
        assert form
        assert form == " ".join(form.split())
        assert not set(form) & set("[]{}")


def test_a_second_verb_after_and_goes_with_the_first() -> None:
    both = "{holder} [take] the pan and [hang] it up"
    assert forms(both).fact == "Rufus took the pan and hung it up"
    assert forms(both).asked == "did Rufus take the pan and hang it up"
    assert forms(both, "present").fact == "Rufus takes the pan and hangs it up"
    assert forms(both, "perfect").denied == "Rufus hasn't taken the pan and hung it up"
    assert forms(both, "future").to_do == "take the pan and hang it up"


def test_a_verb_further_on_may_be_in_the_past_of_its_own() -> None:
    asked = "{about} [say] where {about} [be, past] at two"
    assert forms(asked, "future", me="una", you="rufus").fact == "I'll say where I was at two"
    assert forms(asked, "future", me="rufus", you="una").to_do == "say where you were at two"


def test_they_are_many_in_short() -> None:
    assert forms("{kit} [be] late", "present").short_q == "are they"
    assert forms("{kit} [be] late", "present").fact == "Kit is late"


@pytest.mark.parametrize(
    ("me", "whose"), [("rufus", "mine"), ("una", "yours"), ("x", "Rufus's")], ids=["mine", "yours", "by name"]
)
def test_a_possessive_without_its_noun_stands_alone(me: str, whose: str) -> None:
    you = "rufus" if me == "una" else "y"
    assert forms("it [be] {holder}'s", me=me, you=you).fact == f"it was {whose}"
    assert forms("it [be] {holder}'s, and no mistake", me=me, you=you).fact == f"it was {whose}, and no mistake"
    owned = {"mine": "my", "yours": "your"}.get(whose, whose)
    assert forms("it [be] {holder}'s old boat", me=me, you=you).fact == f"it was {owned} old boat"
