"""Drafts: unsaved edits of the script shown, written while it is being typed."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QSettings
from PySide6.QtGui import QTextCursor

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.rolling.rolling import Rolling
from app.scripts.script_drafts import DELAY_MS, ScriptDrafts
from app.scripts.scripts import Scripts
from app.settings import Settings


def test_letters_that_follow_do_not_put_a_draft_off(qtbot, tmp_path):
    """At most a second of typing can be lost."""
    assert DELAY_MS < 1000
    document = MapDocument(sample_map())
    settings = Settings(QSettings(str(tmp_path / "set.ini"), QSettings.Format.IniFormat))
    scripts = Scripts(document, Rolling(document, choose_seed=count(7).__next__), settings)
    drafts = tmp_path / "drafts"
    written = ScriptDrafts(scripts, drafts)
    cursor = QTextCursor(scripts.text)

    def typing() -> bool:
        cursor.insertText("x")
        return any(drafts.glob("*/script.json"))

    qtbot.waitUntil(typing)
    written.end()
    qtbot.waitUntil(lambda: not any(drafts.iterdir()))
