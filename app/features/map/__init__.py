"""Commands on the whole map: turn, flip, resize, edge fills, erase; the panel of its properties."""
