"""The problems of map data as they are found, and values from outside in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from randomizer.model.basics.limits import LARGEST_INT
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem, Severity
from randomizer.systems.zeroad.map.records import whole_number

MOST_PROBLEMS = 20

CODE = "map-data"

NOT_READ = "is not read by the game"


def describe_value(value: object) -> str:
    """Return a value of any kind in a few words: ``3.5``, ``“grass”``, ``a list``, ``missing``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        whole = whole_number(value)  # 7.0 as 7: JavaScript has one kind of number
        return f"{value if whole is None or abs(whole) > LARGEST_INT else whole!r:.40}"
    if isinstance(value, str):
        shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in value[:40])
        if value:
            return f"“{shown}”"
        return "an empty text"
    return "an object" if isinstance(value, Mapping) else "a list"


@dataclass(slots=True)
class _Fault:
    """The first value at fault, where it is, and how many more have the same fault."""

    severity: Severity
    key: str
    message: str
    code: str = CODE
    others: int = -1


class Findings:
    """The faults of one map, as problems that name the file ``path``.

    Of each rule the first value at fault is told, with the number of the others; of all at most
    ``MOST_PROBLEMS``, and no error is left out for anything else. ``key`` is where a fault is,
    ``rule`` what is the same rule at other keys ("": each key has its own), ``others`` how many
    more values break it.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._faults: dict[tuple[Severity, str], _Fault] = {}

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, and how many are not told."""
        faults = list(self._faults.values())
        more = len(faults) - MOST_PROBLEMS
        if more <= 0:
            return tuple(map(self._problem, faults))
        faults.sort(key=lambda each: each.severity is not Severity.ERROR)
        message = f"{counted(more, 'more problem')} {many(more, 'is', 'are')} not shown"
        hint = Problem(Severity.HINT, CODE, message, self._path)
        return (*map(self._problem, faults[:MOST_PROBLEMS]), hint)

    def error(self, key: str, message: str, others: int = 0, rule: str = "") -> None:
        """A fault."""
        self._add(Severity.ERROR, key, message, others, rule)

    def warning(self, key: str, message: str, rule: str = "", code: str = CODE) -> None:
        """Something that is probably not meant."""
        self._add(Severity.WARNING, key, message, 0, rule, code)

    def hint(self, key: str, message: str, rule: str = "") -> None:
        """Something worth knowing."""
        self._add(Severity.HINT, key, message, 0, rule)

    def wrong(
        self, key: str, holder: Mapping[str, object], name: str, expected: str, rule: str = ""
    ) -> None:
        """An error: ``holder[name]`` is missing or not what is ``expected``."""
        if name in holder:
            message = f"is {describe_value(holder[name])}"
        else:
            message = "is missing"
        self.error(key, f"{message}, expected {expected}", rule=rule)

    def unknown(self, where: str, holder: Mapping[str, object], known_keys: Iterable[str]) -> None:
        """A hint of each key that nobody reads."""
        for name in sorted(str(each)[:40] for each in holder.keys() - set(known_keys)):
            self.hint(where + name, NOT_READ)

    def at(self, key: str) -> bool:
        """Return whether there is an error of a key or of a value in it."""
        return any(
            fault.severity is Severity.ERROR and fault.key.split("[", 1)[0] == key
            for fault in self._faults.values()
        )

    def _add(
        self,
        severity: Severity,
        key: str,
        message: str,
        others: int,
        rule: str,
        code: str = CODE,
    ) -> None:
        fault = _Fault(severity, key, message, code)
        fault = self._faults.setdefault((severity, rule or f"{key} {message}"), fault)
        fault.others += 1 + others

    def _problem(self, fault: _Fault) -> Problem:
        if fault.others:
            more = f" (and {fault.others:,} more)"
        else:
            more = ""
        return Problem(fault.severity, fault.code, f"{fault.key} {fault.message}{more}", self._path)
