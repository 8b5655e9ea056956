"""How shells, the CLI, plugins and people talk to the service (protocol.md)."""
