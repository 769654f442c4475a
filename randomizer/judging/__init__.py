"""Judging a generator by many of its maps instead of one."""
