"""Tables that are laid by dice: choices, the log, dice thrown by hand, the terrain box."""
