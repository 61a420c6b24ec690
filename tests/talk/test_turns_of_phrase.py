"""Turns of phrase have the sign a reader gives them: written down before anybody looked at what is made of them."""

import pytest

from sandbox.talk.sentiment import sentiment

# Three times twenty understatements and negations: the first written before there was any rule, the second kept aside
# while it was made, the third drawn when it was.
READ = """
+ Not bad at all.
- I am far from happy about it.
- It was hardly a success.
+ She could not be kinder.
+ No great harm was done.
+ He was anything but rude.
+ We had nothing but praise for her.
- He has brought us nothing but trouble.
+ I have never been happier.
- I have never been so ashamed.
+ I can't complain.
- It couldn't be worse.
- That is not exactly good news.
+ She is no fool.
+ There is no one kinder than Mara.
+ He is not without charm.
+ I don't hate it.
- He wasn't very nice to me.
+ It was the least unpleasant of my visits.
- None of it was any good.
+ You could hardly be more welcome.
- The soup was anything but good.
+ It was no trouble.
+ Nobody could be more generous.
- It is a far cry from perfect.
- I wouldn't call him honest.
- There is nothing good to say of it.
+ She was never unkind to me.
- He did little to help.
+ He is not a bad sort.
- I am not at all pleased.
+ Far from angry, she was glad of it.
- She was less than honest with me.
+ There is nothing wrong with it.
- It was neither kind nor fair.
- It was far from a kind thing to say.
+ There was nobody but friends at the table.
+ He could scarcely have been more helpful.
- I don't think she is honest.
- Your brother is anything but generous.
+ It is no bad thing to wait.
- He has nothing but contempt for us.
- I can't say that I enjoyed it.
+ No harm done.
- It never did anybody any good.
+ You couldn't have done better.
- I have seldom been so insulted.
+ She is by no means stupid.
- There was little joy in that house.
+ The house was not without its pleasures.
+ I never heard a kinder word.
"""
# Of the same sixty those still misread, kept in sight: what hangs on a word that the lexicon does not have (polite,
# kindest, lovelier, helped), and what only somebody who thinks of it can know.
MISREAD = """
- That was barely polite.
+ None but the kindest would have waited.
+ It wasn't half as awful as I feared.
+ I've had worse evenings.
+ He was nothing if not polite.
+ Nothing could be lovelier.
- That was no way to treat a friend.
- I doubt that he is sincere.
- It hardly helped.
"""

# A comparative that is denied is no superlative, unless it is of anybody that it is denied.
BEYOND = """
- This is no better.
- He is no happier.
- She is no kinder than he is.
+ I feel no worse.
- He has never been kinder to her than to me.
- She got no better, I fear.
- He is no better friend than his brother.
- There is no more joy in that house.
+ It was nothing worse than a cold.
- Nothing got better.
- None of it is any better.
- No doubt he is worse.
+ There is no better friend.
+ I know no kinder soul than Mara.
+ I never felt better than today.
+ Nobody is kinder than Mara.
- There is nothing worse than this.
+ No friend could be kinder.
+ No man was happier.
+ She could not be any kinder.
"""
# Kinds put together, and what goes beyond without a "be": written down first, the second half kept aside until the end.
COMPOSED = """
- Why can't you be nicer to her
+ Barely alive but happy
+ I don't think it could be better
+ I don't believe I have ever been happier
+ little less than brilliant
+ Nothing pleases me more
+ Nothing makes me happier
+ I couldn't agree more
+ I can't thank you enough
+ I can't help but love it
+ I cannot but admire her
- I never thought he was kind
- Nobody thinks he is kind
- No one believes he is honest
- No one would call him generous.
- Nobody hates the mill more than he does.
+ It was little less than a triumph.
- I couldn't disagree more.
- Nothing hurts more than a lie.
- Nobody supposes that it went well.
+ Nothing cheers me more than your letters.
+ Little short of wonderful.
+ Scarcely home and already happy.
+ I doubt that it could be better.
- Couldn't you try to be more honest with me?
- None of us considered it fair.
+ I never thought it was a bad idea.
+ She couldn't love them more.
- Nobody ever said she was a nice woman.
- Not one of them thinks he is trustworthy.
+ No one loves this town more than Otis.
- I don't think it could be worse.
+ I don't believe we could be happier.
+ Nobody admires her more than I do.
+ Nothing less than superb.
- Couldn't we be happier somewhere else?
- Nobody thought it was a good idea.
+ We could not admire him more.
+ Nobody thinks he is cruel.
- I never felt that it was a fair deal.
+ I don't think she could have been kinder.
+ Nothing delights him more than a party.
- Nothing annoys me more than gossip.
+ I can't help admiring what she did.
- He never found her charming.
+ I couldn't help but smile.
+ One cannot but respect him.
+ I don't think I've ever had a better friend.
- I can't help but worry about him.
- Why can't they be more friendly at the shop?
+ Hardly a minute late, and so kind about it!
- I never believed she was honest.
+ Barely awake yet glad to see you.
+ You can't help liking him.
- I could not help hating him.
+ I can't praise the baker enough.
+ I couldn't thank you more.
+ Nothing would make me happier.
- She was little more than a liar.
+ I can't imagine a nicer present.
- Why couldn't you have been kinder to him?
+ I could never thank her enough.
- Can't she be gentler with the children?
- Wouldn't it have been nicer to ask me first?
- I cannot stress enough how terrible it was.
"""
# Of these the one still misread hangs on a word that the lexicon does not have.
COMPOSED_MISREAD = """
- How come he can't be more polite?
"""
# What looks like one of these, and is none.
PLAIN = """
- I can't help you more.
- I can't say that she is kinder.
- I don't think it would be better.
- I don't think he is kinder than his brother.
- He couldn't love her enough to stay.
+ She was hardly angry.
- I cannot trust her more.
- We can't win more.
- I can't love more than one.
- None of the happy ones had more to say.
"""
# What ends its sentence denies nothing of the next.
ENDED = """
+ Hardly. I love it.
+ Far from it: I love her.
+ "Hardly." I love it.
+ Hardly… I love it.
+ Anything? But I love it.
+ I can say nothing. If not for her I love it here.
"""


def texts(of: str) -> list[tuple[str, str]]:
    """Signs and texts."""
    return [(line[0], line[2:]) for line in of.strip().splitlines()]


def sign(text: str) -> str:
    x = sentiment(text)
    return "+" if x > 0 else "-" if x < 0 else "0"


@pytest.mark.parametrize(
    ("should", "text"), [*texts(READ), *texts(BEYOND), *texts(COMPOSED), *texts(PLAIN), *texts(ENDED)]
)
def test_it_has_the_sign_that_a_reader_gives(should: str, text: str) -> None:
    assert sign(text) == should, sentiment(text)


def test_what_is_misread_is_known() -> None:
    assert len(texts(READ)) + len(texts(MISREAD)) == 60
    assert [text for should, text in texts(MISREAD + COMPOSED_MISREAD.lstrip()) if sign(text) == should] == [], (
        "read now: move it up"
    )


@pytest.mark.parametrize(
    ("phrase", "plain"),
    [
        ("nothing but kind", "kind"),
        ("Nothing but praise!", "praise!"),
        ("no one but friends", "friends"),
        ("anything but fair", "not fair"),
        ("far from kind, and late", "not kind, and late"),
        ("less than honest", "not honest"),
        ("could not be kinder", "could be kinder"),
        ("no great harm", "no harm"),
    ],
)
def test_a_turn_of_phrase_sounds_as_the_plain_words_do(phrase: str, plain: str) -> None:
    assert sentiment(phrase) == sentiment(plain) != 0.0


@pytest.mark.parametrize(
    "text",
    [
        "nothing, but kind people came",  # a pause: no restriction
        "It is far to the kind aunt",
        "I had a little help",
        "He was never a killer",
        "You have more than a friend in me",
    ],
)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    assert sentiment(text) == SentimentIntensityAnalyzer().polarity_scores(text)["compound"]
