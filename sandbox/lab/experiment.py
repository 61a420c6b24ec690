"""An experiment as a file describes it: a world run in several arms, each with the same seeds.

One YAML file, read by the common reader of text files, so that a fault is reported with line and fix. Those that ship
are in `sandbox/lab/experiments/`; docs/lab.md explains each key.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeGuard

import msgspec

from sandbox.core.chance import SEED_MAX
from sandbox.core.clock import HOUR, parse_start, parse_step
from sandbox.core.faults import Fault, Faults, in_quotes, path_text, suggestion, unknown
from sandbox.core.places import expand_path
from sandbox.core.plain import count_of, safe_line, shown_as, some
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.engine.load_rules import read_rules
from sandbox.engine.loading import WorldFaults, find_world
from sandbox.lab.metrics import METRICS
from sandbox.lab.published import PAPERS
from sandbox.lab.wording import COLUMNS
from sandbox.minds.embedded import ASKS

FOLDER = Path(__file__).parent / "experiments"
MOST_STEPS, MOST_ARMS = 1_000_000, 50
SEEDS, QUICK = 10, 10  # how many, if the file gives none
SIGNS = ("more", "less")
ASK = {f"ask.{asks.replace(' ', '_')}": asks for asks in ASKS}  # arm settings: what models are asked
NAME = 40  # characters of an arm's name
ODD = re.compile(r"[^\w.-]+|^[.-]+")  # characters not allowed in an experiment's name, which becomes part of file names
LONG = 120  # bytes of an experiment's name; a file system allows 255 for the whole file name


class LabFaults(WorldFaults):
    """An experiment that cannot be run as described: all errors found, by file and line."""


def lab_fault(where: str | Path, *messages: str) -> LabFaults:
    """A LabFaults error. where: a file, argument or option; messages: what is wrong and how to fix it, a line each."""
    place = path_text(where) if isinstance(where, Path) else safe_line(where)
    return LabFaults([Fault(place, 0, 0, safe_line(message)) for message in messages])


@contextmanager
def of_argument(name: str) -> Iterator[None]:
    """Convert faults raised inside to LabFaults of this argument, unless they have a place in a file."""
    try:
        yield
    except WorldFaults as error:
        raise LabFaults([f._replace(file=name) if f.file.startswith("--") else f for f in error.faults]) from None
    except ValueError as error:
        raise lab_fault(name, str(error)) from None


class ExperimentArm(msgspec.Struct, frozen=True):
    """An arm. settings: KEY=VALUE as for `--set`, or a key of ASK with on or off; they override the shared ones."""

    name: str
    settings: tuple[str, ...]


class Comparison(msgspec.Struct, frozen=True):
    """Two arms, by name: results are `arm` minus `against`."""

    arm: str
    against: str


class Experiment(msgspec.Struct, frozen=True):
    """name: from its file, fit for file names. world: a name or a folder. start: "2025-02-13 08:00". step: seconds, a
    divisor of an hour. steps: of each replica. seeds: in order; quick: how many of them a quick run uses. settings: of
    all arms. metrics: keys of `lab.metrics.METRICS`, or your own measures; the first is the primary one. notes: for
    readers of the report. judge: comparisons for judges, if not the first comparison. beside: the paper whose tables
    are shown beside ours, one of `lab.published.PAPERS`; "" for none. expects: metric -> whether the first arm of the
    first comparison should have more or less of it (SIGNS).
    """

    name: str
    title: str
    about: str
    world: str
    start: str
    step: int
    steps: int
    seeds: tuple[int, ...]
    settings: tuple[str, ...]
    arms: tuple[ExperimentArm, ...]
    comparisons: tuple[Comparison, ...]
    metrics: tuple[str, ...]
    notes: tuple[str, ...] = ()
    judge: tuple[Comparison, ...] = ()
    beside: str = ""
    quick: int = QUICK
    expects: dict[str, str] = {}

    def __repr__(self) -> str:
        arms = f"{count_of(len(self.arms), 'arm')} ({some(arm.name for arm in self.arms)})"
        return shown_as(self, f"{self.name}: {arms}, {count_of(len(self.seeds), 'seed')}", ".arms, .settings, .metrics")

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """The comparisons that judges make; none if nothing is compared."""
        return self.judge or self.comparisons[:1]

    def only(self, names: Collection[str]) -> Experiment:
        """The experiment with these arms only, and their comparisons; expectations go if the first comparison does.
        Raises LabFaults for an unknown name.
        """
        known = [arm.name for arm in self.arms]
        for name in names:
            if name not in known:
                near = suggestion(name, known) or f"; choose from {', '.join(known)}"
                raise lab_fault("--arm", f"no arm {in_quotes(name)}{near}")
        kept = tuple(c for c in self.comparisons if c.arm in names and c.against in names)
        return msgspec.structs.replace(
            self,
            arms=tuple(arm for arm in self.arms if arm.name in names),
            comparisons=kept,
            expects=self.expects if kept and kept[0] == self.comparisons[0] else {},
            judge=tuple(c for c in self.judge if c.arm in names and c.against in names),
        )


def shipped_experiments() -> dict[str, Path]:
    """Name -> file of the experiments that ship."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}


def find_experiment(name: str, studies: Collection[str] = ()) -> Path:
    """The file of an experiment: a path ending in .yaml, or the name of one that ships. studies: further names to
    suggest in the error. Raises LabFaults.
    """
    path = expand_path(name)
    known = shipped_experiments()
    if name in known:
        return known[name]
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return path
    names = [*known, *studies]
    hint = suggestion(path.stem, names) or f"; shipped: {', '.join(names)}"
    if path.suffix in (".yaml", ".yml"):
        raise lab_fault(path, f"no such file{hint}")
    what = "experiment or study" if studies else "experiment"
    raise lab_fault("experiments", f"no {what} {in_quotes(name)}{hint}; a file's name ends in .yaml")


def read_experiment(path: Path, arms: Collection[str] = ()) -> Experiment:
    """The experiment in a file. arms: read only these. Raises LabFaults with every fault, by line."""
    faults = Faults()
    r = MappingReader(open_yaml(path, faults))
    name = re.sub(r"[^\w.-]+", "-", path.stem)
    if not is_name(name):
        mend = f"begin it with a letter or a digit, and use at most {LONG} bytes"
        faults.add(path_text(path), 0, 0, f"figures are named after this file, and cannot have its name; {mend}")
    settings = _settings(r.items("settings", single=True), ())
    own = _arms(r, settings, arms)
    known = {arm.name for arm in own}
    found = Experiment(
        name=name,
        title=r.text("title", path.stem, need="Moods on and off", limit=80),
        about=r.text("about", limit=1000),
        world=_world(r.get("world", need="larkspur")),
        start=_start(r.get("start", need='"2025-02-13 08:00"')),
        step=_step(r.get("step", need="20m")),
        steps=r.integer("steps", 1, 1, MOST_STEPS, need="36"),
        seeds=r.made("seeds", "", read_seeds(SEEDS), _seeds),
        settings=settings,
        arms=own,
        comparisons=_comparisons(r.items("comparisons"), known),
        metrics=r.choices("metrics", METRICS, "metric") or tuple(METRICS),
        notes=r.texts("notes", limit=1000),
        judge=_comparisons(r.items("judge"), known),
        beside=r.choice("beside", "", PAPERS, "paper"),
        quick=r.integer("quick", QUICK, 1, MOST_SEEDS),
        expects={
            key: sign
            for key, value in r.section("expects").named(METRICS, "metric")
            if (sign := value.choice(SIGNS, "sign")) is not None
        },
    )
    r.rest()
    if faults.errors:
        raise LabFaults(faults.errors)
    return found.only(arms) if arms else found


def is_name(name: str) -> bool:
    """Whether an experiment may have this name, given that files are named after it."""
    return 0 < len(name.encode("utf-8", "replace")) <= LONG and name.isprintable() and not ODD.search(name)


def is_arm(name: object) -> TypeGuard[str]:
    """Whether an arm may have that name."""
    return isinstance(name, str) and len(name) <= NAME and name.isascii() and name.replace("_", "a").isalnum()


def is_measure(name: object) -> bool:
    """Whether this may name a user's measure, as a column in the table of replicas."""
    return is_arm(name) and name not in (*COLUMNS, *METRICS) and not name.startswith("carry_over_")


def _arms(reader: MappingReader, shared: tuple[str, ...], chosen: Collection[str]) -> tuple[ExperimentArm, ...]:
    """All arms; the settings of arms that are not chosen are not checked."""
    out = []
    section = reader.section("arms", need="{on: [], off: [mood.on=false]}")
    for name, value in section.entries():
        if not is_arm(name):
            section.key_fault(name, f"is not a name for an arm; use letters, digits and _, at most {NAME}")
        looked_at = not chosen or name in chosen
        arm = _settings(value.values(single=True), shared) if looked_at else ()
        out.append(ExperimentArm(name, arm))
    if section.value is not None and not 1 <= len(out) <= MOST_ARMS:
        section.value.fault(f"has {len(out)} arms; there must be 1 to {MOST_ARMS}")
    return tuple(out)


def _settings(values: list[Value], shared: tuple[str, ...]) -> tuple[str, ...]:
    """KEY=VALUE texts, each checked as for `--set`. shared: settings that apply as well."""
    out: list[str] = []
    for value in values:
        text = value.text()
        if text is None:
            continue
        faults = settings_faults((*shared, *out, text))
        for fault in faults:
            value.fault(fault)
        if not faults:
            out.append(text)
    return tuple(out)


def settings_faults(settings: Iterable[str]) -> list[str]:
    """What is wrong with settings that apply together, a line each."""
    found = Faults()
    given, asks = split_settings(settings)
    for key, word in asks.items():
        if key not in ASK:
            found.add("", 0, 0, unknown("question", key, ASK))
        elif word not in ("on", "off"):
            found.add("", 0, 0, f"{key} is on or off, not {in_quotes(word)}")
    read_rules(MappingReader(None), given, found)
    return [fault.message for fault in found.errors]


def split_settings(settings: Iterable[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Split settings into those of a world, and those on questions to models: key (of ASK, if valid) -> word."""
    world, asks = [], {}
    for text in settings:
        key, _, word = (part.strip() for part in text.partition("="))
        if key.startswith("ask."):
            asks[key] = word
        else:
            world.append(text)
    return tuple(world), asks


def _seeds(value: Value) -> tuple[int, ...] | None:
    words = value.text() if not value.is_list else [v.text() or "" for v in value.values()]
    try:
        return None if words is None else read_seeds(words)
    except ValueError as error:
        value.fault(str(error))
        return None


def _comparisons(values: Iterable[Value], arms: Collection[str]) -> tuple[Comparison, ...]:
    out = []
    for value in values:
        ends = [v.choice(arms, "arm") for v in value.values()]
        if len(ends) != 2:
            value.fault("must name two arms: [on, off]")
        elif ends[0] is not None and ends[1] is not None:
            out.append(Comparison(ends[0], ends[1]))
    return tuple(out)


def _world(value: Value | None) -> str:
    name = value.text() if value is not None else None
    if value is None or name is None:
        return ""
    try:
        find_world(name)
    except WorldFaults as e:
        value.fault(e.faults[0].message)
    return name


def _start(value: Value | None) -> str:
    start = value.parsed(parse_start) if value is not None else None
    return f"{start:%Y-%m-%d %H:%M}" if start is not None else ""


def _step(value: Value | None) -> int:
    seconds = value.parsed(parse_step) if value is not None else None
    if value is not None and seconds is not None and HOUR % seconds:
        value.fault("must divide an hour, since networks are measured every hour; write 20m, for example")
    return seconds or HOUR


# ---- seeds

MOST_SEEDS = 1000
HOW = "write how many (60), a range (401-460) or a list (1,5,401-410)"
_COUNT = re.compile(r"-?[0-9]{1,20}")
_PART = re.compile(r"(-?[0-9]{1,20})(?:-([0-9]{1,20}))?")


def read_seeds(given: int | str | Iterable[int | str]) -> tuple[int, ...]:
    """The seeds, in order. A number alone is how many, from 1 on; items of a list, or between commas, are seeds and
    ranges of them. Raises ValueError that says how to write them.
    """
    if isinstance(given, str) and _COUNT.fullmatch(given.strip()):
        given = int(given)
    if isinstance(given, int):
        if not 1 <= given <= MOST_SEEDS:
            raise ValueError(f"{given} seeds are not possible; give 1 to {MOST_SEEDS:,}")
        return tuple(range(1, given + 1))
    out: set[int] = set()
    for part in given.split(",") if isinstance(given, str) else given:
        ends = _ends(part)
        if len(out) + ends[1] - ends[0] >= MOST_SEEDS:
            raise ValueError(f"there are more than {MOST_SEEDS:,} seeds; name fewer")
        more = range(ends[0], ends[1] + 1)
        if twice := out.intersection(more):
            raise ValueError(f"seed {min(twice)} is listed twice; name each once")
        out.update(more)
    if not out:
        raise ValueError(f"there are no seeds; {HOW}")
    return tuple(sorted(out))


def _ends(part: object) -> tuple[int, int]:
    """The first and last seed of a range; for a single seed both are equal."""
    found = _PART.fullmatch(str(part).strip())
    if found is None:
        raise ValueError(f"{in_quotes(str(part))} is neither a seed nor a range of seeds; {HOW}")
    first, last = int(found[1]), int(found[2] or found[1])
    for seed in (first, last):
        if not 1 <= seed <= SEED_MAX:
            raise ValueError(f"{seed} is out of range; seeds are 1 to {SEED_MAX}")
    if last < first:
        raise ValueError(f"{in_quotes(str(part))} runs backwards; write {last}-{first}")
    return first, last


def seed_ranges(seeds: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted seeds as runs of consecutive ones: (first, last) of each."""
    out: list[tuple[int, int]] = []
    for seed in seeds:
        if out and seed == out[-1][1] + 1:
            out[-1] = out[-1][0], seed
        else:
            out.append((seed, seed))
    return out


def seeds_option(seeds: Sequence[int]) -> str:
    """Seeds as for `--seeds`: "60" for 1 to 60, "401-460", "1,5,7-9", "5-5" for 5 alone."""
    if tuple(seeds) == tuple(range(1, len(seeds) + 1)):
        return str(len(seeds))
    one = len(seeds) == 1
    return ",".join(f"{a}-{b}" if b > a or one else str(a) for a, b in seed_ranges(seeds))


def seeds_text(seeds: Sequence[int]) -> str:
    """Seeds in words: "401 to 460", "1, 5, 7 to 9"."""
    return ", ".join(f"{a} to {b}" if b > a else str(a) for a, b in seed_ranges(seeds))
