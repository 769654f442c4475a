"""Files that the program did not make are read by ``file_reading`` and ``archive_reading`` only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import app
import randomizer
from tests.sources import sources_with

PACKAGES = [Path(package.__file__ or "").parent for package in (app, randomizer)]
ROOT = PACKAGES[0].parent

READING = {
    *("read_bytes", "read_text", "open_text", "ZipFile", "TarFile", "load", "fromfile", "memmap"),
    *("loadtxt", "genfromtxt", "QFile", "QImageReader", "cmp", "cmpfiles", "expanduser"),
}
"""Names of functions and classes that open a file whose name they get.

``expanduser`` fails for a user that is not known: ``user_path`` does not.
"""

OF_THE_PACKAGE = {
    "app/document/sample.py",
    "app/render/pictures/picture_library.py",
    "randomizer/scripts/script_hosts.py",
    "randomizer/systems/colossus/generator.py",
    "randomizer/systems/colossus/rolling/compiled_scripts.py",
    "randomizer/systems/colossus/script/message_texts.py",
    "randomizer/systems/xconq/period/packaged_periods.py",
    "randomizer/systems/xconq/period/faults.py",
    "randomizer/systems/free/packaged_sets.py",
    "randomizer/systems/zeroad/generators/packaged.py",
    "randomizer/systems/zeroad/map/mod_library.py",
}
"""Read files that come with a package, ours or an installed one, whose size is known."""

OTHERS = {
    "randomizer/reading/archives.py": "the way in for zip files",
    "randomizer/cli/output_files.py": "writes to devices",
    "randomizer/cli/output.py": "os.devnull",
    "randomizer/reading/files.py": "the way in",
    "randomizer/game_run.py": "the output of a game, into a folder just made",
    "randomizer/processes/worker.py": "the pipes of a process of ours",
    "randomizer/storage/disk/disk.py": "writes files, and opens folders",
    "randomizer/storage/disk/file_lock.py": "a lock, which regular_files opens",
    "randomizer/storage/journal/journal_log.py": "the log of a journal, and its own copy of it",
    "randomizer/storage/files/project.py": "a zip file in memory, and checked before it is listed",
    "randomizer/storage/disk/regular_files.py": "the way in for the program's own files",
    "randomizer/systems/zeroad/engine/child.py": "the pipes of a process of ours",
    "randomizer/systems/zeroad/engine/memory.py": "the size of a process, from the system",
}


def opened(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls that open a file; not those of a packaged one that ``files`` names."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=of, attr=name)) if name in READING:
                if name == "load" and ast.unparse(of) not in ("np", "numpy"):
                    continue
                if "files(" not in ast.unparse(of):
                    yield node
            case ast.Call(func=ast.Name(id="ZipFile" | "TarFile" | "QFile" | "QImageReader")):
                yield node
            case ast.Call(func=ast.Name(id="open")):
                yield node
            case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="open" | "fdopen")):
                yield node
            case ast.Call(
                func=ast.Attribute(attr="open"), args=[ast.Constant(value=str()), *_]
            ) if "QDialog" not in ast.unparse(node):
                yield node


def test_nothing_else_opens_files_that_are_not_of_the_package() -> None:
    found: dict[str, list[str]] = {}
    for path, text in sources_with([*READING, "open"], *PACKAGES):
        for call in opened(ast.parse(text)):
            words = f"{call.lineno}: {ast.unparse(call)}"
            found.setdefault(path.relative_to(ROOT).as_posix(), []).append(words)
    known = OF_THE_PACKAGE | OTHERS.keys()
    assert {file: calls for file, calls in found.items() if file not in known} == {}
    assert sorted(known - found.keys()) == [], "these are no exceptions any more"
