"""The directory of a game: open from it, export into it, take an export back."""
