"""The panel of a scenario: sides, units, conditions, the game as a whole."""
