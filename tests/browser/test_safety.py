"""What is stored cannot act, keys and sign-in hold, nobody sees another's memory."""

from importlib.metadata import version
from typing import Final
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import NewWindow, StartServer, Visit
from tests.browser.server import Served

PAGE_COOKIE: Final = "chatmem_page"
SCRIPT: Final = "<script>window.owned = 1</script>"
PICTURE: Final = '<img src=x onerror="window.owned = 2">'
LINK: Final = "[press me](javascript:window.owned=3)"
FRAME: Final = '<iframe srcdoc="<script>parent.owned = 4</script>"></iframe>'
TEMPLATE: Final = "{{ constructor.constructor('window.owned = 5')() }}"
FAR: Final = "![](http://tracker.example/pixel.png) <img src='https://tracker.example/2.png'>"
QUOTES: Final = '" onfocus="window.owned = 6" autofocus x=\' \\ </textarea>'
HOSTILE: Final = " ".join((SCRIPT, PICTURE, LINK, FRAME, TEMPLATE, FAR, QUOTES))
SESSION: Final = "<img src=x onerror=window.owned=7>"


@pytest.fixture
def hostile(served: Served) -> Served:
    """A memory full of what would like to act."""
    memory = served.memory
    memory.append_memory(HOSTILE)
    memory.append_memory(f"{SCRIPT} pattern", category="pattern")
    memory.append_daily_log(HOSTILE)
    memory.update_user_profile(f"# Profile\n\n- {HOSTILE}\n")
    memory.save_conversation_turn(HOSTILE, HOSTILE, SESSION)
    memory.sessions.rename(SESSION, HOSTILE[:180])
    return served


def look_harmless(page: Page) -> None:
    """Nothing stored has run, and nothing of it became a part of the page."""
    assert page.evaluate("window.owned") is None
    assert page.locator("iframe").count() == 0
    for selector in ("[onerror]", "[onfocus]", "[onclick]", "a[href^=javascript]"):
        assert page.locator(selector).count() == 0, selector
    assert page.locator("main script").count() == 0
    assert page.locator('img[src*="tracker.example"], img[src="x"]').count() == 0


@pytest.mark.parametrize("language", ["en"])
def test_stored_html_stays_text_in_every_view(hostile: Served, visit: Visit) -> None:
    for path in (
        "/", "/search?q=constructor", "/browse", "/sessions", "/daily", "/profile",
        "/prompt?message=constructor", "/overview", "/settings",
    ):  # fmt: skip
        page = visit(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        look_harmless(page)


@pytest.mark.parametrize("language", ["en"])
def test_stored_html_stays_text_in_what_is_opened(hostile: Served, visit: Visit) -> None:
    words = visit.words
    page = visit(f"/sessions/{quote(SESSION, safe='')}")
    said = page.get_by_role("listitem").filter(has_text="constructor.constructor").first
    expect(said).to_contain_text(SCRIPT)
    look_harmless(page)
    said.get_by_role("button", name=words("sessions.open_memory")).click()
    expect(page.get_by_role("dialog")).to_contain_text(SCRIPT)
    look_harmless(page)
    card = page.get_by_role("dialog")
    card.get_by_role("button", name=words("card.edit"), exact=True).click()
    card.get_by_label(words("card.content")).fill(HOSTILE + "<b>!")
    card.get_by_role("button", name=words("frame.save"), exact=True).click()
    expect(card.locator("ins")).to_have_text("<b>!")
    assert card.locator("b").count() == 0
    look_harmless(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog").filter(visible=True)).to_have_count(0)
    page.get_by_role("button", name=words("sessions.delete"), exact=True).click()
    expect(page.get_by_role("dialog").filter(visible=True)).to_contain_text(SCRIPT)
    look_harmless(page)


@pytest.mark.parametrize("language", ["en"])
def test_a_hostile_user_name_stays_text(visit: Visit) -> None:
    hostile = "%3Cimg%20src%3Dx%20onerror%3Dwindow.owned%3D1%3E%22%20x%3D"
    visit.page.set_extra_http_headers({"X-Chatmem-User": hostile})
    page = visit("/")
    expect(page.get_by_role("banner")).to_contain_text("<img src=x onerror=window.owned=1>")
    look_harmless(page)


def test_a_key_opens_its_own_memory_until_it_is_revoked(
    start_server: StartServer, new_window: NewWindow
) -> None:
    served = start_server(expect_errors=True)  # it logs that somebody was signed out
    memory = served.memory
    memory.for_user("mei").append_memory("梅家的密码是松树 Mei's word is pine")
    key, kept = memory.keys.create("mei")
    visit = new_window(served, signs_in=True)
    page, words = visit.page, visit.words
    visit.watch.allow("401")
    page.goto(f"{served.page_url}/browse")
    expect(page.get_by_label(words("login.key"))).to_be_visible()
    visit.sign_in("cm_wrong")
    expect(page.get_by_role("alert")).to_have_text(words("login.wrong"))
    visit.sign_in(key)
    visit("/search?q=word")
    expect(page.get_by_role("banner")).to_contain_text("mei")
    expect(page.get_by_role("main").first).to_contain_text("pine")
    cookies = {one["name"]: one for one in page.context.cookies()}
    cookie = cookies[PAGE_COOKIE]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/ui")
    assert key not in str(cookies)
    page.get_by_role("button", name=words("frame.sign_out")).click()
    expect(page.get_by_label(words("login.key"))).to_be_visible()
    # The cookie is of no use any more, wherever it was kept.
    value = cookie["value"]
    page.context.add_cookies([{"name": PAGE_COOKIE, "value": value, "url": served.page_url}])
    page.goto(f"{served.page_url}/")
    expect(page.get_by_label(words("login.key"))).to_be_visible()
    the_librarys_scripts_need_no_key_and_all_else_does(served)
    page.context.clear_cookies(name=PAGE_COOKIE)
    visit.sign_in(key)
    visit("/sessions")
    memory.keys.revoke(kept.id)
    page.get_by_role("tab", name=words("sessions.collected")).click()
    expect(page.get_by_label(words("login.key"))).to_be_visible()


def the_librarys_scripts_need_no_key_and_all_else_does(served: Served) -> None:
    library = f"/ui/_nicegui/{version('nicegui')}"
    with httpx.Client(base_url=served.server.url) as client:
        assert client.get(f"{library}/static/nicegui.js").status_code == httpx.codes.OK
        for guarded in (
            f"{library}/static/../../../export",
            f"{library}/dynamic_resources/x",
            "/ui/_nicegui/auto/static/x/y",
            "/ui/_nicegui/client/x/upload/y",
            "/ui/_nicegui_ws/socket.io/",
            "/ui/export",
            "/ui/browse",
        ):
            assert client.get(guarded).status_code == httpx.codes.UNAUTHORIZED, guarded


def test_the_page_forbids_what_it_does_not_need(served: Served) -> None:
    with served.rest() as client:
        answer = client.get("/ui/", headers={"accept": "text/html"})
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http:" not in policy.replace("ws:", "") and "https:" not in policy
    with served.rest() as client:
        foreign = client.get("/ui/", headers={"origin": "http://evil.example"})
        named = client.get("/ui/", headers={"host": "evil.example"})
    assert (foreign.status_code, named.status_code) == (403, 421)
