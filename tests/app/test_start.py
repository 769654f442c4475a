"""Starting the desk: what is loaded before the first picture, and the words of a wrong start."""

import subprocess
import sys
from pathlib import Path

from app.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, sys
from app.main_window import MainWindow

def show(self, shown=MainWindow.show):
    def first_paint():
        heavy = {"lark", "pyqtgraph", "sqlite3", "app.tools", "randomizer.colossus.script.parser"}
        os.write(1, " ".join(sorted(heavy & set(sys.modules))).encode() + b"|painted")
        os._exit(0)
    self.canvas.painted.connect(first_paint)
    shown(self)

MainWindow.show = show
from app.__main__ import main
main([])
"""


def test_neither_grammar_nor_plots_are_loaded_before_the_first_paint():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.stdout == b"|painted", done.stderr.decode()


def test_help_and_wrong_use_need_no_window(capsys):
    assert main(["--help"]) == 0
    assert "usage: battlelands" in capsys.readouterr().out
    assert main(["one.xml", "two.xml"]) == 2
    assert main(["--frobnicate"]) == 2
    assert "usage" in capsys.readouterr().err
