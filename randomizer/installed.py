"""What other installed packages bring along: systems, generators, formats, parts of the desk.

A package takes part by one entry point of the group ``GROUP``, which names a module with the number
``PROTOCOL`` and any of the lists ``LISTS``, written as in ``catalog``. Such a module should import
nothing: what its lists name is imported when it is asked for. What cannot be used becomes a Problem
that names the package; everything else still works. ``culprit_of`` says of any fault whether it is
the program's or a package's. docs/extending.md is the page for authors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "battlelands_builder.systems"

PROTOCOL = 2
"""The version of what is promised to other packages. It counts up when a package that kept to it
must be changed; a package of another version is not used."""

LISTS: Mapping[str, tuple[str, ...]] = {
    "SYSTEMS": (
        *("name", "title", "planes", "terrain_set", "new_grid"),
        *("hexside", "abilities", "packaged_terrains"),
    ),
    "GENERATORS": ("packaged",),
    "SCRIPT_HOSTS": (
        *("system", "suffixes", "language", "generator", "check"),
        *("entries", "is_mod", "lacks"),
    ),
    "FORMATS": (
        *("name", "title", "suffixes", "systems", "largest", "recognises", "read", "write"),
        *("check", "readable", "writable", "foreign"),
    ),
    "GAME_HOSTS": ("system", "title", "levels", "format", "open_game", "plan_exports"),
    "FAIRNESS_MODELS": ("system",),
    "MEASURES": ("__call__",),
    "FEATURES": ("title", "module"),
}
"""The lists that a package's module can have, and what each thing that they name must have.

``MEASURES`` names functions that are called with a system and the terrain set of a map, and return
``Measure``s; ``FEATURES`` names ``app.desk.feature.Feature``s, which add panels, commands, tools,
overlays and pictures."""

listeners: list[Callable[[Exception], object]] = []
"""Called with what a part raised when it was asked (``Guard``), on its thread. The desk has one."""

_problems: dict[Problem, None] = {}
"""A set in the order of its entries: a problem that comes again is not told again."""
_owners: dict[int, tuple[str, str]] = {}
"""Package and entry of each loaded part, by its ``id``, which is safe since parts are never freed.
"""


@dataclass(frozen=True)
class Package:
    """An installed package, and its lists of ``module`` or ``module:name`` entries.

    ``module`` is that of its entry point.
    """

    name: str
    version: str
    module: str
    lists: dict[str, tuple[str, ...]]

    def loaded(self, kind: str) -> Iterator[Any]:
        """Return what the entries of a list name, without those that cannot be used."""
        parts = (self.load(entry, LISTS[kind]) for entry in self.lists[kind])
        return (part for part in parts if part is not None)

    def load(self, entry: str, attributes: tuple[str, ...] = ()) -> Any:
        """Return what an entry names; None, and a Problem, if it cannot be used."""
        try:
            part = load(entry)
            for name in attributes:
                getattr(part, name)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - code of others can raise anything
            _report(self.name, entry, fault)
            return None
        _owners[id(part)] = self.name, entry
        return part

    def owns(self, module: str) -> bool:
        """Return whether a module is of this package: beside or below one that it names."""
        for entry in (self.module, *chain.from_iterable(self.lists.values())):
            entry_module = entry.partition(":")[0]
            if _is_folder(entry_module):
                folder = entry_module
            else:
                folder = entry_module.rpartition(".")[0]
            if module == entry_module or (folder and f"{module}.".startswith(f"{folder}.")):
                # A package may list a module of the program itself; that does not become its own.
                return module.partition(".")[0] not in _OWN
        return False


def _is_folder(module: str) -> bool:
    return hasattr(sys.modules.get(module), "__path__")


class Guard:
    """A context for what is asked of every part in turn: one that fails hinders no other.

        with Guard(file_format):
            return file_format.recognises(data)
        return False

    What a part of another package raises becomes a Problem of its package.
    """

    def __init__(self, part: object) -> None:
        self._owner = _owners.get(id(part))

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, fault: BaseException | None, _trace: object) -> bool:
        if self._owner is None or not isinstance(fault, Exception | SystemExit):
            return False
        _report(*self._owner, fault)
        fault.add_note("“{1}” of the package “{0}” was left out".format(*self._owner))
        if isinstance(fault, Exception):
            for listener in listeners:
                listener(fault)
        return True


_OWN = ("app", "randomizer")
"""The names with which the program's own modules begin."""

PROGRAM = "the program"


def culprit_of(fault: BaseException) -> str:
    """Return whose fault an exception is: ``PROGRAM``, or a package with its name.

    It is that of the innermost package that was running. Where none was, ``answers_of`` can have
    noted one.
    """
    if not packages.cache_info().currsize:
        return PROGRAM  # nothing of another package was ever imported
    frames = [frame.f_globals.get("__name__", "") for frame, _line in walk_tb(fault.__traceback__)]
    modules = [*reversed(frames), getattr(fault, _ASKED, "")]
    for module in modules:
        for package in packages():
            if package.owns(module):
                return f"the package “{package.name}”"
    return PROGRAM


_ASKED = "_battlelands_asked"
"""The attribute of an exception with the module of the part whose answer was being used."""


@contextmanager
def answers_of(part: object) -> Iterator[None]:
    """A context in which what a part answers is used: if that fails, the part is at fault."""
    try:
        yield
    except Exception as fault:
        setattr(fault, _ASKED, getattr(part, "__module__", ""))
        raise


def load(entry: str) -> Any:
    """Return the module of an entry ``module``, or the object of ``module:name``."""
    module, _, name = entry.partition(":")
    loaded = import_module(module)
    if name:
        return getattr(loaded, name)
    return loaded


@registered(count=1, bytes_each=10 * KB)
@cache
def packages() -> tuple[Package, ...]:
    """Return all installed packages of the group, by name.

    The first call looks through them all.
    """
    from importlib.metadata import entry_points

    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    result = (_package(entry) for entry in entries)
    return tuple(package for package in result if package is not None)


def _package(entry: EntryPoint) -> Package | None:
    """Return the package of an entry point; None, and a Problem, if it cannot be used."""
    name = entry.name
    version = ""
    if entry.dist is not None:
        name = entry.dist.name
        version = entry.dist.version
    try:
        module = entry.load()
        protocol = getattr(module, "PROTOCOL", None)
        lists = {kind: tuple(map(str, getattr(module, kind, ()))) for kind in LISTS}
    except (Exception, SystemExit) as fault:  # noqa: BLE001 - code of others can raise anything
        _report(name, entry.value, fault)
        return None
    if protocol != PROTOCOL:
        if protocol is None:
            mismatch = "names no PROTOCOL"
        else:
            mismatch = f"is for PROTOCOL {protocol!r}"
        _add_problem(
            f"The package “{name}” is not used: “{entry.value}” {mismatch}, and this program has "
            f"PROTOCOL {PROTOCOL}"
        )
        return None
    return Package(name, version, entry.value.partition(":")[0], lists)


@registered(count=12, bytes_each=KB)
@cache
def installed(kind: str) -> tuple[Any, ...]:
    """Return what the lists of this kind (one of ``LISTS``) of all installed packages name."""
    return tuple(chain.from_iterable(package.loaded(kind) for package in packages()))


def describe_packages() -> str:
    """Return a sentence on which packages take part, with their versions; it looks for them."""
    if getattr(sys, "frozen", False):
        return (
            "Extensions need Battlelands Builder installed as a package of Python; "
            "the program that needs no Python loads none."
        )
    names = ", ".join(f"{package.name} {package.version}".strip() for package in packages())
    return f"Extensions of protocol {PROTOCOL}: {names or 'none'}."


def forget() -> None:
    """Forget all packages, so that the next call looks for them again.

    Tests use it, which install packages while the program runs.
    """
    for function in (packages, installed):
        function.cache_clear()
    _problems.clear()
    _owners.clear()


def problems() -> tuple[Problem, ...]:
    """Return the packages and entries that could not be used so far."""
    return tuple(_problems)


def _report(package: str, entry: str, fault: BaseException) -> None:
    reason = f"{type(fault).__name__}: {fault}"
    _add_problem(f"“{entry}” of the package “{package}” cannot be used: {reason}")


def _add_problem(message: str) -> None:
    _problems[Problem(Severity.WARNING, "package", message)] = None
