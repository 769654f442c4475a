"""The language of filters, as the line where they are typed asks it."""

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
    """Filters on maps of one kind, as ``parse_filter`` takes it."""

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
        """Return what a filter costs for each map that passes its other conditions, if that is
        much; "" for one that is cheap, or cannot be read.
        """
        with suppress(ProblemError):  # ``check`` tells it
            return "; ".join(costs(parse_filter(text, *self._maps)))
        return ""

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return what begins with what is written before a position, ignoring case; none after a
        mistake.

        Cells come last: there are many.
        """
        text = source.text
        position = line_starts(text)[line - 1] + column - 1
        start = position
        if text[:position].count('"') % 2:
            start = text.rindex('"', 0, position)
        else:
            while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
                start -= 1
        completions = (
            Completion(word, "", meaning, word, position - start)
            for word, meaning in self._following(text[:start])
        )
        return tuple(
            completion for completion in completions if completion.begins_with(text[start:position])
        )

    def _following(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield what can be written after a text, and its meaning."""
        parser = Parser(text, *self._maps)
        with suppress(ProblemError):  # the parser has noted what could follow
            parser.filter()
        yield from parser.continuations.items()
        for cell in sorted(parser.possible_cells, key=lambda name: (len(name), name)):  # A2, A10
            yield cell, parser.nouns.cell
