"""The format ``board``: maps of MegaMek, with elevations, terrains of levels, exits and themes.

``BoardCodec.parse`` reads a board and ``BoardCodec.compose`` writes one. A board has a statement
for each hex (``notation``); the order of the hexes decides, not their numbers::

    size 16 17
    hex 0101 2 "woods:1;road:1:9" "grass"
    ...
    end

All terrains of a hex together are one *code*, the name of a terrain of our map, with the theme
behind it: ``woods:1 "grass"``. But roads, bridges and cliffs have *exits*, the sides by which they
leave the hex. So they are *ways* and *hexsides* of our map, and not part of the code, except for:

- a road without exits in the file (``road:1``), which gets them from the game: it is written so
  again as long as its way on the map has just these exits;
- a bridge, whose level has no other place: ``bridge:1:*`` if its exits are in the file.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.megamek.board_reader import BoardReader
from randomizer.systems.interchange.megamek.board_text import new_board, with_hexes
from randomizer.systems.interchange.megamek.board_writer import HexStatements, hex_statements
from randomizer.systems.interchange.megamek.notation import (
    CODE,
    board_lines,
    roads_exit_to_pavement,
    statement_word,
)


class _MapOnBoard(NamedTuple):
    """A map as hexes of a board."""

    composite: Composite
    """What the map shows."""
    hexes: HexStatements
    """The statements of its hexes, and what these lose."""
    replaced_cells: int
    """The number of cells whose terrain the game lacks: they get a similar one."""


class BoardCodec(Codec):
    """Reads and writes boards."""

    program = "MegaMek"
    code = CODE

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of a board."""
        reader = BoardReader(problems)
        text = source.text
        for line_number, line in enumerate(board_lines(text), 1):
            word = statement_word(line)
            if word == "size":
                reader.read_size(line, line_number)
            elif word == "hex":
                reader.read_hex(line, line_number)
        return reader.battlemap(exit_to_pavement=roads_exit_to_pavement(text))

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """Return the board of a map; hexes that are as in the original keep their lines."""
        on_board = self._map_on_board(battlemap, original.text)
        hexes = on_board.hexes
        board = self._board_text(battlemap, hexes.rows, original)
        lost = losses(
            battlemap,
            on_board.composite,
            elevation=0,  # a board has levels: none is lost
            line=hexes.lost_ways,
            hexside=hexes.lost_hexsides,
            terrain=on_board.replaced_cells,
        )
        hints: tuple[str, ...] = ()
        if hexes.roads_without_way:
            cells = counted(hexes.roads_without_way, "hex", "hexes")
            hints = (f"roads of {cells} that terrains name: there is no way",)
        return Written(original.encoded(board), lost, hints)

    def _map_on_board(self, battlemap: BattleMap, text: str) -> _MapOnBoard:
        """Return a map as hexes of a board.

        ``text`` is that of its original, "" for none; it says whether roads lead to pavement.
        """
        composite = battlemap.composite()
        visible = self.visible_codes(battlemap, composite)
        exit_to_pavement = roads_exit_to_pavement(text)
        hexes = hex_statements(
            battlemap, composite, visible.codes, exit_to_pavement=exit_to_pavement
        )
        return _MapOnBoard(composite, hexes, visible.replaced_cells)

    def _board_text(self, battlemap: BattleMap, rows: list[str], original: Source) -> str:
        """Return the text of a board with the statements ``rows``, based on its original."""
        grid = battlemap.grid
        text = original.text
        if not original.data:
            return new_board(text, grid.width, grid.height, rows)

        # A hex whose statement is that of the original map is written as it was there.
        original_map = self.parse(original, [])
        original_rows = self._map_on_board(original_map, text).hexes.rows
        hex_lines = [line for line in board_lines(text) if statement_word(line) == "hex"]
        # A file that ends early has fewer lines than its map has hexes.
        line_by_row = dict(zip(original_rows, hex_lines, strict=False))
        rows = [line_by_row.get(row, row) for row in rows]

        original_size = (original_map.grid.width, original_map.grid.height)
        if original_size != (grid.width, grid.height):
            return new_board(text, grid.width, grid.height, rows)
        # The hexes that a file lacks at its end are clear: they are written once one is not.
        count = len(hex_lines)
        if rows[count:] == original_rows[count:]:
            rows = rows[:count]
        return with_hexes(original.lines(), rows)


CODEC = BoardCodec()
