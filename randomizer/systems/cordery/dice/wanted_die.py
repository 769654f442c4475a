"""The error by which a table asks for the next die that a person enters.

    try:
        build_table(...)
    except DieWantedError as die:
        die.step, die.name, die.count        # "2.1", "river 1 entry area 0606", 1

It is raised where the die is thrown. What the die decides is known farther out, so the functions
that it passes through on its way add that: ``options``, ``quarters``, ``tie``, ``counted_from``.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.model.problems import Problem, ProblemError, Severity


class Tie(NamedTuple):
    """Options whose dice were equal, and which therefore throw again."""

    options: tuple[str, ...]
    """The options, in words: "0601", "0701"."""

    score: int
    """The score that each of their dice has shown."""


class DieWantedError(ProblemError):
    """Dice have to be entered by hand that have not been entered yet."""

    def __init__(self, step: str, name: str, count: int, options: str = "") -> None:
        dice = f"{count} dice are"
        if count == 1:
            dice = "a die is"
        example = " + ".join("3" * count)
        message = f"step {step}: {dice} thrown at the table; enter the score: {name} = {example}"
        super().__init__(Problem(Severity.ERROR, "die-wanted", message))
        self.step = step
        """The step of the page."""
        self.name = name
        """The name of the dice."""
        self.count = count
        """The number of dice that are thrown together under this name."""
        self.options = options
        """What the scores mean, "1 to 3: 0305, 4 to 6: 0406"; "" where the question tells that."""
        self.quarters: tuple[int, ...] = ()
        """The quarters of the map edge that it chooses from, by score; () for other dice."""
        self.tie: Tie | None = None
        """The tie that this die decides, None without one."""
        self.counted_from: tuple[int, ...] = ()
        """The areas from which the dice count on; () for dice that do not count."""
