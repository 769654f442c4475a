"""The store of the pieces of a scene: each different drawing once, with a number.

A scene of many cells consists of few different drawings (``Piece``). ``PieceStore`` gives each of
them a number, so that a scene is arrays of numbers. What a cell shows is first written as a *code*,
an integer that is made up by whoever draws it, such as ``terrain * 100 + variant``. The piece of a
code is made when the code first occurs::

    codes = np.array([301, 302, 301])                       # of three cells
    numbers = pieces.numbers("cell", codes, make=cell_of)   # calls cell_of(301), cell_of(302)
    pieces[numbers[0]]                                      # the Piece that cell_of(301) returned
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from app.render.piece import Piece, PiecePlaces
from app.render.scene.batch import Batch

TABLED = 1 << 19
"""Codes below this are looked up in a table with an entry for each code: at most 4 MB.

Larger ones are looked up in a dictionary, code by code, which is slower.
"""

NO_NUMBERS = np.zeros(0, np.int32)
"""The table of a kind of which no piece was asked for."""


class PieceStore:
    """The pieces of one scene, by their numbers.

    A piece is numbered when it is first asked for, and stays in the store as long as the scene.
    """

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        """All pieces; their indices are their numbers."""
        self._numbers: dict[object, int] = {}
        """The numbers of pieces by their keys."""
        self._tables: dict[str, NDArray[np.int32]] = {}
        """By the kind of pieces an array with the number of each code below ``TABLED``.

        It has -1 for a code that has not occurred yet.
        """
        self._numbers_of_large_codes: dict[str, dict[int, int]] = {}
        """By the kind of pieces the numbers of larger codes that have occurred, by code.

        It also has the smaller codes that came together with larger ones.
        """

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, number: int) -> Piece:
        return self._pieces[number]

    def number(self, piece: Piece) -> int:
        """Return the number of a piece; pieces of the same key have the same number."""
        number = self._numbers.get(piece.key)
        if number is None:
            number = len(self._pieces)
            self._numbers[piece.key] = number
            self._pieces.append(piece)
        return number

    def number_of_key(self, key: object, make: Callable[[], Piece]) -> int:
        """Return the number of the piece with a key; ``make`` makes it if there is none yet."""
        number = self._numbers.get(key)
        if number is None:
            number = self.number(make())
        return number

    def numbers(
        self, kind: str, codes: NDArray[np.intp], make: Callable[[int], Piece]
    ) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of one ``kind`` with these ``codes`` (n,).

        Codes are 0 or more. ``make`` makes the piece of a code that is new; for a code below
        ``TABLED`` it is called a second time if that first came together with larger ones. Codes of
        one kind must not mean different things in two calls.
        """
        if not len(codes):
            return np.zeros(0, np.intp)
        highest = int(codes.max())
        if highest >= TABLED:  # slower, so that no table of them takes too much memory
            return self._numbers_one_by_one(kind, codes, make)
        table = self._grown_table(kind, highest)
        numbers = table[codes]
        if numbers.min() < 0:  # some codes are new
            # Not np.unique: its first call imports numpy.ma, a tenth of the start.
            for code in np.flatnonzero(np.bincount(codes[numbers < 0])).tolist():
                table[code] = self.number(make(code))
            numbers = table[codes]
        return numbers.astype(np.intp)

    def _grown_table(self, kind: str, code: int) -> NDArray[np.int32]:
        """Return the table of a kind, made longer if it has no entry for a code."""
        table = self._tables.get(kind, NO_NUMBERS)
        if code >= len(table):
            # Its length is a power of two above the code, so that it is seldom made longer again.
            longer_table = np.full(1 << (code + 1).bit_length(), -1, np.int32)
            longer_table[: len(table)] = table
            table = longer_table
            self._tables[kind] = table
        return table

    def _numbers_one_by_one(
        self, kind: str, codes: NDArray[np.intp], make: Callable[[int], Piece]
    ) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of codes (n,) of which some are large."""
        number_of_code = self._numbers_of_large_codes.setdefault(kind, {})
        code_list = codes.tolist()
        for code in code_list:
            if code not in number_of_code:
                number_of_code[code] = self.number(make(code))
        return np.array([number_of_code[code] for code in code_list], np.intp)

    def batch(self, pieces_at_rows: Iterable[PiecePlaces]) -> Batch | None:
        """Return one batch of pieces, each with the rows of its cells, in this order.

        None if no piece has any cells.
        """
        numbers = []
        row_lists = []
        for piece, rows in pieces_at_rows:
            if len(rows):
                numbers.append(np.full(len(rows), self.number(piece), np.intp))
                row_lists.append(rows)
        if not row_lists:
            return None
        return Batch(np.concatenate(numbers), np.concatenate(row_lists))
