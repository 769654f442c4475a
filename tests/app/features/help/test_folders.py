"""Help > Folders: what the program keeps on the disk, where, how much, and a way to look there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QToolTip

from app.desk.folders import FOLDERS, FoldersPage, stored_paths
from randomizer.storage.journal.drafts import DRAFTS

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("help", "preferences", "new_map", "files")


@pytest.fixture
def journals(tmp_path) -> Path:
    return tmp_path / "data" / "journals"


@pytest.fixture
def window(window):
    yield window
    window.desk.autosave.end()


def test_what_has_a_row_of_its_own_does_not_count_in_the_one_around_it(window, qtbot, tmp_path):
    drafts = tmp_path / "data" / "journals" / DRAFTS
    drafts.mkdir(parents=True, exist_ok=True)
    (drafts / "a.draft").write_bytes(b"x" * 30_000_000)
    window.desk.commands.run("help.folders")
    page = window.findChild(FoldersPage)
    qtbot.waitUntil(lambda: page.size_labels["Drafts"].text() == "30,000 kB")
    assert len(page.size_labels["Journals"].text()) < len("30,000 kB")


def test_each_folder_is_shown_with_its_size_and_opened(window, qtbot, tmp_path, monkeypatch):
    folder = tmp_path / "data" / "backups" / "Moor-1"
    folder.mkdir(parents=True)
    (folder / "1.xml").write_bytes(b"x" * 41_000)
    (folder / "2.xml").write_bytes(b"x" * 1_000)
    (tmp_path / "data" / "sprites").touch()
    window.desk.commands.run("help.folders")
    page = window.findChild(FoldersPage)
    qtbot.waitUntil(lambda: page.size_labels["Backups"].text() == "42 kB")
    assert page.size_labels["Thumbnails"].text() == "0 kB"
    opened = []
    can_open = True

    def open_url(url):
        opened.append(url.toLocalFile())
        return can_open

    # The program of the desktop for folders would be started.
    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    buttons = {each.accessibleDescription(): each for each in page.findChildren(QPushButton)}
    assert not buttons["Thumbnails"].isEnabled()
    buttons["Backups"].click()
    buttons["Drawn terrains"].click()
    assert opened == [str(tmp_path / "data" / "backups"), str(tmp_path / "data")]
    assert not QToolTip.text()

    # What was deleted meanwhile, and a system on which no program opens folders.
    shutil.rmtree(tmp_path / "data" / "backups")
    can_open = False
    buttons["Backups"].click()
    assert opened[-1] == str(tmp_path / "data")
    qtbot.waitUntil(lambda: QToolTip.text().startswith("No program opens folders here"))
    page.window().close()


def test_the_table_has_all_that_the_desk_writes_beside_the_journals(window, qtbot, tmp_path):
    desk = window.desk
    # What the desk does a while after its first picture.
    desk.sprite_store.store()
    desk.commands.run("file.new-map")
    desk.script_drafts  # noqa: B018
    data = tmp_path / "data"
    qtbot.waitUntil((data / "sprites").exists)
    desk.backups.back_up(Path(__file__), always=True)
    assert {path.name for path in data.iterdir()} <= {each.name for each in FOLDERS}
    assert desk.backups.folder == stored_paths(desk)["Backups"]
    assert desk.settings.path == tmp_path / "settings.ini"


def test_the_manual_names_each_of_them():
    text = (ROOT / "docs" / "manual" / "your-data.md").read_text("utf-8")
    for each in FOLDERS:
        assert f"| {each.title} | `{each.name}` |" in text
