"""Commands on the selected cells: select, cut, copy, paste, fill, lock."""
