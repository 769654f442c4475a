"""Files of pictures that a user chooses: decoded into images, and taken in as assets of a map.

An *asset* is a picture that a map keeps in itself (``model.records.assets``): the bytes of a PNG,
JPEG or WebP file. All functions can be called on any thread::

    data = picture_of_file(path.read_bytes())     # an SVG becomes a PNG; ProblemError for others
    image = decoded(data, longest_side=200)       # a QImage of at most 200 x 200 pixels
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QColor, QImage

from randomizer.model.problems import error
from randomizer.model.records.assets import LARGEST_PICTURE, check_asset, picture_size

if TYPE_CHECKING:
    from PIL import Image

SHOWN_SIDE = 512
"""The longest side of a picture that is shown in a cell, in pixels.

A cell is hardly ever larger on the screen; with 1024 each picture would take 4 MB of memory.
"""

SVG_IN_FIRST = 4096
"""The tag ``<svg`` is looked for in so many bytes: comments and a document type may precede it."""

RGBA_BYTES = 4
"""The bytes of a pixel: red, green, blue and opacity."""

PILLOW_FORMATS = ("PNG", "JPEG", "WEBP")
"""The formats of assets, by Pillow's names."""


def picture_of_file(data: bytes) -> bytes:
    """Return the asset of a file: PNG, JPEG and WebP as they are, an SVG drawn as PNG.

    Raises ProblemError for anything else, for what is too large, and for what cannot be decoded.
    """
    if len(data) > LARGEST_PICTURE:
        raise error("no-picture", f"this has {len(data):,} bytes, {LARGEST_PICTURE:,} are the most")
    if _is_svg(data):
        from app.render.pictures.svg_file import svg_image  # imported late: few pictures are SVGs

        data = png_of(svg_image(data))
    try:
        check_asset(data)
    except ValueError as fault:
        raise error("no-picture", f"this {fault}") from fault
    decoded(data, SHOWN_SIDE)
    return data


def _is_svg(data: bytes) -> bool:
    """Return whether a file is an SVG, and not a picture whose pixels or comment contain a tag."""
    return picture_size(data) is None and b"<svg" in data[:SVG_IN_FIRST]


def decoded(data: bytes, longest_side: int | None = None) -> QImage:
    """Return the whole picture of an asset, made smaller to fit in ``longest_side`` pixels.

    With None it has its own size. Raises ProblemError if it is damaged.
    """
    picture = _picture_of_asset(data, longest_side).convert("RGBA")
    width, height = picture.size
    pixels = picture.tobytes()
    image = QImage(pixels, width, height, RGBA_BYTES * width, QImage.Format.Format_RGBA8888)
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def decoded_colours(data: bytes) -> NDArray[np.uint8]:
    """Return the red, green and blue of a whole picture in its own size, (height, width, 3).

    Pixels that are not seen at all are black. Raises ProblemError if the picture is damaged.
    """
    picture = _picture_of_asset(data, None)
    if not picture.has_transparency_data:
        return np.array(picture.convert("RGB"))
    pixels = np.array(picture.convert("RGBA"))
    colours = pixels[:, :, :3].copy()
    colours[pixels[:, :, 3] == 0] = 0
    return colours


def _picture_of_asset(data: bytes, longest_side: int | None) -> Image.Image:
    """Return the picture of an asset, as ``decoded``, in the colours of its file.

    Pillow decodes it. With Qt this could deadlock: it holds the lock of its image plugins while it
    waits for Python, whose lock another thread may hold that waits for the plugins.
    """
    from PIL import Image, ImageOps  # imported late: few maps have pictures of their user's own

    try:
        with Image.open(BytesIO(data), formats=PILLOW_FORMATS) as file:
            if longest_side:
                # Let a large JPEG be decoded at a half or less of its size, which is quicker.
                file.draft("RGB", (longest_side, longest_side))
            # Turn a photograph upright, as the camera has noted in it.
            picture: Image.Image = ImageOps.exif_transpose(file)
            if picture.mode.startswith("I"):
                # 16 bits of grey, of which a screen shows the upper 8.
                picture = picture.point(lambda value: value / 256).convert("L")
            if longest_side:
                picture.thumbnail((longest_side, longest_side))
            return picture
    except Exception as fault:  # whatever the decoder of a format says of damaged bytes
        raise error("no-picture", "this picture is damaged: it cannot be decoded") from fault


def png_of(image: QImage) -> bytes:
    """Return the PNG file of an image."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    is_saved = image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know bytes only
    assert is_saved, "a buffer in memory can always be written"
    return bytes(content.data())


def mean_of(image: QImage) -> QColor:
    """Return the mean colour of a picture where it is opaque."""
    # Scaling is done with premultiplied colours: transparent pixels have no weight.
    one_pixel = image.scaled(
        1, 1, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    colour = one_pixel.pixelColor(0, 0)  # not premultiplied any more
    colour.setAlpha(255)
    return colour
