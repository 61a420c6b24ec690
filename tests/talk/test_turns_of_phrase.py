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
- I doubt that he is sincere.
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
# What is said not to be so without a denial, or denied twice: what an auditor found misread.
UNREAL = """
+ It could be worse.
- It could have been better.
- Not once did she smile.
- I'm not so sure he is honest.
- She failed to be kind.
- He is everything but honest.
+ She is no less kind than her mother.
- The last thing he is is honest.
+ The last thing she is is cruel.
- If only he were kind.
+ I have nothing against him.
+ He never fails to make me happy.
+ Hardly a day goes by without a kind word.
- At no time was he kind.
"""
# The same words as they mean the plain thing, some five of each kind: written down with the rules.
PLAIN_WORDS = """
+ It could be better weather tomorrow.
+ Things could get better.
- It could be worse than we feared.
+ It might be better to wait.
+ He could do a better job of it than I.
+ The soup could be better than last week's.
+ I wish you a happy new year.
+ We wish her joy.
+ Her dearest wish was a kind word.
+ I'll come, if only for the good soup.
+ If only because she is kind, I shall go.
+ Best wishes to all of you.
- He failed the kind teacher's test, to his shame.
- The bridge failed.
+ I always forget how kind she is.
- She refused.
- I doubt it.
+ Without a doubt she is kind.
+ He put all doubts aside and smiled happily.
+ Are you sure he is honest?
+ I am quite certain that she is kind.
+ She had a sure hand and a kind heart.
+ The last thing he said was kind.
+ Last night he was kind to me.
+ She was the last to thank me.
- The last man I met was cruel.
+ The last word was a kind one.
+ Everything but the roof is good.
+ Everything is good but the soup.
+ Everything went well.
+ I like everything about her.
+ Everything but my umbrella was saved.
+ She has more or less good news.
+ A little less salt and it is a lovely soup.
+ Less is more, and more is lovely.
+ He paid less and was happy.
- Not only is he cruel, he lies.
+ Not only did she smile, she sang.
+ Not until noon did she smile.
+ Never have I met such a kind man.
+ Never mind, did he thank you?
- He never did like her.
- She left without a kind word.
+ Without her help I would be lost, happy as I am.
- I can't be happy without her.
- He did not smile. Without a word he was gone, and I was sad.
+ She leaned against the wall and smiled.
- There was nothing good against that wall.
- He has everything against him, the poor liar.
"""
# Half turns, half the same words in plain use: written down when the rules were made, and 21 of 24 right at first look
# (13 without them).
FRESH = """
- The bride could have looked happier.
+ The news could be worse, I suppose.
- If only your brother had been a little braver and more honest with us.
- I wish the doctor were kinder.
- Never once in ten years has he said a kind word to me.
- She isn't convinced that the mayor is sincere.
- The council failed to give us any help.
+ He is the last man who would cheat you.
- Gentle is the last thing her father is.
- The evening was everything but pleasant.
+ We have nothing against your wife.
+ It could be good if the rain stops.
+ We should have a better harvest next year.
+ I wish you both much joy.
+ She failed at chess, and laughed about it happily.
+ The last person to leave was kind enough to shut the gate.
+ The last thing she gave me was a lovely scarf.
+ Everything but the cake was a delight.
+ I'm not sure how to thank you for your kindness.
+ He made sure that the children were happy.
- There is no doubt that he was cruel to the dog.
+ Not only was the baker kind, he gave us cake for nothing.
+ They have less work now and are happy.
"""
# Of these the one still misread hangs on a word that is a sentiment and means none: the heart.
FRESH_MISREAD = """
- You should have been more careful with my heart.
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
    ("should", "text"),
    [line for of in (READ, BEYOND, COMPOSED, PLAIN, ENDED, UNREAL, PLAIN_WORDS, FRESH) for line in texts(of)],
)
def test_it_has_the_sign_that_a_reader_gives(should: str, text: str) -> None:
    assert sign(text) == should, sentiment(text)


def test_what_is_misread_is_known() -> None:
    assert len(texts(READ)) + len(texts(MISREAD)) == 60
    assert len(texts(FRESH)) + len(texts(FRESH_MISREAD)) == 24
    misread = [*texts(MISREAD), *texts(COMPOSED_MISREAD), *texts(FRESH_MISREAD)]
    assert [text for should, text in misread if sign(text) == should] == [], "read now: move it up"


@pytest.mark.parametrize(
    ("phrase", "plain"),
    [
        ("nothing but kind", "kind"),
        ("Nothing but praise!", "praise!"),
        ("no one but friends", "friends"),
        ("anything but fair", "not fair"),
        ("far from kind, and late", "not kind, and late"),
        ("less than honest", "not honest"),
        ("could not be kinder", "be kinder"),
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
