"""A variant's two XML files: the terrains it has and the variants it depends on.

A variant of the game Colossus is a directory with battlelands and other files. What it lacks the
game takes from the variants that it depends on, and from the variant Default.

``<Name>Var.xml`` names the Ter file, the variants that it depends on, its creatures and its hints;
the Ter file lists the terrains::

    <variant name="Moor">                                 <terrains>
      <terrain_recruits filename="MoorTer.xml"/>            <terrain name="Fen"
      <depends><depend variant="TitanPlus"/></depends>               display_name="The Fen"/>
      <creatures filename="MoorCre.xml"/>                 </terrains>
      <hint classname="Moor.MoorHint"/>
    </variant>

Sources: the project's fact sheet on Colossus, the files of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from randomizer.model.problems import Problem, Severity
from randomizer.reading.xml_tree import Document, Element, parse_xml
from randomizer.storage.disk.file_names import fault_in_name

DEFAULT = "Default"
"""The variant that is in the game's jar, from which others take what they lack."""

DEFAULT_TERRAINS = (
    "Brush",
    "Desert",
    "Hills",
    "Jungle",
    "Marsh",
    "Mountains",
    "Plains",
    "Swamp",
    "Tower",
    "Tundra",
    "Woods",
)
"""The terrains of the variant Default."""

DEFAULT_TER_FILE = "DefaultTer.xml"
"""The Ter file of the variant Default."""

MAX_NAMES = 500
"""The largest number of terrains of a variant, and of variants it depends on, that are read.

Those of the game have about 30 at most.
"""


@dataclass(slots=True)
class VarFile:
    """The contents of a Var file, and its problems."""

    ter_file: str = DEFAULT_TER_FILE
    """The name of the Ter file."""
    depends: tuple[str, ...] = ()
    """The names of the variants that this one takes files from."""
    problems: list[Problem] = field(default_factory=list)
    """The errors and warnings about the file, in the order in which they were found."""


@dataclass(slots=True)
class TerFile:
    """The contents of a Ter file, and its problems."""

    terrains: tuple[tuple[str, str], ...] = ()
    """The name of each terrain, and the name that players see."""
    problems: list[Problem] = field(default_factory=list)
    """The errors and warnings about the file, in the order in which they were found."""


def read_var_file(data: bytes, path: str | None = None) -> VarFile:
    """Return the contents of a Var file; never raises for bad data."""
    document = parse_xml(data, path)
    # The document's list: the warnings of ``_read_name`` become problems of the result.
    result = VarFile(problems=document.problems)
    root = document.root
    if root is None:
        return result
    # Of several such elements the first counts.
    terrain_recruits = next(root.elements("terrain_recruits"), None)
    if terrain_recruits is not None:
        result.ter_file = _read_name(document, terrain_recruits, "filename") or DEFAULT_TER_FILE
    depends = next(root.elements("depends"), None)
    if depends is not None:
        names = list[str]()
        for depend in list(depends.elements("depend"))[:MAX_NAMES]:
            name = _read_name(document, depend, "variant")
            if name is not None:
                names.append(name)
        result.depends = tuple(names)
    if not any(root.elements("creatures")):
        result.problems.append(
            document.problem(
                Severity.WARNING,
                "no-creatures",
                "This variant names no creatures file; the game ends itself when it is loaded",
                root,
            )
        )
    if not any(root.elements("hint")):
        result.problems.append(
            document.problem(
                Severity.WARNING,
                "no-hint",
                "This variant names no hints; the game loads Default in its place",
                root,
            )
        )
    return result


def read_ter_file(data: bytes, path: str | None = None) -> TerFile:
    """Return the terrains of a Ter file, each once; never raises for bad data."""
    document = parse_xml(data, path)
    # The document's list: the warnings of ``_read_name`` become problems of the result.
    result = TerFile(problems=document.problems)
    if document.root is None:
        return result
    names: dict[str, str] = {}
    for terrain in list(document.root.elements("terrain"))[:MAX_NAMES]:
        name = _read_name(document, terrain, "name")
        if name is not None:
            names.setdefault(name, terrain.attributes.get("display_name", name))
    result.terrains = tuple(names.items())
    if not names:
        result.problems.append(
            document.problem(
                Severity.WARNING, "no-terrains", "This file names no terrain", document.root
            )
        )
    return result


def _read_name(document: Document, element: Element, attribute: str) -> str | None:
    """Return the name in an attribute, which will be part of a path.

    If it is missing, or cannot be part of a path, a warning is added to the problems of the
    document, and the result is None.
    """
    name = element.attributes.get(attribute)
    fault: str | None = "It is missing"
    if name is not None:
        fault = fault_in_name(name)
        if fault is None:
            return name
    document.problems.append(
        document.problem(
            Severity.WARNING,
            "bad-name",
            f"The “{attribute}” of this <{element.name}> is passed over. {fault}",
            element,
            attribute,
        )
    )
    return None


def new_var_file(name: str) -> bytes:
    """Return the smallest Var file with which the game accepts a new variant.

    Without ``creatures`` the game exits, without ``hint`` it loads Default; everything else comes
    from Default. ``name`` must pass ``fault_in_name``.
    """
    escaped = name.replace("&", "&amp;")  # no name may have one of the other characters of XML
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<variant name="{escaped}">\n'
        '    <creatures filename="DefaultCre.xml"/>\n'
        '    <hint classname="Default.DefaultHint"/>\n'
        "</variant>\n"
    ).encode()


def battleland_file_name(terrain: str) -> str:
    """Return the file name of a terrain's battleland: the game writes blanks as underscores."""
    return terrain.replace(" ", "_") + ".xml"
