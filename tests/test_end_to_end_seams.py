"""End-to-end tests replace nothing of the program but what is listed here, each with its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "end_to_end"

SEAMS = {
    ("conftest.py", "owner", "attribute"): "a forced fault, see break_once",
    ("desk.py", "autosave.Autosave", "name"): "a process of the tests is killed there",
    ("points.py", "os", "name"): "a process of the tests is killed there",
    ("test_installed_additions.py", "sys", "excepthook"): "faults would fail the test (pytest-qt)",
    ("test_installed_additions.py", "installed", "_owners"): "a package that is installed",
    ("test_installed_system.py", "importlib.metadata", "entry_points"): "a package is installed",
    ("test_opening_asks_once.py", "file_format", "recognises"): "counts, and answers as before",
    ("test_opening_desk.py", "QKeySequence", "keyBindings"): "the keys of another platform",
    (
        "test_recovery.py",
        "Journal",
        "steps_without_edits",
    ): "a forced fault: one of two journals is unreadable",
    ("test_roll_while_loading.py", "recorded.RecordedGenerator", "generate"): "a slow roll",
    ("test_sides_of_the_window.py", "dock_room", "ROOMY"): "the small windows of users",
    ("test_hand_made_battleland.py", "dock_room", "ROOMY"): "the small windows of users",
    ("test_small_windows.py", "dock_room", "ROOMY"): "the small windows of users",
    ("test_waiting_is_seen.py", "RollRequest", "roll"): "a slow roll",
    ("test_waiting_is_seen.py", "canvas.sharpening", "_draw_missing"): "slow drawing",
    ("test_waiting_is_seen.py", "search_work", "search"): "a slow search",
}
"""What is replaced, by file, owner and name. No dialog, and nothing that asks or tells the user."""

DIALOG_WORDS = ("dialog", "question", "choose", "ask", "show_problems", "messagebox", "exec", "box")
"""What the names of dialogs and of functions that open them contain."""


def replaced_names(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield file, owner and name of what a file of tests puts something else in the place of.

    By ``monkeypatch.setattr``, ``setattr``, ``mock.patch`` or an assignment to a private name of
    another object.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            if function.split(".")[-1] == "setattr":
                name = node.args[1]
                text = name.value if isinstance(name, ast.Constant) else ast.unparse(name)
                yield path.name, ast.unparse(node.args[0]), str(text)
            elif "mock" in function or function.split(".")[-1] == "patch":
                yield path.name, function, ast.unparse(node.args[0]) if node.args else ""
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr.startswith("_"):
                    owner = ast.unparse(target.value)
                    if owner != "self":
                        yield path.name, owner, target.attr


def test_end_to_end_tests_replace_nothing_but_the_named_seams():
    replaced = {seam for path in FOLDER.rglob("*.py") for seam in replaced_names(path)}
    assert replaced == set(SEAMS)


def test_no_seam_is_a_dialog():
    for _file, owner, name in SEAMS:
        words = f"{owner}.{name}".lower()
        assert not [word for word in DIALOG_WORDS if word in words], words


def test_a_dialog_that_is_replaced_is_noticed(tmp_path):
    path = tmp_path / "test_x.py"
    path.write_text(
        "def test(monkeypatch, desk):\n"
        "    monkeypatch.setattr(QMessageBox, 'question', None)\n"
        "    desk.files._ask = None\n"
        "    mock.patch('app.widgets.dialogs.choice.choose')\n"
    )
    names = {name for *_, name in replaced_names(path)}
    assert names == {"question", "'app.widgets.dialogs.choice.choose'", "_ask"}
