"""The SDK as data and as stubs: read as package resources, never imported by plugins."""
