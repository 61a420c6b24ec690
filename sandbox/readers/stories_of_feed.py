"""Stories of the feed: what residents like, repost, follow and look at; and what the crowd does, summed up by tick.

Posts and strangers are called by number, since a reader of the log does not have the feed as it was at that moment.
People of the town are called by name where the reader knows whose account is which (`owners`). The stories of what is
written are in `stories_of_phones.py`, and there is the row of what is blocked or unfollowed, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from sandbox.core.events import Event, Stamp
from sandbox.core.plain import count_of
from sandbox.core.text import clean, join_names
from sandbox.feed.events import (
    Browsed,
    Connected,
    Deed,
    Deleted,
    Grouped,
    MutedWord,
    Reacted,
    Reported,
    Reposted,
    SignedUp,
    StanceTold,
)
from sandbox.feed.model import UNIT
from sandbox.feed.packing import DOUBT, ActKind, CrowdActed
from sandbox.feed.steering import SCORE, Steered, Watched
from sandbox.phones.model import HasPhones
from sandbox.policy.model import HAND, PolicyChosen, SteeredByHand
from sandbox.readers.story import Block, Story, Teller, WrappedText

RULED = "the rule by which somebody lets go of another has the row"
SMALL = "likes, comments and looks are shown on the feed, and what comes of them has rows"
MARK = "@"  # mark of timeline rows about the feed
SHORT = 160  # characters of a text quoted in a sentence
REACTIONS = {"like": "liked", "unlike": "no longer likes", "dislike": "disliked", "undo_dislike": "no longer dislikes"}
CONNECTIONS = {
    "follow": "follows",
    "unfollow": "no longer follows",
    "mute": "has muted",
    "unmute": "reads again",
    "block": "has blocked",
    "unblock": "no longer blocks",
}
GROUPS = {"create": "made", "join": "joined", "leave": "left"}


def owners(w: HasPhones) -> Callable[[int], str]:
    """A function: number of a feed account -> id of its owner in town (who may have left since), "" for a stranger. It
    looks at the world when it is called.
    """

    def owner(user: int) -> str:
        account = w.feed.accounts.get(user)
        known = account is not None and (account.handle in w.cast or account.handle in w.handbook.others)
        return account.handle if account is not None and known else ""

    return owner


def _why(teller: Teller, e: Deed, clock: object) -> list[Block]:
    """The reason that the mind gave for an act, if any."""
    return [WrappedText(f"Why: {clean(e.reason)}")] if e.reason else []


def _signed_up(teller: Teller, e: SignedUp, stamp: Stamp) -> str:
    bio = f": “{clean(e.bio, SHORT)}”" if e.bio else ""
    return f"{teller.name(stamp.actor)} signed up to the feed as @{e.handle}{bio}"


def _reposted(teller: Teller, e: Reposted, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} passed post {e.root} on"


def _reacted(teller: Teller, e: Reacted, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} {REACTIONS[e.act]} {e.on} {e.target}"


def _connected(teller: Teller, e: Connected, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} {CONNECTIONS[e.act]} {teller.user(e.other)} on the feed"


def _muted_word(teller: Teller, e: MutedWord, stamp: Stamp) -> str:
    wants = "no longer wants" if e.act == "mute" else "wants again"
    return f'{teller.name(stamp.actor)} {wants} to read of "{clean(e.word, SHORT)}"'


def _reported(teller: Teller, e: Reported, stamp: Stamp) -> str:
    why = f": “{clean(e.why, SHORT)}”" if e.why else ""
    return f"{teller.name(stamp.actor)} reported post {e.post}{why}"


def _deleted(teller: Teller, e: Deleted, stamp: Stamp) -> str:
    why = f": {clean(e.reason)}" if e.reason else ""
    return f"{teller.name(stamp.actor)} took a post of theirs down{why}"


def _grouped(teller: Teller, e: Grouped, stamp: Stamp) -> str:
    name = f', "{clean(e.name)}"' if e.name else ""
    return f"{teller.name(stamp.actor)} {GROUPS[e.act]} group {e.group} on the feed{name}"


def _browsed(teller: Teller, e: Browsed, stamp: Stamp) -> str:
    name = teller.name(stamp.actor)
    query = clean(e.query, SHORT)
    if e.act == "search_posts":
        return f'{name} looked for posts with "{query}" and was shown {count_of(len(e.shown), "post")}'
    if e.act == "search_users":
        return f'{name} looked for users with "{query}" and was shown {count_of(len(e.shown), "user")}'
    if e.act == "listen":
        whom = teller.user(e.other) if e.group < 0 else f"group {e.group}"
        return f"{name} read {count_of(len(e.shown), 'message')} of {whom}"
    if e.act == "do_nothing":
        return f"{name} did nothing on the feed"
    what = "what is liked most" if e.act == "trend" else "the feed"
    return f"{name} looked at {what} and was shown {count_of(len(e.shown), 'post')}"


# ---- the crowd


SUMS = {
    "like": (ActKind.LIKE, ActKind.LIKE_COMMENT),
    "dislike": (ActKind.DISLIKE, ActKind.DISLIKE_COMMENT),
    "comment": (ActKind.HOSTILE, ActKind.NEUTRAL, ActKind.WARM, *range(DOUBT + 1, DOUBT + 11)),
    "repost": (ActKind.REPOST,),
    "post": (ActKind.POST,),
    "follow": (ActKind.FOLLOW,),
    "unfollow": (ActKind.UNFOLLOW,),
}


def sums(e: CrowdActed) -> dict[str, int]:
    """How often the crowd did each thing, by name, without zeros."""
    acts = np.bincount(np.frombuffer(e.acts, np.uint8), minlength=256)
    found = {name: int(acts[list(which)].sum()) for name, which in SUMS.items()}
    return {name: count for name, count in found.items() if count}


def _sentence(teller: Teller, e: CrowdActed, stamp: Stamp) -> str:
    done = [count_of(count, name) for name, count in sums(e).items()]
    return f"The crowd: {join_names(done)}" if done else "The crowd was quiet"


def _counts(e: CrowdActed) -> Iterable[tuple[str, int]]:
    return ((f"crowd {name}s", count) for name, count in sums(e).items())


def _watched(teller: Teller, e: Watched, stamp: Stamp) -> str:
    return f"Card {e.post} is {('watched no longer', 'watched as a claim', 'watched as a rebuttal')[e.side]}"


def _stance_told(teller: Teller, e: StanceTold, stamp: Stamp) -> str:
    return f"User {e.user} is found to stand at {e.stance / UNIT:+.2f}"


def _steered(teller: Teller, e: Steered, stamp: Stamp) -> str:
    """What a policy decided for a round."""
    if e.fault:
        return f"The platform's policy {e.policy} failed, and nobody steers: {e.fault}"
    if e.idle:
        return "Nobody steers the platform"
    done = [f"{count_of(len(e.scores) // 2, 'card')} chosen"] if e.users else []
    if e.mix is not None:
        done.append(mix_words([share / SCORE for share in e.mix]))
    if e.silenced:
        done.append(f"{count_of(len(e.levels), 'author')} turned down")
    if e.pins:
        done.append(f"{count_of(len(e.pins), 'card')} pinned")
    return f"The platform, by {e.policy or 'hand'}: {join_names(done) or 'left everything as it is'}"


def _policy_chosen(teller: Teller, e: PolicyChosen, stamp: Stamp) -> str:
    who = e.own or e.settings.learner
    if not who:
        return "From now on nobody steers the platform"
    if who == HAND:
        return "From now on whoever plays the platform steers it"
    return f"From now on the policy {who} steers the platform" + (f", for {e.settings.objective}" if not e.own else "")


def _steered_by_hand(teller: Teller, e: SteeredByHand, stamp: Stamp) -> str:
    done = [mix_words(e.mix)] if e.mix is not None else []
    if e.down:
        done.append(f"{count_of(len(e.down), 'author')} turned down")
    return f"The platform's seat: {join_names(done) or 'everything as it was'}"


def mix_words(mix: Sequence[float]) -> str:
    """Shares of a mix in words."""
    return "a mix of {:.0%} followed, {:.0%} personal, {:.0%} headlines".format(*mix)


STORIES: dict[type[Event], Story] = {
    SignedUp: Story(sentence=_signed_up, untold=SMALL, sheet=_why),
    Reposted: Story(sentence=_reposted, untold=SMALL, sheet=_why),
    Reacted: Story(sentence=_reacted, untold=SMALL, sheet=_why),
    Connected: Story(sentence=_connected, untold=RULED, sheet=_why, result=True),
    MutedWord: Story(sentence=_muted_word, untold=SMALL, sheet=_why),
    Reported: Story(sentence=_reported, untold=SMALL, sheet=_why),
    Deleted: Story(sentence=_deleted, mark=MARK, weight="feed.post", result=True),
    Grouped: Story(sentence=_grouped, untold=SMALL, sheet=_why),
    Browsed: Story(sentence=_browsed, untold=SMALL, sheet=_why),
    CrowdActed: Story(sentence=_sentence, untold="what a crowd does is shown in sums, not act by act", counts=_counts),
    Watched: Story(sentence=_watched, untold="it is the researcher's doing, not the town's"),
    StanceTold: Story(sentence=_stance_told, untold="it is the researcher's doing, not the town's"),
    PolicyChosen: Story(sentence=_policy_chosen, mark=MARK, weight="feed.post"),
    SteeredByHand: Story(sentence=_steered_by_hand, mark=MARK, weight="feed.post"),
    Steered: Story(sentence=_steered, untold="rounds are shown in the policy's tab"),
}
