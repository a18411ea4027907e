"""Headings of memory documents and the category that each stands for, in English and Chinese."""

from collections.abc import Sequence

from chatmem.model.memory import Category
from chatmem.text.bullet_edits import plain_title

# The first of each is the one that is written when a document has none of them.
_TITLES: dict[Category, tuple[str, ...]] = {
    "preference": (
        *("Preferences", "Preference", "Likes", "Likes and dislikes"),
        *("偏好", "喜好", "爱好", "愛好", "偏爱", "偏愛", "喜欢", "喜歡"),
    ),
    "fact": ("Facts", "Fact", "事实", "事實", "资料", "資料", "信息", "資訊"),
    "pattern": (
        *("Patterns", "Pattern", "Habits", "Habit", "Routines"),
        *("习惯", "習慣", "模式", "规律", "規律", "行为模式", "行為模式"),
    ),
}
_CATEGORIES: dict[str, Category] = {
    plain_title(title): category for category, titles in _TITLES.items() for title in titles
}


def category_of(heading: str | None) -> Category:
    """The category of bullets below this heading: `fact` below one that says nothing."""
    return _CATEGORIES.get(plain_title(heading or ""), "fact")


def headings_for(category: Category | None) -> Sequence[str]:
    """Titles of the section for this category, for `append`: the first is the one to create."""
    return _TITLES[category or "fact"]
