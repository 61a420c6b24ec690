"""The drama deck, all of it data: the kinds of pressure, what they press towards, and what comes of it."""

from __future__ import annotations

import msgspec

from sandbox.people.persona import Persona

GIST = 9  # characters that what is at stake must have before its first comma to be told without the rest
KINDS = (
    "debt",
    "promise",
    "secret",
    "crush",
    "grudge",
    "guilt",
    "rivalry",
    "ambition",
    "worry",
    "suspicion",
)
ANSWERS = ("accept", "dodge", "refuse")
LIE = "lie"  # the fourth answer, where an exchange has words for it
PARTS = ("holder", "about", "knower")
LISTENERS = ("holder", "about", "other")
# What a wish or an answer may depend on: name -> what the rule is called where it speaks for it, and where against.
# Each is a number in [-1, 1] or [0, 1] (talk/aims.py reckons them from the state).
FEATURES: dict[str, tuple[str, str]] = {
    "base": ("in the nature of it", "it takes something"),
    "fond": ("fond of them", "does not like them"),
    "close": ("trusts them", "hardly knows them"),
    "agreeable": ("kind-hearted", "hard-headed"),
    "outgoing": ("outgoing", "shy"),
    "nervous": ("nervous by nature", "steady by nature"),
    "orderly": ("takes things seriously", "takes things lightly"),
    "curious": ("curious by nature", "set in their ways"),
    "pleased": ("in good spirits", "in low spirits"),
    "roused": ("worked up", "too tired for it"),
    "bold": ("sure of themselves", "unsure of themselves"),
    "watched": ("others are there", "others are there"),
    "hurried": ("in a hurry", "in a hurry"),
    "pressed": ("it weighs on them", "it weighs on them"),
    "owing": ("knows they are in the wrong", "knows they are in the wrong"),
    "asked": ("has been asked before", "has been asked before"),
    "worn": ("tired, hungry or lonely", "tired, hungry or lonely"),
    "dear": ("feels the same for them", "feels nothing of the kind"),
    "flush": ("can spare the money", "would be left with nothing"),
}


class Effect(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an answer, or an hour that has passed, does to a pressure.

    by: change of intensity. stage: it rises to this stage, one at a time. end: an ending of its kind. tells: the
    listener then knows of it. later: seconds by which it is put off. actor, target: change of the actor's feeling for
    the target, and of the target's for the actor. children: pressures that come of it, by name. part: the holder pays
    a part of what is owed, if it is money and they have some.
    """

    by: float = 0.0
    stage: int = 0
    end: str = ""
    tells: bool = False
    later: int = 0
    actor: float = 0.0
    target: float = 0.0
    children: tuple[str, ...] = ()
    part: bool = False


class Way(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a pressure presses somebody to do. do: an exchange. by: whose deed; to: with whom.

    stage, until: lowest and highest stage at which it is thought of. weight: utility per unit of intensity. every:
    seconds before the same person does it again. fond: least feeling for the listener. near: only when its hour is
    near, if it has one.
    """

    do: str
    by: str
    to: str
    stage: int
    until: int
    weight: float
    every: int
    fond: float
    near: bool
    accept: Effect
    dodge: Effect
    refuse: Effect
    lie: Effect = Effect()

    def effect(self, answer: str) -> Effect:
        """What an answer does. Raises AttributeError for a word that is none."""
        found: Effect = getattr(self, answer)
        return found

    @property
    def endings(self) -> frozenset[str]:
        """The endings that it may lead to."""
        return frozenset(e.end for e in (self.accept, self.dodge, self.refuse, self.lie) if e.end)


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a pressure can end. says: a sentence with {holder}, {about}, {stakes}. holder, about: emotions of the two.

    also: kind -> ending, of what else is open between them in the same thread: who makes it up is forgiven, too.
    pays: the holder then pays the other what is owed, if that is a sum of money.
    """

    good: bool
    says: str
    holder: str = ""
    about: str = ""
    also: dict[str, str] = {}
    pays: bool = False


class Kind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of pressure. called: a word after "a"; says: what it is, in a sentence; shows: how it shows, a clause;
    wanted: what its holder wants of it, after "wanted to", with {about} and {stakes} ("" in saves of old).

    mutual: whether both know of it from the start. late: what happens when its hour has passed; ready: the ending
    then from stage 2 on; luck: another that is as likely.
    """

    called: str
    says: str
    shows: str
    mutual: bool
    ways: tuple[Way, ...]
    ends: dict[str, Ending]
    late: Effect
    ready: str = ""
    luck: str = ""
    wanted: str = ""


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something one comes to another for. move: what is said; replies: the move of each answer.

    wish, answer: feature -> weight, for whether one does it and how the other takes it; lie: for whether somebody with
    something to hide lies to it (empty: nobody does). hostile: it is a confrontation; kind: a kindness. seeks: whether
    one goes looking for the other. says: completes "{who} had come ..."; did: completes "{who} ...", with {to}; took:
    answer -> completes "{other} ...".
    """

    move: str
    replies: dict[str, str]
    wish: dict[str, float]
    answer: dict[str, float]
    hostile: bool
    seeks: bool
    says: str
    did: str
    took: dict[str, str]
    kind: bool = False
    lie: dict[str, float] = {}


class Child(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pressure that comes of something. holder, about: parts ("holder", "about", "actor", "target" or a role).

    due: seconds until it falls due (0 = never). stakes, cause: words with {names} of parts, {stakes} of the parent.
    amount: least and most coins of a debt, drawn by chance; {amount} is what came of it, in words. lends: `about` hands
    the coins over as it is born, if they have them.
    """

    kind: str
    holder: str
    about: str
    intensity: float
    stage: int
    due: int
    stakes: tuple[str, ...]
    cause: tuple[str, ...]
    amount: tuple[int, int] = (0, 0)
    lends: bool = False


class Renewal(msgspec.Struct, frozen=True, omit_defaults=True):
    """How ordinary talk starts something small. tone: of the talk; chance; weights: feature of the holder -> weight."""

    tone: str
    child: str
    chance: float
    weights: dict[str, float]


class Role(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whom a spark befalls. jobs, traits: any of them; ages: lowest and highest; towards: role -> range of feeling."""

    jobs: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    ages: tuple[int, int] = (0, 200)
    towards: dict[str, tuple[float, float]] = {}

    def suits(self, p: Persona) -> bool:
        """Whether a person has what it asks for, whatever they feel for the others."""
        return (
            (not self.jobs or p.job in self.jobs)
            and (not self.traits or not set(self.traits).isdisjoint(p.traits))
            and self.ages[0] <= p.age <= self.ages[1]
        )


class Spark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A small thing from outside. says: a sentence with {roles}. cooldown: days."""

    says: str
    roles: dict[str, Role]
    children: tuple[str, ...]
    cooldown: int
    level: str = "calm"


class Rumours(msgspec.Struct, frozen=True):
    """What goes round. says: kind of pressure, or "row" -> four sentences, from how it is to the worst made of it.

    bears: what comes of hearing it, as names of children: "self" where it is about the listener, "dear" or "other"
    where it is about somebody they like or do not, "lie" where a lie comes out. lie: feature -> weight, for whether
    somebody lies who is told what is said of them, and it is so.
    """

    says: dict[str, tuple[str, ...]] = {}
    bears: dict[str, str] = {}
    lie: dict[str, float] = {}


class Drama(msgspec.Struct, frozen=True):
    """The whole deck. mercy: the child by which somebody comes to be kind on a bad day ("" = none does)."""

    kinds: dict[str, Kind] = {}
    exchanges: dict[str, Exchange] = {}
    children: dict[str, Child] = {}
    renewal: tuple[Renewal, ...] = ()
    sparks: dict[str, Spark] = {}
    mercy: str = ""
    rumours: Rumours = Rumours()


def kindness(d: Drama) -> str:
    """The kind exchange that the child of mercy presses its holder to; "" if there is none."""
    child = d.children.get(d.mercy)
    ways = d.kinds[child.kind].ways if child is not None else ()
    return next(
        (
            way.do
            for way in ways
            if child is not None
            and (way.by, way.to) == ("holder", "about")
            and way.stage <= child.stage <= way.until
            and d.exchanges[way.do].kind
        ),
        "",
    )


# What is said where a rumour is passed on, to somebody or to the one it is about, and what that one says to it: the
# last is a lie.
PASS_ON, WARN, BRISTLE, COVER = "pass_on", "warn", "bristle", "cover_up"


def moves_of(d: Drama) -> set[str]:
    """The moves that its exchanges and rumours make people say."""
    told = {PASS_ON, WARN, BRISTLE, COVER} if d.rumours.says else set()
    return told | {move for x in d.exchanges.values() for move in (x.move, *x.replies.values())}


def gist(stakes: str) -> str:
    """What is at stake, up to where it goes into particulars: so one speaks of it."""
    first = stakes.partition(", ")[0]
    return first if len(first) >= GIST else stakes
