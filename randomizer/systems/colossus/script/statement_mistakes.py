"""Common mistakes in the form of statements: a message for each, and a fix where there is one.

    AREA D 4 HAZARDS Bog          # a hex in two words; the fix: D4
    PAIR (Plains)(Bog,0)          # an end of a PAIR without its elevation; the fix: (Plains,*)

``explain`` asks each function of ``_EXPLANATIONS`` in turn. A function examines one
``ParseFailure``, and returns a Problem of severity error if it recognises its mistake, else None.
If none does, the message is "expected ..., found ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise, zip_longest

from randomizer.model.problems import Problem, TextEdit
from randomizer.systems.colossus.script import quotes
from randomizer.systems.colossus.script.parse_failure import SECTIONS, ParseFailure, quote_token
from randomizer.systems.colossus.script.source import insert_after, insert_before
from randomizer.systems.colossus.script.statement_tokens import StatementTokens, offsets_of
from randomizer.systems.colossus.script.tokens import Token
from randomizer.systems.colossus.script.word_mistakes import glued_words, misspelt_keyword, rename
from randomizer.systems.colossus.script.words import (
    FUNCTIONS,
    KEYWORDS,
    STATEMENTS,
    Position,
    WordKind,
    fits,
    kind_of,
    nearest,
)
from randomizer.systems.colossus.terrain_set import COLOSSUS

_SECTION_OF = {"AREA": "HAZARDS", "PAIR": "HEXSIDES"}
"""The keyword in the middle of a statement."""

_CHARACTERISTIC_TYPES = {**_SECTION_OF, "LABEL": "EQUAL"}
"""The type of a token that only statements with this keyword have."""

_STRANGE = ("STRANGE", "BYTE_ORDER_MARK")
"""The types of tokens that are characters outside of the language."""

_COUNT_OF_SIGN = {"LPAR": 1, "RPAR": -1}
"""The number that a token adds to the depth of parentheses."""


def explain(failure: ParseFailure) -> Problem:
    """Return the problem of a statement that the grammar rejects: the first that is recognised."""
    for explain_mistake in _EXPLANATIONS:
        problem = explain_mistake(failure)
        if problem is not None:
            return problem
    return failure.problem()


def no_statement(raw: StatementTokens) -> Problem:
    """Return the problem of a line that does not begin with the keyword of a statement."""
    first = raw.tokens[0]
    if first.type in _STRANGE:
        return _strange_characters(raw, first)
    if first.type == "BAD_QUOTE":
        return quotes.quote_problem(raw, first)
    if first.type == "WORD":
        for keyword in STATEMENTS:
            if first.startswith(keyword) and kind_of(first[len(keyword) :]) is WordKind.HEX:
                return glued_words(raw, first, len(keyword))
        similar_keyword = nearest(first, (*STATEMENTS, *SECTIONS))
        if similar_keyword:
            return misspelt_keyword(raw, first, similar_keyword)
    following_types = {token.type for token in raw.tokens[1:]}
    for keyword, characteristic_type in _CHARACTERISTIC_TYPES.items():
        if characteristic_type in following_types:
            edits = [insert_before(raw.span, f"{keyword} ")]
            return raw.problem("missing-keyword", first, edits, keyword=keyword)
    return raw.problem("not-a-statement", raw.tokens, found=quote_token(first))


def broken_over_lines(raws: Sequence[StatementTokens]) -> Problem:
    """Return the problem of one valid statement that is broken over several lines.

    The fix joins the lines. There is none if a comment is in between: it would hide what follows.
    """
    source = raws[0].source
    edits: list[TextEdit] = []
    for line, next_line in pairwise(raws):
        start = line.tokens[-1].end_pos
        end = next_line.tokens[0].start_pos
        has_comment = bool(source.text[start:end].strip())
        if has_comment:
            edits = []
            break
        edits.append(source.edit(start, end, " "))
    return source.problem("statement-over-lines", raws[1].span, edits)


def _strange_characters(raw: StatementTokens, token: Token) -> Problem:
    """Return the problem of ``token``; its fix replaces all strange characters of the statement."""
    strange_tokens = [token for token in raw.tokens if token.type in _STRANGE]
    edits = [raw.replace(token, quotes.nearest_text(token)) for token in strange_tokens]
    return raw.problem("unknown-character", token, edits, shown=quotes.character_words(token[0]))


def _bad_text(failure: ParseFailure) -> Problem | None:
    """Explain a title without quotes, or a quote that does not end or has invalid characters."""
    raw = failure.raw
    token = failure.token
    if raw.tokens[0].type in ("TITLE", "SUBTITLE") and len(raw.tokens) > 1:
        return quotes.title_problem(raw)
    if token is not None and token.type == "BAD_QUOTE":
        return quotes.quote_problem(raw, token)
    return None


def _strange(failure: ParseFailure) -> Problem | None:
    """Explain a character that is not in the language."""
    token = failure.token
    if token is None or token.type not in _STRANGE:
        return None
    return _strange_characters(failure.raw, token)


def _label_name(failure: ParseFailure) -> Problem | None:
    """Explain something that is no name where a label is defined or used."""
    raw = failure.raw
    words = _words_of_definition(failure)
    if not words:
        words = _words_of_use(failure)
    if not words:
        return None
    start, end = offsets_of(words)
    written = raw.source.text[start:end]
    if len(words) == 1 and words[0] in KEYWORDS:
        return raw.problem("label-is-keyword", words, rename(raw, written), name=written)
    valid_name = quotes.label_name(written, raw.labels)
    if len(words) == 1 and words[0].type == "QUOTED":
        return raw.problem("label-quoted", words, [raw.replace(words, valid_name)])
    renaming = rename(raw, written)
    if renaming.edits:
        return raw.problem("label-name", words, renaming, name=written)
    # It has blanks, and can have others where it is used: only this one is mended.
    return raw.problem("label-name", words, [raw.replace(words, valid_name)], name=written)


def _words_of_definition(failure: ParseFailure) -> Sequence[Token]:
    """Return the tokens between LABEL and ``=``; none if the failure is elsewhere."""
    tokens = failure.raw.tokens
    types = [token.type for token in tokens]
    if types[0] != "LABEL" or failure.index > 2:
        return ()
    if "EQUAL" not in types[2:] or types[1] == "EQUAL":
        return ()
    return tokens[1 : types.index("EQUAL")]


def _words_of_use(failure: ParseFailure) -> Sequence[Token]:
    """Return the tokens in the parentheses around the failure if they look like one label.

    That is words, numbers and minus signs without blanks: ``(north-hill)``, ``(hill2a)``.
    """
    tokens = failure.raw.tokens
    types = [token.type for token in tokens]
    if failure.in_section or "LPAR" not in types[: failure.index]:
        return ()
    if "RPAR" not in types[failure.index :]:
        return ()
    start = max(index for index in range(failure.index) if types[index] == "LPAR")
    end = types.index("RPAR", failure.index)
    words = tokens[start + 1 : end]
    touch_one_another = all(word.touches(next_word) for word, next_word in pairwise(words))
    types_of_words = {word.type for word in words}
    if not touch_one_another or not {"WORD"} < types_of_words <= {"WORD", "NUMBER", "MINUS"}:
        return ()
    return words


def _negative(failure: ParseFailure) -> Problem | None:
    """Explain a minus sign before a number; the fix writes 0."""
    token = failure.token
    if token is None or token.type != "MINUS" or "NUMBER" not in failure.accepted:
        return None
    sign_and_number = failure.raw.tokens[failure.index : failure.index + 2]
    number = sign_and_number[-1]
    if not number.is_number:
        return None
    zero = "0."
    if number.type == "NUMBER":
        zero = "0"
    edits = [failure.raw.replace(sign_and_number, zero)]
    return failure.raw.problem("negative-number", sign_and_number, edits)


def _pair_without_elevation(failure: ParseFailure) -> Problem | None:
    """Explain a PAIR without elevations: ``PAIR (Plains)(Plains)``."""
    raw = failure.raw
    tokens = raw.tokens
    if tokens[0].type != "PAIR" or failure.in_section or failure.accepted != {"COMMA"}:
        return None
    names = []
    for left_sign, name, right_sign in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if left_sign.type == "LPAR" and right_sign.type == "RPAR":
            names.append(name)
    if not names:
        return None
    edits = [insert_after(raw.span_of(name), ",*") for name in names]
    return raw.problem("pair-without-elevation", names, edits)


def _group(failure: ParseFailure) -> Problem | None:
    """Explain parentheses around several hexes or labels, or around nothing."""
    tokens = failure.raw.tokens
    types_inside = ("WORD", "COMMA", "SUBTRACT")
    start = failure.index - 1
    while tokens[start].type in types_inside:
        start -= 1
    end = failure.index
    while end < len(tokens) and tokens[end].type in types_inside:
        end += 1
    group = tokens[start : end + 1]
    if group[0].type != "LPAR" or group[-1].type != "RPAR" or failure.in_section:
        return None
    if tokens[start - 1].type in FUNCTIONS or tokens[0].type == "PAIR":
        return None
    code = "empty-parentheses"
    items = []
    for word in group[1:-1]:
        if word.type == "COMMA":
            continue
        code = "hexes-in-parentheses"
        if fits(word, Position.IN_LIST):
            items.append(str(word))
        else:
            items.append(f"({word})")
    return failure.raw.problem(code, group, [failure.raw.replace(group, " ".join(items))])


def _hex_in_two_words(failure: ParseFailure) -> Problem | None:
    """Explain a hex with a blank in its name: ``D 4``."""
    token = failure.token
    if token is None or token.type != "NUMBER" or not failure.among_hexes:
        return None
    letter_and_number = failure.raw.tokens[failure.index - 1 : failure.index + 1]
    label = "".join(letter_and_number)
    if kind_of(label) is not WordKind.HEX:
        return None
    edits = [failure.raw.replace(letter_and_number, label)]
    return failure.raw.problem("hex-in-two-words", letter_and_number, edits, hex=label)


def _near_keyword(failure: ParseFailure) -> Problem | None:
    """Explain a keyword or function that is misspelt, in lower case, or joined to its neighbour.

    The mistake can be before the rejected token: words like hexes are accepted in its place.
    """
    raw = failure.raw
    section = _SECTION_OF.get(raw.tokens[0].type)
    keywords: tuple[str, ...] = FUNCTIONS
    if section:
        keywords = (*FUNCTIONS, section)
    is_in_section = False
    for token in raw.tokens[: failure.index + 1]:
        is_in_section |= token.type in SECTIONS
        if token.type != "WORD" or token in raw.labels or COLOSSUS.has_terrain(token):
            continue
        if token.upper() in STATEMENTS:
            return misspelt_keyword(raw, token, token.upper())
        if is_in_section or fits(token, Position.IN_LIST):
            continue
        if section and token.endswith(section):
            return glued_words(raw, token, len(token) - len(section))
        for function in FUNCTIONS:
            if token.endswith(function) and kind_of(token.removesuffix(function)) is WordKind.HEX:
                return glued_words(raw, token, len(token) - len(function))
        similar_keyword = nearest(token, keywords)
        if similar_keyword:
            return misspelt_keyword(raw, token, similar_keyword)
    return None


def _dots(failure: ParseFailure) -> Problem | None:
    """Explain a number with a dot where none is allowed, or one that begins with its dot."""
    raw = failure.raw
    token = failure.token
    if token is None or "NUMBER" not in failure.accepted:
        return None
    if token.type == "FPNUMBER":
        whole = token.split(".")[0]
        return raw.problem("number-with-dot", token, [raw.replace(token, whole)], whole=whole)
    if re.fullmatch(r"\.[0-9]+", token):
        if "FPNUMBER" in failure.accepted:
            number = f"0{token}"
        else:
            number = "0"
        return raw.problem("number-begins-with-dot", token, [raw.replace(token, number)])
    return None


def _commas(failure: ParseFailure) -> Problem | None:
    """Explain commas between hexes, hazards or hexsides, or after the last of them.

    The fix takes out all of them that are in the same list or section.
    """
    raw = failure.raw
    token = failure.token
    commas = _separating_commas(raw.tokens)
    first_comma = None
    if token is not None and token.type == "COMMA" and failure.among_hexes:
        commas += _commas_of_list(raw.tokens[failure.index :])
        first_comma = token
    else:
        # After a comma a number is expected: what is rejected is then the word after it.
        for candidate in raw.tokens[failure.index - 1 : failure.index + 1]:
            # By identity: all commas are equal as texts.
            if any(comma is candidate for comma in commas):
                first_comma = candidate
                break
    if first_comma is None:
        return None
    edits = [raw.replace(comma, " ") for comma in commas]
    return raw.problem("comma-in-list", first_comma, edits)


def _separating_commas(tokens: Sequence[Token]) -> list[Token]:
    """Return the commas after HAZARDS or HEXSIDES before a word, or at the end of the statement."""
    commas = []
    is_in_section = False
    for token, following in zip_longest(tokens, tokens[1:]):
        is_in_section |= token.type in SECTIONS
        if not is_in_section or token.type != "COMMA":
            continue
        if following is None or following.type in ("WORD", "QUOTED", "COMMA"):
            commas.append(token)
    return commas


def _commas_of_list(tokens: Sequence[Token]) -> list[Token]:
    """Return the commas in ``tokens`` up to the end of the list in which they begin.

    Those in parentheses are not among them: they belong to functions and ranges.
    """
    commas = []
    depth = 0
    for token in tokens:
        depth += _COUNT_OF_SIGN.get(token.type, 0)
        if depth < 0 or token.type in SECTIONS:
            break
        if depth == 0 and token.type == "COMMA":
            commas.append(token)
    return commas


def _quoted_hexside(failure: ParseFailure) -> Problem | None:
    """Explain a hexside in quotes: ``HEXSIDES "c"``."""
    token = failure.token
    if token is None or token.type != "QUOTED" or "WORD" not in failure.accepted:
        return None
    word = re.sub(r"[^A-Za-z]+", "", token)
    edits = []
    if word:
        edits = [failure.raw.replace(token, word)]
    return failure.raw.problem("word-in-quotes", token, edits)


def _missing_section(failure: ParseFailure) -> Problem | None:
    """Explain a missing HAZARDS or HEXSIDES."""
    raw = failure.raw
    section = _SECTION_OF.get(raw.tokens[0].type, "")
    if section not in failure.accepted or any(token.type == section for token in raw.tokens):
        return None
    first_of_section = _first_hazard(raw.tokens)
    if first_of_section is None:
        first_of_section = failure.token
    if first_of_section is None:
        edits = [insert_after(raw.span, f" {section}")]
        return raw.problem("missing-section", raw.tokens[-1], edits, section=section)
    if first_of_section.type == "COMMA":
        return None
    edits = [insert_before(raw.span_of(first_of_section), f"{section} ")]
    return raw.problem("missing-section", first_of_section, edits, section=section)


def _first_hazard(tokens: Sequence[Token]) -> Token | None:
    """Return the first word that is neither a hex nor in parentheses like a label."""
    for preceding, token in pairwise(tokens):
        is_bare_word = token.type == "WORD" and preceding.type != "LPAR"
        if is_bare_word and not fits(token, Position.IN_LIST):
            return token
    return None


_EXPLANATIONS: tuple[Callable[[ParseFailure], Problem | None], ...] = (
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
"""The functions that recognise mistakes, the surer ones before those that guess."""
