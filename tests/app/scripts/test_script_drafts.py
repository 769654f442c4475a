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
from tests.app.saves import finished


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


def test_what_is_typed_after_the_end_is_not_kept(qtbot, tmp_path):
    """While the desk closes its maps, their scripts come and go."""
    document = MapDocument(sample_map())
    settings = Settings(QSettings(str(tmp_path / "set.ini"), QSettings.Format.IniFormat))
    scripts = Scripts(document, Rolling(document, choose_seed=count(7).__next__), settings)
    written = ScriptDrafts(scripts, tmp_path / "drafts")
    written.end()
    written.end()  # a window can be closed twice
    QTextCursor(scripts.text).insertText("x")
    document.open_map(sample_map())
    written.end()
    qtbot.wait(DELAY_MS + 100)
    assert not any(tmp_path.glob("drafts/*"))


def test_edits_of_scripts_of_several_maps_are_kept_and_asked_about(qtbot, tmp_path, hand):
    document = MapDocument(sample_map())
    settings = Settings(QSettings(str(tmp_path / "set.ini"), QSettings.Format.IniFormat))
    scripts = Scripts(document, Rolling(document, choose_seed=count(7).__next__), settings)
    drafts = tmp_path / "drafts"
    written = ScriptDrafts(scripts, drafts)
    texts = []
    first = document.current_map
    for letter in "ab":
        QTextCursor(scripts.text).insertText(letter)
        texts.append(scripts.text.text())
        document.open_map(sample_map())
    qtbot.waitUntil(lambda: len(list(drafts.glob("*/script.json"))) == 2)
    assert not scripts.current.unsaved, "the third map has the script of its own roll"
    document.make_current(first)
    assert scripts.text.text() == texts[0]
    assert scripts.current.unsaved
    assert finished(scripts.unsaved.ask_before_closing(document.maps[2]))
    asked: list[str] = []
    for _text in texts:
        question = hand.expect("Unsaved script")
        question.do(lambda _dialog: asked.append(scripts.text.text())).press("Discard")
    assert finished(scripts.unsaved.ask_before_quitting())
    assert asked == texts
    document.close_map(first)
    qtbot.waitUntil(lambda: len(list(drafts.glob("*/script.json"))) == 1)
    written.end()
    qtbot.waitUntil(lambda: not any(drafts.iterdir()))
