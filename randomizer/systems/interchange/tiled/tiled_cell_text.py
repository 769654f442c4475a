"""Writes the cells of a layer as the text of an XML element: numbers with commas, or packed bytes.

rows_of_cells([1, 2, 3, 4], width=2)        # "1,2,\n3,4"
respelled_cells(source, "1,7,3")            # in the blanks and lines of the text that was read
"""

from __future__ import annotations

from typing import Any

from randomizer.reading.xml_tree import Element


def rows_of_cells(cells: list[Any], width: object) -> str:
    """Return the text of cells with a line for each row.

    ``width`` is the length of a row; each cell is a line if that is no whole number from 1.
    """
    row_length = 1
    if type(width) is int and width >= 1:
        row_length = width
    rows = list[str]()
    for start in range(0, len(cells), row_length):
        rows.append(",".join(map(str, cells[start : start + row_length])))
    return ",\n".join(rows)


def respelled_cells(source: Element | None, cells: str) -> str:
    """Return the text of cells with the blanks and line breaks that its source has.

    ``source`` is the element that the cells were read from, None for new ones: these get lines of
    their own. Of a list of numbers only those that differ change; packed cells change as a whole.
    For the source "\\n1, 2,\\n3\\n" the cells "1,7,3" become "\\n1, 7,\\n3\\n".
    """
    if source is None:
        return f"\n{cells}\n"
    former = source.text
    former_cells = former.strip()
    if not former_cells:
        return f"\n{cells}\n"
    if former_cells == cells:
        return former

    former_numbers = former.split(",")
    numbers = cells.split(",")
    is_list_of_same_length = len(numbers) == len(former_numbers) and len(numbers) > 1
    if not is_list_of_same_length:
        return _in_blanks_of(former, cells)
    respelled_numbers = list[str]()
    for former_number, number in zip(former_numbers, numbers, strict=True):
        if former_number.strip() == number.strip():
            respelled_numbers.append(former_number)
        else:
            respelled_numbers.append(_in_blanks_of(former_number, number.strip()))
    return ",".join(respelled_numbers)


def _in_blanks_of(former: str, cells: str) -> str:
    """Return a text with the blanks that another one has around it: " 7 " for " 2 " and "7"."""
    stripped = former.strip()
    start = former.index(stripped)
    return f"{former[:start]}{cells}{former[start + len(stripped) :]}"
