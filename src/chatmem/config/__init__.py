"""Settings: what they are, and the only reader of the environment and of `chatmem.toml`.

Source: interfaces, "Settings"; S2.6.
"""

from chatmem.config.groups import MemorySettings
from chatmem.config.settings import DescribedSetting, Settings, describe_settings

__all__ = [
    "DescribedSetting",
    "MemorySettings",
    "Settings",
    "describe_settings",
]
