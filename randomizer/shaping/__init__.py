"""Areas, pieces, symmetries and edges of maps: geometry at work on planes and layers."""
