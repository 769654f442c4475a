"""Collects the problems of map data that a script made, and describes its values in words.

    findings = Findings(path)
    findings.add_wrong_value("entities[3].id", entity, "id", "a whole number", rule="id")
    findings.problems           # "entities[3].id is 1.5, expected a whole number (and 199 more)"

A script repeats its faults thousands of times. So each fault has a *rule* that it breaks. Of all
faults with the same rule only the first becomes a problem, and the others are counted in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from randomizer.model.basics.limits import LARGEST_INT
from randomizer.model.basics.plurals import counted, many
from randomizer.model.problems import Problem, Severity
from randomizer.systems.zeroad.map.json_values import whole_number

MAX_PROBLEMS = 20
"""The most problems of a map that are shown; one more hint counts the others."""

_MAX_SHOWN = 40
"""The most characters of a value or of a key that are shown."""

CODE = "map-data"
"""The code of problems of map data."""

NOT_READ = "is not read by the game"
"""The message of a hint on a key that the game does not read."""


def describe_value(value: object) -> str:
    """Return a value of any kind in a few words: ``3.5``, ``“grass”``, ``a list``, ``null``."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int | float):
        number: int | float = value
        whole = whole_number(value)
        if whole is not None and abs(whole) <= LARGEST_INT:
            number = whole  # 7.0 as 7: JavaScript has one kind of number
        return repr(number)[:_MAX_SHOWN]
    if isinstance(value, str):
        if not value:
            return "an empty text"
        letters = [letter if letter.isprintable() else "\ufffd" for letter in value[:_MAX_SHOWN]]
        return f"“{''.join(letters)}”"
    if isinstance(value, Mapping):
        return "an object"
    return "a list"


@dataclass(slots=True)
class _Fault:
    """The first value that breaks a rule, and the number of all of them."""

    severity: Severity
    key: str
    """The path of the value in the data."""
    message: str
    """The end of a sentence that begins with the key: "is 1.5, expected a whole number"."""
    code: str = CODE
    count: int = 0
    """The number of values that break the rule, counted by ``_add``."""


class Findings:
    """The faults of one map, one of each rule.

    Parameters of several methods: ``key`` is the path of the fault in the data, such as
    "entities[3].id". ``rule`` is the name of the rule that is broken; for "" the fault has a rule
    of its own, that of its key and message. ``further_count`` is the number of further values that
    break the same rule, which the caller does not add one by one.
    """

    def __init__(self, path: str | None) -> None:
        """Collect faults of the file ``path``, None for a map without a file."""
        self._path = path
        self._faults: dict[tuple[Severity, str], _Fault] = {}
        """The first fault of each rule, by severity and rule, in the order of finding."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """A problem for each rule, in the order in which they were first broken.

        If there are more than ``MAX_PROBLEMS``, errors come first, and a last hint tells how many
        problems were left out.
        """
        faults = list(self._faults.values())
        left_out = len(faults) - MAX_PROBLEMS
        if left_out <= 0:
            return tuple(self._problem(fault) for fault in faults)
        faults.sort(key=lambda fault: fault.severity is not Severity.ERROR)  # False sorts first
        message = f"{counted(left_out, 'more problem')} {many(left_out, 'is', 'are')} not shown"
        hint = Problem(Severity.HINT, CODE, message, self._path)
        return (*(self._problem(fault) for fault in faults[:MAX_PROBLEMS]), hint)

    def error(self, key: str, message: str, further_count: int = 0, rule: str = "") -> None:
        """Add a fault that hinders the map from being used, or a part of it."""
        self._add(Severity.ERROR, key, message, further_count, rule)

    def warning(self, key: str, message: str, rule: str = "", code: str = CODE) -> None:
        """Add something that is probably not meant."""
        self._add(Severity.WARNING, key, message, 0, rule, code)

    def hint(self, key: str, message: str, rule: str = "") -> None:
        """Add something worth knowing."""
        self._add(Severity.HINT, key, message, 0, rule)

    def add_wrong_value(
        self, key: str, holder: Mapping[str, object], name: str, expected: str, rule: str = ""
    ) -> None:
        """Add a fault: ``holder[name]`` is missing or not what is ``expected``."""
        if name in holder:
            message = f"is {describe_value(holder[name])}"
        else:
            message = "is missing"
        self.error(key, f"{message}, expected {expected}", rule=rule)

    def add_unknown_keys(
        self, where: str, holder: Mapping[str, object], known_keys: Iterable[str]
    ) -> None:
        """Add a hint for each key of ``holder`` that nobody reads; ``where`` precedes its name."""
        unknown_keys = holder.keys() - set(known_keys)
        for name in sorted(str(key)[:_MAX_SHOWN] for key in unknown_keys):
            self.hint(where + name, NOT_READ)

    def _add(
        self,
        severity: Severity,
        key: str,
        message: str,
        further_count: int,
        rule: str,
        code: str = CODE,
    ) -> None:
        """Count a fault, and store it if it is the first one that breaks its rule."""
        rule_of_fault = rule or f"{key} {message}"
        new_fault = _Fault(severity, key, message, code)
        fault = self._faults.setdefault((severity, rule_of_fault), new_fault)
        fault.count += 1 + further_count

    def _problem(self, fault: _Fault) -> Problem:
        """Return the problem of a fault, with the number of the further ones in its message."""
        message = f"{fault.key} {fault.message}"
        further_count = fault.count - 1
        if further_count:
            message += f" (and {further_count:,} more)"
        return Problem(fault.severity, fault.code, message, self._path)
