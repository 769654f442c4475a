"""What commands do: with files, games, maps, layers, selections, pictures."""
