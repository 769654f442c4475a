"""The real program's files and what it made of them, beside the checkout; how tests read maps.

They are not ours to keep: tests that need them are skipped where they are absent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from randomizer.formats.checked import read_checked
from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.xconq.mapfile.reader import read_with

SHARED = Path(__file__).resolve().parents[6] / "shared"
CORPUS = SHARED / "corpus" / "xconq"
REFERENCE = SHARED / "reference" / "xconq"
ADVERSARIAL = REFERENCE / "adversarial"

needs_real_files = pytest.mark.skipif(
    not (CORPUS.is_dir() and REFERENCE.is_dir()), reason="the real files are not here"
)

MAPS = tuple(sorted(path.name for pattern in ("*.map", "*.scn") for path in CORPUS.glob(pattern)))


def read_real(name: str) -> ReadResult:
    """A real file; the corpus is the library."""
    return read_with((CORPUS / name).read_bytes(), str(CORPUS / name), library=CORPUS)


def again(battlemap: BattleMap, path: Path) -> BattleMap:
    """The map written to a file with its companions, and read again."""
    files = XCONQ.write_files(battlemap, path.name)
    for name, data in files.items():
        (path.parent / name).write_bytes(data)
    result = read_checked(XCONQ, files[path.name], str(path))
    assert result.battlemap is not None, result.problems
    return result.battlemap
