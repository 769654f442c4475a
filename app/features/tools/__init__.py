"""The commands that choose a tool and change what it does."""
