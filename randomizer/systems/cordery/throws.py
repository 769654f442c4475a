"""Dice with names. Every throw is named, logged, and can be fixed by hand or typed in.

A throw's site (randomizer/model/dice.py) is its part of the page, how often that part was thrown
again, and its name: a decision, or one part thrown again, leaves all dice alone that are still
thrown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from zlib import crc32

from randomizer.model.dice import lane32, word
from randomizer.model.problems import Problem, ProblemError, Severity, error

T = TypeVar("T")

SIDES = 6
MOST_AGAIN = 1_000
"""So often a die is thrown again before a fixed or broken one is called what it is."""


NUMBERED = re.compile(r".*?\d+(?= |$)")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a hand may decide: one of ``words``, else a number from ``least`` to ``most``, else (no
    ``most``) an area by its name, of those at the ``rim`` or of any.

    A number may be that of all things whose names begin with ``each``; ``now`` it is so many.
    """

    name: str
    words: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    rim: bool = False
    each: str = ""
    now: int = 0

    @property
    def thing(self) -> str:
        """What it is about (``thing_of``)."""
        return thing_of(self.name)

    @property
    def places(self) -> bool:
        """Whether it names an area."""
        return not (self.words or self.most)


def thing_of(name: str) -> str:
    """What a die or decision is about, by its number: "hill 2", "road 1"; "" if no single one."""
    found = NUMBERED.match(name)
    return found.group() if found else ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """What happened at one point of the page: ``step`` is its number there ("1.2").

    ``throws`` are the names of the dice behind it, ``cells`` the areas it is about, ``decisions``
    what a hand could have decided or has.
    """

    step: str
    words: str
    throws: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def __str__(self) -> str:
        return f"{self.step} {self.words}"


class DieWantedError(ProblemError):
    """Dice are thrown at the table, and these have not been entered yet.

    ``count`` dice called ``name``, at ``step`` of the page; ``log`` is what was decided so far.
    """

    def __init__(self, step: str, name: str, count: int, log: tuple[LogLine, ...]) -> None:
        dice = "a die is" if count == 1 else f"{count} dice are"
        example = " + ".join("3" * count)
        words = f"step {step}: {dice} thrown at the table; enter the score: {name} = {example}"
        super().__init__(Problem(Severity.ERROR, "die-wanted", words))
        self.step, self.name, self.count, self.log = step, name, count, log


class Throws:
    """The dice of one map. ``fixed`` holds what a hand decided: throw or decision -> its value.

    ``anew`` says how often a step's kind was thrown anew (0: never). ``typed``: every die comes
    from ``fixed``; one that is not there raises ``DieWantedError``. ``log`` grows line by line,
    and ``heard`` is called with every line. ``scores`` are the dice so far, by their names.
    """

    def __init__(
        self,
        seed: int,
        number: int,
        fixed: Mapping[str, str] | None = None,
        anew: Mapping[str, int] | None = None,
        *,
        typed: bool = False,
    ) -> None:
        self._seed, self._number = seed, number
        self.fixed = dict(fixed or {})
        self._anew = dict(anew or {})
        self._typed = typed
        self._used: set[str] = set()
        self._names: list[str] = []
        self._decisions: list[Decision] = []
        self._again: dict[str, int] = {}
        self._kind = 0
        self._kind_name = ""
        self.step = "0"
        self.log: list[LogLine] = []
        self.heard: Callable[[LogLine], None] | None = None
        self.scores: dict[str, tuple[int, ...]] = {}

    # --- where we are on the page -----------------------------------------------------------

    def begin_kind(self, number: int, name: str) -> None:
        """From here on the dice belong to part ``number`` (1 .. 7) of the page."""
        self._kind, self._kind_name = number, name

    def begin(self, step: str) -> None:
        """From here on log lines belong to this numbered step."""
        self.step = step

    def say(self, words: str, *cells: int) -> int:
        """Log what the dice since the last line decided; returns the line's index."""
        behind = tuple(self._names), cells, tuple(self._decisions)
        self.log.append(LogLine(self.step, words, *behind))
        self._names.clear()
        self._decisions.clear()
        if self.heard is not None:
            self.heard(self.log[-1])
        return len(self.log) - 1

    # --- dice -------------------------------------------------------------------------------

    def d6(self, name: str) -> int:
        """One die. Raises ProblemError if a hand fixed it to something else than a score."""
        return self.dice(name, 1)[0]

    def dice(self, name: str, count: int) -> tuple[int, ...]:
        """``count`` dice thrown together."""
        times = self._again[name] = self._again.get(name, 0) + 1
        full = name if times == 1 else f"{name} again {times - 1}"
        keyed = self._keyed(full, count)
        self._names.append(full)
        if full in self.fixed:
            keyed = self._read(full, count)
        elif self._typed:
            raise DieWantedError(self.step, full, count, tuple(self.log))
        self.scores[full] = keyed
        return keyed

    def _keyed(self, name: str, count: int) -> tuple[int, ...]:
        place = self._kind << 60 | self._anew.get(self._kind_name, 0) << 36 | crc32(name.encode())
        words = (word(self._seed, self._number, place | i << 32) for i in range(count))
        return tuple((lane32(bits, 1) * SIDES >> 32) + 1 for bits in words)

    def _read(self, name: str, count: int) -> tuple[int, ...]:
        self._used.add(name)
        text = self.fixed[name]
        parts = [part.strip() for part in re.split(r"[+,\s]+", text.strip())]
        scores = [int(part) for part in parts if re.fullmatch("[1-6]", part)]
        if len(parts) != count or len(scores) != count:
            wanted = "a score from 1 to 6" if count == 1 else f"{count} scores from 1 to 6"
            raise error("die-score", f"{name} is {wanted} (like 3+4+1), not {text}")
        return tuple(scores)

    def within(self, name: str, most: int) -> int:
        """A die that is thrown again while it shows more than ``most`` (1 .. 6)."""
        for _ in range(MOST_AGAIN):
            score = self.d6(name)
            if score <= most:
                return score
        raise error("die-never", f"{name} never shows {most} or less")

    def one_of(self, name: str, options: Sequence[T]) -> tuple[T, int]:
        """One of up to six options by a die, each as likely, and what the die showed.

        No die is thrown, and none (0) shows anything, for a single one.
        """
        if len(options) == 1:
            return options[0], 0
        share = SIDES // len(options)
        score = self.within(name, share * len(options))
        return options[(score - 1) // share], score

    def highest_first(
        self, name: str, options: Sequence[T], word_of: Callable[[T], str]
    ) -> list[T]:
        """The options in the order of a die each, the highest first; ties are thrown again."""
        if len(options) < 2:
            return list(options)
        scores = {i: self.d6(f"{name} {word_of(option)}") for i, option in enumerate(options)}
        ranked: list[T] = []
        for score in sorted(set(scores.values()), reverse=True):
            tied = [options[i] for i in scores if scores[i] == score]
            ranked += self.highest_first(name, tied, word_of)
        return ranked

    def dice_in_words(self, name: str, option: str) -> str:
        """What the dice of ``highest_first`` showed for an option: "5", "5 then 2"."""
        first = f"{name} {option}"
        again = (f"{first} again {times}" for times in range(1, self._again[first]))
        return " then ".join(str(self.scores[die][0]) for die in (first, *again))

    # --- decisions --------------------------------------------------------------------------

    def decided(self, decision: Decision) -> str | None:
        """What a hand decided, None where the dice are to say.

        What it may be is as the decision says; it is not looked at here.
        """
        if decision not in self._decisions:
            self._decisions.append(decision)
        if decision.name not in self.fixed:
            return None
        self._used.add(decision.name)
        return self.fixed[decision.name].strip()

    def came_to(self, number: int) -> None:
        """The number that could be decided last is this now."""
        self._decisions[-1] = replace(self._decisions[-1], now=number)

    def decided_number(self, name: str, least: int, most: int, each: str = "") -> int | None:
        """A decided whole number. Raises ProblemError if it is out of range."""
        text = self.decided(Decision(name, (), least, most, each=each))
        if text is None:
            return None
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise error("decision", f"{name} is a whole number from {least} to {most}, not {text}")
        return int(text)

    def decided_word(self, name: str, words: Sequence[str]) -> str | None:
        """A decided word. Raises ProblemError if it is none of ``words``."""
        text = self.decided(Decision(name, tuple(words)))
        if text is not None and text not in words:
            raise error("decision", f"{name} is {' or '.join(words)}, not {text}")
        return text

    def unused(self) -> tuple[str, ...]:
        """Fixed names that nothing asked for, so far."""
        return tuple(name for name in self.fixed if name not in self._used)


def read_fixed(text: str) -> dict[str, str]:
    """Decisions as people write them: ``name = value``, one a line or parted by semicolons.

    Raises ProblemError, with its line and column, for one without an equals sign or said twice.
    """
    fixed: dict[str, str] = {}
    for line, row in enumerate(text.split("\n"), 1):
        column = 1
        for part in row.split(";"):
            start = column + len(part) - len(part.lstrip())
            column += len(part) + 1
            if not part.strip():
                continue
            name, equals, value = (word.strip() for word in part.partition("="))
            if not (name and equals and value):
                raise _misread(f"expected: name = value, not {part.strip()}", line, start)
            if name in fixed:
                raise _misread(f"{name} is fixed twice", line, start)
            fixed[name] = value
    return fixed


def _misread(message: str, line: int, column: int) -> ProblemError:
    return ProblemError(Problem(Severity.ERROR, "decision", message, line=line, column=column))
