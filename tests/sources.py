"""Sources of the project, for the tests that look through them.

Parsing the whole project takes seconds. What a test looks for is spelled with some word, so that
only the files with that word are parsed::

    for path, text in sources_with(["openUrl"], ROOT / "app"):
        tree = ast.parse(text)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path


def sources_with(words: Collection[str], *folders: Path) -> Iterator[tuple[Path, str]]:
    """Yield the Python files below folders that have one of ``words``, each with its text."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text("utf-8")
            if any(word in text for word in words):
                yield path, text
