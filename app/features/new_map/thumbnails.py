"""Thumbnails of the catalogue: previews where there are any, else maps rolled in the background.

``EntryList`` calls ``EntryThumbnails.show`` with the entries that it lists. The work on the
thread of a job (``_work``) gets an image or a rolled map for each of them; a map is drawn on the
window's thread (``MapThumbnails``), and its picture is stored as a file for the next time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap

from app.background.background_value import BackgroundValue
from app.document.map_files import new_map
from app.qt_guard import connect
from app.render.renderer import Renderer
from app.render.thumbnails.map_thumbnails import MapThumbnails
from randomizer.catalog.catalog_entry import CatalogEntry
from randomizer.catalog.metadata_files import LARGEST_PICTURE
from randomizer.generator import MapGenerator
from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map as map_of_roll
from randomizer.reading.files import read_file
from randomizer.roll_base import Base

EntryKey = tuple[str, str, str]
"""The type of ``CatalogEntry.key``, which tells entries apart."""

TITLE_OF_SIZE = "Size"
"""The title of the setting by which a script chooses the size of its map."""

SEED = 1
"""The seed of all maps that are rolled for thumbnails: those of an entry always look the same."""

PREVIEW_SCALE = 2
"""A preview has so many pixels for each logical one: enough for screens of high density."""


class EntryThumbnails(QObject):
    """Gets the thumbnails of the listed entries, one after the other."""

    drawn = Signal(object)
    """The thumbnail of the entry with this ``EntryKey`` can be shown now."""

    def __init__(
        self, size: QSize, renderer: Renderer, folder: Path | None, parent: QObject
    ) -> None:
        """Prepare thumbnails of ``size`` logical pixels; nothing happens before ``show``.

        Those of rolled maps are drawn like the maps of ``renderer`` and stored in ``folder``; with
        None they are not stored.
        """
        super().__init__(parent)
        self._size = size
        self._folder = folder
        self._theme = renderer.theme.name
        self._pictures: dict[EntryKey, QPixmap] = {}
        """The thumbnails that were got so far."""
        self._files: dict[EntryKey, Path] = {}
        """The files into which the thumbnails of rolled maps are written.

        The work, on another thread, adds the file of an entry before it returns its map.
        """
        self._entries: tuple[CatalogEntry, ...] = ()
        """The listed entries."""
        # A renderer of its own: that of the desk can get another theme, and the names of the files
        # are made from the present one.
        renderer_of_present_theme = Renderer(renderer.theme, renderer.pictures)
        self._drawing = MapThumbnails(size, renderer_of_present_theme, self)
        connect(self._drawing.drawn, self._on_drawn)
        self._background_pictures = BackgroundValue(
            self._entries_without_picture, self._yield_pictures, self
        )
        connect(self._background_pictures.computed, self._show_pictures)
        self._background_pictures.watch()

    def show(self, entries: Iterable[CatalogEntry]) -> None:
        """Get the thumbnails of these entries next, and no others."""
        self._entries = tuple(entries)
        self._background_pictures.renew()

    def of(self, entry: CatalogEntry) -> QPixmap | None:
        """Return the thumbnail of an entry, None while there is none."""
        return self._pictures.get(entry.key)

    @property
    def busy(self) -> bool:
        """True if thumbnails are still to come."""
        return self._background_pictures.busy or self._drawing.waiting

    def _entries_without_picture(self) -> tuple[CatalogEntry, ...]:
        """Return the listed entries whose thumbnails are still to be got."""
        return tuple(entry for entry in self._entries if entry.key not in self._pictures)

    def _yield_pictures(
        self, entries: tuple[CatalogEntry, ...], _progress: object, cancelled: Callable[[], bool]
    ) -> Iterator[Mapping[EntryKey, QImage | BattleMap]]:
        """Yield all images and rolled maps so far, each time one more. Runs on a job's thread.

        An entry that gives neither is left out.
        """
        pictures: dict[EntryKey, QImage | BattleMap] = {}
        # Images come first, since a roll takes much longer.
        for entry in entries:
            if cancelled():
                return
            image = self._load_image(entry)
            if image is not None:
                pictures[entry.key] = image
                yield dict(pictures)
        for entry in entries:
            if cancelled():
                return
            if entry.key in pictures:
                continue
            rolled_map = _small_roll(entry, cancelled)
            if rolled_map is not None:
                pictures[entry.key] = rolled_map
                yield dict(pictures)
        yield pictures  # also if there are none: the work has ended

    def _load_image(self, entry: CatalogEntry) -> QImage | None:
        """Return the preview of an entry, or its thumbnail that was rolled earlier; None: neither.

        For an entry without a preview the file for its thumbnail is noted in ``_files``.
        """
        try:
            data = entry.preview()
            if data is None:
                file = self._file_of(entry)
                if file is not None:
                    # Noted before it is read: a file that is refused is written anew.
                    self._files[entry.key] = file
                    if file.is_file():
                        data = read_file(file, LARGEST_PICTURE)
        except (OSError, ProblemError):
            return None
        # Without the name of the format Qt tries all its readers. That of SVGs connects a signal,
        # which has locked up the program: this thread, which has Python's lock here, and the
        # window's thread, which was just disconnecting a signal, waited for each other.
        image = QImage.fromData(data or b"", "PNG")  # type: ignore[arg-type]  # the stubs know bytes
        if image.isNull():
            return None
        if entry.preview_part is not None:
            # Only the upper left part of such a picture shows the map.
            image = image.copy(image.rect() & QRect(QPoint(), QSize(*entry.preview_part)))
        return _fitted(image, self._size * PREVIEW_SCALE)

    def _file_of(self, entry: CatalogEntry) -> Path | None:
        """Return the file for the rolled thumbnail of an entry, None if nothing is stored.

        Its name is a digest of all that the picture depends on: an edited script gets a new one.
        Raises ProblemError for a script that cannot be read.
        """
        if self._folder is None:
            return None
        text = "\n".join((repr(entry.metadata), entry.generator().text, self._theme))
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()}.png"

    def _show_pictures(self, pictures: Mapping[EntryKey, QImage | BattleMap]) -> None:
        """Tell of the images that are new, and let the maps be drawn."""
        for key, picture in pictures.items():
            if key in self._pictures:
                continue
            if isinstance(picture, QImage):
                self._pictures[key] = QPixmap.fromImage(picture)
                self.drawn.emit(key)
            else:
                self._drawing.request(key, picture)

    def _on_drawn(self, key: EntryKey, pixmap: QPixmap) -> None:
        """Keep and store the thumbnail of a rolled map."""
        self._pictures[key] = pixmap
        self.drawn.emit(key)
        file = self._files.get(key)
        if file is not None:
            # Where nothing can be written, thumbnails are rolled again by the next dialog.
            with suppress(OSError):
                file.parent.mkdir(parents=True, exist_ok=True)
            pixmap.save(str(file))


def _fitted(image: QImage, size: QSize) -> QImage:
    """Return the image in the middle of a transparent one of this size."""
    keep = Qt.AspectRatioMode.KeepAspectRatio
    scaled = image.scaled(size, keep, Qt.TransformationMode.SmoothTransformation)
    scaled = scaled.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
    # A copy of a rectangle beyond the rim of an image is transparent there.
    margins = size - scaled.size()
    left = -(margins.width() // 2)
    top = -(margins.height() // 2)
    return scaled.copy(left, top, size.width(), size.height())


def smallest_settings(generator: MapGenerator) -> dict[str, object]:
    """Return settings for a small map: the smallest of the sizes that can be chosen, if any."""
    settings: dict[str, object] = {}
    for setting in generator.settings:
        # Scripts of several games have such a setting, each by another name.
        is_size = setting.title == TITLE_OF_SIZE and setting.kind is int
        if is_size and setting.choices:
            settings[setting.name] = min(
                value for value in setting.values if isinstance(value, int)
            )
    return settings


def _small_roll(entry: CatalogEntry, cancelled: Callable[[], bool]) -> BattleMap | None:
    """Return a small map of an entry; None if it makes none, or if the job was cancelled."""
    try:
        generator = entry.generator()
        settings = smallest_settings(generator)
        grid = generator.grid(settings)
        empty = new_map(generator.system, grid)
        # What the roll finds below it: all layers of the empty map.
        base = Base.under(empty, len(empty.layers))
        key = DrawKey(SEED, 0)  # the first map of the seed
        generated = run(generator, settings, key, base, cancelled=cancelled)
    except ProblemError:
        return None  # its problem is told when the script is chosen
    if generated is None:
        return None
    return map_of_roll(base.system, base.grid, base.terrain_set, generated)
