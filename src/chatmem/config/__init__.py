"""Settings: what they are, and the only reader of the environment and of `chatmem.toml`.

Source: interfaces, "Settings"; S2.6.
"""

from chatmem.config.catalogue import DescribedSetting, describe_settings
from chatmem.config.groups import EmbedderSettings, LlmSettings, MemorySettings, ServerSettings
from chatmem.config.settings import Settings

__all__ = [
    "DescribedSetting",
    "EmbedderSettings",
    "LlmSettings",
    "MemorySettings",
    "ServerSettings",
    "Settings",
    "describe_settings",
]
