"""Findings and rows as people and programs read them. Nothing here judges: it renders."""
