"""Hosts that remember with chatmem: each module knows one agent SDK's own events and types.

The SDKs are not needed to import these modules: each is imported by the call that needs it, which
raises ModuleNotFoundError where it is not installed. See docs/integrations.md.
"""
