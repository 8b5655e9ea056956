"""The rehearsal: a plugin is loaded, registered, drawn and unloaded in the sandbox, against stubs of the app."""
