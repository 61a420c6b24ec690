"""What people say in an interview: sentence templates to answer or to evade a question.

Keys of tables by voice are those of `people.persona.Voice`; {slots} are filled by `interview_rule`.
"""

from __future__ import annotations

from sandbox.people.persona import Voice

FEEL = {
    "Happiness": ("happy", "in good heart", "glad to be up and about"),
    "Joy": ("happy", "in good heart", "glad to be up and about"),
    "Trust": ("at ease", "in good hands, as far as I can see"),
    "Anticipation": ("eager to see what comes", "on my toes"),
    "Sadness": ("low", "down", "a bit grey inside"),
    "Anger": ("angry", "cross", "short of patience"),
    "Fear": ("uneasy", "on edge", "jumpy"),
    "Surprise": ("stirred up", "not sure which way up I am"),
    "Disgust": ("put off by the lot of it", "sour"),
    "Contempt": ("unimpressed, mostly", "in no mood to admire anybody"),
    "Neutral": ("calm", "all right", "much as usual"),
    "Vague": ("neither one thing nor the other", "hard to say what, even to myself"),
}
HOW_I_AM: dict[Voice, tuple[str, ...]] = {
    "plain": ("I'm {feel}, if you want to know.", "Truth be told, I'm {feel}.", "I'd say I'm {feel}."),
    "warm": ("You're kind to ask. I'm {feel}.", "Bless you for asking, I'm {feel}.", "Well, my dear, I'm {feel}."),
    "blunt": ("I'm {feel}. There.", "Since you ask: I'm {feel}.", "I'm {feel}, and I don't dress it up."),
    "formal": ("I believe I am {feel}.", "I should describe myself as {feel}.", "I am {feel}, thank you for asking."),
    "playful": (
        "Officially fine. Unofficially I'm {feel}.",
        "I'm {feel}, on a scale from soup to song.",
        "Today's weather in here: I'm {feel}.",
    ),
}
BECAUSE = (
    "It comes down to this: {cause}.",
    "If you want the reason: {cause}.",
    "It has stayed with me all the while: {cause}.",
    "I put it down to one thing: {cause}.",
)
AND_ALSO = ("And then there is this: {cause}.", "On top of that: {cause}.", "That, and {cause}.")
NO_CAUSE = (
    "Nothing in particular has brought it on.",
    "I couldn't point to one thing and say that was it.",
    "There's no story behind it. It's how I am.",
    "Don't look for a reason, I have looked already.",
)
PRESSED = (
    "What weighs on me is that {pressed}.",
    "I'd be easier if it were not for this: {pressed}.",
    "The thing I carry about with me: {pressed}.",
)
WORRY = ("I do worry about {concern}.", "There's {concern}, which I'd rather not think of.", "{Concern}, chiefly.")
NO_WORRY = ("Nothing that would keep me awake.", "No more than anybody has.", "I've had worse weeks than this one.")

OF_THEM = {
    "devoted to them": (
        "{name} means the world to me.",
        "I'd walk through the river for {name}.",
        "You'll not hear a word against {name} from me.",
    ),
    "fond of them": (
        "I'm fond of {name}, and I don't mind who knows.",
        "{name} is one of the good ones.",
        "I like having {name} about.",
    ),
    "glad of them": (
        "I get on well enough with {name}.",
        "{name} is all right by me.",
        "I've nothing but friendly feelings for {name}.",
    ),
    "neither for nor against them": (
        "I neither mind {name} nor miss them.",
        "I can't say I have strong views on {name}.",
        "{name} and I nod to each other. That's about the size of it.",
    ),
    "of two minds about them": (
        "{name} and I have too much behind us for one word.",
        "Ask me about {name} and I could say two things, and mean them both.",
        "I can't make up my mind about {name}, and not for want of trying.",
    ),
    "wary of them": (
        "I keep half an eye on {name}.",
        "I'm careful around {name}.",
        "With {name} I count my words first.",
    ),
    "bitter about them": (
        "I've not much good to say of {name}.",
        "{name} and I are not on good terms.",
        "Ask me about somebody else. {name} and I have had enough of each other.",
    ),
    "unable to stand the sight of them": (
        "I can't stand the sight of {name}.",
        "{name} can stay on the far side of town.",
        "The less I see of {name} the better I sleep.",
    ),
}
WITH_THEM = (
    "{When}, {memory}.",
    "I still think of it: {memory}, {when}.",
    "To give you one thing: {memory}, {when}.",
    "The last I remember of any weight: {memory}, {when}.",
    "You may judge for yourself: {memory}, {when}.",
)
I_THINK = ("To my mind, {thought}.", "What I tell myself is this: {thought}.", "As I see it, {thought}.")
BELIEVED = {
    True: (
        "They say {belief}; I have it from {source}.",
        "{source} told me that {belief}.",
        "If {source} has it right, {belief}.",
    ),
    False: ("I know for a fact that {belief}.", "Mind you, {belief}.", "What I do know is that {belief}."),
}
# Whether one believes something that came from outside, and what one means to do about it.
I_BELIEVE_IT = (
    "I believe it.",
    "I take it to be so.",
    "I've turned it over, and I think it's true.",
)
I_DOUBT_IT = (
    "I don't believe a word of it.",
    "I'd want to see it before I believed it.",
    "I can't make myself believe it.",
)
UNDECIDED = (
    "I've not made up my mind what to do about it.",
    "What to make of it I couldn't tell you yet.",
    "I leave it at that, for now.",
)
I_MEAN_TO = (
    "I mean to {wants}.",
    "What I want now is to {wants}.",
    "I'll not rest until it's seen to: I mean to {wants}.",
)
OF_THING = (
    "There is more to it than the thing itself: {belief}.",
    "It comes down to this: {belief}.",
    "What has come of it is that {belief}.",
)
STRANGER = (
    "I don't know anybody called {name}.",
    "{name}? Nobody of that name lives here that I know of.",
    "You'd have to tell me who {name} is.",
)

DID = (
    "{When}, {memory}.",
    "Well, {memory}, {when}.",
    "Let me think. {When}, {memory}.",
    "What stays with me is that {memory}, {when}.",
)
ALSO = ("Then there was this: {memory}, {when}.", "And {memory}, {when}.", "I could add that {memory}, {when}.")
SAME_DAY = ("And then {memory}.", "Besides, {memory}.", "There was more: {memory}.", "I could add that {memory}.")
NOTHING_WITH = (
    "Not that I remember.",
    "Nothing with {name} that I can call to mind.",
    "If I had anything to do with {name}, it has gone clean out of my head.",
)
NOTHING_DONE = (
    "Nothing I'd bore a stranger with.",
    "It was a day like others. I couldn't tell you much of it.",
    "Nothing I remember, and I'd rather say so than make it up.",
)

PLAN = ("I mean to {first}.", "Next I'll {first}.", "If nobody stops me, I'll {first}.", "The idea is to {first}.")
PLAN_THEN = ("After that I want to {then}.", "Then I'll {then}.", "And after that, {then}.")
TOMORROW = (
    "Tomorrow I'll {first}, as far as I know.",
    "Tomorrow? I expect I'll {first}.",
    "Much like any day: I'll {first}.",
)
NO_PLAN = (
    "Nothing more today but my bed.",
    "No plans. I'll see what the evening brings.",
    "I've none, and I like it so.",
)

OPINION = {
    1: ("I'm for it, and I'll tell you why: {why}.", "{Topic}? All in favour. {Why}.", "I like the idea. {Why}."),
    0: (
        "{Topic}? I can see both sides. Still, {why}.",
        "I'm in two minds about {topic}. {Why}.",
        "I've no fixed view on {topic}, except that {why}.",
    ),
    -1: ("I'm against it. {Why}.", "{Topic}? No. {Why}.", "I don't hold with {topic}: {why}."),
}

EVADE: dict[Voice, tuple[str, ...]] = {
    "plain": ("I'd rather not say.", "Everybody has something. I'll keep mine.", "That's not for telling."),
    "warm": (
        "Now, that would be telling, my dear.",
        "Some things one keeps, however nicely one is asked.",
        "Ask me anything else and I'll put the kettle on.",
    ),
    "blunt": ("That's none of your business.", "No. Next question.", "If I had one, you'd be the last to hear it."),
    "formal": (
        "I should prefer not to discuss that.",
        "I am afraid that must remain with me.",
        "You will understand that I decline to answer.",
    ),
    "playful": (
        "My secret is that I have no secrets. Believe that and you'll believe anything.",
        "I'd tell you, but then I'd have to tell everyone.",
        "Guess. No. Guess again. Still no.",
    ),
}
UNKNOWN: dict[Voice, tuple[str, ...]] = {
    "plain": ("I would not know.", "That I couldn't tell you.", "You're asking the wrong person, I don't know."),
    "warm": ("I wish I could help you, but I would not know.", "There you have me, my dear. I don't know."),
    "blunt": ("No idea.", "I would not know. Ask somebody who does.", "How should I know?"),
    "formal": (
        "I am afraid I would not know.",
        "I have no knowledge of that.",
        "That lies outside what I can tell you.",
    ),
    "playful": (
        "Not a clue, and I've looked in both pockets.",
        "I would not know. I could sing you something instead.",
    ),
}
NEARBY = (
    "All it brings to mind is this: {memory}, {when}.",
    "The nearest I can come to it: {memory}, {when}.",
    "I can only tell you that {memory}, {when}.",
)
WHICH = (
    "Whom do you mean, {people}?",
    "There is more than one of that name. Is it {people}?",
    "You'd have to say which: {people}.",
)
NOT_HEARD = (
    "I have heard nothing of that.",
    "Nobody has told me anything about it.",
    "If there is talk, it has passed me by.",
)
GREET: dict[Voice, tuple[str, ...]] = {
    "plain": ("Hello. What is it you want to know?", "Good day to you."),
    "warm": ("Hello there, my dear. Sit down and ask.", "Good day to you, and welcome."),
    "blunt": ("Hello. Out with it.", "Yes? What do you want to know?"),
    "formal": ("Good day. How may I help you?", "How do you do. Please, ask."),
    "playful": ("Hello, voice from nowhere.", "Well, hello. Do I get a hat for this?"),
}
WHO_I_AM = (
    "{name}. {Job}, as you may have noticed.",
    "{name} is the name. {Job}, if you put it on a form.",
    "They call me {name}. {Job}, for my sins.",
)
I_LIKE = ("I like {like}.", "Give me {like} and I'm content.", "What I like best is {like}.")
I_DISLIKE = ("I can't abide {dislike}.", "What I can do without: {dislike}.", "{Dislike}. Don't start me on that.")

# ---- about one's own life; {it}: the facts

LIFE = ("{It}.", "Since you ask: {it}.", "I'll say it straight: {it}.")
OWED_NOTHING = ("Nobody owes me anything that I'd press for.", "Not a coin, by anybody.")
OWES_NOTHING = ("I owe nobody anything.", "I'm straight with everybody, as far as I know.")
BEST = ("If I must name anybody, {it}.", "I'd put this first: {it}.")
WORST = ("I'd sooner not meet this one: {it}.", "It is no secret to me, at least: {it}.")
NOBODY = ("Nobody more than another, just now.", "I get on with most people, and lean on none.")
NOBODY_BAD = ("There is nobody I can't stand.", "I've nothing against anybody that would last the week.")
WANTS = ("What I want is to {it}.", "More than anything I'd like to {it}.")
MEANS = ("First I mean to {it}.", "The next thing is to {it}.")
WANTS_NOTHING = ("Nothing I haven't got, this week.", "I'm not after anything just now.")
NOTHING_NEW = ("Nothing has changed with me, this week or last.", "It's as it was with me.")
HOME = ("I live in {it}.", "You'd find me in {it}, of a night.")
NO_HOME = ("Nowhere that I'd call mine.",)
WORK = ("I'm the {it}.", "The {it}, that's me.")
NO_WORK = ("Nobody pays me to get up. {Job}, if you must put something.",)
COINS = ("I have {it}, and that's counted.", "There is {it} in my purse.")
NO_COINS = ("Nobody counts coins here.",)
NOT_UP = ("Nothing just now.", "Very little, at this moment.")
NOW = ("You can see for yourself: {it}.", "At the moment I'm {it}.")
COUPLE = ("Yes. {It} and I are a couple.", "{It} and I are together, yes.")
