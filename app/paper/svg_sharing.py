"""Parts of drawings that are the same but for their place, defined once in an SVG.

A wood is many trees of few kinds. Qt writes every shape of every tree, each with its transform.
"""

from __future__ import annotations

import re

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
        """The body of a drawing, which Qt wrote with ``definitions``, in terms of shared parts."""
        gradients = {}
        for kind, before, name, after, stops in _GRADIENT.findall(definitions):
            gradients[name] = self._name(f"<{kind}", f"{before}{after}>{stops}</{kind}>\n")
        body = _REFERENCE.sub(lambda found: f"url(#{gradients[found[1]]})", body)
        pieces, end = list[str](), 0
        matrix, shapes = "", list[str]()
        for found in _SHAPES.finditer(body):
            if shapes and (found.start() != end or found[2] != matrix):
                pieces.append(self._use(shapes, matrix))
                shapes = []
            pieces.append(body[end : found.start()])
            matrix, end = found[2], found.end()
            shapes.append(f"<g {found[1]}>{found[3].rstrip()}</g>\n")
        if shapes:
            pieces.append(self._use(shapes, matrix))
        body = _LONE.sub(r"\1", "".join((*pieces, body[end:])))
        return _EMPTY.sub("", body)

    def _use(self, shapes: list[str], matrix: str) -> str:
        name = self._name("<g", f">{''.join(shapes)}</g>\n")
        return f'<use xlink:href="#{name}" transform="{matrix}"/>\n'

    def _name(self, start: str, rest: str) -> str:
        """The id of an element, whose text has it between ``start`` and ``rest``."""
        name = self._names.get(start + rest)
        if name is None:
            name = self._names[start + rest] = f"s{len(self._names) + 1}"
            self.definitions.append(f'{start} id="{name}"{rest}')
        return name
