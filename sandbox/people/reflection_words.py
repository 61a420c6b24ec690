"""The words of looking back: what one asks oneself, and what one thinks of people, matters, deeds and the day.

Templates: {name} a first name, {names} several, {topic} a matter or a name, {did} one's own deed in the past without a
subject, {why} what moved a mood. No sentence may say more than the memories it rests on.
"""

from __future__ import annotations

# What is thought of somebody goes by how time with them has felt, else by the feeling for them, else by how often they
# were met.
ASK = {
    "good": (
        "What is it about {name} that does me good?",
        "When do I see {name} again?",
        "Does {name} know what that was worth?",
    ),
    "bad": (
        "What has come between {name} and me?",
        "What got into {name}?",
        "Was it {name}, or was it me?",
    ),
    "fond": ("How is {name}, really?", "What would {name} say to all this?", "What do I owe {name}?"),
    "sour": ("Need it go on like this with {name}?", "What do I still hold against {name}?"),
    "often": ("What do I make of {name} these days?", "What am I to {name}, and {name} to me?"),
    "new": ("What do I know of {name}?", "Who is {name} when nobody is looking?"),
}
ASK_TOPIC = (
    "What is all the talk about {topic}?",
    "What will come of {topic}?",
    "What do I think myself about {topic}?",
    "Who else has a stake in {topic}?",
)
ASK_GLAD = ("What has made this a good day?", "To whom do I owe this mood?", "What went right?")
ASK_LOW = ("What is weighing on me?", "What has got into me today?", "Where did this day go wrong?")

PERSON = {
    "good": (
        "{name} does me good",
        "time with {name} is never wasted",
        "{name} is better company than I let on",
        "I come away from {name} standing straighter",
        "I must tell {name} so, one of these days",
        "an hour with {name} is a short one",
        "{name} laughs in the right places",
        "whatever {name} has, I could do with a jar of it",
        "I would walk the long way round to meet {name}",
        "things weigh less after {name}",
        "{name} has a way of leaving things better",
        "I could have listened to {name} until the lamps were lit",
        "a town with {name} in it cannot be all bad",
        "I had forgotten how easy {name} is to be with",
        "I sound cleverer with {name} than without",
        "I am still smiling at {name}, and there is nobody here",
    ),
    "bad": (
        "{name} gets under my skin",
        "something is wrong between {name} and me",
        "I keep answering {name} in my head",
        "I was better before {name} came along",
        "{name} knows exactly where the sore place is",
        "I shall be civil to {name}, and it will cost me",
        "I have said less to {name} than I meant, and more than I should",
        "all the good answers to {name} come to me now",
        "{name} and I want different things, and neither says which",
        "I need a day or two without {name}",
        "I let {name} spoil an hour, and pay for it with another",
        "it is a small thing with {name}, and I cannot swallow it",
        "next time with {name} I shall count to ten",
        "if {name} thinks that is forgotten, {name} is mistaken",
    ),
    "fond": (
        "{name} is simply there, and that is a lot",
        "I lean on {name} more than I say",
        "a day without {name} would have a hole in it",
        "I look for {name} in every room before I sit down",
        "{name} has never once made me feel a fool",
        "if there were a fire I would shout for {name}",
        "I would know {name}'s step anywhere",
        "I ought to ask {name} how things are, and then listen",
        "there are few like {name}, and I have one of them",
        "{name} and I need few words, and use many",
        "what I know of patience I have from {name}",
        "with {name} I need not be at my best",
        "I hope {name} eats enough",
        "should anybody speak ill of {name}, they will hear from me",
        "I thank {name} too seldom, and {name} never waits for it",
        "it is good to think of {name} somewhere about the town",
    ),
    "sour": (
        "I keep my distance from {name}, and it shows",
        "{name} and I will not mend by waiting",
        "I cross the square sooner than meet {name}",
        "one of us will have to speak first, and {name} will not",
        "I have stopped wishing {name} good morning",
        "{name} and I are polite like a shut door",
        "I add up what {name} owes me, and it never gets less",
        "the best of {name} is the back, going",
        "I know I am not fair to {name}, and I know why",
    ),
    "often": (
        "I run into {name} wherever I go",
        "{name} is part of my day, like it or not",
        "I could set the clock by {name}",
        "it would be odd by now not to see {name}",
        "{name} and I seem to use the same pavement",
        "I see more of {name} than I remember deciding to",
        "{name} again, and I begin to look out for it",
        "my day has a {name} in it as it has a noon",
        "{name} has become a habit",
        "between {name} and me there is no harm, and no hurry",
        "I know what {name} will say, and wait for it all the same",
        "{name} is good for a word, and a word is not nothing",
    ),
    "new": (
        "I hardly know what {name} is thinking",
        "there is more to {name} than meets the eye",
        "I have never asked {name} a real question",
        "I could not say what makes {name} laugh",
        "{name} watches, and says little of it",
        "I would know {name}'s coat anywhere, and not much else",
        "I have made up my mind about {name} too soon, and on little",
        "next time I shall ask {name} something",
        "{name} is a book I have only seen the back of",
        "I could do worse than sit next to {name} one day",
        "{name} is easier to pass than to know",
        "I should know more of {name} after all this time",
        "{name} keeps something back, and so do I",
        "I know what {name} does, and not why",
        "{name} has a face for company, and another I have not seen",
    ),
}
# What there is between somebody and oneself: a matter that came up once, or more than once.
ONCE = (
    "I want to hear more from {name} about {topic}",
    "what {name} and I said about {topic} wants sleeping on",
    "I went away from {name} with {topic} in my pocket",
    "there is more to say about {topic} than {name} and I have said",
    "it was {name} I talked with about {topic}, and it might have been worse",
    "I have not heard the last of {topic}, and not from {name}",
    "{name} and I see {topic} from two windows",
)
AGAIN = (
    "{name} and I keep coming back to {topic}",
    "with {name} it comes round to {topic} in the end",
    "all roads lead {name} and me to {topic}",
    "one day {name} and I shall be done with {topic}, and have to find another subject",
)
# What is thought of a matter: talked about with one, with two or with several people.
TOPIC_ONE = (
    "I cannot leave {topic} alone since {name} and I spoke of it",
    "if {name} and I talk about {topic}, others do",
    "I would give something to know what comes of {topic}",
    "I said to {name} what I think about {topic}, or most of it",
    "about {topic} I know half, and {name} the other half, or so we think",
    "it is quiet about {topic} just now, and I do not trust it",
)
TOPIC_TWO = (
    "I have talked about {topic} with {names}, and am none the wiser",
    "what I heard from {names} about {topic} does not make one story",
    "by now {names} and I could put {topic} to music",
    "{names} and I: it takes no more for {topic} to be the talk of the day",
)
TOPIC_MANY = (
    "first {names}: everybody comes to me about {topic}, or I to them",
    "{names} and I: half the town is busy with {topic}",
)
STANCE = (
    "I am still {side} {topic}: {why}",
    "the more I hear about {topic}, the more I am {side} it: {why}",
    "let them talk about {topic}. I am {side} it: {why}",
)
WORRY = (
    "talking about {topic} makes it no smaller",
    "I have spoken of {topic} aloud now, and the roof stayed on",
    "{topic}: I lie awake with it, and it does not pay rent",
    "I must do something about {topic}, or stop thinking of it",
)
# A deed of one's own, in its tail: how it sits.
DID = {
    "good": (
        "I {did}, and I am glad of it",
        "I {did}, and it was the right thing",
        "I {did}: I would do it again",
    ),
    "bad": (
        "I {did}, and I am none the lighter for it",
        "I {did}, and I go over it again",
        "I {did}, and my heart was not in it",
        "I {did}, and the day got no better by it",
    ),
}
# What a good or a low mood is put down to: a deed, a cause in words, a person.
DAY_DID = {
    "good": (
        "the best of it: I {did}",
        "I {did}, and the day went by itself after that",
        "I {did}, and could do with more days like it",
        "what do I want more? I {did}",
    ),
    "bad": (
        "it comes down to this: I {did}",
        "I {did}, and have dragged it about with me since",
        "everything was well enough, and then I {did}",
    ),
}
DAY_WHY = {
    "good": (
        "the best of it was this: {why}",
        "{why}: it takes no more than that",
        "I put it down to one thing: {why}",
        "{why}, and the rest looked after itself",
    ),
    "bad": (
        "the worst of it was this: {why}",
        "{why}: that is all it took",
        "I should not let it get to me: {why}",
        "{why}, and I carried it about all day",
    ),
}
DAY_WHO = {
    "good": (
        "the best of it was {name}",
        "it was {name} who turned this day round",
        "I have this mood from {name}",
        "it has been a good day since {name} and I talked",
        "I owe {name} for today, and {name} will never ask for it",
    ),
    "bad": (
        "it began with {name}",
        "I have not been right since {name} and I talked",
        "a few words with {name}, and the day went downhill",
        "{name} is what is the matter with me today",
    ),
}
# What is kept of a talk: words heard.
KEPT = {
    "good": ('I shall keep what {name} said: "{words}"', 'I warm my hands on it: {name} said "{words}"'),
    "bad": ('it rankles: {name} said "{words}"', 'I still hear {name}: "{words}"'),
    "": ('{name} said "{words}", and I have been turning it over', 'I keep hearing {name}: "{words}"'),
}
# What one means to do, as an infinitive: about a matter, and after a talk that went ill.
SEE = ("see {name} about {topic}", "have another word with {name} about {topic}", "hear {name} out about {topic}")
MEND = ("make it up with {name}", "clear the air with {name}", "see {name} and do better than last time")
