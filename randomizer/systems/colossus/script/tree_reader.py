"""Converts lark's tree of one statement to the typed syntax tree (``syntax.py``).

What the grammar leaves open is decided here: the meaning of a word by its position, and the meaning
of the numbers after a hazard. An invalid statement raises ProblemError with one error; spellings
that the game rejects, but documents or common sense allow, give warnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from randomizer.model.problems import Problem, ProblemError
from randomizer.systems.colossus.board import HEX_AT, HEX_OF_LABEL
from randomizer.systems.colossus.script import word_mistakes
from randomizer.systems.colossus.script.source import insert_after, insert_before, replace
from randomizer.systems.colossus.script.syntax import (
    STAR,
    Area,
    Hazard,
    HexItem,
    HexsideChoice,
    Item,
    Label,
    LabelItem,
    Pair,
    PairEnd,
    RangeItem,
    SomeOf,
    Span,
    StartList,
    Statement,
    Subtract,
    SurroundingsOf,
    Title,
    Tower,
)
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.words import Position, WordKind, fits, kind_of
from randomizer.systems.colossus.terrain_set import COLOSSUS, HAZARD_OF_ALIAS, HAZARD_OF_LETTER

if TYPE_CHECKING:
    from lark import Tree

    from randomizer.systems.colossus.script.statement_tokens import StatementTokens

LARGEST_NUMBER = 2**31 - 1
"""The game reads numbers into 32 bits and fails on longer ones."""


class TreeReader:
    """Reads the tree of one statement; ``warnings`` collects its warnings."""

    def __init__(self, raw: StatementTokens) -> None:
        self.raw = raw
        self.warnings: list[Problem] = []
        self._some_ofs = 0

    def statement(self, tree: Tree[Token]) -> Statement:
        """Return the statement of ``tree``. Raises ProblemError if it is invalid."""
        span = self.raw.span
        children = tree.children
        match str(tree.data):
            case "area":
                hexes, hazards_word, *hazards = children
                head = self.raw.text_before(_token(hazards_word))
                hazard_list = tuple(self._hazard(_tree(hazard)) for hazard in hazards)
                return Area(span, self._items(hexes), hazard_list, head)
            case "label":
                name, hexes = children
                return self._label(span, _token(name), _tree(hexes))
            case "pair":
                high, low, hexsides_word, *choices = children
                return Pair(
                    span,
                    self._pair_end(_tree(high)),
                    self._pair_end(_tree(low)),
                    tuple(self._choice(_tree(choice)) for choice in choices),
                    self.raw.text_before(_token(hexsides_word)),
                )
            case "startlist":
                return StartList(span, self._items(children[0]))
            case "tower":
                return Tower(span)
            case kind:
                return self._title(span, _token(children[0]), kind == "subtitle")

    def _label(self, span: Span, name: Token, hexes: Tree[Token]) -> Label:
        if name.type == "WORD" and not fits(name, Position.LABEL):
            raise ProblemError(word_mistakes.wrong_label_name(self.raw, name))
        if kind_of(name) is WordKind.SMALL_LETTER:
            self._warn("label-of-one-letter", name, word_mistakes.rename(self.raw, name), name=name)
        return Label(span, str(name), self.raw.span_of(name), self._items(hexes))

    def _title(self, span: Span, name: Token, sub: bool) -> Title:
        if name.type == "WORD" and not fits(name, Position.TITLE):
            raise ProblemError(word_mistakes.wrong_title(self.raw, name))
        return Title(span, name.strip('"'), sub)

    def _items(self, tree: Any) -> tuple[Item, ...]:
        return tuple(self._item(child) for child in tree.children)

    def _item(self, tree: Tree[Token]) -> Item:
        span = self.raw.source.span(tree.meta.start_pos, tree.meta.end_pos)
        children: Any = tree.children
        match str(tree.data):
            case "hex":
                return self._hex(span, children[0])
            case "range":
                return self._range(span, children[0].children, children[1].children)
            case "label_use":
                return self._label_use(span, children[0])
            case "some_of":
                # Numbered before its list is read: outer before inner, as they stand in the text.
                site = self._some_ofs
                self._some_ofs = self._some_ofs + 1
                count = self._number(children[0])
                return SomeOf(span, count, self._items(children[1]), site)
            case "subtract":
                if children[0].type == "SUBTRACT":
                    place = self.raw.span_of(children[0])
                    self._warn("subtract-spelling", children[0], [replace(place, "SUBSTRACT")])
                return Subtract(span, self._items(children[1]), self._items(children[2]))
            case _:
                return SurroundingsOf(span, self._items(children[0]))

    def _hex(self, span: Span, word: Token) -> HexItem:
        if not fits(word, Position.IN_LIST):
            raise ProblemError(word_mistakes.wrong_hex(self.raw, word))
        label = word.upper()
        return HexItem(span, label, (HEX_OF_LABEL[label],) if label in HEX_OF_LABEL else ())

    def _label_use(self, span: Span, name: Token) -> LabelItem:
        if not fits(name, Position.LABEL_USE):
            raise ProblemError(word_mistakes.wrong_label_use(self.raw, name))
        return LabelItem(span, str(name))

    def _range(self, span: Span, xs: Sequence[Token], ys: Sequence[Token]) -> RangeItem:
        first_x = self._number(xs[0])
        last_x = self._number(xs[-1])
        first_y = self._number(ys[0])
        last_y = self._number(ys[-1])
        hexes = tuple(
            number
            for (x, y), number in HEX_AT.items()
            if first_x <= x <= last_x and first_y <= y <= last_y
        )
        return RangeItem(span, first_x, last_x, first_y, last_y, hexes)

    def _hazard(self, tree: Tree[Token]) -> Hazard:
        span = self.raw.source.span(tree.meta.start_pos, tree.meta.end_pos)
        name, *values = (_token(child) for child in tree.children)
        identity = self._hazard_name(name)
        kinds = [value.type for value in values]
        probability = None
        elevation = None
        odds = None
        match len(values), "NUMBER" in kinds:
            case (0, _):
                pass
            case (1, True):
                elevation = self._number(values[0])
            case (1, False):
                probability = _decimal(values[0])
            case (2, _) if kinds[0] != "NUMBER" and kinds[1] != "FPNUMBER":
                probability = _decimal(values[0])
                elevation = self._number(values[1])
            case (4, False):
                probability = _decimal(values[0])
                odds = _three(values[1:])
            case (3, False):
                odds = _three(values)
                place = self.raw.span_of(values[0])
                self._warn("odds-without-probability", values, [insert_before(place, "100.,")])
            case _:
                raise ProblemError(word_mistakes.wrong_hazard_numbers(self.raw, values))
        return Hazard(span, *identity, probability, elevation, odds)

    def _hazard_name(self, token: Token) -> tuple[str, str, bool]:
        """Return the name in the game, the name as written, and whether there is such a hazard."""
        word = token.strip('"')
        if token.type == "WORD" and not fits(word, Position.HAZARD):
            raise ProblemError(word_mistakes.wrong_hazard_name(self.raw, token))
        if COLOSSUS.has_terrain(word):
            return word, word, True
        for code, names in (("hazard-letter", HAZARD_OF_LETTER), ("hazard-alias", HAZARD_OF_ALIAS)):
            if word in names:
                edit = self.raw.replace(token, names[word])
                self._warn(code, token, [edit], word=word, name=names[word])
                return names[word], word, True
        return word, word, False

    def _pair_end(self, tree: Tree[Token]) -> PairEnd:
        span = self.raw.source.span(tree.meta.start_pos, tree.meta.end_pos)
        name, elevation = (_token(child) for child in tree.children)
        return PairEnd(span, *self._hazard_name(name), self._number(elevation))

    def _choice(self, tree: Tree[Token]) -> HexsideChoice:
        span = self.raw.source.span(tree.meta.start_pos, tree.meta.end_pos)
        letter, *values = (_token(child) for child in tree.children)
        if values and values[0].type == "NUMBER":
            place = self.raw.span_of(values[0])
            raise ProblemError(
                self.raw.problem("hexside-probability", values[0], [insert_after(place, ".")])
            )
        return HexsideChoice(span, str(letter), _decimal(values[0]) if values else None)

    def _number(self, token: Token) -> int:
        if token.type == "STAR":
            return STAR
        digits = token.lstrip("0") or "0"
        if len(digits) > 10 or int(digits) > LARGEST_NUMBER:
            raise ProblemError(self.raw.problem("number-too-large", token))
        return int(digits)

    def _warn(self, code: str, place: Token | Sequence[Token], edits: Any, **fields: str) -> None:
        self.warnings.append(self.raw.problem(code, place, edits, **fields))


def _decimal(token: Token) -> float:
    """Return a probability in percent; ``*`` is -1.

    Very long numbers are limited to a finite one.
    """
    if token.type == "STAR":
        return float(STAR)
    return min(float(token), 1e30)


def _three(tokens: Sequence[Token]) -> tuple[float, float, float]:
    first, second, third = (_decimal(token) for token in tokens)
    return first, second, third


def _token(child: Any) -> Token:
    """Return a child that is always a token by the grammar."""
    token: Token = child
    return token


def _tree(child: Any) -> Tree[Token]:
    """Return a child that is always a tree by the grammar."""
    tree: Tree[Token] = child
    return tree
