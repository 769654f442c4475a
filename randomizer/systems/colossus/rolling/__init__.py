"""Rolling a script: the compiled program, its draws, the roller, locks."""
