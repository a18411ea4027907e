"""Hosts that remember with chatmem: each module knows one agent SDK's own events and types.

The SDKs are not needed to import these modules; what is called for is imported when it is asked
for. See docs/integrations.md.
"""
