"""Thumbnails of the catalogue: previews where there are any, else maps rolled in the background."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap

from app.background.background_value import BackgroundValue
from app.document.map_files import new_map
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from randomizer.catalog.script_catalog import LARGEST_PICTURE, CatalogEntry
from randomizer.generator import DrawKey, MapGenerator, run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.put_roll import new_map as map_of_roll
from randomizer.reading.files import read_file
from randomizer.roll_base import Base

Key = tuple[str, str, str]

SEED = 1
"""Of the maps that are rolled for thumbnails."""


class EntryThumbnails(QObject):
    """Gets the thumbnails of the entries shown, in ``size`` logical pixels, one after the other.

    What is rolled is stored in ``folder`` (None: nowhere). ``drawn(key)``: that of an entry.
    """

    drawn = Signal(object)

    def __init__(
        self, size: QSize, renderer: Renderer, folder: Path | None, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._size = size
        self._folder = folder
        self._theme = renderer.theme.name
        self._pictures: dict[Key, QPixmap] = {}
        self._files: dict[Key, Path] = {}
        self._entries: tuple[CatalogEntry, ...] = ()
        as_now = Renderer(renderer.theme, renderer.pictures)  # files are named after the theme
        self._drawing = MapThumbnails(size, as_now, self)
        connect(self._drawing.drawn, self._on_drawn)
        self._value = BackgroundValue(self._missing, self._work, self)
        connect(self._value.computed, self._take)
        self._value.watch(True)

    def show(self, entries: Iterable[CatalogEntry]) -> None:
        """Get the thumbnails of these entries next, and no others."""
        self._entries = tuple(entries)
        self._value.renew()

    def of(self, entry: CatalogEntry) -> QPixmap | None:
        """Return the thumbnail of an entry, None while there is none."""
        return self._pictures.get(entry.key)

    @property
    def busy(self) -> bool:
        """True if thumbnails are still to come."""
        return self._value.busy or self._drawing.waiting

    def _missing(self) -> tuple[CatalogEntry, ...]:
        return tuple(entry for entry in self._entries if entry.key not in self._pictures)

    def _work(
        self, entries: tuple[CatalogEntry, ...], _progress: object, cancelled: Callable[[], bool]
    ) -> Iterator[Mapping[Key, QImage | BattleMap]]:
        """Yield all that was got so far, again and again: previews first. On a job's thread."""
        result: dict[Key, QImage | BattleMap] = {}
        for get in (self._stored, _rolled):
            for entry in entries:
                if cancelled():
                    return
                if entry.key not in result:
                    got = get(entry, cancelled)
                    if got is not None:
                        result[entry.key] = got
                        yield dict(result)
        yield result

    def _stored(self, entry: CatalogEntry, _cancelled: object) -> QImage | None:
        """Return the preview of an entry, or its thumbnail that was rolled earlier."""
        try:
            data = entry.preview()
            if data is None:
                file = self._file(entry)
                if file is not None and file.is_file():
                    data = read_file(file, LARGEST_PICTURE)
                if file is not None:
                    self._files[entry.key] = file
        except (OSError, ProblemError):
            return None
        # With its format named Qt tries no other reader. The one of SVGs connects a signal: this
        # thread, which keeps Python's lock here, and the window's thread, which was disconnecting
        # one, have waited for each other forever.
        image = QImage.fromData(data or b"", "PNG")  # type: ignore[arg-type]  # the stubs know bytes
        if image.isNull():
            return None
        if entry.preview_part is not None:
            image = image.copy(image.rect() & QRect(QPoint(), QSize(*entry.preview_part)))
        return _fitted(image, self._size * 2)

    def _file(self, entry: CatalogEntry) -> Path | None:
        """Return where the rolled thumbnail of an entry is stored. Raises ProblemError."""
        if self._folder is None:
            return None
        text = "\n".join((repr(entry.metadata), entry.generator().text, self._theme))
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()}.png"

    def _take(self, pictures: Mapping[Key, QImage | BattleMap]) -> None:
        for key, picture in pictures.items():
            if key in self._pictures:
                continue
            if isinstance(picture, QImage):
                self._pictures[key] = QPixmap.fromImage(picture)
                self.drawn.emit(key)
            else:
                self._drawing.request(key, picture)

    def _on_drawn(self, key: Key, pixmap: QPixmap) -> None:
        self._pictures[key] = pixmap
        self.drawn.emit(key)
        file = self._files.get(key)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            pixmap.save(str(file))


def _fitted(image: QImage, size: QSize) -> QImage:
    """Return the image in the middle of a transparent one of this size."""
    keep = Qt.AspectRatioMode.KeepAspectRatio
    scaled = image.scaled(size, keep, Qt.TransformationMode.SmoothTransformation)
    scaled = scaled.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    room = size - scaled.size()
    return scaled.copy(-(room.width() // 2), -(room.height() // 2), size.width(), size.height())


def small(generator: MapGenerator) -> dict[str, object]:
    """Return settings for a small map: the least size that can be chosen."""
    sizes = {
        setting.name: min(value for value in setting.values if isinstance(value, int))
        for setting in generator.settings
        if setting.title == "Size" and setting.kind is int and setting.choices
    }
    return dict(sizes)


def _rolled(entry: CatalogEntry, cancelled: Callable[[], bool]) -> BattleMap | None:
    """Return a small map of an entry, None if it makes none."""
    try:
        generator = entry.generator()
        settings = small(generator)
        grid = generator.grid(settings)
        empty = new_map(generator.system, grid)
        base = Base.under(empty, len(empty.layers))
        generated = run(generator, settings, DrawKey(SEED, 0), base, cancelled=cancelled)
    except ProblemError:
        return None  # it is said when the script is chosen
    if generated is None:
        return None
    return map_of_roll(base.system, base.grid, base.terrain_set, generated)
