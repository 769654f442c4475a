"""Parse our own scripts again: ``python3 packaging/parse_scripts.py``, after one has changed.

The trees lie beside the scripts; a roll of a packaged script reads its tree instead of parsing.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def main() -> None:
    """Write a ``.tree`` for every ``.rnd``."""
    from randomizer.systems.colossus.script.parser import parse
    from randomizer.systems.colossus.script.stored_tree import encoded_tree

    for path in sorted((ROOT / "randomizer" / "systems" / "colossus" / "scripts").glob("*.rnd")):
        text = path.read_text("utf-8")
        path.with_suffix(".tree").write_text(encoded_tree(text, parse(text).script), "ascii")


if __name__ == "__main__":
    main()
