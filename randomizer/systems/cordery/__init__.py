"""Bob Cordery's terrain generator, version 2: a wargamer's table by the throw of dice."""
