"""Secrets are masked in both languages, and only they: what stands around them stays.

Every secret here is made up, or is the one its issuer publishes for tests.
"""

import time

import pytest
from tests.conftest import labelled, run_python

from chatmem.extraction.redact import KINDS, Masked, mask_secrets, masked_kinds

JWT = (
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0."
    "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
)
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    "MIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy1tPf9Cnzj4p4WGeKLs1P\n"
    "t8QuKUpRKfFLfRYC9AIKjbJTWit+CqvjWYzvQwEC\n-----END RSA PRIVATE KEY-----"
)
STRIPE = "sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc"  # parted: scanners of repositories know the shape
SLACK = "xoxb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1"
SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow"

MOST_LEFT, MOST_CHANGED = 4, 4
"""What is told further from its label is seen by the learned reader: of 97 secrets and 183 texts
without one, so many are taken for the other. May only fall."""
PARTED = [
    ("hf_" "AbCdEfGhIjKlMnOpQrStUvWxYz123456", "hf_AbCdEf"),
    ("glpat-" "xYz12AbC34dEf56GhI78", "glpat-" "xYz12"),
    ("AIza" "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "AIzaSyD"),
    ("the webhook secret is whsec_" "5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH", "whsec_5W"),
]  # fmt: skip
LABELLED = [*labelled("masking/secrets"), *labelled("masking/further_off")]
TOLD = [*PARTED, *((one["text"], one["secret"]) for one in LABELLED)]
INNOCENT = [*labelled("masking/innocent"), *labelled("masking/not_said")]

SECRETS = [
    # text, what must go, its kind
    ("My password is hunter2", "hunter2", "password"),
    ("The password for the router in the hall is gr33nhouse.", "gr33nhouse", "password"),
    ("password: correcthorse", "correcthorse", "password"),
    ("Password = 'Tr0ub4dor&3'", "Tr0ub4dor&3", "password"),
    ("I changed my email password to Blue!Whale77 yesterday", "Blue!Whale77", "password"),
    ("pwd: qwerty123", "qwerty123", "password"),
    ('The password is "open sesame", keep it to yourself', "open sesame", "password"),
    ("user: admin pass: s3cret!", "s3cret!", "password"),
    ("My phone passcode is 482915", "482915", "password"),
    ("the PIN of my bank card is 4821", "4821", "code"),
    ("Our alarm code is 7719", "7719", "code"),
    ("passphrase: correct horse battery staple", "correct horse battery staple", "password"),
    ("export DB_PASSWORD=pg_Adm1n_99", "pg_Adm1n_99", "password"),
    ('{"password": "n0tForYou"}', "n0tForYou", "password"),
    ("Your verification code is 482913. It expires in 10 minutes.", "482913", "code"),
    ("G-482913 is your Google verification code", "482913", "code"),
    ("The OTP was 55 08 12, and it worked", "55 08 12", "code"),
    ("2FA code: 901 334", "901 334", "code"),
    ("the CVV is 737", "737", "code"),
    ("My card is 4111 1111 1111 1111, expires 12/27", "4111 1111 1111 1111", "card"),
    ("Amex 378282246310005", "378282246310005", "card"),
    ("my IBAN is DE89 3704 0044 0532 0130 00, please", "DE89 3704 0044 0532 0130 00", "account"),
    ("My bank account number is 00123456789", "00123456789", "account"),
    ("My SSN is 078-05-1120", "078-05-1120", "id"),
    ("social security number: 536904399", "536904399", "id"),
    ("my passport number is X1234567", "X1234567", "id"),
    ("driver's license no. D123-4567-8901", "D123-4567-8901", "id"),
    ("use sk-proj-Ab3dE5gH7jK9mN1pQ3rS5tU7vW9x for the bot", "sk-proj-Ab3dE5gH", "key"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a in the CI", "ghp_16C7e42F", "key"),
    ("AWS key AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE", "key"),
    (
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "key",
    ),
    (f"the live key is {STRIPE}", STRIPE, "key"),
    (f"slack: {SLACK}", SLACK, "key"),
    ("my API key is 9f86d081884c7d659a2feaa0c55ad015", "9f86d081884c7d659a2feaa0c55ad015", "key"),
    ("Authorization: Bearer 7Fjfp0ZBr1KtDRbnfVdmIw", "7Fjfp0ZBr1KtDRbnfVdmIw", "key"),
    (f"the cookie holds {JWT}", JWT, "key"),
    (
        "bot token 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
        "AAHdqTcvCH1vGWJxfSeofSAs0K5", "key",
    ),
    ("https://api.example.com/v1/me?access_token=8xLOxBtZp8&lang=en", "8xLOxBtZp8", "key"),
    (f"here it is:\n{PEM}\nkeep it safe", "MIIBOgIBAAJBAKj34", "private_key"),
    (f"my seed phrase is {SEED}", SEED, "seed"),
    ("postgres://app:s3cr3tPw@db.example.com:5432/shop", "s3cr3tPw", "password"),
    ("mongodb+srv://root:9cA%21x@cluster0.example.net/?retryWrites=true", "9cA%21x", "password"),
    ("curl -u alice:wonder1and https://example.com", "wonder1and", "password"),
    ("密码是 hunter2！", "hunter2", "password"),
    ("我的密码是abc123456，别忘了", "abc123456", "password"),
    ("我把邮箱密码改成了Blue_Whale77。", "Blue_Whale77", "password"),
    ("密碼是 hunter2，幫我記住", "hunter2", "password"),
    ("账号 alice 密码 wonder1and", "wonder1and", "password"),
    ("口令：天王盖地虎", "天王盖地虎", "password"),
    ("密码为“芝麻开门”，谁也别告诉", "芝麻开门", "password"),
    ("门锁密码2580#", "2580#", "code"),
    ("密码：ａｂｃ１２３", "ａｂｃ１２３", "password"),
    ("手机锁屏密码還是 0912", "0912", "password"),
    ("验证码 123456", "123456", "code"),
    ("【某某银行】您的验证码为 482913，5分钟内有效。", "482913", "code"),
    ("驗證碼：0912", "0912", "code"),
    ("动态码是901334", "901334", "code"),
    ("安全码是 737", "737", "code"),
    ("我的身份证号是110101199003074610", "110101199003074610", "id"),
    ("身份证：31010419851122003X", "31010419851122003X", "id"),
    ("他给的号码 310104198511220030，帮我记一下", "310104198511220030", "id"),
    ("身分證字號 A123456789", "A123456789", "id"),
    ("香港身份證 A123456(3)", "A123456(3)", "id"),
    ("护照号码：E12345678", "E12345678", "id"),
    ("我的社保号是 123456789012", "123456789012", "id"),
    ("工资卡 6222021000012345673", "6222021000012345673", "card"),
    ("银行卡号：6225880123456780", "6225880123456780", "card"),
    ("銀行帳號 012-345-678901", "012-345-678901", "account"),
    ("密钥：9f86d081884c7d659a2feaa0c55ad015", "9f86d081884c7d659a2feaa0c55ad015", "key"),
    ("阿里云的 LTAI5tQnKxVx8fZ2pGmWc9Yd 别外传", "LTAI5tQnKxVx8fZ2pGmWc9Yd", "key"),
    (f"助记词：{SEED}", SEED, "seed"),
    (f"私钥如下\n{PEM}", "MIIBOgIBAAJBAKj34", "private_key"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "secret", "kind"), SECRETS)
def test_a_secret_is_masked_as_what_it_is(text: str, secret: str, kind: str) -> None:
    masked = mask_secrets(text)

    assert secret not in masked.text
    assert kind in masked.kinds
    assert masked.text.count("[") >= 1
    assert mask_secrets(masked.text) == Masked(masked.text)


def test_secrets_are_masked_however_they_are_told() -> None:
    masked = [(mask_secrets(text).text, secret) for text, secret in TOLD]
    left = [text for text, secret in masked if secret in text]

    assert len(left) <= MOST_LEFT, left
    assert all(mask_secrets(text) == Masked(text) for text, _ in masked)


def test_what_is_no_secret_stays_letter_by_letter() -> None:
    texts = [one["text"] for one in INNOCENT]
    changed = [text for text in texts if mask_secrets(text) != Masked(text)]

    assert len(changed) <= MOST_CHANGED, changed


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            "My wifi password is Sunflower-88, and I live in Berlin.",
            "My wifi password is [secret: password], and I live in Berlin.",
        ),
        ("密码是 hunter2！我住在柏林", "密码是 [已隐去：密码]！我住在柏林"),
        ("密碼是 hunter2！我住在柏林", "密碼是 [已隱去：密碼]！我住在柏林"),
        ("我的身份证号是110101199003074610。", "我的身份证号是[已隐去：证件号]。"),
        (
            "postgres://app:s3cr3tPw@db.example.com:5432/shop",
            "postgres://app:[secret: password]@db.example.com:5432/shop",
        ),
        (
            "Call +1 415 555 0132 or write to a@example.com; the PIN is 4821.",
            "Call +1 415 555 0132 or write to a@example.com; the PIN is [secret: code].",
        ),
        (
            '{"user": "amy", "password": "n0tForYou"}',
            '{"user": "amy", "password": "[secret: password]"}',
        ),
        (
            "Pay DE89 3704 0044 0532 0130 00 BY FRIDAY",
            "Pay [secret: account number] BY FRIDAY",
        ),
    ],
)  # fmt: skip
def test_the_rest_of_the_sentence_stays(text: str, masked: str) -> None:
    assert mask_secrets(text).text == masked


def test_several_secrets_are_masked_each_and_their_kinds_are_told_once() -> None:
    text = "my password is hunter2, my old password was kitty99, and the card 4111111111111111"
    masked = mask_secrets(text)

    assert masked.kinds == ("password", "card")
    assert masked.text.count("[secret: password]") == 2


def test_what_was_masked_is_told_by_the_masked_text() -> None:
    masked = mask_secrets("my password is hunter2 and the card 4111111111111111; 密码：abc12345")

    assert masked_kinds(masked.text) == masked.kinds == ("password", "card")
    assert masked_kinds("密碼是 [已隱去：密碼]，卡号 [已隐去：卡号]") == ("password", "card")
    assert masked_kinds("a [secret: sauce] is none") == ()


def test_every_kind_has_an_example() -> None:
    assert {kind for _, _, kind in SECRETS} == set(KINDS)


@pytest.mark.parametrize("digits", ["4111111111111112", "110101199003074611"])
def test_a_wrong_checksum_is_no_card_and_no_identity(digits: str) -> None:
    assert mask_secrets(f"I counted {digits} of them").kinds == ()


@pytest.mark.parametrize(
    "text",
    [
        "password " * 3000,
        "change the password " * 1500,
        "1 " * 10_000,
        "seed phrase is " + "legal winner " * 3000,
        "sk-" * 10_000,
        "secret_" * 5000,
        "curl -u " * 3000,
        "-----BEGIN PRIVATE KEY-----" * 1000,
        "AA11" * 6000,
        "a1" * 20_000 + " is my password",
        "密码从" * 8000,
        "密码" + " " * 30_000 + "x",
        "a1b2c3是我家" * 4000 + "密码",
    ],
    ids=range(13),
)
def test_a_long_text_made_to_be_slow_is_not(text: str) -> None:
    started = time.thread_time()
    mask_secrets(text)

    assert time.thread_time() - started < 2


def test_importing_it_loads_no_dictionary() -> None:
    probe = "import sys, chatmem.extraction.redact; print('opencc' in sys.modules)"

    assert run_python(probe).stdout == "False\n"
