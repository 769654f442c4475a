"""Draw the rooms of the program, as its imports order them: ``docs/rooms.svg``.

``python3 packaging/draw_rooms.py``, to be run when a room comes, goes or moves (a test says so). A
room is a folder of ``app/`` or ``randomizer/``, or a file beside these folders. It stands above
all rooms of its package that it imports, and no higher than that needs; imports within functions
and for type checkers count.
"""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import wrap
from xml.sax.saxutils import quoteattr

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "rooms.svg"

PACKAGES = {"app": ("the desk (PySide6)", "#dbe7f3"), "randomizer": ("the core", "#e3eedb")}
"""From top to bottom: the title and colour of each package. The core never imports the desk."""

WIDTH = 980
ROW_GAP = 8
BOX_GAP = 8
LINE = 16
LETTER = 7.3
PADDING = 7
LETTERS_OF_A_LINE = 80


def rooms_of(package: str) -> dict[str, list[Path]]:
    """The rooms of a package, as ``package.room``, with their files."""
    rooms: dict[str, list[Path]] = {}
    for path in sorted((ROOT / package).iterdir()):
        if (path / "__init__.py").is_file():
            rooms[f"{package}.{path.name}"] = sorted(path.rglob("*.py"))
        elif path.suffix == ".py" and path.stem != "__init__":
            rooms[f"{package}.{path.stem}"] = [path]
    return rooms


def imported_modules(path: Path) -> set[str]:
    """The dotted names of all that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names.update(f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            names.update(name.name for name in node.names)
    return names


def room_imports(rooms: dict[str, list[Path]]) -> dict[str, set[str]]:
    """Which other of the rooms each room imports."""
    names_of = {
        room: {".".join(name.split(".")[:2]) for path in paths for name in imported_modules(path)}
        for room, paths in rooms.items()
    }
    return {room: (names & rooms.keys()) - {room} for room, names in names_of.items()}


def rows_of(imports: dict[str, set[str]]) -> list[list[str]]:
    """The rooms in rows, the top row first. Raises ValueError if they import in a circle."""
    rows: list[list[str]] = []
    left = dict(imports)
    while left:
        row = sorted(room for room, names in left.items() if not names & left.keys())
        if not row:
            raise ValueError(f"a circle of imports among {sorted(left)}")
        rows.insert(0, row)
        left = {room: names for room, names in left.items() if room not in row}
    return rows


def lines_of(room: str) -> list[str]:
    """The text of a room's box: its name and, for features and systems, their folders."""
    package, name = room.split(".")
    if not (ROOT / package / name).is_dir():
        return [name]
    if name not in ("features", "systems"):
        return [f"{name}/"]
    folders = sorted(path.parent.name for path in (ROOT / package / name).glob("*/__init__.py"))
    return [f"{name}/", *wrap(", ".join(folders).replace("_", " "), LETTERS_OF_A_LINE)]


def box(room: str, x: float, y: int, colour: str) -> tuple[str, float, int]:
    """The SVG of a room's box with its top left corner at (x, y), its width and its height."""
    lines = lines_of(room)
    width = max(map(len, lines)) * LETTER + 2 * PADDING
    height = len(lines) * LINE + PADDING
    texts = "".join(
        f'<text x="{x + width / 2:.1f}" y="{y + LINE * number}">{line}</text>'
        for number, line in enumerate(lines, 1)
    )
    frame = f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="4" '
    return f'<g id={quoteattr(room)}>{frame}fill="{colour}"/>{texts}</g>\n', width, height


def drawing() -> str:
    """The whole picture as SVG."""
    parts = []
    y = 0
    for package, (title, colour) in PACKAGES.items():
        y += 2 * LINE
        parts.append(f'<text x="{WIDTH / 2}" y="{y - PADDING}">{package}/ - {title}</text>\n')
        for row in rows_of(room_imports(rooms_of(package))):
            sizes = [box(room, 0, 0, "")[1:] for room in row]
            x = (WIDTH - sum(width for width, _ in sizes) - BOX_GAP * (len(row) - 1)) / 2
            for room, (width, _) in zip(row, sizes, strict=True):
                parts.append(box(room, x, y, colour)[0])
                x += width + BOX_GAP
            y += max(height for _, height in sizes) + ROW_GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" '
        'font-family="monospace" font-size="12" text-anchor="middle">\n'
        f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>\n{"".join(parts)}</svg>\n'
    )


if __name__ == "__main__":
    PICTURE.write_text(drawing(), "utf-8")
