"""Why somebody feels so, wherever the screen tells it: what befell them today first, their nature last."""

from __future__ import annotations

from larkspur import Town, said
from textual.message import Message
from textual.widget import Widget

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock, parse_start
from sandbox.core.events import Record, Stamp
from sandbox.feed.events import Connected
from sandbox.people.mood import Cause, MoodMark, Pad
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.talks import ROW, TalkLine, TalkStory
from sandbox.readers.timeline import TimelineRow
from sandbox.talk.model import Shift
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.screen import TownScreen
from sandbox.tui.panes.person_life import LifeTab
from sandbox.tui.panes.person_now import NowTab, person_card_lines
from sandbox.tui.sheets.talk import _talks
from sandbox.tui.sheets.why import mood_entries
from sandbox.tui.view.row_words import _telling, row_reason, talk_reason, why_told
from sandbox.tui.view.timeline_rows import fresh_timeline
from sandbox.tui.widgets.entries import EntriesPane

NOWHERE = Widget()
SPIKY = Pad(-0.5, 0.5, -0.5)


def test_nature_is_the_last_line_and_a_row_stands_before_a_waking_thought(town: Town) -> None:
    app = SandboxApp(town)
    viewer = app.viewer
    mine, now = viewer.world.people.residents["mara"].mood, viewer.world.now
    thought = Cause(-0.3, 0.2, -0.2, now, 7, "woke thinking about the rent", "waking")
    row = Cause(-0.06, 0.03, -0.01, now, 9, "a row with Otis")
    stage = TownScreen(viewer)

    def told(*causes: Cause) -> tuple[list[str], str, list[str]]:
        mine.t, mine.rest, mine.causes = now, SPIKY, list(causes)
        mine.pad = Pad(
            *(x + sum(c) for x, c in zip(SPIKY, zip(*((c.p, c.a, c.d) for c in causes), strict=False), strict=True))
        )
        ledger = [said(entry.lines[0])[8:].split("  ")[0] for entry in mood_entries(stage, "mara", now, 60)[1:-2]]
        tab = NowTab(viewer, NOWHERE)._causes("mara", now, 60)
        return (
            ledger,
            said(person_card_lines(viewer, "mara", now, 200)[2]),
            [said(line) for e in tab for line in e.lines],
        )

    ledger, card, person = told(thought, row)
    assert ledger == [row.why, thought.why, "by nature"]
    assert card.index(row.why) < card.index(thought.why)
    assert [row.why in person[0], thought.why in person[1]] == [True, True]
    ledger, card, person = told(row)
    assert ledger == [row.why, "by nature"]
    assert card.startswith(f"because of {row.why}")
    assert card.endswith("anxious by nature")
    praise = Cause(0.1, 0.1, 0.0, now, 8, "praise from Otis")
    ledger, card, person = told(praise)
    assert card.startswith("despite praise from Otis")
    assert card.endswith("anxious by nature")
    assert person[0].startswith("despite")
    assert "by nature" in person[-1]


def test_what_stays_is_told_with_since_when_and_leads_to_its_event(town: Town) -> None:
    app = SandboxApp(town)
    viewer = app.viewer
    mood, now = viewer.world.people.residents["mara"].mood, viewer.world.now
    mood.t, mood.rest, mood.pad, mood.causes = now, SPIKY, Pad(-1.0, 0.3, -1.0), []
    mood.marks = [MoodMark(-0.5, -0.2, -0.5, now, 9, "Otis has turned Mara down", 3 * DAY, "avoid", "otis")]
    later = now + DAY
    words = "since yesterday, Otis has turned Mara down"
    first, *_ = NowTab(viewer, NOWHERE)._causes("mara", later, 60)
    assert words in " ".join(said(line) for line in first.lines)
    assert words in said(person_card_lines(viewer, "mara", later, 200)[2])
    assert words in said(mood_entries(TownScreen(viewer), "mara", later, 90)[1].lines[0])
    went: list[Message] = []
    pane = Widget()
    pane.post_message = went.append  # type: ignore[assignment]
    stays = LifeTab(viewer, pane)._marks("mara", later, 60)
    told = " ".join(" ".join(said(line) for entry in stays for line in entry.lines).split())
    assert told == "What stays ~ since yesterday: Otis has turned Mara down; keeps out of Otis's way"
    assert stays[-1].does is not None
    stays[-1].does()
    assert went == [EntriesPane.Cause(9)]
    assert "keeps" not in said(LifeTab(viewer, NOWHERE)._marks("mara", now + 4 * DAY, 90)[-1].lines[0])
    assert LifeTab(viewer, NOWHERE)._marks("mara", now + 40 * DAY, 60) == []


def test_what_made_a_mood_is_no_reason_for_what_befell_somebody(town: Town) -> None:
    viewer = SandboxApp(town).viewer
    mood, now = viewer.world.people.residents["mara"].mood, viewer.world.now
    praise = Cause(0.4, 0.2, 0.2, now, 9, "got a piece of work just right", "deed")
    mood.t, mood.rest, mood.causes = now, Pad(0.0, 0.0, 0.0), [praise]
    mood.pad = Pad(praise.p, praise.a, praise.d)
    assert praise.why in said(person_card_lines(viewer, "mara", now, 200)[2]), "it stands with the mood"
    liked = viewer.world.people.ties["mara"]
    other = next(who for who, tie in liked.items() if any(not c.seq and c.delta < -0.2 for c in tie.causes[:1]))
    name = viewer.name(other)
    for mark, text, who in (
        ("@", f"Mara saw that {name} has blocked them on the feed", ("mara", other)),
        ("@", "12 strangers have turned on Mara for a post", ("mara",)),
        ("z", "Mara went to bed", ("mara",)),
        ("$", "Mara has been paid", ("mara",)),
        ("-", f"Mara was snubbed by {name} and became sad", ("mara", other)),
    ):
        assert why_told(viewer, TimelineRow(now, 11, mark, text, who, "", 5.4)) == "", text
    turned_away = TimelineRow(now, 11, "/", f"Mara turned {name} away", ("mara", other), "", 5.4)
    assert row_reason(viewer, turned_away).startswith(f"what Mara holds against {name}: ")


async def test_the_people_of_the_town_are_named_in_what_came_of_the_feed(town: Town) -> None:
    viewer = SandboxApp(town).viewer
    number = next(n for n, account in viewer.world.feed.accounts.items() if account.handle == "otis")
    did = Record(Stamp(11, 1, 60, "mara", ()), Connected(user=0, act="block", other=number))
    for timeline in (viewer.timeline, fresh_timeline(viewer.session, viewer.timeline)):
        assert event_sentence(did, timeline.teller) == "Mara has blocked Otis on the feed"


def test_the_words_quoted_as_a_reason_are_those_that_moved_whom_it_is_about(town: Town) -> None:
    viewer = SandboxApp(town).viewer
    story = TalkStory("1.1", ("mara", "otis"), "Mill / yard", 0, "chat", (), "", seq=20)

    def exchange(seq: int, mara: tuple[str, float, float], otis: tuple[str, float, float]) -> None:
        for who, (text, valence, felt) in (("mara", mara), ("otis", otis)):
            story.lines.append(TalkLine(seq, seq, who, text, "remark", valence, ""))
            story.shifts.append((seq, Shift(who, Pad(felt, 0.0, 0.0), Pad(0.0, 0.0, 0.0), "")))

    exchange(21, ("You took your time.", -0.2, -0.01), ("I'm no clock, you old kettle!", -0.9, -0.02))
    exchange(22, ("Did you sell the boat?", 0.0, -0.2), ("I did. To Vera.", -0.1, 0.01))
    story.mark = ROW
    turned = TimelineRow(30, 30, "-", "Mara became sad", ("mara",), "1.1", 4.0)
    assert _telling(story, turned) == story.lines[3]  # neither the coldest line of the talk, nor one of her own
    assert talk_reason(viewer, turned, story) == "Mara said “Did you sell the boat?” and Otis said “I did. To Vera.”"
    story.shifts = [(seq, Shift(s.who, Pad(0.1, 0.0, 0.0), s.after, s.why)) for seq, s in story.shifts]
    quarrel = turned._replace(mark=ROW, who=("mara", "otis"))
    assert _telling(story, quarrel) is None  # no words of it hurt: it was no line that made them quarrel


def test_what_moved_somebody_without_words_is_not_quoted(town: Town) -> None:
    viewer = SandboxApp(town).viewer
    story = TalkStory("1.1", ("mara", "otis"), "Mill / yard", 0, "chat", (), "", seq=20)
    story.shifts = [(21, Shift("mara", Pad(-0.4, 0.0, 0.0), Pad(0.0, 0.0, 0.0), ""))]
    turned = TimelineRow(30, 30, "-", "Mara became sad", ("mara",), "1.1", 4.0)
    assert _telling(story, turned) is None
    assert talk_reason(viewer, turned, story)
    story.lines.append(TalkLine(22, 22, "otis", "So that's that.", "remark", -0.1, ""))
    assert _telling(story, turned) is None  # which left her as she was
    story.shifts.append((22, Shift("mara", Pad(-0.1, 0.0, 0.0), Pad(0.0, 0.0, 0.0), "")))
    assert _telling(story, turned) == story.lines[0]


def test_a_talk_that_gave_somebody_nothing_is_none_they_are_still_glad_of() -> None:
    nothing, some = Pad(0.0, 0.0, 0.0), Pad(0.1, 0.0, 0.0)
    before = TalkStory("1", ("ann", "ben"), "mill", 0, "chat", (), "", ended=20 * MINUTE)
    before.shifts = [(1, Shift("ann", nothing, nothing, "a plain word")), (1, Shift("ben", some, some, "a kind word"))]
    now = TalkStory("2", ("ben", "ann"), "mill", HOUR, "chat", (), "")
    of = _talks(now, before, Clock(parse_start("2025-03-04 14:00")))
    assert of == {("ben", FEATURES["left"][0]): "the talk at 14:20"}
