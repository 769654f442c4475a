"""Made-up games: a directory with variants, and a jar."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

DEFAULT_VAR = (
    '<variant name="Default"><terrain_recruits filename="DefaultTer.xml"/>'
    '<creatures filename="DefaultCre.xml"/><hint classname="Default.DefaultHint"/></variant>'
)


def ter(*names: str) -> str:
    """A Ter file with these terrains."""
    inner = "".join(f'<terrain name="{name}" color="green"/>' for name in names)
    return f'<?xml version="1.0"?><terrains>{inner}</terrains>'


def var(name: str, inner: str = "") -> str:
    """A Var file of a variant that the game takes."""
    return (
        f'<variant name="{name}"><creatures filename="DefaultCre.xml"/>'
        f'<hint classname="Default.DefaultHint"/>{inner}</variant>'
    )


def battleland(subtitle: str) -> str:
    """An empty battleland that says where it comes from."""
    return f'<battlemap tower="False" subtitle="{subtitle}"/>'


JAR = {
    "META-INF/MANIFEST.MF": "Manifest-Version: 1.0\n",
    "Default/DefaultVar.xml": DEFAULT_VAR,
    "Default/DefaultTer.xml": ter("Brush", "Plains", "Tower"),
    "Default/Battlelands/Brush.xml": battleland("jar Default"),
    "Default/Battlelands/Plains.xml": battleland("jar Default"),
    "Default/images/Bog_Hazard.gif": "GIF of Default",
    "Badlands/BadlandsVar.xml": var(
        "Badlands", '<terrain_recruits filename="BadlandsTer.xml"/><max_players num="6"/>'
    ),
    "Badlands/BadlandsTer.xml": ter("Plains", "Fort", "Dry Hills"),
    "Badlands/Battlelands/Fort.xml": battleland("jar Badlands"),
    "Badlands/Battlelands/Dry_Hills.xml": battleland("jar Badlands"),
    "Badlands/images/Bog_Hazard.png": "PNG of Badlands",
    "Badlands/images/Slope_Hazard.gif": "GIF of Badlands",
}


def make_jar(path: Path, files: Mapping[str, str | bytes] = JAR) -> Path:
    """A jar with these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def make_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Files below a directory, by their paths."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


DISK = {
    "BadlandsJDG/BadlandsJDGVar.xml": var(
        "BadlandsJDG",
        '<terrain_recruits filename="BadlandsTer.xml"/>'
        '<depends><depend variant="Badlands"/></depends>',
    ),
    "BadlandsJDG/Battlelands/Plains.xml": battleland("disk JDG"),
    "Default/Battlelands/Plains.xml": battleland("disk Default"),
}


def make_game(root: Path) -> Path:
    """A start directory with a jar, a variant on the disk and a replaced battleland of Default."""
    root.mkdir(parents=True, exist_ok=True)
    make_jar(root / "Colossus.jar")
    return make_files(root, DISK)
