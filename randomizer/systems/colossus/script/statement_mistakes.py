"""Known mistakes in the shape of statements: words for each, and a way out where one is known.

Each function of ``_KNOWN`` looks at one ``Refusal`` and gives a Problem of severity error if it
knows this mistake. What no one knows is said as "expected ..., found ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.parse_failure import SECTIONS, Refusal, shown
from randomizer.systems.colossus.script.source import insert_after, insert_before
from randomizer.systems.colossus.script.statement_tokens import Chunk, bounds
from randomizer.systems.colossus.script.word_mistakes import glued, misspelt, rename
from randomizer.systems.colossus.script.words import (
    FUNCTIONS,
    KEYWORDS,
    STATEMENTS,
    Kind,
    Position,
    fits,
    kind_of,
    nearest,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS

if TYPE_CHECKING:
    from lark import Token

_SECTION_OF = {"AREA": "HAZARDS", "PAIR": "HEXSIDES"}
_STRANGE = ("STRANGE", "BYTE_ORDER_MARK")


def explain(refusal: Refusal) -> Problem:
    """Why the grammar refuses a statement."""
    for known in _KNOWN:
        problem = known(refusal)
        if problem is not None:
            return problem
    return refusal.problem()


def no_statement(chunk: Chunk) -> Problem:
    """``chunk`` does not begin with the keyword of a statement."""
    first = chunk.tokens[0]
    if first.type in _STRANGE:
        return _strange_characters(chunk, first)
    if first.type == "BAD_QUOTE":
        return quotes.bad_quote(chunk, first)
    if first.type == "WORD":
        for keyword in STATEMENTS:
            if first.startswith(keyword) and kind_of(first[len(keyword) :]) is Kind.HEX:
                return glued(chunk, first, len(keyword))
        meant = nearest(first, (*STATEMENTS, *SECTIONS))
        if meant:
            return misspelt(chunk, first, meant)
    types = [token.type for token in chunk.tokens]
    for sign, keyword in (("HAZARDS", "AREA"), ("HEXSIDES", "PAIR"), ("EQUAL", "LABEL")):
        if sign in types[1:]:
            edit = insert_before(chunk.span, f"{keyword} ")
            return chunk.problem("missing-keyword", first, [edit], keyword=keyword)
    return chunk.problem("not-a-statement", chunk.tokens, found=shown(first))


def broken_over_lines(chunks: Sequence[Chunk]) -> Problem:
    """The chunks are one good statement, broken over lines."""
    source = chunks[0].source
    gaps = [(bounds(a.tokens)[1], bounds(b.tokens)[0]) for a, b in pairwise(chunks)]
    edits = [source.edit(start, end, " ") for start, end in gaps]
    if any(source.text[start:end].strip() for start, end in gaps):
        edits = []  # a comment stands in between; joined, it would swallow the rest
    return source.problem("statement-over-lines", chunks[1].span, edits)


def _strange_characters(chunk: Chunk, token: Token) -> Problem:
    edits = [
        chunk.put(other, quotes.plain(other)) for other in chunk.tokens if other.type in _STRANGE
    ]
    return chunk.problem("unknown-character", token, edits, shown=quotes.name_of(token[0]))


def _bad_text(refusal: Refusal) -> Problem | None:
    """A title without quotes, a quote that does not end or holds what quotes cannot hold."""
    chunk, token = refusal.chunk, refusal.token
    if chunk.tokens[0].type in ("TITLE", "SUBTITLE") and len(chunk.tokens) > 1:
        return quotes.title(chunk)
    if token is not None and token.type == "BAD_QUOTE":
        return quotes.bad_quote(chunk, token)
    return None


def _strange(refusal: Refusal) -> Problem | None:
    """A character that the language does not have."""
    token = refusal.token
    if token is None or token.type not in _STRANGE:
        return None
    return _strange_characters(refusal.chunk, token)


def _label_name(refusal: Refusal) -> Problem | None:
    """``LABEL``, then something that is no name, then ``=``; or a use of such a label."""
    chunk, index = refusal.chunk, refusal.index
    types = [token.type for token in chunk.tokens]
    if types[0] == "LABEL" and index <= 2 and "EQUAL" in types[2:] and types[1] != "EQUAL":
        words = chunk.tokens[1 : types.index("EQUAL")]
    elif "RPAR" in types[index:] and "LPAR" in types[:index] and not refusal.in_section:
        start = max(at for at in range(index) if types[at] == "LPAR")
        words = chunk.tokens[start + 1 : types.index("RPAR", index)]
        touching = all(bounds(a)[1] == bounds(b)[0] for a, b in pairwise(words))
        if not (
            touching and {"WORD"} < {token.type for token in words} <= {"WORD", "NUMBER", "MINUS"}
        ):
            return None
    else:
        return None
    start, end = bounds(words)
    written = chunk.source.text[start:end]
    if len(words) == 1 and words[0] in KEYWORDS:
        return chunk.problem("label-is-keyword", words, rename(chunk, written), name=written)
    if len(words) == 1 and words[0].type == "QUOTED":
        new = quotes.label_name(written, chunk.labels)
        return chunk.problem("label-quoted", words, [chunk.put(words, new)])
    # A name in several words is put right only here; elsewhere it may be written otherwise.
    edits = rename(chunk, written) or (chunk.put(words, quotes.label_name(written, chunk.labels)),)
    return chunk.problem("label-name", words, edits, name=written)


def _negative(refusal: Refusal) -> Problem | None:
    """A minus sign before a number."""
    row = refusal.chunk.tokens[refusal.index : refusal.index + 2]
    if [token.type for token in row[:1]] != ["MINUS"] or "NUMBER" not in refusal.accepted:
        return None
    zero = {"NUMBER": "0", "FPNUMBER": "0."}.get(row[-1].type)
    if zero is None:
        return None
    return refusal.chunk.problem("negative-number", row, [refusal.chunk.put(row, zero)])


def _pair_without_elevation(refusal: Refusal) -> Problem | None:
    """``PAIR (Plains)(Plains)``."""
    chunk, tokens = refusal.chunk, refusal.chunk.tokens
    if tokens[0].type != "PAIR" or refusal.in_section or refusal.accepted != {"COMMA"}:
        return None
    bare = [
        name
        for before, name, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if before.type == "LPAR" and after.type == "RPAR"
    ]
    edits = [insert_after(chunk.span_of(name), ",*") for name in bare]
    return chunk.problem("pair-without-elevation", bare, edits) if bare else None


def _group(refusal: Refusal) -> Problem | None:
    """Parentheses around several hexes or labels, or around nothing."""
    tokens = refusal.chunk.tokens
    inside = ("WORD", "COMMA", "SUBTRACT")
    start, end = refusal.index - 1, refusal.index
    while tokens[start].type in inside:
        start -= 1
    while end < len(tokens) and tokens[end].type in inside:
        end += 1
    group = tokens[start : end + 1]
    if group[0].type != "LPAR" or group[-1].type != "RPAR" or refusal.in_section:
        return None
    if tokens[start - 1].type in FUNCTIONS or tokens[0].type == "PAIR":
        return None
    words = [token for token in group[1:-1] if token.type != "COMMA"]
    texts = [word if fits(word, Position.IN_LIST) else f"({word})" for word in words]
    code = "hexes-in-parentheses" if words else "empty-parentheses"
    return refusal.chunk.problem(code, group, [refusal.chunk.put(group, " ".join(texts))])


def _hex_in_two_words(refusal: Refusal) -> Problem | None:
    """``D 4``."""
    token = refusal.token
    if token is None or token.type != "NUMBER" or not refusal.among_hexes:
        return None
    row = refusal.chunk.tokens[refusal.index - 1 : refusal.index + 1]
    word = "".join(row)
    if kind_of(word) is not Kind.HEX:
        return None
    return refusal.chunk.problem("hex-in-two-words", row, [refusal.chunk.put(row, word)], hex=word)


def _near_keyword(refusal: Refusal) -> Problem | None:
    """A keyword or function that is misspelt, in small letters, or glued to its neighbour."""
    chunk = refusal.chunk
    section = _SECTION_OF.get(chunk.tokens[0].type)
    wanted = (*FUNCTIONS, section) if section else FUNCTIONS
    behind_section = False
    for token in chunk.tokens[: refusal.index + 1]:
        behind_section |= token.type in SECTIONS
        if token.type != "WORD" or token in chunk.labels or COLOSSUS.has_terrain(token):
            continue
        if token.upper() in STATEMENTS:
            return misspelt(chunk, token, token.upper())
        if behind_section or fits(token, Position.IN_LIST):
            continue
        if section and token.endswith(section):
            return glued(chunk, token, len(token) - len(section))
        for function in FUNCTIONS:
            if token.endswith(function) and kind_of(token.removesuffix(function)) is Kind.HEX:
                return glued(chunk, token, len(token) - len(function))
        keyword = nearest(token, wanted)
        if keyword:
            return misspelt(chunk, token, keyword)
    return None


def _dots(refusal: Refusal) -> Problem | None:
    """A number with a dot where none may be, or one that begins with its dot."""
    chunk, token = refusal.chunk, refusal.token
    if token is None or "NUMBER" not in refusal.accepted:
        return None
    if token.type == "FPNUMBER":
        whole = token.split(".")[0]
        return chunk.problem("number-with-dot", token, [chunk.put(token, whole)], whole=whole)
    if re.fullmatch(r"\.[0-9]+", token):
        number = f"0{token}" if "FPNUMBER" in refusal.accepted else "0"
        return chunk.problem("number-begins-with-dot", token, [chunk.put(token, number)])
    return None


def _commas(refusal: Refusal) -> Problem | None:
    """Commas between hexes, between hazards, between hexsides, or behind the last of them."""
    chunk, tokens, index = refusal.chunk, refusal.chunk.tokens, refusal.index
    section = next((at for at, token in enumerate(tokens) if token.type in SECTIONS), len(tokens))
    commas = [
        token
        for token, following in zip(tokens[section:], [*tokens[section + 1 :], None], strict=False)
        if token.type == "COMMA"
        and (following is None or following.type in ("WORD", "QUOTED", "COMMA"))
    ]
    if refusal.token is not None and refusal.token.type == "COMMA" and refusal.among_hexes:
        place = refusal.token
        commas += _commas_of_list(tokens[index:])
    else:
        near = [comma for comma in commas if any(comma is t for t in tokens[index - 1 : index + 1])]
        if not near:
            return None
        place = near[0]
    return chunk.problem("comma-in-list", place, [chunk.put(comma, " ") for comma in commas])


def _commas_of_list(tokens: Sequence[Token]) -> list[Token]:
    """The commas in ``tokens`` up to the end of the list in which they begin."""
    found = []
    depth = 0
    for token in tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth < 0 or token.type in SECTIONS:
            break
        if depth == 0 and token.type == "COMMA":
            found.append(token)
    return found


def _quoted_hexside(refusal: Refusal) -> Problem | None:
    """``HEXSIDES "c"``."""
    token = refusal.token
    if token is None or token.type != "QUOTED" or "WORD" not in refusal.accepted:
        return None
    word = "".join(re.findall(r"[A-Za-z]+", token))
    edits = [refusal.chunk.put(token, word)] if word else []
    return refusal.chunk.problem("word-in-quotes", token, edits)


def _missing_section(refusal: Refusal) -> Problem | None:
    """HAZARDS or HEXSIDES is not there."""
    chunk = refusal.chunk
    section = _SECTION_OF.get(chunk.tokens[0].type, "")
    if section not in refusal.accepted or any(token.type == section for token in chunk.tokens):
        return None
    # Words that look like hexes were taken for hexes: the first other bare word is the hazard.
    rows = zip(chunk.tokens, chunk.tokens[1:], strict=False)
    bare = [b for a, b in rows if a.type != "LPAR" and b.type == "WORD"]
    token = next((b for b in bare if not fits(b, Position.IN_LIST)), refusal.token)
    if token is not None and token.type == "COMMA":
        return None
    if token is None:
        edit = insert_after(chunk.span, f" {section}")
        return chunk.problem("missing-section", chunk.tokens[-1], [edit], section=section)
    edit = insert_before(chunk.span_of(token), f"{section} ")
    return chunk.problem("missing-section", token, [edit], section=section)


_KNOWN: tuple[Callable[[Refusal], Problem | None], ...] = (
    _bad_text,
    _strange,
    _label_name,
    _negative,
    _pair_without_elevation,
    _group,
    _hex_in_two_words,
    _near_keyword,
    _missing_section,
    _dots,
    _commas,
    _quoted_hexside,
)
