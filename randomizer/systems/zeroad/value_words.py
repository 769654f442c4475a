"""The problems of map data as they are found, and values from outside in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from randomizer.model.limits import LARGEST_INT
from randomizer.model.problems import Problem, Severity

MOST_PROBLEMS = 20
"""So many are told; of one rule only the first value at fault, with the number of the others."""

CODE = "map-data"


def value_words(value: object) -> str:
    """A value of any kind in a few words: ``3.5``, ``“grass”``, ``a list``, ``missing``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        whole = whole_number(value)  # 7.0 as 7: JavaScript has one kind of number
        return f"{value if whole is None or abs(whole) > LARGEST_INT else whole!r:.40}"
    if isinstance(value, str):
        shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in value[:40])
        return f"“{shown}”" if value else "an empty text"
    return "an object" if isinstance(value, Mapping) else "a list"


def whole_number(value: object) -> int | None:
    """The whole number that a JSON number is, None if it is none."""
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def finite_number(value: object) -> float | None:
    """The finite number that a JSON number is, None if it is none."""
    if type(value) is float and math.isfinite(value):
        return value
    return float(value) if type(value) is int and abs(value) <= LARGEST_INT else None


class Findings:
    """The problems of one map, the first ``MOST_PROBLEMS`` of them; they name the file ``path``."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._found: list[Problem] = []
        self._keys: set[str] = set()
        self._more = 0

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, and how many are not told."""
        if not self._more:
            return tuple(self._found)
        message = f"{self._more:,} more problems are not shown"
        return (*self._found, Problem(Severity.HINT, CODE, message, self._path))

    def error(self, key: str, words: str, others: int = 0) -> None:
        """A fault: ``key`` is where it is, ``others`` how many more values have the same."""
        self._keys.add(key.split("[", 1)[0])
        self._add(Severity.ERROR, key, words, others)

    def warning(self, key: str, words: str, others: int = 0) -> None:
        """Something that is probably not meant."""
        self._add(Severity.WARNING, key, words, others)

    def hint(self, key: str, words: str, others: int = 0) -> None:
        """Something worth knowing."""
        self._add(Severity.HINT, key, words, others)

    def wrong(self, key: str, holder: Mapping[str, object], name: str, expected: str) -> None:
        """An error: ``holder[name]`` is missing or not what is ``expected``."""
        words = f"is {value_words(holder[name])}" if name in holder else "is missing"
        self.error(key, f"{words}, expected {expected}")

    def unknown(self, where: str, holder: Mapping[str, object], known: Iterable[str]) -> None:
        """A hint of each key that nobody reads."""
        for name in sorted(str(each)[:40] for each in holder.keys() - set(known)):
            self.hint(where + name, "is not read by the game")

    def at(self, key: str) -> bool:
        """Whether there is an error of a key or of a value in it."""
        return key in self._keys

    def _add(self, severity: Severity, key: str, words: str, others: int) -> None:
        more = f" (and {others:,} more)" if others else ""
        problem = Problem(severity, CODE, f"{key} {words}{more}", self._path)
        room = len(self._found) < MOST_PROBLEMS
        told = [each for each in self._found if each.severity is not Severity.ERROR]
        if room:
            self._found.append(problem)
        elif severity is Severity.ERROR and told:  # an error is never left out for a hint
            self._found[self._found.index(told[-1])] = problem
            self._more += 1
        else:
            self._more += 1
