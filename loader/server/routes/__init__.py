"""One file for each subject; ``loader.server.app`` puts them together."""
