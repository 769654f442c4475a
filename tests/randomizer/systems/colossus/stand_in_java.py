"""A stand-in for Java that runs Colossus: it tells what it was given, and writes a log.

The lines of the logs are as the game writes them.
"""

from __future__ import annotations

import sys
from pathlib import Path

BATTLE = """Rd01 (Attacker) attacks Gr01 (Defender) in Plains hex 1
Battle phase advances to Fight
Battle turn advances to 2
Battle phase advances to Recruit
Battle phase advances to Fight
Battle phase advances to Fight
Critter Lion in Plains hex D1 is now dead: (hits=6 > power=5)
Battle phase advances to Strikeback
Battle phase advances to Summon
Battle phase advances to Fight
Critter Ogre in Plains (1) hex C3 is now dead: (hits=6 > power=6)
Critter Lion in Brambles hex C2 is now dead: (hits=5 > power=5)
Battle phase advances to Strikeback
Critter Troll in Plains hex C1 is now dead: (hits=8 > power=8)
Battle completed, result: winner is Rd01 (player Attacker)
"""
LATE = """Rd01 (Attacker) attacks Gr01 (Defender) in Plains hex 1
Battle turn advances to 8
Time loss
Battle completed, result: winner is Gr01 (player Defender)
"""
DRAW = """Rd01 (Attacker) attacks Gr01 (Defender) in Plains hex 1
Battle completed, result: draw
"""
FLED = "Battle completed, result: winner is Rd01 (player Attacker)\n"

JAVA = """#!{python}
import json, pathlib, sys, time
files = sorted(str(each.relative_to(".")) for each in pathlib.Path().rglob("*") if each.is_file())
board = pathlib.Path("Default/Battlelands/Plains.xml").read_text()
with open({told!r}, "a") as told:
    told.write(json.dumps([sys.argv[1:], files, board, str(pathlib.Path().absolute())]) + "\\n")
{does}
"""


def put_java(folder: Path, told: Path, does: str) -> None:
    """Put a program ``java`` into a folder: it adds a line of JSON to ``told``, then ``does``."""
    folder.mkdir(exist_ok=True)
    java = folder / "java"
    java.write_text(JAVA.format(python=sys.executable, told=str(told), does=does))
    java.chmod(0o755)
