"""The language of filters, for the line of the desk in which they are typed.

A filter is a text such as ``count(Tree) >= 2``, which chooses some of many maps. The language tells
the mistake in a filter (``check``), what it costs (``cost``) and what can be written next
(``completions``). The idea of completion: the text before the word that is being typed is parsed,
and where the parser meets the end, it notes all that it tries there.
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
    """The language of filters on the maps of one system.

    The arguments are those of ``parse_filter``: which measures, cells and terrains there are.
    """

    completion_signs = "_-:"
    """Behind a colon comes the number of a side: completion says which side that is."""

    def __init__(
        self,
        system: System,
        measures: tuple[Measure, ...] = (),
        grid: Grid | None = None,
        terrain_set: TerrainSet | None = None,
    ) -> None:
        self._known_of_maps = (system, measures, grid, terrain_set)
        """The arguments of ``parse_filter`` behind the text."""

    def check(self, source: SourceText) -> tuple[Problem, ...]:
        """Return the first mistake in a filter, or nothing: the parser ends there."""
        try:
            parse_filter(source.text, *self._known_of_maps)
        except ProblemError as reason:
            return reason.problems
        return ()

    def cost(self, text: str) -> str:
        """Return what the slow measures in a filter cost, as words for the user.

        They are computed for each map that passes the cheaper conditions. "" if there are none, or
        if the filter has a mistake.
        """
        with suppress(ProblemError):  # ``check`` tells it
            return "; ".join(costs(parse_filter(text, *self._known_of_maps)))
        return ""

    def completions(self, source: SourceText, line: int, column: int) -> tuple[Completion, ...]:
        """Return what can replace the word before a position: all that begins with it.

        Case is ignored. Behind a mistake there is nothing. Cells come last, since there are many.
        """
        text = source.text
        position = line_starts(text)[line - 1] + column - 1
        start = _start_of_word(text, position)
        completions = []
        for word, meaning in self._continuations(text[:start]):
            completion = Completion(
                word, kind="", help=meaning, text=word, replaces=position - start
            )
            if completion.begins_with(text[start:position]):
                completions.append(completion)
        return tuple(completions)

    def _continuations(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each word or sign that can be written after a text, and its meaning."""
        parser = Parser(text, *self._known_of_maps)
        with suppress(ProblemError):  # the parser has noted what could follow
            parser.filter()
        yield from parser.continuations.items()
        # Short names first, so that A2 comes before A10.
        for cell in sorted(parser.possible_cells, key=lambda name: (len(name), name)):
            yield cell, parser.nouns.cell


def _start_of_word(text: str, position: int) -> int:
    """Return the offset at which the word before a position begins.

    A name in quotation marks that does not end yet is one word, with its quotation mark.
    """
    is_quoted = text[:position].count('"') % 2 == 1
    if is_quoted:
        return text.rindex('"', 0, position)
    start = position
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    return start
