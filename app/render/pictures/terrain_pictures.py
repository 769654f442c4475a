"""Where the pictures of terrains come from: our own, or the user's game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen

from app.appearance.painting import mixed
from app.render.pictures.ground_phase import MARGIN, Phase
from app.render.pictures.own_pictures import has_own_picture, own_colour, own_picture
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.svg_shapes import Tint
from app.render.piece import closed_path
from app.render.theme import Theme
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain

ImageKey = tuple[str, Terrain, *tuple[object, ...]]
"""A kind of drawing, the terrain, and what else it depends on."""


HEX_BOX = QRectF(-1.0, -0.8660254, 2.0, 1.7320508)
"""The box of a terrain picture in map units around the hex's centre."""

GROUND_PERIOD = 6.5
"""The width and height of a ground in our files; layouts stretch it to their own period."""

GROUND_BOX = HEX_BOX.adjusted(-0.03, -0.03, 0.03, 0.03)
"""What features may cover; a little more than the hexagon."""


LEAST_LETTER = 50
"""Letters smaller than this (pixels of a font of 100) are not enlarged to the size of others."""

VARIANT_BITS = 2
VARIANTS = 1 << VARIANT_BITS
"""How many features the picture of a terrain has."""

RANGES = {"Hills": 1, "Snowy hills": 1, "Mountains": 2, "High mountains": 2, "Volcano": 2}
"""Pictures of heights that make ranges, with their order: at a cell of a range the land is lower
where the picture has a lower number or stands not here at all."""


FOLDERS = [files("app.resources").joinpath("terrain")]
"""Where there are pictures ``NAME.svg``: ours, then those of other packages."""


@registered(count=1, bytes_each=20 * KB)
@cache
def _drawn() -> dict[str, Traversable]:
    """Return the file of each picture by its name."""
    files = {}
    for folder in reversed(FOLDERS):  # of one name that of the first folder counts
        for file in folder.iterdir():
            files[file.name.removesuffix(".svg")] = file
    return files


def picture_names() -> list[str]:
    """Return the names of all pictures, sorted."""
    return sorted(_drawn())


@registered(bytes_each=210 * KB)
@lru_cache(64)
def picture(name: str) -> SvgPicture | None:
    """Return the picture of a name; None if there is none."""
    file = _drawn().get(name)
    if file is None:
        return None
    return SvgPicture(file.read_bytes())


PATTERNS = ("plain", "lines", "columns", "rising", "falling", "dots")
"""How a terrain without a picture can be drawn on its colour, by ``Terrain.pattern``."""

STRETCHED = 1.25
"""A picture of the user's own whose proportions differ by more from a cell's is not stretched."""


def ground_picture_name(terrain: Terrain) -> str:
    """Return the name of the picture whose ground a terrain shows."""
    return terrain.ground or terrain.picture or terrain.name


def ground_of(terrain: Terrain) -> Terrain:
    """Return a terrain that shows the same ground, by ``Terrain.picture`` alone."""
    if terrain.ground:
        return replace(terrain, picture=terrain.ground, ground="")
    return terrain


def picture_of(terrain: Terrain) -> SvgPicture | None:
    """Our picture of a terrain: not for one with a picture of the user's own, or a pattern."""
    if _has_own_look(terrain):
        return None
    return picture(terrain.picture or terrain.name)


def read_pictures(terrains: Iterable[Terrain], prefix: str | None) -> Iterator[None]:
    """Read the pictures of terrains, some milliseconds until each ``yield``.

    Those of a landscape take up to 200 ms, which no frame has: so they are read before the first
    one. Of each picture the ground is read, and the groups whose names begin with ``prefix``, as
    landscapes draw them ("flat-"); None: no groups are.
    """
    for terrain in terrains:
        ground_picture = picture_of(ground_of(terrain))
        if ground_picture is not None and ground_picture.has("ground"):
            ground_picture.drawing("ground")
            yield
        if prefix is None:
            continue
        standing_picture = picture_of(terrain)
        if standing_picture is not None:
            for group in standing_picture.unread_groups(prefix):
                standing_picture.drawing(group)
                yield


def _has_own_look(terrain: Terrain) -> bool:
    return has_own_picture(terrain.asset) or bool(terrain.pattern and not terrain.picture)


def _draw_own(painter: QPainter, terrain: Terrain, phase: Phase) -> None:
    """Draw the picture or pattern of the user's own into the box of a cell."""
    image = own_picture(terrain.asset)
    if image is None:
        if terrain.pattern in PATTERNS:
            painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
            painter.setPen(QPen(_ink_on(QColor(terrain.colour), 90), 0.05))
            _draw_pattern(painter, PATTERNS.index(terrain.pattern))
        return
    outer = phase.box
    share = 1 / (1 + MARGIN)
    box = QRectF(0, 0, outer.width() * share, outer.height() * share)
    box.moveCenter(outer.center())
    across = image.width() * box.height()
    down = image.height() * box.width()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    is_shaped_like_box = max(across, down) <= STRETCHED * min(across, down)
    if not is_shaped_like_box:
        box = _within(box, image)
    painter.drawImage(box, image)


def add_folder(folder: Traversable) -> None:
    """Show the pictures of a folder, too; what was drawn before is to be drawn again."""
    FOLDERS.append(folder)
    _drawn.cache_clear()
    picture.cache_clear()
    Pictures.images.clear()


def tint_of(terrain: Terrain, picture: SvgPicture, share: float = 1.0) -> Tint | None:
    """Return how the colours of a picture follow the colour of a terrain that names it.

    ``share``: how much of the way.
    """
    if not terrain.picture:
        return None
    if terrain.ground and share < 1:
        return None  # its colour is that of the ground
    drawn_for = QColor(picture.colour)
    target = QColor(terrain.colour)
    red = drawn_for.red()
    green = drawn_for.green()
    blue = drawn_for.blue()
    return Tint(
        (red, green, blue),
        (
            round(red + (target.red() - red) * share),
            round(green + (target.green() - green) * share),
            round(blue + (target.blue() - blue) * share),
        ),
    )


FEATURE_SHARE = 0.35
"""How much of the way features go to the colour of a terrain."""


class Pictures:
    """Draws terrains by our own pictures (``resources/terrain``); subclasses draw by others.

    The painter's unit is the map unit. A terrain of which there is no picture is drawn in its
    colour; where a terrain names a picture, the picture takes the colour of the terrain.
    """

    images: dict[ImageKey, dict[int, QImage]] = {}  # noqa: RUF012 - of all canvases together
    """What ``PictureImages`` has drawn of them."""

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        """Fill the outline of ``phase`` around (0, 0) with the ground, which repeats."""
        terrain = ground_of(terrain)
        svg = picture_of(terrain)
        if svg is None or not svg.has("ground"):
            fill_outline(painter, phase, QColor(terrain.colour))
            _draw_own(painter, terrain, phase)
            return
        fill_outline(painter, phase, self.ground_colour(terrain))
        across = phase.wide / GROUND_PERIOD
        down = phase.high / GROUND_PERIOD
        painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
        painter.translate(-phase.x, -phase.y)
        painter.scale(across, down)
        box = phase.box.translated(phase.x, phase.y)
        seen = QRectF(
            box.left() / across, box.top() / down, box.width() / across, box.height() / down
        )
        tint = tint_of(terrain, svg)
        marks = svg.drawing("ground").without_first_shape
        marks.draw_repeated(painter, seen, GROUND_PERIOD, tint)

    def ground_colour(self, terrain: Terrain) -> QColor:
        """Return the colour that most of the ground has: that of its first shape covers all."""
        terrain = ground_of(terrain)
        svg = picture_of(terrain)
        if svg is None or not svg.has("ground"):
            return QColor(terrain.colour)
        return svg.drawing("ground").first_colour(tint_of(terrain, svg))

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """Draw what stands on the ground into the flat hexagon of radius 1 around (0, 0).

        ``variant`` is below ``VARIANTS``.
        """
        svg = picture_of(terrain)
        if svg is not None and svg.count("feature"):
            drawing = svg.drawing(f"feature-{variant % svg.count('feature') + 1}")
            painter.setClipRect(GROUND_BOX, Qt.ClipOperation.IntersectClip)
            drawing.draw(painter, tint_of(terrain, svg, FEATURE_SHARE))

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        """Return the picture whose groups stand in landscapes, over edges; None: features do."""
        return picture_of(terrain)

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        """Return the picture that other terrains may show in other colours; None for another."""
        return picture_of(terrain)

    def group(self, painter: QPainter, terrain: Terrain, name: str) -> None:
        """Draw a group of ``standing(terrain)`` around (0, 0)."""
        svg = self.standing(terrain)
        if svg is not None:
            svg.drawing(name).draw(painter, tint_of(terrain, svg, FEATURE_SHARE))


def draws_own_pictures(pictures: Pictures) -> bool:
    """Return whether terrains are drawn by our pictures, not by those of a game or a package."""
    return type(pictures) is Pictures and len(FOLDERS) == 1


class PlainPictures(Pictures):
    """Grounds of one colour from a colour set, with our features or letters on them.

    ``lettered``: every terrain has its letter and one of six patterns instead of a feature, so that
    a dozen of them are told apart without colours.
    """

    def __init__(self, theme: Theme, *, lettered: bool) -> None:
        self._theme = theme
        self._lettered = lettered
        self.images = {}

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        colour = self._theme.terrain_colour(terrain)
        painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
        fill_outline(painter, phase, colour)
        if self._lettered:
            painter.scale(1.1, 1.1)
            painter.setPen(QPen(_ink_on(colour, 76), 0.05))
            _draw_pattern(painter, sum(terrain.name.encode()) % 6)

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._theme.terrain_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """The first of the terrain's ``letters``, or our feature."""
        if not self._lettered:
            painter.setOpacity(0.8)
            super().feature(painter, terrain, variant)
            return
        text = terrain.letters[:1].upper() or terrain.name[:2]
        path = QPainterPath()
        font = QFont()
        font.setPixelSize(100)
        font.setBold(True)
        path.addText(0, 0, font, text)
        box = path.boundingRect()
        colour = self._theme.terrain_colour(terrain)
        size = 0.62 / max(box.height(), box.width(), LEAST_LETTER)
        painter.scale(size, size)
        painter.translate(-box.center())
        painter.strokePath(path, QPen(colour, 14))
        painter.fillPath(path, _ink_on(colour, 215))

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        return None

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        return None


def fill_outline(painter: QPainter, phase: Phase, colour: QColor) -> None:
    """Fill what a ground has to fill with a colour."""
    painter.fillPath(closed_path(phase.outline), colour)


def pictures_in(theme: Theme, pictures: Pictures) -> Pictures:
    """Return the pictures that the theme's colour set shows in place of ``pictures``."""
    if theme.colour_set == "pictures":
        return pictures
    return PlainPictures(theme, lettered=theme.colour_set == "colour-blind")


def _ink_on(colour: QColor, alpha: int) -> QColor:
    """Black or white, whichever is readable on ``colour``."""
    if colour.lightness() > 110:
        ink = QColor(0, 0, 0)
    else:
        ink = QColor(255, 255, 255)
    ink.setAlpha(alpha)
    return ink


def _draw_pattern(painter: QPainter, number: int) -> None:
    """One of six patterns: none, horizontal, vertical, rising or falling lines, dots."""
    for i in range(-8, 9):
        at = i * 0.25
        if number == 1:
            painter.drawLine(QLineF(-1.1, at, 1.1, at))
        elif number == 2:
            painter.drawLine(QLineF(at, -1.1, at, 1.1))
        elif number == 3:
            painter.drawLine(QLineF(at - 1, 1, at + 1, -1))
        elif number == 4:
            painter.drawLine(QLineF(at - 1, -1, at + 1, 1))
        elif number == 5:
            for j in range(-4, 5):
                painter.drawEllipse(QPointF(at, j * 0.25 + (i & 1) * 0.125), 0.02, 0.02)


class GamePictures(Pictures):
    """The pictures of the user's own game, with ours where the game has none.

    ``images`` maps a terrain's name to its picture.
    """

    def __init__(self, images: dict[str, QImage]) -> None:
        self._images = images
        self.images = {}

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        if terrain.name not in self._images and terrain.name not in ("Plains", "Tower"):
            super().ground(painter, terrain, phase)
            return
        fill_outline(painter, phase, QColor(terrain.colour))

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """The game's picture, scaled to fit into the hexagon."""
        image = self._images.get(terrain.name)
        if image is None:
            super().feature(painter, terrain, variant)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(_within(HEX_BOX, image), image)

    def standing(self, terrain: Terrain) -> SvgPicture | None:
        if terrain.name in self._images:
            return None
        return super().standing(terrain)

    def shared(self, terrain: Terrain) -> SvgPicture | None:
        if terrain.name in (*self._images, "Plains", "Tower"):
            return None
        return super().shared(terrain)


def _within(box: QRectF, image: QImage) -> QRectF:
    """Return the largest box of the image's proportions inside ``box``, centred."""
    size = image.size().toSizeF().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
    inner = QRectF(0, 0, size.width(), size.height())
    inner.moveCenter(box.center())
    return inner


STANDING_SHARE = 0.5
"""How much of its mean colour a terrain on the ground of another has from what stands there."""


@registered(count=1, bytes_each=20 * KB)
@cache
def _mean_colours() -> dict[str, tuple[str, str]]:
    """Return for each picture the colour that it is made for, and its mean colour.

    ``packaging/draw_picture_colours.py`` makes the table.
    """
    text = files("app.resources").joinpath("picture_colours.json").read_text("ascii")
    return dict(json.loads(text))


def colour_of_picture(name: str) -> str:
    """Return the colour of terrain that a picture is made for, as ``#rrggbb``.

    Raises KeyError if there is no picture of this name.
    """
    return _mean_colours()[name][0]


def mean_colour(theme: Theme, terrain: Terrain) -> QColor:
    """Return the mean colour of a terrain's picture; its plain colour if it has none.

    In these landscapes are drawn where cells are small.
    """
    if terrain.ground and not terrain.asset and theme.colour_set == "pictures":
        ground = mean_colour(theme, ground_of(terrain))
        standing = mean_colour(theme, replace(terrain, name=terrain.picture, picture="", ground=""))
        return mixed(ground, standing, STANDING_SHARE)
    own_and_mean = _mean_colours().get(terrain.picture or terrain.name)
    own_mean = own_colour(terrain.asset)
    if own_mean is not None and theme.colour_set == "pictures":
        return own_mean
    if own_and_mean is None or theme.colour_set != "pictures" or _has_own_look(terrain):
        return theme.terrain_colour(terrain)
    drawn_for, mean = (QColor(colour) for colour in own_and_mean)
    if not terrain.picture:
        return mean
    target = QColor(terrain.colour)
    tint = Tint(
        (drawn_for.red(), drawn_for.green(), drawn_for.blue()),
        (target.red(), target.green(), target.blue()),
    )
    return tint.of(mean)
