"""The tools that agents get over MCP: one file for each tool, the list of them, and the server that offers it."""
