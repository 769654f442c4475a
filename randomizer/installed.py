"""What other installed packages add to the program: systems, generators, formats, desk features.

A package takes part by one entry point of the group ``GROUP``. It names a module such as::

    PROTOCOL = 2
    FORMATS = ("their_package.hexes:HEX_FORMAT",)    # "module", or "module:name"

``LISTS`` are the lists that the module can have. Each entry names a *part*, an object that the
program uses, for example a format. The module itself should import nothing: a part is imported when
``installed`` is first asked for its list.

A package or part that cannot be used becomes a Problem that names the package (``problems``); all
others still work. ``Guard`` and ``culprit_of`` do the same for faults of parts in use.
docs/extending.md is the page for authors of packages.
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
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "battlelands_builder.systems"
"""The group of entry points by which packages are found."""

PROTOCOL = 2
"""The version of what this program promises to other packages.

It goes up with a change that breaks packages which kept to the promise. A package that names
another version is not used.
"""

PROGRAM = "the program"
"""What ``culprit_of`` returns for a fault of the program itself."""

_OWN_PACKAGES = ("app", "randomizer")
"""The top-level packages of the program itself."""

LISTS: Mapping[str, tuple[str, ...]] = {
    "SYSTEMS": (
        "name",
        "title",
        "planes",
        "terrain_set",
        "new_grid",
        "hexside",
        "abilities",
        "packaged_terrains",
    ),
    "GENERATORS": ("packaged",),
    "SCRIPT_HOSTS": (
        "system",
        "suffixes",
        "language",
        "generator",
        "check",
        "entries",
        "is_mod",
        "reason_without_scripts",
    ),
    "FORMATS": (
        "name",
        "title",
        "suffixes",
        "systems",
        "largest",
        "recognises",
        "read",
        "write",
        "check",
        "readable",
        "writable",
        "foreign",
    ),
    "GAME_HOSTS": ("system", "title", "levels", "format", "open_game", "plan_exports"),
    "FAIRNESS_MODELS": ("system",),
    "MEASURES": ("__call__",),
    "FEATURES": ("title", "module"),
}
"""The lists that a package's module can have, and the attributes that each part in them must have.

They are those that the program reads of every part before it is used; without one of them the part
is left out, rather than failing in the middle of a list.

``MEASURES`` names functions that are called with a system and the terrain set of a map, and return
``Measure``s; ``FEATURES`` names ``app.desk.feature.Feature``s, which add panels, commands, tools,
overlays and pictures.
"""

listeners: list[Callable[[Exception], object]] = []
"""Functions that ``Guard`` calls with each exception of a part, on the thread that used the part.

The desk adds one, which shows the fault to the user.
"""

_problems: dict[Problem, None] = {}
"""All problems so far, as the keys: a set in the order of their coming, without repetitions."""


class _Owner(NamedTuple):
    """Where a part comes from."""

    package: str
    """The name of the package."""
    entry: str
    """The entry of its list that names the part."""


_owners: dict[int, _Owner] = {}
"""The owner of each loaded part, by the ``id`` of the part: parts are never freed, so ids stay."""


@dataclass(frozen=True)
class Package:
    """An installed package that takes part."""

    name: str
    version: str
    module: str
    """The name of the module of its entry point."""
    lists: dict[str, tuple[str, ...]]
    """The entries of each of ``LISTS``: "module" or "module:name"."""

    def load_parts(self, kind: str) -> Iterator[Any]:
        """Yield the parts in a list, without those that cannot be used."""
        for entry in self.lists[kind]:
            part = self.load_part(entry, LISTS[kind])
            if part is not None:
                yield part

    def load_part(self, entry: str, attributes: tuple[str, ...] = ()) -> Any:
        """Return the part that an entry names.

        None, and a Problem is noted, if it cannot be imported or lacks one of ``attributes``.
        """
        try:
            part = load(entry)
            for name in attributes:
                getattr(part, name)
        except (Exception, SystemExit) as fault:  # noqa: BLE001 - code of others can raise anything
            _note_unusable(self.name, entry, fault)
            return None
        _owners[id(part)] = _Owner(self.name, entry)
        return part

    def owns(self, module: str) -> bool:
        """Return whether a module belongs to this package.

        It does if it lies in the folder of a module that the package names, or below: with an entry
        "hexes.formats:HEX" all of ``hexes`` belongs to the package.
        """
        for entry in (self.module, *chain.from_iterable(self.lists.values())):
            entry_module = entry.partition(":")[0]
            if _is_folder(entry_module):
                folder = entry_module
            else:
                folder = entry_module.rpartition(".")[0]
            if module == entry_module or (folder and f"{module}.".startswith(f"{folder}.")):
                # A package may list a module of the program itself; that does not become its own.
                return module.partition(".")[0] not in _OWN_PACKAGES
        return False


def _is_folder(module: str) -> bool:
    """Return whether a module was imported and is a package, a folder of modules."""
    return hasattr(sys.modules.get(module), "__path__")


class Guard:
    """A context in which a part of another package may fail without stopping the program.

        with Guard(file_format):
            return file_format.recognises(data)
        return False    # the format failed

    What the part raises becomes a Problem of its package, and ``listeners`` are called with it.
    Exceptions of the program's own parts pass through.
    """

    def __init__(self, part: object) -> None:
        self._owner = _owners.get(id(part))

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, fault: BaseException | None, _trace: object) -> bool:
        if self._owner is None or not isinstance(fault, Exception | SystemExit):
            return False
        package, entry = self._owner
        _note_unusable(package, entry, fault)
        fault.add_note(f"“{entry}” of the package “{package}” was left out")
        if isinstance(fault, Exception):
            for listener in listeners:
                listener(fault)
        return True


_ANSWERING_MODULE = "_battlelands_answering_module"
"""The attribute that ``answers_of`` sets on an exception: the module of the part at fault."""


def culprit_of(fault: BaseException) -> str:
    """Return whose fault an exception is: ``PROGRAM``, or "the package “NAME”".

    It is the package whose code raised the exception, or called what raised it; of several packages
    the innermost one. If no package's code was running, it can still be a package's fault: the
    program was using what a part had returned, such as a map with a wrong plane (``answers_of``).
    """
    if not packages.cache_info().currsize:
        return PROGRAM  # ``packages`` was never called: nothing of another package was imported
    frames = [frame.f_globals.get("__name__", "") for frame, _line in walk_tb(fault.__traceback__)]
    modules = [*reversed(frames), getattr(fault, _ANSWERING_MODULE, "")]
    for module in modules:
        for package in packages():
            if package.owns(module):
                return f"the package “{package.name}”"
    return PROGRAM


@contextmanager
def answers_of(part: object) -> Iterator[None]:
    """A context in which the program uses what a part returned: if it fails, the part is at fault.

    For example a generator returns a map with a wrong plane, and composing the map raises.
    """
    try:
        yield
    except Exception as fault:
        setattr(fault, _ANSWERING_MODULE, getattr(part, "__module__", ""))
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
    """Return all installed packages of the group, sorted by the names of their entry points.

    The first call looks through everything that is installed.
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
        lists = {kind: _entries_in(module, kind) for kind in LISTS}
    except (Exception, SystemExit) as fault:  # noqa: BLE001 - code of others can raise anything
        _note_unusable(name, entry.value, fault)
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


def _entries_in(module: object, kind: str) -> tuple[str, ...]:
    """Return the entries in a list of a package's module; none if it has no such list.

    Raises TypeError for a text: with its comma forgotten, ``("hexes.formats:HEX")`` is one.
    """
    entries = getattr(module, kind, ())
    if isinstance(entries, str):
        raise TypeError(f"{kind} is a text, not a list of texts: “{entries}”")
    return tuple(map(str, entries))


@registered(count=12, bytes_each=KB)
@cache
def installed(kind: str) -> tuple[Any, ...]:
    """Load and return the parts in a kind of list (a key of ``LISTS``) of all installed packages.

    Parts that cannot be loaded are noted as ``problems``.
    """
    return tuple(chain.from_iterable(package.load_parts(kind) for package in packages()))


def describe_packages() -> str:
    """Return a sentence that names the packages that take part, with their versions."""
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


def _note_unusable(package: str, entry: str, fault: BaseException) -> None:
    """Note a Problem: an entry of a package failed with this exception."""
    reason = f"{type(fault).__name__}: {fault}"
    _add_problem(f"“{entry}” of the package “{package}” cannot be used: {reason}")


def _add_problem(message: str) -> None:
    """Add a problem, unless there is the same one already."""
    _problems[Problem(Severity.WARNING, "package", message)] = None
