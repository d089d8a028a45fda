"""Measures how dice that lean, or lie on others, are told from flat ones, on single drawn pictures."""
