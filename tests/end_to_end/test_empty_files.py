"""A file that is empty is said to be empty, with what was expected in it, in one message."""

from __future__ import annotations

import pytest

from app.widgets.dialogs.problem_dialog import ProblemDialog
from tests.app.conftest import opened

DRIVEN_DIALOGS = (ProblemDialog,)

EXPECTED = {
    "wxx": "“Worldographer map”",
    "board": "“MegaMek board”",
    "scn": "“Xconq mapfile”",
    "txt": "“Text Mapper map”",
    "tmx": "“Tiled map”",
    "cells": "a map",
    "battlemap": "“Map project”",
    "map": "“Xconq mapfile” or “Wesnoth map”",
    "xml": "“Colossus battleland” or “Atlas scenario for 0 A.D.”",
    "terrains": "a terrain set",
}


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.mark.parametrize("suffix", EXPECTED)
def test_an_empty_file_is_said_to_be_empty(qtbot, window, tmp_path, suffix):
    path = tmp_path / f"Moor.{suffix}"
    path.touch()
    window.desk.files.open_path(path)
    dialog = opened(window, qtbot, ProblemDialog)
    message = f"this file is empty: {EXPECTED[suffix]} was expected"
    text = dialog.text.toPlainText()
    assert text.startswith(str(path))
    assert text.endswith(f"error: {message}")
    dialog.close()


def test_an_empty_period_says_how_one_begins(qtbot, window, tmp_path):
    path = tmp_path / "Moor.per"
    path.touch()
    window.desk.files.open_path(path)
    message = "The first line is empty: a period or mapfile begins with the word “Xconq”"
    qtbot.waitUntil(lambda: message in window.statusBar().currentMessage())


def test_an_empty_script_is_said_to_be_empty(qtbot, window, tmp_path):
    path = tmp_path / "Moor.rnd"
    path.touch()
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.scripts.script.path == path)
    problems = window.desk.docks.panel("randomize").problems.list
    message = "The script is empty: expected a statement (AREA, LABEL, PAIR,"
    qtbot.waitUntil(
        lambda: [problem.message.startswith(message) for problem in problems.problems] == [True]
    )
