"""SVG files: every piece is defined once and used at its positions; text stays text.

Qt draws each piece into an SVG of its own (``svg_of``), whose elements are much longer than they
need to be. ``svg_parts`` makes them short, ``SharedParts`` defines what several pieces have in
common only once, and ``document`` puts the file together::

    <defs>
      <g id="s1">...</g>                                   shapes that pieces share
      <g id="p1"><use xlink:href="#s1" .../></g>           a piece
    </defs>
    <use xlink:href="#p1" x="3" y="1.7321"/>               the piece at a position
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.appearance.painting import painting
from app.render.piece import Piece
from app.render.vector.overlay_batches import HALO, TYPE_SIZE
from app.render.vector.piece_painter import PiecePainter

if TYPE_CHECKING:
    from app.paper.page_plan import PagePlan
    from app.render.scene.batch import Batch
    from app.render.scene.pieces import Pieces

JPEG_QUALITY = 88
"""The quality of a picture in a file, up to 100; with more than 90 it would be twice as large."""

USES_AT_ONCE = 5000
"""The pieces that are placed in one step of the export, after which it can be cancelled."""


class QtSvg(NamedTuple):
    """An SVG that Qt wrote for one drawing: its definitions, and the elements after these."""

    definitions: str
    body: str


# --- the painter --------------------------------------------------------------------------------


class SvgPiecePainter(PiecePainter):
    """Collects the definitions of pieces and their uses, as elements of an SVG."""

    def __init__(self) -> None:
        self.uses: list[str] = []
        """The elements that show pieces and pictures at their positions, from below."""
        self._definitions: list[str] = []
        """The elements that define pieces."""
        self._ids: dict[object, str] = {}
        """The ids of the pieces that are defined, by their keys."""
        self._shared = SharedParts()

    @property
    def all_definitions(self) -> list[str]:
        """The definitions of shared parts, then those of the pieces, which use them."""
        return [*self._shared.definitions, *self._definitions]

    def draw_batch(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        points: NDArray[np.float64],
    ) -> Iterator[None]:
        """Use the pieces of a batch at ``points`` (n, 2), in map units; the painter is not used."""
        numbers = batch.piece_of.tolist()
        for index, (number, (x, y)) in enumerate(zip(numbers, points.tolist(), strict=True), 1):
            piece_id = self._id_of(pieces[number])
            self.uses.append(f'<use xlink:href="#{piece_id}" x="{x:.6g}" y="{y:.6g}"/>')
            if index % USES_AT_ONCE == 0:
                yield

    def draw_ground_picture(
        self, painter: QPainter, box: QRectF, picture: QImage
    ) -> Iterator[None]:
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

    def _id_of(self, piece: Piece) -> str:
        """Return the id of a piece, which is defined now if it was not yet."""
        piece_id = self._ids.get(piece.key)
        if piece_id is None:
            piece_id = f"p{len(self._ids) + 1}"
            self._ids[piece.key] = piece_id
            self._define(piece_id, piece)
        return piece_id

    def _define(self, piece_id: str, piece: Piece) -> None:
        """Define a piece: from below, ``under``, then ``draw`` and ``over`` within ``clip``."""
        if piece.part_of is None:
            body = self._shared.share(svg_of(piece.draw))
        else:  # a piece that draws the same, so that nothing has to be drawn again
            body = f'<use xlink:href="#{self._id_of(piece.part_of)}"/>\n'
        if piece.over is not None:
            body += self._shared.share(svg_of(piece.over))
        clip_path = ""
        if piece.clip is not None:
            corners = (piece.clip.at(index) for index in range(piece.clip.count()))
            points = " ".join(f"{corner.x():.4g},{corner.y():.4g}" for corner in corners)
            clip_id = f"{piece_id}-clip"
            clip_path = f'<clipPath id="{clip_id}"><polygon points="{points}"/></clipPath>\n'
            body = f'<g clip-path="url(#{clip_id})">\n{body}</g>\n'
        if piece.under is not None:
            body = self._shared.share(svg_of(piece.under)) + body
        self._definitions.append(f'{clip_path}<g id="{piece_id}">\n{body}</g>\n')


# --- parts that drawings share ------------------------------------------------------------------

_GRADIENT = re.compile(
    r"""
    < (?P<kind> (?:linear|radial)Gradient )
    (?P<before_id> [^<>]*? ) [ ] id="(?P<id> gradient\d+ )" (?P<after_id> [^<>]* ) >
    (?P<stops> .*? )
    </ (?P=kind) > \s*
    """,
    re.VERBOSE | re.DOTALL,
)
"""The definition of a gradient as Qt writes it, with its id and its colours (stops)."""

_GRADIENT_REFERENCE = re.compile(r"url\(#(?P<id>gradient\d+)\)")
"""The reference to a gradient, in an attribute."""

_SHAPES = re.compile(
    r"""
    <g [ ] (?P<attributes> [^<>]*? ) \s* transform="(?P<matrix> matrix\([^"]*\) )" \s* > \s*
    (?P<shapes>
        (?: < (?: path|polygon|polyline|rect|ellipse|circle|line ) \b [^<>]* /> \s* )+
    )
    </g> \s*
    """,
    re.VERBOSE,
)
"""A group of shapes that has a transform."""

_GROUP_OF_ONE_USE = re.compile(r"<g>(?P<use><use [^<>]*/>\s*)</g>\s*")
"""A group without attributes around one ``use``: it can be left out."""

_EMPTY_GROUP_OR_LINE = re.compile(r"<g>\s*</g>\s*|(?<=\n)\n+")
"""What sharing leaves behind: groups without content, and empty lines."""


class SharedParts:
    """The gradients and shapes of one file, each of them defined once.

    The same shapes (a tuft of grass) stand at many positions, in many pieces. Qt writes a position
    as the transform of a group, so that the shapes in it are the same text everywhere: this text is
    defined once, and each of the groups becomes a ``use`` with its transform.
    """

    def __init__(self) -> None:
        self.definitions: list[str] = []
        """The elements that define the shared parts so far; an element uses only earlier ones."""
        self._ids: dict[str, str] = {}
        """The ids of the defined elements, by their text without the id."""

    def share(self, drawing: QtSvg) -> str:
        """Return the body of a drawing, with references to shared parts in place of its own."""
        body = self._with_shared_gradients(drawing)
        body = self._with_shared_shapes(body)
        body = _GROUP_OF_ONE_USE.sub(r"\g<use>", body)
        return _EMPTY_GROUP_OR_LINE.sub("", body)

    def _with_shared_gradients(self, drawing: QtSvg) -> str:
        """Return the body of a drawing, whose gradients have the ids of shared ones.

        Qt counts the gradients of each drawing from 1.
        """
        shared_ids: dict[str, str] = {}
        for gradient in _GRADIENT.finditer(drawing.definitions):
            kind = gradient["kind"]
            attributes = gradient["before_id"] + gradient["after_id"]
            text_after_id = f"{attributes}>{gradient['stops']}</{kind}>\n"
            shared_ids[gradient["id"]] = self._shared_id(f"<{kind}", text_after_id)
        return _GRADIENT_REFERENCE.sub(
            lambda reference: f"url(#{shared_ids[reference['id']]})", drawing.body
        )

    def _with_shared_shapes(self, body: str) -> str:
        """Return a body with a ``use`` in place of each run of groups with the same transform."""
        texts: list[str] = []  # of the new body
        run: list[str] = []  # the groups of the run, without their transform
        matrix_of_run = ""
        end_of_run = 0
        for group in _SHAPES.finditer(body):
            goes_on = group.start() == end_of_run and group["matrix"] == matrix_of_run
            if run and not goes_on:
                texts.append(self._use(run, matrix_of_run))
                run = []
            texts.append(body[end_of_run : group.start()])
            run.append(f"<g {group['attributes']}>{group['shapes'].rstrip()}</g>\n")
            matrix_of_run = group["matrix"]
            end_of_run = group.end()
        if run:
            texts.append(self._use(run, matrix_of_run))
        texts.append(body[end_of_run:])
        return "".join(texts)

    def _use(self, shapes: list[str], matrix: str) -> str:
        """Return the element that shows these shapes transformed; they are defined if need be."""
        shared_id = self._shared_id("<g", f">{''.join(shapes)}</g>\n")
        return f'<use xlink:href="#{shared_id}" transform="{matrix}"/>\n'

    def _shared_id(self, text_before_id: str, text_after_id: str) -> str:
        """Return the id of the element with this text, which is defined if it was not yet."""
        text = text_before_id + text_after_id
        shared_id = self._ids.get(text)
        if shared_id is None:
            shared_id = f"s{len(self._ids) + 1}"
            self._ids[text] = shared_id
            self.definitions.append(f'{text_before_id} id="{shared_id}"{text_after_id}')
        return shared_id


# --- what Qt writes, made short -----------------------------------------------------------------

_PEN_WITHOUT_BRUSH = (
    'stroke="#000000" stroke-opacity="1" stroke-width="1" '
    'stroke-linecap="butt" stroke-linejoin="miter" stroke-miterlimit="4"'
)
"""What Qt writes for shapes that have no stroke, since their pen has no brush."""

_EMPTY_GROUP = re.compile(r"<g [^<>]*>\s*</g>\s*")
"""A group with attributes but without content, such as a font that no text has."""

_FONT_OF_SHAPES = re.compile(r'\sfont-family="[^"]*"[^<>]*(?=>\s*<(?!text))')
"""The font of a group that has no text."""

_REDUNDANT_ATTRIBUTES = re.compile(
    r"""
    [ ] vector-effect="none"
    | [ ] transform="matrix\(1,0,0,1,0,0\)"
    | (?<= <path | lygon ) [ ] fill-rule="evenodd"  # a path or polygon; its group has the same rule
    """,
    re.VERBOSE,
)

_TEXT_OR_FRACTION = re.compile(
    r"""
    > [^<]*                                 # what stands between two tags, such as a text's letters
    | (?P<fraction> -? \d* \. \d{4,} (?! [\de] ) )    # in a tag
    """,
    re.VERBOSE,
)
"""A number in a tag with four digits or more behind the point, without an exponent.

It matches the letters of texts, too, so that no number is found among these.
"""

_TEXT_GROUP = (
    r'<g [^<>]*transform="{transform}"\s+{font}\s*>\s*'
    r'<text fill="{fill}" fill-opacity="{opacity}" stroke="none" xml:space="preserve" '
    r"{position} [^<>]*>{text}</text>\s*</g>\s*"
)
"""A text as Qt writes it, in a group with its font; the fields in braces are patterns."""

_TEXT_WITH_HALO = re.compile(
    _TEXT_GROUP.format(
        transform=r"(?P<transform>[^<>\"]*)",
        font=r"(?P<font>font-family=[^<>]*?)",
        fill=r"(?P<halo>#\w+)",
        opacity=r"(?P<opacity>[0-9.]+)",
        position=r"(?P<position>x=\"[^\"]*\" y=\"[^\"]*\")",
        text=r"(?P<text>[^<>]*)",
    )
    + _TEXT_GROUP.format(
        transform=r"(?P=transform)",
        font=r"(?P=font)",
        fill=r"(?P<ink>#\w+)",
        opacity=r"[0-9.]+",
        position=r"(?P=position)",
        text=r"(?P=text)",
    )
)
"""A text in the colour of its halo, then the same text at the same position in its own colour.

The function ``draw_text`` draws both: were the text stroked by Qt, the outlines of its letters
would be written, which are seven times as large.
"""

_STROKED_TEXT = (
    r'<g transform="\g<transform>" \g<font> xml:space="preserve">'
    r'<text \g<position> fill="none" stroke="\g<halo>" stroke-opacity="\g<opacity>" '
    rf'stroke-width="{TYPE_SIZE * HALO:g}" stroke-linejoin="round">\g<text></text>'
    r'<text \g<position> fill="\g<ink>">\g<text></text></g>' + "\n"
)
"""The replacement for ``_TEXT_WITH_HALO``: the text with a stroke, then without."""


def svg_of(draw: Callable[[QPainter], None]) -> QtSvg:
    """Return the SVG of what ``draw`` draws, made short."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    with painting(generator) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter)
    return svg_parts(buffer)


def svg_parts(buffer: QBuffer) -> QtSvg:
    """Return the definitions and the body of the SVG that Qt wrote into ``buffer``, made short.

    Halos of texts become strokes.
    """
    text = bytes(buffer.data().data()).decode("utf-8")
    head, _, body = text.partition("</defs>")
    definitions = head.partition("<defs>")[2]
    body = body.removesuffix("</svg>\n")

    # Qt writes neither nested clips nor fractions of a unit in them: pieces have their own clip.
    definitions = re.sub(r"<clipPath.*?</clipPath>\s*", "", definitions, flags=re.DOTALL)
    body = re.sub(r' clip-path="url\(#\w+\)"', "", body)

    body = _EMPTY_GROUP.sub("", body)
    body = body.replace(_PEN_WITHOUT_BRUSH, 'stroke="none"')
    body = _REDUNDANT_ATTRIBUTES.sub("", body)
    body = _FONT_OF_SHAPES.sub("", body)
    body = _TEXT_OR_FRACTION.sub(_shortened, body)
    body = _TEXT_WITH_HALO.sub(_STROKED_TEXT, body)

    # For programs that do not have the font.
    family = escape(QFont().family())
    body = body.replace(f'font-family="{family}"', f'font-family="{family}, sans-serif"')
    return QtSvg(definitions, body)


def _shortened(match: re.Match[str]) -> str:
    """Return a number with as many digits as can be seen: a map unit is some millimetres.

    What stands between two tags is returned as it is.
    """
    if match["fraction"] is None:
        return match[0]
    number = float(match["fraction"])
    if abs(number) >= 0.1:
        return f"{number:.3f}".rstrip("0").rstrip(".")
    # A small number may be a scale, of which three digits behind the point would leave too little.
    return f"{number:.3g}"


# --- the file -----------------------------------------------------------------------------------


def document(
    plan: PagePlan,
    title: str,
    background: str,
    piece_painter: SvgPiecePainter,
    drawn_over_pieces: QBuffer,
) -> bytes:
    """Return the file, in millimetres.

    ``background`` is a colour; "" for none. ``drawn_over_pieces`` has the SVG that Qt wrote of what
    is drawn over the pieces.
    """
    box = plan.box
    over_pieces = svg_parts(drawn_over_pieces)
    paper = ""
    if background:
        paper = f'<rect width="100%" height="100%" fill="{background}"/>\n'
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'version="1.1" width="{plan.width:.3f}mm" height="{plan.height:.3f}mm" '
            f'viewBox="0 0 {plan.width:.3f} {plan.height:.3f}">\n',
            f"<title>{escape(title)}</title>\n<defs>\n",
            *piece_painter.all_definitions,
            f"{over_pieces.definitions}</defs>\n{paper}",
            # From map units to millimetres.
            f'<g transform="scale({plan.unit:.9g}) translate({-box.left:.9g} {-box.top:.9g})">\n',
            "\n".join(piece_painter.uses),
            f"\n{over_pieces.body}</g>\n</svg>\n",
        )
    ).encode()
