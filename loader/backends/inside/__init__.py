"""What a worker is made of: the standard library only, since any interpreter may run it (loader.backends.worker)."""
