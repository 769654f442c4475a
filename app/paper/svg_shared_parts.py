"""The parts that the drawings of one SVG file have in common, each of them defined once.

``SharedParts.with_shared_parts`` is called for drawing after drawing, as ``svg_of`` returns them,
and collects the definitions::

    <g fill="#3f7d44" transform="matrix(1,0,0,1,3,4)"><path d="..."/></g>

becomes ::

    <use xlink:href="#s1" transform="matrix(1,0,0,1,3,4)"/>

with the definition ::

    <g id="s1"><g fill="#3f7d44"><path d="..."/></g></g>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.paper.qt_svg import QtSvg

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


@dataclass(slots=True)
class _Run:
    """Groups of shapes with the same transform, one right behind the other in a body."""

    start: int
    """The position of the first group in the body."""

    end: int
    """The position behind the last group."""

    matrix: str
    """The transform of the groups."""

    groups: list[str]
    """The groups without their transform."""


def _runs_of_shapes(body: str) -> Iterator[_Run]:
    """Yield the runs of a body, each as long as possible."""
    run: _Run | None = None
    for match in _SHAPES.finditer(body):
        group = f"<g {match['attributes']}>{match['shapes'].rstrip()}</g>\n"
        if run is not None and match.start() == run.end and match["matrix"] == run.matrix:
            run.groups.append(group)
            run.end = match.end()
            continue
        if run is not None:
            yield run
        run = _Run(match.start(), match.end(), match["matrix"], [group])
    if run is not None:
        yield run


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

    def with_shared_parts(self, drawing: QtSvg) -> str:
        """Return the body of a drawing, with references to shared parts in place of its own.

        The parts that it is the first to have are added to ``definitions``.
        """
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
            shared_ids[gradient["id"]] = self._define_once(f"<{kind}", text_after_id)
        return _GRADIENT_REFERENCE.sub(
            lambda reference: f"url(#{shared_ids[reference['id']]})", drawing.body
        )

    def _with_shared_shapes(self, body: str) -> str:
        """Return a body with a ``use`` in place of each run of groups with the same transform."""
        texts: list[str] = []  # of the new body
        end = 0  # of what of the old body is done
        for run in _runs_of_shapes(body):
            texts.append(body[end : run.start])
            texts.append(self._use_of_shapes(run))
            end = run.end
        texts.append(body[end:])
        return "".join(texts)

    def _use_of_shapes(self, run: _Run) -> str:
        """Return the element that shows the shapes of a run, which are defined if need be."""
        shared_id = self._define_once("<g", f">{''.join(run.groups)}</g>\n")
        return f'<use xlink:href="#{shared_id}" transform="{run.matrix}"/>\n'

    def _define_once(self, text_before_id: str, text_after_id: str) -> str:
        """Return the id of the element with this text, which is defined if it was not yet."""
        text = text_before_id + text_after_id
        shared_id = self._ids.get(text)
        if shared_id is None:
            shared_id = f"s{len(self._ids) + 1}"
            self._ids[text] = shared_id
            self.definitions.append(f'{text_before_id} id="{shared_id}"{text_after_id}')
        return shared_id
