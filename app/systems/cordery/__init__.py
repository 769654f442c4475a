"""The dice of Cordery's wargame tables: choices, the log, dice entered by hand, the terrain box."""
