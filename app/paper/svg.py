"""SVG files: every piece is defined once and used at its places; text stays text."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.appearance.painting import painting
from app.render.piece import Piece
from app.render.vector.piece_painter import HALO, TYPE_SIZE, PiecePainter

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan


_GRADIENT = re.compile(
    r'<((?:linear|radial)Gradient)([^<>]*?) id="(gradient\d+)"([^<>]*)>(.*?)</\1>\s*', re.DOTALL
)
_REFERENCE = re.compile(r"url\(#(gradient\d+)\)")

_SHAPES = re.compile(
    r'<g ([^<>]*?)\s*transform="(matrix\([^"]*\))"\s*>\s*'
    r"((?:<(?:path|polygon|polyline|rect|ellipse|circle|line)\b[^<>]*/>\s*)+)</g>\s*"
)
"""A group of shapes that has a transform."""

_LONE = re.compile(r"<g>(<use [^<>]*/>\s*)</g>\s*")
_EMPTY = re.compile(r"<g>\s*</g>\s*|(?<=\n)\n+")


class SharedParts:
    """The parts of one file: ``definitions`` are its elements so far."""

    def __init__(self) -> None:
        self.definitions: list[str] = []
        self._names: dict[str, str] = {}

    def share(self, definitions: str, body: str) -> str:
        """Return the body of a drawing, which Qt wrote with ``definitions``, in terms of shared
        parts.
        """
        gradients = {}
        for kind, before, name, after, stops in _GRADIENT.findall(definitions):
            gradients[name] = self._name(f"<{kind}", f"{before}{after}>{stops}</{kind}>\n")
        body = _REFERENCE.sub(lambda shape_match: f"url(#{gradients[shape_match[1]]})", body)
        pieces = list[str]()
        end = 0
        matrix = ""
        shapes = list[str]()
        for shape_match in _SHAPES.finditer(body):
            if shapes and (shape_match.start() != end or shape_match[2] != matrix):
                pieces.append(self._use(shapes, matrix))
                shapes = []
            pieces.append(body[end : shape_match.start()])
            matrix = shape_match[2]
            end = shape_match.end()
            shapes.append(f"<g {shape_match[1]}>{shape_match[3].rstrip()}</g>\n")
        if shapes:
            pieces.append(self._use(shapes, matrix))
        body = _LONE.sub(r"\1", "".join((*pieces, body[end:])))
        return _EMPTY.sub("", body)

    def _use(self, shapes: list[str], matrix: str) -> str:
        name = self._name("<g", f">{''.join(shapes)}</g>\n")
        return f'<use xlink:href="#{name}" transform="{matrix}"/>\n'

    def _name(self, start: str, rest: str) -> str:
        """Return the id of an element, whose text has it between ``start`` and ``rest``."""
        name = self._names.get(start + rest)
        if name is None:
            name = self._names[start + rest] = f"s{len(self._names) + 1}"
            self.definitions.append(f'{start} id="{name}"{rest}')
        return name


UNIT_PEN = (
    'stroke="#000000" stroke-opacity="1" stroke-width="1" '
    'stroke-linecap="butt" stroke-linejoin="miter" stroke-miterlimit="4"'
)
"""What Qt writes for shapes that have no stroke, since their pen has no brush."""

_TEXT_GROUP = (
    r'<g [^<>]*transform="{transform}"\s+{font}\s*>\s*'
    r'<text fill="{fill}" fill-opacity="{opacity}" stroke="none" xml:space="preserve" '
    r"{place} [^<>]*>{words}</text>\s*</g>\s*"
)
_TEXT_WITH_HALO = re.compile(
    _TEXT_GROUP.format(
        transform=r"(?P<transform>[^<>\"]*)",
        font=r"(?P<font>font-family=[^<>]*?)",
        fill=r"(?P<halo>#\w+)",
        opacity=r"(?P<opacity>[0-9.]+)",
        place=r"(?P<place>x=\"[^\"]*\" y=\"[^\"]*\")",
        words=r"(?P<words>[^<>]*)",
    )
    + _TEXT_GROUP.format(
        transform=r"(?P=transform)",
        font=r"(?P=font)",
        fill=r"(?P<ink>#\w+)",
        opacity=r"[0-9.]+",
        place=r"(?P=place)",
        words=r"(?P=words)",
    )
)
"""A text in the colour of its halo and the same text above it, as Qt writes them."""

_STROKED = (
    r'<g transform="\g<transform>" \g<font> xml:space="preserve">'
    r'<text \g<place> fill="none" stroke="\g<halo>" stroke-opacity="\g<opacity>" '
    rf'stroke-width="{TYPE_SIZE * HALO:g}" stroke-linejoin="round">\g<words></text>'
    r'<text \g<place> fill="\g<ink>">\g<words></text></g>' + "\n"
)

_FONT_OF_SHAPES = re.compile(r'\sfont-family="[^"]*"[^<>]*(?=>\s*<(?!text))')
"""The font of a group of shapes."""

_WORDY = re.compile(
    r' vector-effect="none"| transform="matrix\(1,0,0,1,0,0\)"|(?<=<path|lygon) fill-rule="evenodd"'
)
"""What Qt writes though it says nothing: groups around shapes have the same fill rule."""

_FRACTION = re.compile(r"-?\d*\.\d{4,}(?![\de])")

JPEG_QUALITY = 88
"""Of a picture in a file; with more than 90 it would be twice as large."""

USES_AT_ONCE = 5000
"""This many pieces are placed in one step."""


class SvgPiecePainter(PiecePainter):
    """Collects the definitions of pieces and their uses, as elements of an SVG."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.definitions: list[str] = []
        self.uses: list[str] = []
        self._names: dict[object, str] = {}
        self._shared = SharedParts()

    @property
    def all_definitions(self) -> list[str]:
        """The definitions of shared parts and of pieces."""
        return [*self._shared.definitions, *self.definitions]

    def put(self, painter: QPainter, piece: Piece, at: NDArray[np.float64]) -> Iterator[None]:
        """Use a piece at the places ``at`` (n, 2), in map units; the painter is not used."""
        if not len(at):
            return
        name = self._name(piece)
        for index, (x, y) in enumerate(at.tolist(), 1):
            self.uses.append(f'<use xlink:href="#{name}" x="{x:.6g}" y="{y:.6g}"/>')
            if index % USES_AT_ONCE == 0:
                yield

    def put_picture(self, painter: QPainter, box: QRectF, picture: QImage) -> Iterator[None]:
        """Put a picture of the whole ground into the file; the painter is not used."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        # The stubs know bytes only.
        picture.save(buffer, "JPEG", JPEG_QUALITY)  # type: ignore[call-overload]
        data = b64encode(buffer.data().data()).decode("ascii")
        self.uses.append(
            f'<image x="{box.left():.6g}" y="{box.top():.6g}" width="{box.width():.6g}" '
            f'height="{box.height():.6g}" preserveAspectRatio="none" '
            f'xlink:href="data:image/jpeg;base64,{data}"/>'
        )
        yield

    def _name(self, piece: Piece) -> str:
        """Return the id of a piece, which is defined now if it was not yet."""
        name = self._names.get(piece.key)
        if name is None:
            name = self._names[piece.key] = f"p{len(self._names) + 1}"
            self._define(name, piece)
        return name

    def _define(self, name: str, piece: Piece) -> None:
        definitions = ""
        if piece.part_of is None:
            body = self._shared.share(*svg_of(piece.draw))
        else:
            body = f'<use xlink:href="#{self._name(piece.part_of)}"/>\n'
        if piece.over is not None:
            body += self._shared.share(*svg_of(piece.over))
        if piece.clip is not None:
            corners = (piece.clip.at(index) for index in range(piece.clip.count()))
            points = " ".join(f"{corner.x():.4g},{corner.y():.4g}" for corner in corners)
            definitions += f'<clipPath id="{name}-clip"><polygon points="{points}"/></clipPath>\n'
            body = f'<g clip-path="url(#{name}-clip)">\n{body}</g>\n'
        if piece.under is not None:
            body = self._shared.share(*svg_of(piece.under)) + body
        self.definitions.append(f'{definitions}<g id="{name}">\n{body}</g>\n')


def svg_of(draw: Callable[[QPainter], None]) -> tuple[str, str]:
    """Return the SVG of what ``draw`` draws: definitions, and body."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    with painting(generator) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return svg_parts(buffer)


def svg_parts(buffer: QBuffer) -> tuple[str, str]:
    """Return the definitions and the body of the SVG that Qt wrote."""
    text = bytes(buffer.data().data()).decode("utf-8")
    head, _, body = text.partition("</defs>")
    definitions = head.partition("<defs>")[2]
    # Qt writes neither nested clips nor fractions of a unit in them: pieces have their own clip.
    definitions = re.sub(r"<clipPath.*?</clipPath>\s*", "", definitions, flags=re.DOTALL)
    body = re.sub(r' clip-path="url\(#\w+\)"', "", body.removesuffix("</svg>\n"))
    body = re.sub(r"<g [^<>]*>\s*</g>\s*", "", body).replace(UNIT_PEN, 'stroke="none"')
    body = _FONT_OF_SHAPES.sub("", _WORDY.sub("", body))
    body = _FRACTION.sub(_shorter, body)
    body = _TEXT_WITH_HALO.sub(_STROKED, body)
    # For programs that do not have the font.
    family = escape(QFont().family())
    body = body.replace(f'font-family="{family}"', f'font-family="{family}, sans-serif"')
    return definitions, body


def _shorter(fraction: re.Match[str]) -> str:
    """Return a number with as many digits as can be seen: a map unit is some millimetres."""
    number = float(fraction[0])
    if abs(number) >= 0.1:
        return f"{number:.3f}".rstrip("0").rstrip(".")
    return f"{number:.3g}"


def document(
    plan: PagePlan, title: str, background: str, piece_painter: SvgPiecePainter, others: QBuffer
) -> bytes:
    """Return the file, in millimetres. ``others`` has the SVG of what is drawn over the pieces.

    ``background`` is a colour; "" for none.
    """
    box = plan.box
    definitions, text = svg_parts(others)
    if background:
        paper = f'<rect width="100%" height="100%" fill="{background}"/>\n'
    else:
        paper = ""
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'version="1.1" width="{plan.width:.3f}mm" height="{plan.height:.3f}mm" '
            f'viewBox="0 0 {plan.width:.3f} {plan.height:.3f}">\n',
            f"<title>{escape(title)}</title>\n<defs>\n",
            *piece_painter.all_definitions,
            f"{definitions}</defs>\n{paper}",
            f'<g transform="scale({plan.unit:.9g}) translate({-box.left:.9g} {-box.top:.9g})">\n',
            "\n".join(piece_painter.uses),
            f"\n{text}</g>\n</svg>\n",
        )
    ).encode()
