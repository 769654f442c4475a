"""A made-up game for the dialogs: its directory, settings that know it, small maps and pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSettings, QSize
from PySide6.QtGui import QColor, QImage

from app.document.document import MapDocument
from app.features.game.game_folder import GameFolder
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.settings import Settings
from randomizer.catalog.systems import game_host
from randomizer.games.host import GameHost
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.systems.colossus.game_on_disk import DISK, JAR, make_files, make_jar

SIZE = QSize(60, 64)

VOLCANO = (
    '<battlemap terrain="Plains" tower="False" subtitle="with a volcano">'
    '<battlehex x="3" y="3" terrain="Volcano" elevation="2"/></battlemap>'
)


def host() -> GameHost:
    found = game_host(SYSTEM)
    assert found is not None
    return found


def make_game(root: Path, **jar: str | bytes) -> Path:
    """A game with three variants; its Default/Plains on the disk has a volcano."""
    root.mkdir(parents=True, exist_ok=True)
    make_jar(root / "Colossus.jar", {**JAR, **jar})
    make_files(root, {**DISK, "Default/Battlelands/Plains.xml": VOLCANO})
    return root


def settings_in(folder: Path, game_dir: Path | None) -> Settings:
    settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    settings.set_game_dir("colossus", game_dir)
    return settings


def places(folder: Path, game_dir: Path | None) -> GameFolder:
    """The places of a game, with settings in ``folder`` that know its directory."""
    return GameFolder(host(), settings_in(folder, game_dir))


def thumbnails() -> MapThumbnails:
    return MapThumbnails(SIZE, Renderer(theme("light")))


def small_map(title: str | None = None) -> MapDocument:
    properties: dict[str, object] = {"tower": False}
    if title is not None:
        properties["title"] = title
    return MapDocument(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground", properties=properties)]))


def png(colour: str) -> bytes:
    """A tiny picture of one colour."""
    image = QImage(27, 23, QImage.Format.Format_ARGB32)
    image.fill(QColor(colour))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, "PNG")
    return data.data()


def only_to_be_read(folder: Path) -> None:
    """Take the right to write away; skip where that binds nobody."""
    folder.chmod(0o555)
    if os.access(folder, os.W_OK):
        folder.chmod(0o755)
        pytest.skip("this user may write everywhere")
