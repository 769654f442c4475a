"""Periods of Xconq: ``python -m tests.benchmarks.bench_periods``.

The CPU time of reading the packaged periods against the target of 50 ms for 47,000 characters, and
of what the editor asks for when a text has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from time import process_time

from randomizer.model.problems import place_of
from randomizer.systems.xconq.language.completions import completions
from randomizer.systems.xconq.language.hover import help_at
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.period.reading import read_traced
from randomizer.systems.xconq.script_host import HOST

TARGET_MS = 50
TARGET_LENGTH = 47_000

ASKED: dict[str, Callable[[str], object]] = {
    "checked": HOST.language.check,
    "words that fit": lambda text: completions(text, *_end(text)),
    "help": lambda text: help_at(text, *_end(text)),
}
"""What the editor asks for when a text has changed."""


def _end(text: str) -> tuple[int, int]:
    return place_of(text, text.rindex("\nend"))


def least_ms(work: Callable[[], object]) -> float:
    """The CPU time of the quickest of ten runs."""
    times = []
    for _ in range(10):
        before = process_time()
        work()
        times.append(process_time() - before)
    return min(times) * 1000


def main() -> None:
    """Print all of them."""
    for metadata in packaged_metadata():
        text = packaged_text(metadata.script)
        taken = least_ms(lambda t=text: read_traced(t))
        target = TARGET_MS * len(text)
        print(
            f"{metadata.script}: {len(text):,} characters read in {taken:.1f} ms"
            f" (target {target / TARGET_LENGTH:.1f})"
        )
        for name, ask in ASKED.items():
            print(f"  {name}: {least_ms(partial(_changed, text, ask, count())):.1f} ms")


def _changed(text: str, ask: Callable[[str], object], keys: Iterator[int]) -> None:
    """Ask about the text with another comment in it each time, as nothing is kept of that."""
    ask(text.replace("\n\n", f"\n; {next(keys)}\n", 1))


if __name__ == "__main__":
    main()
