"""Compiles the syntax tree of a randomizer script to a ``Program`` that can be rolled.

    program = compile_script(parse(text, path).script, path)     # or ProblemError

Everything that is the same for every roll is done here once: lists that no draw can change become
``Fixed``, draws get their numbers (``site``), probabilities become thresholds of random words, and
all PAIRs become one table. The order in the file: statements, AREAs, lists. ``hazard_odds`` and
``pair_table`` have the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, groupby
from typing import NamedTuple, NoReturn, cast

import numpy as np

from randomizer.model.basics.dice import threshold
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import PARTS
from randomizer.systems.colossus.rolling.hazard_odds import elevation_bounds, percent_of
from randomizer.systems.colossus.rolling.pair_table import NumberedPair, pair_table
from randomizer.systems.colossus.rolling.program import (
    EDGE_COUNT,
    EDGE_SITE,
    HAZARD_SITE,
    LEFTOVER,
    LIST_LIMIT,
    NOTHING,
    PICK_SITE,
    PLACE_LIMIT,
    STATEMENT_LIMIT,
    TOO_LONG,
    UNKNOWN_TERRAIN,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    HexList,
    LabelStep,
    Part,
    Pick,
    Placing,
    Program,
    StartStep,
    Step,
    Use,
    Without,
    around,
    problem_at,
    site,
)
from randomizer.systems.colossus.script import syntax
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES

NO_SITE = 0
"""The site of a SOMEOF that draws nothing."""


class Limits(NamedTuple):
    """The sizes beyond which a script is not rolled."""

    statements: int = STATEMENT_LIMIT
    """The most statements of a script."""
    places: int = PLACE_LIMIT
    """The most hazards of an AREA, and the most SOMEOFs of a statement: their places in a site."""
    nesting: int = 100
    """The deepest nesting of functions."""


LIMITS = Limits()
"""The limits of all scripts; tests have smaller ones."""


def compile_script(
    script: syntax.Script, path: str | None = None, limits: Limits = LIMITS
) -> Program:
    """Return the program of ``script``.

    Raises ProblemError for unknown hexside letters (all of them: nothing is rolled then), and for
    scripts and lists beyond the limits.
    """
    return _Compiler(script, path, limits).program()


class _Compiler:
    """Compiles the statements in their order, and remembers the lists known before any draw.

    It lives for one script; ``program`` is called once.
    """

    def __init__(self, script: syntax.Script, path: str | None, limits: Limits) -> None:
        self.script = script
        self.path = path
        self.limits = limits
        self.fixed_lists: dict[str, Fixed | None] = {
            name: Fixed(part) for name, part in PARTS.items()
        }
        """The lists of labels after the statements so far, by name; None: it depends on a draw."""
        self.fixed_lists |= {LEFTOVER: NOTHING, USEDUP: NOTHING}
        self.statement = 0
        """The number of the statement that is being compiled."""
        self.depth = 0
        """The depth of the list that is being compiled: 0 for none, 1 for an outermost one."""
        self.sites: list[int] = []
        """The sites of the hazards so far, in the order in which they are compiled.

        Compiling a hazard appends its site: ``Program.sites``, and with it the words that the
        hazards of a map draw, have this order.
        """

    def program(self) -> Program:
        """Return the compiled script. Raises ProblemError as ``compile_script``."""
        statements = self.script.statements
        self._refuse_unknown_hexsides()
        if len(statements) > self.limits.statements:
            self._refuse(statements[-1].span, "script-too-long", "The script is too long to roll.")

        # Each statement becomes a step or a property; PAIRs are collected, since they come last.
        steps: list[Step] = []
        pairs: list[NumberedPair] = []
        title = None
        subtitle = None
        tower = None
        for index, statement in enumerate(statements):
            self.statement = index
            match statement:
                case syntax.Pair():
                    pairs.append(NumberedPair(index, statement))
                case syntax.Title(text=text, is_subtitle=True):
                    subtitle = text
                case syntax.Title(text=text):
                    title = text
                case syntax.Tower():
                    tower = True
                case syntax.Area():
                    steps.append(self._area(statement))
                case syntax.Label():
                    steps.append(self._label(statement))
                case syntax.StartList():
                    steps.append(StartStep(index, self._list(statement.items)))

        first_edge_word = len(self.sites)
        if pairs:
            self._add_edge_sites()
        return Program(
            script=self.script,
            path=self.path,
            steps=tuple(steps),
            pairs=pair_table(pairs),
            sites=np.array(self.sites, np.uint64),
            first_edge_word=first_edge_word,
            title=title,
            subtitle=subtitle,
            tower=tower,
        )

    def _add_edge_sites(self) -> None:
        """Number the draws of the hexsides; one random word of 64 bits serves four of them."""
        words = math.ceil(EDGE_COUNT / 4)
        for word in range(words):
            self.sites.append(site(EDGE_SITE, word=word))

    def _refuse(self, span: syntax.Span, code: str, message: str) -> NoReturn:
        """Raise ProblemError for what stands at ``span``."""
        raise ProblemError(problem_at(span, self.path, code, message))

    def _refuse_unknown_hexsides(self) -> None:
        """Raise ProblemError for all hexside letters of PAIRs that the game does not know."""
        unknown: list[syntax.HexsideChoice] = []
        for statement in self.script.statements:
            if isinstance(statement, syntax.Pair):
                for choice in statement.choices:
                    if choice.letter not in HEXSIDE_NAMES:
                        unknown.append(choice)
        if unknown:
            from randomizer.systems.colossus.script.lint_pairs import unknown_hexside
            from randomizer.systems.colossus.script.source import Source

            source = Source(self.script.text, self.path)
            raise ProblemError(unknown_hexside(choice, source) for choice in unknown)

    def _label(self, label: syntax.Label) -> LabelStep:
        """Compile a LABEL; its list is known to the statements that follow if it is ``Fixed``."""
        hexes = self._list(label.items)
        if isinstance(hexes, Fixed):
            self.fixed_lists[label.name] = hexes
        else:
            self.fixed_lists[label.name] = None
        return LabelStep(self.statement, hexes, label.name)

    # --- AREA --------------------------------------------------------------------------------

    def _area(self, area: syntax.Area) -> AreaStep:
        """Compile an AREA; its draws are from its list in ascending order."""
        if len(area.hazards) > self.limits.places:
            self._refuse(area.span, "script-too-long", "The AREA has too many hazards to roll.")
        hexes = self._list(area.items)
        if isinstance(hexes, Fixed):
            hexes = Fixed(tuple(sorted(hexes.hexes)))

        # What an AREA has used up and left over is known beforehand only if it can place nothing.
        places_nothing = hexes == NOTHING or not area.hazards
        self.fixed_lists[USEDUP] = None
        self.fixed_lists[LEFTOVER] = None
        if places_nothing:
            self.fixed_lists[USEDUP] = NOTHING
            if isinstance(hexes, Fixed):
                self.fixed_lists[LEFTOVER] = hexes

        placings = tuple(self._placing(index, hazard) for index, hazard in enumerate(area.hazards))
        return AreaStep(self.statement, hexes, placings)

    def _placing(self, number: int, hazard: syntax.Hazard) -> Placing:
        """Compile a hazard, the one with this number in its AREA, and give its draw a site."""
        site_index = len(self.sites)
        self.sites.append(site(HAZARD_SITE, self.statement, number))
        percent = percent_of(hazard)
        terrain = UNKNOWN_TERRAIN
        if hazard.is_known:
            terrain = COLOSSUS.terrain_code(hazard.name)
        bounds = elevation_bounds(hazard)
        return Placing(
            terrain=terrain,
            percent=percent,
            bounds=bounds.as_in_game,
            chance=threshold(percent, 32),
            level_1_from=threshold(bounds.exact.of_zero, 16),
            level_2_from=threshold(bounds.exact.of_one, 16),
            index=site_index,
            hazard=hazard,
        )

    # --- lists -------------------------------------------------------------------------------

    def _list(self, items: Sequence[syntax.Item]) -> HexList:
        """Return the list of some items in as few parts as possible.

        Items whose hexes are known before any draw become ``Fixed``; those that follow one another
        are joined to a single one.
        """
        self.depth += 1
        if items and self.depth > self.limits.nesting:
            self._refuse(items[0].span, "list-too-deep", "Functions are nested too deeply.")

        parts: list[Part] = []
        item_parts = map(self._item, items)
        for is_fixed, group in groupby(item_parts, lambda part: isinstance(part, Fixed)):
            if not is_fixed:
                parts += group
                continue
            lists = [cast(Fixed, part).hexes for part in group]
            if sum(map(len, lists)) > LIST_LIMIT:
                self._refuse(items[0].span, "list-too-long", TOO_LONG)
            # The game joins from the last to the first.
            joined = tuple(chain.from_iterable(reversed(lists)))
            if joined:
                parts.append(Fixed(joined))
        self.depth -= 1

        if not parts:
            return NOTHING
        if len(parts) == 1:
            return parts[0]
        return Chain(tuple(parts))

    def _item(self, item: syntax.Item) -> Part:
        """Return an item of a list; ``Fixed`` if no draw can change it."""
        match item:
            case syntax.HexItem() | syntax.RangeItem():
                return Fixed(item.hexes)
            case syntax.LabelItem(name=name):
                hex_list = self.fixed_lists.get(name, NOTHING)
                if hex_list is None:
                    return Use(name)
                return hex_list
            case syntax.SomeOf():
                return self._some_of(item)
            case syntax.Subtract():
                return self._subtract(item)
            case syntax.SurroundingsOf():
                source = self._list(item.items)
                if isinstance(source, Fixed):
                    return Fixed(around(source.hexes))
                return Around(source)

    def _some_of(self, item: syntax.SomeOf) -> Part:
        """Return a SOMEOF, whose draws have a site of their own."""
        source = self._list(item.items)
        if source == NOTHING or item.count <= 0:
            # Nothing is picked, but a SOMEOF inside the list still makes its draws, as recordings
            # of the game show; so the list is still evaluated unless it draws nothing.
            if isinstance(source, Fixed | Use):
                return NOTHING
            return Pick(count=0, source=source, site=NO_SITE)
        if item.site >= self.limits.places:
            self._refuse(item.span, "script-too-long", "Too many SOMEOFs stand in one statement.")
        return Pick(item.count, source, site(PICK_SITE, self.statement, item.site))

    def _subtract(self, item: syntax.Subtract) -> Part:
        """Return a SUBSTRACT: computed at once if no draw can change either of its lists."""
        source = self._list(item.items)
        without = self._list(item.without)
        if isinstance(source, Fixed) and isinstance(without, Fixed):
            excluded = set(without.hexes)
            return Fixed(tuple(number for number in source.hexes if number not in excluded))
        return Without(source, without)
