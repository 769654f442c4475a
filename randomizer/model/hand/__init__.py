"""Changes made by hand: the layer that they go into, erasing, linked routes."""
