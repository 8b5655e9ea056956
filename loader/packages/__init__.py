"""Packages: from a source that somebody names to files behind a door, with a record of where they came from."""
