"""Memory for chat applications and agents."""

__version__ = "0.1.0"
