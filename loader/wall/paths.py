"""Paths on a plugin's own host that are ours. No package's file is ever served under them."""

RESERVED = "/.hermes/"
BRIDGE_PATH = f"{RESERVED}bridge.js"
MODULE_PATH = f"{RESERVED}plugin.js"
SDK_PATH = f"{RESERVED}sdk/"
FRAME_FILES = f"{RESERVED}frame/"
TICKET = "hermes-ticket"
