"""The exit codes of protocol.md ("Exit codes of the CLI"), by name."""

FINE = 0
FINDINGS = 1
WRONG_USAGE = 2
NO_SERVICE = 3
INTERNAL_FAILURE = 3
NEEDS_PERSON = 4
TIMED_OUT = 5
# Not ours but the shells' own: 128 + SIGINT. A command that a person ends on purpose (serve, --follow) ends with 0.
INTERRUPTED = 130
