"""What one system of maps adds to the desk: panels, palettes, forms. A folder each."""
