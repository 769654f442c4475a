"""Nothing waits in an event loop of its own: dialogs are opened and awaited, not executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT
from tests.sources import sources_with

LOOPS = {"exec", "exec_", "processEvents", "QEventLoop"}
"""Names by which an event loop is run within a call."""

STATIC_DIALOGS = {
    "QColorDialog": ("getColor",),
    "QFileDialog": (
        "getExistingDirectory",
        "getExistingDirectoryUrl",
        "getOpenFileContent",
        "getOpenFileName",
        "getOpenFileNames",
        "getOpenFileUrl",
        "getOpenFileUrls",
        "getSaveFileName",
        "getSaveFileUrl",
    ),
    "QFontDialog": ("getFont",),
    "QInputDialog": ("getDouble", "getInt", "getItem", "getMultiLineText", "getText"),
    "QMessageBox": ("about", "aboutQt", "critical", "information", "question", "warning"),
}
"""The functions of Qt that execute a dialog, by their class."""

NAMES = LOOPS.union(*STATIC_DIALOGS.values())
"""The names of all functions that run an event loop."""

MAIN = "__main__.py"
"""Runs the event loop of the program."""


def executed_loops(source: str) -> Iterator[str]:
    """Yield the calls in a source text that run an event loop of their own."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id in LOOPS - {"exec"}:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in NAMES:
            owner = ast.unparse(node.value)
            if node.attr in LOOPS or node.attr in STATIC_DIALOGS.get(owner.split(".")[-1], ()):
                yield f"{owner}.{node.attr}"


def test_no_dialog_is_executed():
    app = ROOT / "app"
    sources = sources_with(NAMES, app)
    loops = {
        path.relative_to(app).as_posix() for path, text in sources if any(executed_loops(text))
    }
    assert loops == {MAIN}


@pytest.mark.parametrize(
    "source",
    [
        "code = dialog.exec()",
        "run = box.exec_",
        "loop = QEventLoop()",
        "QApplication.processEvents()",
        "name, _ = QFileDialog.getOpenFileName(self, 'Open')",
        "QtWidgets.QMessageBox.question(self, 'Leave?', 'There is work.')",
        "colour = QColorDialog.getColor(start, self)",
    ],
)
def test_an_executed_loop_is_noticed(source: str):
    assert list(executed_loops(source))


def test_an_awaited_dialog_is_no_loop():
    assert not list(executed_loops("code = await answer(QMessageBox(self))\ndialog.open()"))
