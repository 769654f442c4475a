"""The journal of an open map, drafts of scripts, and what a crash left of them."""
