"""Masking never fails, never runs twice, and takes nothing but what it says."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from chatmem.extraction.redact import KINDS, mask_secrets

SHARDS = st.sampled_from(
    [
        "password ", "my password is ", "密码", "密碼是", "：", ": ", "hunter2", "Blue_77", " ",
        "\n", "口令", "验证码 ", "123456", "PIN ", "4111 1111 1111 1111", "110101199003074610",
        "IBAN ", "DE89370400440532013000", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "://a:b1c2@d", '"', "“", "”", "[secret: password]", "[已隐去：密码]", "[已隱去：密碼]",
        "card ", "卡号", "API key ", "，", "-----BEGIN PRIVATE KEY-----", "is my password",
        "是我的密码", "token=", "１２３ａｂｃ", "]", "[",
    ]
)  # fmt: skip
TEXTS = st.lists(SHARDS | st.text(max_size=5), max_size=14).map("".join)


@settings(max_examples=examples(250), deadline=None)
@given(TEXTS)
def test_what_is_masked_stays_masked(text: str) -> None:
    once = mask_secrets(text)

    assert set(once.kinds) <= set(KINDS)
    assert (once.text == text) == (not once.kinds)
    assert mask_secrets(once.text).text == once.text
