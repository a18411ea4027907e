"""REST: what the library can do, over HTTP."""
