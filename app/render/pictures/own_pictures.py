"""Pictures of the user's own (``model.assets``): taken in from files, and found by their digests.

    data = picture_of_file(path.read_bytes())     # an SVG becomes a PNG; ProblemError for others
    battlemap.assets[asset_digest(data)] = data
    know_assets_of(battlemap)
    own_picture(asset_digest(data))               # a QImage

Digests say what a picture is: one that is decoded is the same for all maps.
"""

from __future__ import annotations

from base64 import b64decode
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from io import BytesIO
from threading import Lock
from weakref import WeakSet
from xml.etree.ElementTree import Element

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error
from randomizer.model.records.assets import LARGEST_PICTURE, check_asset, picture_size

SVG_SIDE = 1024
"""The longer side at which an SVG is drawn, in pixels."""

SHOWN_SIDE = 512
"""Larger pictures are stored at this size, in pixels: a cell is hardly ever larger."""

MOST_DECODED = 96
"""So many decoded pictures are stored, at most 1 MB each."""

MOST_MEANS = 10_000
"""So many mean colours of pictures are stored, of some 100 bytes each; those added first go first.
"""

MOST_SHAPES = 50_000
"""An SVG has at most so many shapes, counted as often as they are used."""

LARGEST_VIEW_BOX = 1e6
"""The longest side that an SVG may give itself, in its own unit."""

SVG_IN_FIRST = 4096
"""The tag ``<svg`` of an SVG is among its first bytes, of which there are so many."""

_FORMATS = ("PNG", "JPEG", "WEBP")
"""The formats of assets, by Pillow's names."""

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"

_lock = Lock()
"""Held while ``_maps``, ``_decoded`` and ``_means`` are used: exports draw on other threads."""

_maps: WeakSet[BattleMap] = WeakSet()
"""The maps whose assets are found."""

_decoded: OrderedDict[str, QImage] = OrderedDict()
"""The decoded pictures by digest, those used last are last."""

_means: OrderedDict[str, QColor] = OrderedDict()
"""The mean colours of pictures by digest, in the order in which they were added."""


def know_assets_of(battlemap: BattleMap) -> None:
    """Let the assets of a map be found, as long as it is there."""
    with _lock:
        _maps.add(battlemap)


def has_own_picture(digest: str) -> bool:
    """Return whether a map has the asset of a digest."""
    return bool(digest) and _asset(digest) is not None


def _asset(digest: str) -> bytes | None:
    """Return the asset of a digest, None if no map has it."""
    with _lock:
        for battlemap in _maps:
            if digest in battlemap.assets:
                return battlemap.assets[digest]
    return None


def own_picture(digest: str) -> QImage | None:
    """Return the picture of a digest; None for "", for one that no map has, for a damaged one."""
    with _lock:
        image = _decoded.get(digest)
        if image is not None:
            _decoded.move_to_end(digest)
            return image
    data = _asset(digest)
    if data is None or picture_size(data) is None:  # an asset can be a file of another program
        return None
    image = _decode(data, SHOWN_SIDE)
    if image is None:
        return None
    with _lock:
        _decoded[digest] = image
        while len(_decoded) > MOST_DECODED:
            _decoded.popitem(last=False)
    return image


def own_colour(digest: str) -> QColor | None:
    """Return the mean colour of the picture of a digest, where it is opaque; None without one."""
    with _lock:
        colour = _means.get(digest)
    if colour is not None:
        return colour
    image = own_picture(digest)
    if image is None:
        return None
    colour = mean_of(image)
    with _lock:
        _means[digest] = colour
        while len(_means) > MOST_MEANS:
            _means.popitem(last=False)
    return colour


def mean_of(image: QImage) -> QColor:
    """Return the mean colour of a picture where it is opaque."""
    small = image.scaled(
        1, 1, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    colour = small.pixelColor(0, 0)  # not premultiplied any more
    colour.setAlpha(255)
    return colour


def picture_of_file(data: bytes) -> bytes:
    """Return the asset of a file: PNG, JPEG and WebP as they are, an SVG drawn as PNG.

    It may be called on any thread. Raises ProblemError for anything else, for what is too large,
    and for what cannot be decoded.
    """
    if len(data) > LARGEST_PICTURE:
        raise error("no-picture", f"this has {len(data):,} bytes, {LARGEST_PICTURE:,} are the most")
    if b"<svg" in data[:SVG_IN_FIRST]:
        data = _png_of_svg(data)
    try:
        check_asset(data)
    except ValueError as fault:
        raise error("no-picture", f"this {fault}") from fault
    if _decode(data, SHOWN_SIDE) is None:
        raise error("no-picture", "this picture is damaged: it cannot be decoded")
    return data


def decoded(data: bytes, longest_side: int = 0) -> QImage:
    """Return the whole picture of an asset, made smaller to fit in ``longest_side`` pixels.

    With 0 it has its own size. Raises ProblemError if it is damaged.
    """
    image = _decode(data, longest_side)
    if image is None:
        raise error("no-picture", "this picture is damaged: it cannot be decoded")
    return image


def png_of(image: QImage) -> bytes:
    """Return the PNG file of an image."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know bytes only
    return bytes(content.data())


def _decode(data: bytes, longest_side: int = 0) -> QImage | None:
    """Return a picture, made smaller to fit in ``longest_side`` pixels (0: in its own size).

    None if it is damaged.
    """
    try:
        pixels, width, height = _decoded_pixels(data, longest_side)
    except ValueError:
        return None
    image = QImage(pixels, width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def _decoded_pixels(data: bytes, longest_side: int) -> tuple[bytes, int, int]:
    """Return the pixels of a picture, 4 bytes each, its width and its height.

    Pillow decodes it: Qt would call a buffer that Python owns while it holds the lock of its image
    plugins, and wait for a thread that waits for that lock. Raises ValueError for a damaged one.
    """
    from PIL import Image, ImageOps  # few maps have pictures of their user's own

    try:
        with Image.open(BytesIO(data), formats=_FORMATS) as file:
            if longest_side:
                # A large JPEG is decoded at half its size or less.
                file.draft("RGB", (longest_side, longest_side))
            picture: Image.Image = ImageOps.exif_transpose(file)  # upright, as cameras say
            if picture.mode.startswith("I"):  # 16 bits, of which the lower are left out
                picture = picture.point(lambda value: value / 256).convert("L")
            if longest_side:
                picture.thumbnail((longest_side, longest_side))
            return picture.convert("RGBA").tobytes(), *picture.size
    except Exception as failed:  # whatever the decoder of a format says of damaged bytes
        raise ValueError("it is damaged") from failed


# --- SVG ----------------------------------------------------------------------------------------


def _png_of_svg(data: bytes) -> bytes:
    """Return an SVG drawn ``SVG_SIDE`` pixels wide or high.

    What it refers to outside is left out.
    """
    from xml.etree import ElementTree  # few pictures are SVGs

    from PySide6.QtSvg import QSvgRenderer

    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)  # Qt knows attributes by this prefix
    try:
        if b"<!ENTITY" in data:
            raise ValueError("it defines entities")
        root = ElementTree.fromstring(data)  # without processing instructions
        _drop_references(root)
        _check_shapes(root)
        text = ElementTree.tostring(root)
    except (ValueError, LookupError, ElementTree.ParseError, RecursionError) as failed:
        raise error("no-picture", f"this SVG cannot be drawn: {failed}") from failed
    renderer = QSvgRenderer(QByteArray(text))
    box = QSize(0, 0).toSizeF()
    if renderer.isValid():
        box = renderer.viewBoxF().size()
    if not (0 < box.width() < LARGEST_VIEW_BOX and 0 < box.height() < LARGEST_VIEW_BOX):
        raise error("no-picture", "this SVG cannot be drawn: it has no size")
    size = box.scaled(SVG_SIDE, SVG_SIDE, Qt.AspectRatioMode.KeepAspectRatio).toSize()
    image = QImage(size.expandedTo(QSize(1, 1)), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        renderer.render(painter, QRectF(image.rect()))
    return png_of(image)


def _drop_references(root: Element) -> None:
    """Remove the references of an SVG to anything outside of it, and images that show such.

    Elements of the SVG itself and pictures in it are no such references.
    """
    for parent in list(root.iter()):
        for element in list(parent):
            outside_references = [
                name for name, value in element.items() if _leads_outside(name, value)
            ]
            for name in outside_references:
                del element.attrib[name]
            if outside_references and _tag(element) == "image":
                parent.remove(element)


def _leads_outside(name: str, value: str) -> bool:
    """Return whether an attribute refers to something outside of the SVG."""
    return name.endswith("href") and not value.startswith("#") and not _is_picture(value)


def _is_picture(reference: str) -> bool:
    """Return whether a reference holds a picture that could be an asset, and no SVG in an SVG."""
    head, _comma, content = reference.partition(";base64,")
    try:
        check_asset(b64decode("".join(content.split())))
    except ValueError:
        return False
    return head.startswith("data:image/")


def _tag(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _check_shapes(root: Element) -> None:
    """Raise ValueError if ``use`` makes too many shapes of an SVG, or if an element uses itself.

    Elements are visited in depth, without recursion, as files may be nested deeply: an element is
    counted when all that it has and uses is counted.
    """
    element_of_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    counts: dict[Element, int] = {}
    """How many shapes each element draws."""
    under_way: set[Element] = set()
    """The elements above the one that is visited."""
    waiting: list[tuple[Element, bool]] = [(root, False)]
    """Elements to be visited, and whether all below them is counted."""
    while waiting:
        element, is_below_counted = waiting.pop()
        elements_below = [*element, *_used_elements(element, element_of_id)]
        if is_below_counted:
            under_way.discard(element)
            counts[element] = 1 + sum(counts[below] for below in elements_below)
            if counts[element] > MOST_SHAPES:
                raise ValueError(f"it has more than {MOST_SHAPES:,} shapes")
        elif element not in counts:
            if element in under_way:
                raise ValueError("it uses itself")
            under_way.add(element)
            waiting.append((element, True))
            waiting += ((below, False) for below in elements_below)


def _used_elements(
    element: Element, element_of_id: Mapping[str | None, Element]
) -> Iterator[Element]:
    """Yield the elements that a ``use`` refers to; none for other elements."""
    if _tag(element) != "use":
        return
    for name, value in element.items():
        target = element_of_id.get(value.removeprefix("#"))
        if name.endswith("href") and target is not None:
            yield target
