"""Reads the paths of SVG files, which describe an outline by commands and numbers.

    M1 2 L4 2 Q5 3 4 4 Z

goes to (1, 2), draws a line to (4, 2), then a curve with the control point (5, 3) to (4, 4), and
closes the outline. ``path_of`` reads the commands that our own files have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from PySide6.QtGui import QPainterPath

TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
"""A letter, or a number, of a path or a transform; our files have no exponents."""

_NUMBERS_OF_COMMAND = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "T": 2, "Z": 0}
"""How many numbers the commands of a path take."""


def path_of(d: str) -> QPainterPath:
    """Return the path that an attribute ``d`` describes, of M, L, H, V, C, Q, T and Z.

    In lower case their coordinates are relative to the last point: ``M1 2l3 4`` is a line from
    (1, 2) to (4, 6). A command may be followed by several sets of numbers, each of which is the
    command again, but for M: more points after that are lines.
    """
    builder = _PathBuilder()
    for command, numbers in _path_commands(d):
        builder.add(command, numbers)
    return builder.path


class _PathBuilder:
    """Adds the commands of a path one after another, each of which goes on where the last ended."""

    def __init__(self) -> None:
        self.path = QPainterPath()
        self._x = 0.0
        """The point at which the last command ended: how far to the right."""
        self._y = 0.0
        """How far down."""
        self._control_x = 0.0
        """The control point of the last command, if it was Q or T: how far to the right.

        After other commands it is the point at which they ended. T continues a curve smoothly: its
        own control point is this one, mirrored at the point between the two curves.
        """
        self._control_y = 0.0
        """How far down."""

    def add(self, command: str, numbers: Sequence[float]) -> None:
        """Add a command with its own numbers."""
        kind = command.upper()
        if kind == "Z":
            self._close()
            return
        origin_x = 0.0
        origin_y = 0.0
        if kind != command:  # lower case: relative
            origin_x = self._x
            origin_y = self._y

        if kind == "H":
            self._line_to(numbers[0] + origin_x, self._y)
            return
        if kind == "V":
            self._line_to(self._x, numbers[0] + origin_y)
            return

        # The last two numbers are the point to which all other commands go.
        x = numbers[-2] + origin_x
        y = numbers[-1] + origin_y
        if kind == "L":
            self._line_to(x, y)
        elif kind == "M":
            self.path.moveTo(x, y)
            self._end_command_at(x, y)
        elif kind == "C":
            x1, y1, x2, y2 = numbers[:4]
            self.path.cubicTo(x1 + origin_x, y1 + origin_y, x2 + origin_x, y2 + origin_y, x, y)
            self._end_command_at(x, y)
        elif kind == "Q":
            self._quadratic_to(numbers[0] + origin_x, numbers[1] + origin_y, x, y)
        else:
            assert kind == "T"
            control_x = 2 * self._x - self._control_x
            control_y = 2 * self._y - self._control_y
            self._quadratic_to(control_x, control_y, x, y)

    def _close(self) -> None:
        """Draw a line back to the point where the current outline began."""
        self.path.closeSubpath()
        position = self.path.currentPosition()
        self._end_command_at(position.x(), position.y())

    def _line_to(self, x: float, y: float) -> None:
        """Draw a straight line."""
        self.path.lineTo(x, y)
        self._end_command_at(x, y)

    def _quadratic_to(self, control_x: float, control_y: float, x: float, y: float) -> None:
        """Draw a curve of one control point."""
        self.path.quadTo(control_x, control_y, x, y)
        self._end_command_at(x, y)
        self._control_x = control_x
        self._control_y = control_y

    def _end_command_at(self, x: float, y: float) -> None:
        """Note where a command ended that is no curve of Q or T: there the next one begins."""
        self._x = x
        self._y = y
        self._control_x = x
        self._control_y = y


def _path_commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Yield each command of a path with its own numbers: ``M1 2 3 4z`` as M, L and z."""
    tokens = TOKEN.findall(d)
    index = 0
    command = ""
    while index < len(tokens):
        if tokens[index].isalpha():
            command = tokens[index]
            index += 1
        elif command in ("", "Z", "z"):
            raise ValueError(f"a path has the number {tokens[index]} where a command must stand")
        if command.upper() not in _NUMBERS_OF_COMMAND:
            raise ValueError(f"a path has the unknown command {command}")
        end = index + _NUMBERS_OF_COMMAND[command.upper()]
        yield command, [float(token) for token in tokens[index:end]]
        index = end
        # Without a letter the command is repeated, but more points after M are lines.
        if command == "M":
            command = "L"
        elif command == "m":
            command = "l"
