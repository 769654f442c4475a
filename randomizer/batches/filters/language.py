"""The language of filters, as the line where they are typed asks it.

It tells the mistake in a text, and what can be written next. For completion the text before the
word that is being typed is parsed: where the parser meets the end, it notes all that it tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from randomizer.batches.batch import Measure
from randomizer.batches.filters.conditions import costs
from randomizer.batches.filters.parser import Parser, parse_filter
from randomizer.languages.language import Completion, Language, SourceText
from randomizer.model.grid.grid import Grid
from randomizer.model.problems import Problem, ProblemError, line_starts
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet


class FilterLanguage(Language):
    """Filters on the maps of one system, as ``parse_filter`` takes them."""

    completion_signs = "_-:"
    """Behind a colon comes a side: nobody knows sides by their numbers."""

    def __init__(
        self,
        system: System,
        measures: tuple[Measure, ...] = (),
        grid: Grid | None = None,
        terrain_set: TerrainSet | None = None,
    ) -> None:
        self._maps = system, measures, grid, terrain_set

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return the mistake in a filter, if there is one."""
        try:
            parse_filter(source.text, *self._maps)
        except ProblemError as reason:
            return reason.problems
        return ()

    def cost(self, text: str) -> str:
        """Return what a filter costs for each map that passes its cheaper conditions.

        "" if that is little, or if the filter has a mistake.
        """
        with suppress(ProblemError):  # ``check`` tells it
            return "; ".join(costs(parse_filter(text, *self._maps)))
        return ""

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return what can replace the word before a position: all that begins with it.

        Case is ignored. Behind a mistake there is nothing. Cells come last: there are many.
        """
        text = source.text
        position = line_starts(text)[line - 1] + column - 1
        start = _start_of_word(text, position)
        completions = []
        for word, meaning in self._continuations(text[:start]):
            completion = Completion(word, "", meaning, word, position - start)
            if completion.begins_with(text[start:position]):
                completions.append(completion)
        return tuple(completions)

    def _continuations(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each word or sign that can be written after a text, and its meaning."""
        parser = Parser(text, *self._maps)
        with suppress(ProblemError):  # the parser has noted what could follow
            parser.filter()
        yield from parser.continuations.items()
        for cell in sorted(parser.possible_cells, key=lambda name: (len(name), name)):  # A2, A10
            yield cell, parser.nouns.cell


def _start_of_word(text: str, position: int) -> int:
    """Return the offset at which the word, or the name in quotation marks, before one begins."""
    is_quoted = text[:position].count('"') % 2 == 1
    if is_quoted:
        return text.rindex('"', 0, position)
    start = position
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    return start
