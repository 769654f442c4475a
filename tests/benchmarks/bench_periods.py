"""The packaged periods of Xconq: reading, and what the editor asks for when a text has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice

from randomizer.languages.language import SourceText
from randomizer.model.problems import place_of
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.period.reading import read_traced
from randomizer.systems.xconq.script_host import HOST
from tests.benchmarks.benchmark import Row, benchmark, min_ms

CHARACTERS = 1000


@benchmark("periods", full=100, tiny=1)
def measure_periods(max_periods: int) -> Iterator[Row]:
    periods = islice(packaged_metadata(), max_periods)
    texts = [packaged_text(metadata.script) for metadata in periods]
    reading_ms = []
    for text in texts:
        period_ms = min_ms(lambda text=text: read_traced(text))
        reading_ms.append(period_ms * CHARACTERS / len(text))
    yield Row("read 1,000 characters", max(reading_ms), "ms")
    language = HOST.language
    for title, ask in (
        ("check", lambda source: language.check(source)),
        ("completions", lambda source: language.completions(source, *end_of(source.text))),
        ("help", lambda source: language.help_at(source, *end_of(source.text))),
    ):
        yield Row(f"{title} of a changed text", max(asking_ms(text, ask) for text in texts), "ms")


def asking_ms(text: str, ask: Callable[[SourceText], object]) -> float:
    """Return how long an answer about a text takes that has not been seen before."""
    numbers = count()

    def ask_again() -> None:
        ask(SourceText(text.replace("\n\n", f"\n; {next(numbers)}\n", 1)))

    return min_ms(ask_again)


def end_of(text: str) -> tuple[int, int]:
    """Return line and column of the last statement."""
    return place_of(text, text.rindex("\nend"))
