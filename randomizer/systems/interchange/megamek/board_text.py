"""Puts statements of hexes into the text of a board, whose other lines stay as they are.

``with_hexes`` keeps a board of the same size, with its comments; ``new_board`` makes one of another
size, or a first one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from randomizer.systems.interchange.megamek.notation import (
    board_lines,
    read_hex_statement,
    statement_word,
)


def with_hexes(lines: Sequence[str], rows: Sequence[str]) -> str:
    """Return the lines of a board with other rows for its hexes, whose comments stay.

    ``lines`` have their ends, ``rows`` have none. Further rows than the board has hexes stand
    before its ``end``, or behind the last line.
    """
    rows_left = deque(rows)
    new_lines = list[str]()
    line_end = _line_end(lines[0])
    has_ended = False
    for line in lines:
        word = statement_word(line)
        if word == "end" and not has_ended:
            new_lines += [f"{row}{line_end}" for row in rows_left]
            rows_left.clear()
            has_ended = True
        if word != "hex" or has_ended:  # what stands behind the end is no part of the board
            new_lines.append(line)
            continue
        row = rows_left.popleft()
        original_row = line.rstrip("\r\n")
        if row != original_row:
            # The board was read before, so the line is a hex and raises nothing.
            row += read_hex_statement(original_row, len(new_lines) + 1).comment.rstrip()
        end_of_this_line = line[len(original_row) :]  # the last line can be without one
        new_lines.append(row + end_of_this_line)
    if rows_left and not new_lines[-1].endswith(("\n", "\r")):
        new_lines.append(line_end)
    new_lines += [f"{row}{line_end}" for row in rows_left]
    return "".join(new_lines)


def new_board(text: str, width: int, height: int, rows: Sequence[str]) -> str:
    """Return a board of a size with the hexes ``rows``.

    It has all lines of another board, ``text``, but the size and the hexes; "" for none.
    """
    lines_before_size = list[str]()
    lines_behind_size = list[str]()
    lines = lines_before_size
    for line in board_lines(text):
        if statement_word(line) == "size":
            lines = lines_behind_size
        elif statement_word(line) not in ("hex", ""):
            lines.append(line)
    line_end = _line_end(text)
    size_line = f"size {width} {height}"
    all_lines = (*lines_before_size, size_line, *lines_behind_size, *rows, "end")
    return "".join(f"{line}{line_end}" for line in all_lines)


def _line_end(text: str) -> str:
    """Return the end of the lines of a text: that of Windows if any line has it."""
    if "\r\n" in text:
        return "\r\n"
    return "\n"
