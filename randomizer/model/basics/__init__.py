"""What every room builds on and no map needs to know: limits, texts, bounded JSON, keyed dice."""
