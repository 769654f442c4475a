"""The card on an empty map: how to begin."""
