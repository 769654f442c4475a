"""The game's directory: variants, what is loaded from where, exports."""
