"""Puts the statements of hexes into the text of a MegaMek board.

``BoardCodec`` has the new statements as *rows*, such as ``hex 0101 0 "woods:1" ""``, and the text
of the board that the map was read from. If the map still has the size of the board, it calls
``with_hexes``, which changes the rows and nothing else, so that comments and order stay. For a map
of another size, and for one that does not come from a board, it calls ``new_board``.
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
    """Return the text of a board in which the statements of hexes are replaced by ``rows``.

    ``lines`` are those of the board with their ends; ``rows`` have none. A comment behind a
    statement stays. If there are more rows than the board has hexes, the others are put before the
    line ``end``, or behind the last line of a board without it.
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
        if word != "hex" or has_ended:  # behind ``end`` a "hex" is no part of the board
            new_lines.append(line)
            continue
        row = rows_left.popleft()  # there are at least as many rows as hexes in the file
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
    """Return the text of a board of this size with the hexes ``rows``.

    All lines but the size and the hexes, such as options, are taken from the board ``text``; ""
    for none.
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
