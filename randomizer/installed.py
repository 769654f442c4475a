"""What other installed packages bring along: systems, generators, formats, parts of the desk.

A package takes part by one entry point of the group ``GROUP``, which names a module with any of the
lists ``LISTS``, written as in ``catalog``. Such a module should import nothing: what its lists name
is imported when it is asked for. What cannot be imported becomes a Problem that names the package;
everything else still works.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "battlelands_builder.systems"

LISTS = (
    "SYSTEMS",
    "GENERATORS",
    "SCRIPT_HOSTS",
    "FORMATS",
    "GAME_HOSTS",
    "FAIRNESS_MODELS",
    "MEASURES",
    "FEATURES",
)
"""The lists that a package's module can have. ``MEASURES`` names functions that are called with a
system and the terrain set of a map, and return ``Measure``s; ``FEATURES`` names
``app.desk.feature.Feature``s, which add panels, commands, tools, overlays and pictures."""

_problems: dict[Problem, None] = {}


@dataclass(frozen=True)
class Package:
    """An installed package: its name, and its lists of ``module`` or ``module:name`` entries."""

    name: str
    lists: dict[str, tuple[str, ...]]

    def loaded(self, kind: str) -> Iterator[Any]:
        """What the entries of a list name, without those that cannot be imported."""
        loaded = map(self.load, self.lists[kind])
        return (each for each in loaded if each is not None)

    def load(self, entry: str) -> Any:
        """What an entry names; None, and a Problem, if it cannot be imported."""
        try:
            return load(entry)
        except Exception as fault:  # noqa: BLE001 - code of others can raise anything
            _report(self.name, entry, fault)
            return None


def load(entry: str) -> Any:
    """The module of an entry ``module``, or the object of ``module:name``."""
    module, _, name = entry.partition(":")
    loaded = import_module(module)
    return getattr(loaded, name) if name else loaded


@cache
def packages() -> tuple[Package, ...]:
    """All installed packages of the group, by name. The first call looks through them all."""
    from importlib.metadata import entry_points

    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    result = (_package(entry) for entry in entries)
    return tuple(package for package in result if package is not None)


def _package(entry: EntryPoint) -> Package | None:
    name = entry.name if entry.dist is None else entry.dist.name
    try:
        module = entry.load()
        lists = {kind: tuple(map(str, getattr(module, kind, ()))) for kind in LISTS}
    except Exception as fault:  # noqa: BLE001 - code of others can raise anything
        _report(name, entry.value, fault)
        return None
    return Package(name, lists)


@cache
def installed(kind: str) -> tuple[Any, ...]:
    """What the lists of this kind (one of ``LISTS``) of all installed packages name."""
    return tuple(each for package in packages() for each in package.loaded(kind))


def forget() -> None:
    """Look for packages again the next time: others may be installed since."""
    for function in (packages, installed):
        function.cache_clear()
    _problems.clear()


def problems() -> tuple[Problem, ...]:
    """The packages and entries that could not be imported so far."""
    return tuple(_problems)


def _report(package: str, entry: str, fault: Exception) -> None:
    words = f"“{entry}” of the package “{package}” cannot be used: {type(fault).__name__}: {fault}"
    _problems[Problem(Severity.WARNING, "package", words)] = None
