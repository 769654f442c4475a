"""The log of a table: what the dice did, line by line, with the decisions that could be made.

    log.note_die("hill 1 die")
    log.note_decision(Decision("hill 1 height", ...))
    log.add("1.1", "Hill 1: D6 = 6: a mountain", (15,))     # the line of this die and decision

``Throws`` writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from randomizer.systems.cordery.dice.decisions import Decision


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log, which tells what the dice did on the table."""

    step: str
    """The step of the page: "1.2"."""

    words: str
    """What the dice did, as one reads it at the table: "Hill 2: D6 = 5: two contours"."""

    throws: tuple[str, ...] = ()
    """The names of the dice that were thrown for it."""

    cells: tuple[int, ...] = ()
    """The areas that it is about."""

    decisions: tuple[Decision, ...] = ()
    """The decisions that could be made here."""

    def __str__(self) -> str:
        """The line as a roll keeps it: the step, then the words."""
        return f"{self.step} {self.words}"


class RollLog:
    """The lines so far, and the dice and decisions that the next line is about."""

    def __init__(self) -> None:
        self.lines: list[LogLine] = []
        self.on_line: Callable[[LogLine], None] | None = None
        """Called with every new line."""
        self.dice_of_next_line: list[str] = []
        """The names of the dice thrown since the last line."""
        self._decisions_of_next_line: dict[str, Decision] = {}
        """By name, the decisions asked for since the last line."""

    def note_die(self, name: str) -> None:
        """Note a die that was thrown, for the next line."""
        self.dice_of_next_line.append(name)

    def note_decision(self, decision: Decision) -> None:
        """Note a decision that could be made here, for the next line."""
        self._decisions_of_next_line.setdefault(decision.name, decision)

    def note_number(self, name: str, number: int) -> None:
        """Note what the number of a decision is on this table.

        Raises KeyError if it was not noted since the last line.
        """
        decision = self._decisions_of_next_line[name]
        self._decisions_of_next_line[name] = replace(decision, current_number=number)

    def note_chained(self, name: str) -> None:
        """Note of a decision on an area that dice put its feature beside the one before it.

        Raises KeyError if it was not noted since the last line.
        """
        decision = self._decisions_of_next_line[name]
        self._decisions_of_next_line[name] = replace(decision, is_chained=True)

    def add(self, step: str, words: str, cells: tuple[int, ...]) -> int:
        """Add a line with the dice and decisions that were noted for it; return its index."""
        line = LogLine(
            step,
            words,
            throws=tuple(self.dice_of_next_line),
            cells=cells,
            decisions=tuple(self._decisions_of_next_line.values()),
        )
        self.lines.append(line)
        self.dice_of_next_line.clear()
        self._decisions_of_next_line.clear()
        if self.on_line is not None:
            self.on_line(line)
        return len(self.lines) - 1
