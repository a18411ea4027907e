"""Settings: what they are, and the only reader of the environment and of `chatmem.toml`.

Source: interfaces, "Settings"; S2.6.
"""

from chatmem.config.groups import MemorySettings
from chatmem.config.settings import SETTINGS, DescribedSetting, Settings

__all__ = ["SETTINGS", "DescribedSetting", "MemorySettings", "Settings"]
