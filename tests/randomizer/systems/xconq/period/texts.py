"""Small periods, and the real ones beside the repository with what the original made of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from randomizer.systems.xconq.period.reading import Reading, reading_of

SHARED = Path(__file__).resolve().parents[6] / "shared"
CORPUS = SHARED / "corpus" / "xconq"
DUMPS = SHARED / "reference" / "xconq" / "periods"
ADVERSARIAL = SHARED / "reference" / "xconq" / "adversarial"

needs_recordings = pytest.mark.skipif(
    not (CORPUS.is_dir() and DUMPS.is_dir()), reason="the recordings are not here"
)

TYPES = """Period 0
"i" "infantry" "walks" utype
"a" "armor" "rolls" utype
"@" "city" "stays" utype
"F" "fuel" "burns" rtype
"." "sea" "blue" ttype
"+" "land" "green" ttype
1 i speed
"""
"""The beginning of a period with three units, a resource and two terrains."""


def read(lines: str, **further: str) -> Reading:
    """What is known of a period with the small types and these lines."""
    return reading_of(f"{TYPES}{lines}\nend\n", None, further)


def codes(reading: Reading) -> list[str]:
    """The codes of its problems without ``period-``."""
    return [problem.code.removeprefix("period-") for problem in reading.problems]


@cache
def corpus_texts() -> dict[str, str]:
    """The real files by name; those in the library by ``lib/`` and their name, too."""
    texts = {path.name: path.read_text("latin-1") for path in CORPUS.iterdir()}
    return texts | {f"lib/{name}": text for name, text in texts.items()}


@cache
def adversarial_texts() -> dict[str, str]:
    """The files made to be hard, by name."""
    return {path.name: path.read_text("latin-1") for path in ADVERSARIAL.iterdir()}
