"""The desk in French and Russian: no page of it says in English what its catalogues have, and what is refused is told
in the language of the reader."""

from __future__ import annotations

import re

import pytest
from lxml import html

from pbem.mail.outbound import Courier
from pbem.render.language import find_language
from pbem.table.kit import load_kit
from tests import toy
from tests.web.conftest import Site, csrf_of
from tests.web.test_desk import Desk
from tests.web.test_pages import sentences

OTHERS = ["fr", "ru"]
PAGES = ["", "inbox", "outbox", "events", "ruling", "rewind", "rewind?event={last}", "kit", "hidden"]


@pytest.fixture(autouse=True)
def _toy_is_configured(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))


def sit_down(site: Site, code: str) -> Desk:
    """A moderator who has chosen a language."""
    desk = Desk(site, f"anna-{code}", admin=True)
    token = csrf_of(desk.client, "/desk/account")
    assert desk.client.post("/language", data={"csrf_token": token, "language": code}).status_code == 303
    return desk


def said_in_english(page: str, code: str) -> list[str]:
    """The sentences of the catalogues that a page says in English though they are others in its language."""
    tree = html.fromstring(page)
    for element in tree.xpath("//script | //style | //*[local-name()='svg'] | //code | //pre | //form[@lang]"):
        element.drop_tree()
    texts = [*tree.xpath("//text()"), *tree.xpath("//@aria-label | //@placeholder | //@data-label | //@title")]
    shown = {" ".join(text.split()) for text in texts}
    text, together = find_language(code).text, "\n".join(shown)
    known = {message if isinstance(message, str) else message[1] for message in sentences()}
    found = []
    for message in known:
        if text(message) == message or len(re.sub(r"%\(\w+\)[sd]|\W", "", message)) < 8:
            continue  # a short word may be one of the other language, or of what the page tells
        pattern = re.sub(r"%\\\(\w+\\\)[sd]|%\(\w+\)[sd]", ".+", re.escape(message))
        if message in shown or ("%(" in message and re.search(f"^{pattern}$", together, re.MULTILINE)):
            found.append(message)
    return found


@pytest.mark.parametrize(("code", "noted"), [("fr", "dit avec le message"), ("ru", "сказано вместе с сообщением")])
def test_the_outbox_says_in_the_moderators_language_what_became_of_a_message(sites, code, noted):
    desk = sit_down(sites("struggle_of_empires", 3, secret=b"l" * 32).start().play(3, 6), code)
    sent = Courier(desk.site.service, transport=Taken(), pictures=False).send_mails()
    page = desk.client.get(f"/desk/c/{desk.site.id}/outbox?state=void").text
    assert sent and noted in page and "told with message" not in page


class Taken:
    """A way out that takes everything."""

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        """Take it."""

    def close(self) -> None:
        """Nothing is open."""


def test_french_sets_a_space_before_each_colon_and_writes_the_first_of_a_month_in_its_way(sites):
    desk = sit_down(sites("struggle_of_empires", 3, secret=b"l" * 32).start().play(3, 6), "fr")
    desk.post("ruling", do="try", facts="[]", reason="")
    for page in PAGES:
        tree = html.fromstring(desk.get(page.format(last=desk.last - 2)).text)
        for element in tree.xpath("//script | //style | //*[local-name()='svg'] | //code | //pre | //form[@lang]"):
            element.drop_tree()
        text = " ".join(tree.text_content().split())
        wrong = [found[0] for found in re.finditer(r".{0,30}[\w)]: .{0,20}", text) if "PRESS TO" not in found[0]]
        assert not wrong and "Siège" not in text, (page, wrong)
    overview = desk.get().text
    assert "mercredi 1er janvier 2025" in overview and "attendues" in overview
    first = find_language("fr").short_moment(desk.site.clock.now())
    assert first.startswith("1er janv."), first


@pytest.mark.parametrize("code", OTHERS)
def test_no_page_of_the_desk_stays_english(sites, code):
    desk = sit_down(sites("struggle_of_empires", 3, secret=b"l" * 32).start().play(3, 30), code)
    person = desk.site.service.player(desk.site.id, "seat1")["person"]
    own = [f"/desk/c/{desk.site.id}/{path.format(last=desk.last - 3)}" for path in PAGES]
    for path in [*own, "/desk/", "/desk/new", "/desk/new?game=struggle_of_empires", "/desk/people", "/desk/strays",
                 f"/desk/people/{person}", "/desk/account", f"/desk/c/{desk.site.id}/inbox/1"]:  # fmt: skip
        answer = desk.client.get(path)
        assert answer.status_code == 200, path
        assert said_in_english(answer.text, code) == [], path
    stranger = desk.site.app.test_client()
    assert said_in_english(stranger.get("/desk/login", headers={"Accept-Language": code}).text, code) == []


@pytest.mark.parametrize("game", ["struggle_of_empires", "here_i_stand", "thirty_years_war", "virgin_queen"])
def test_scenarios_are_offered_in_the_language_of_the_reader(toy_site, game):
    desk, kit = sit_down(toy_site, "fr"), load_kit(game)
    page = html.fromstring(desk.client.get(f"/desk/new?game={game}").data)
    told = page.get_element_by_id("found").text_content()
    for id, scenario in kit.scenarios.items():
        assert scenario["text_fr"] in told and scenario["text"] not in told, id
        assert len(kit.scenarios) == 1 or scenario["name_fr"] in page.xpath("//select[@id='scenario']/option/text()")


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_wrong_is_told_in_the_language_of_the_reader(toy_site, code):
    desk, text = sit_down(toy_site, code), find_language(code).text

    def alert(answer) -> str:
        said = html.fromstring(answer.data).xpath("//*[@role='alert']")[0].text_content()
        assert text("Nothing was changed.") in said and not re.search("should be|Nothing|there is no|needed", said)
        return said.casefold()

    token = csrf_of(desk.client, "/desk/account")
    values = {"csrf_token": token, "game": "struggle_of_empires", "seats": "9", "hours.auction": "soon"}
    said = alert(desk.client.post("/desk/new", data=values))
    assert text("This game is for %(least)s to %(most)s seats.", least=2, most=7).casefold() in said
    assert text("should be a whole number from %(least)s to %(most)s", least=1, most=8784).casefold() in said
    assert text("This is needed.").casefold() in alert(desk.post("do/pause"))
    assert text("that would be in the past").casefold() in alert(desk.post("do/extend", hours="-900", reason="x"))
    assert "99" in alert(desk.post("rewind", event="99", reason="x"))


ENGLISH = {"the", "this", "that", "which", "whole", "number", "not", "has", "have", "does", "say", "what", "where"}
"""Words by which English is known."""

WRONG_FACTS = [
    "{", "{}", "[3]", '[{"fact": "odd"}]', '[{"fact": "count", "track": "gold"}]', '[{"fact": "shuffle", "pile": 3}]',
    '[{"fact": "state", "name": "round", "after": 1, "of": 2}]',
    '[{"fact": "card", "card": "?", "origin": null, "place": null}]',
    '[{"fact": "units", "kind": "unit", "power": "red", "number": 99, "origin": "hill", "place": null}]',
    '[{"fact": "open", "name": "none", "content": null}]',
    '[{"fact": "players", "after": {"powers": [], "played_by": {}}}]',
]


@pytest.mark.parametrize("facts", WRONG_FACTS)
@pytest.mark.parametrize("code", OTHERS)
def test_what_is_wrong_with_a_ruling_is_told_in_the_language_of_the_reader(toy_site, code, facts):
    answer = sit_down(toy_site, code).post("ruling", do="try", facts=facts, reason="x")
    assert answer.status_code == 422
    said = html.fromstring(answer.data).xpath("//*[@role='alert']")[0].text_content()
    words = re.findall("[a-z]{3,}", re.sub("“.*?”|«.*?»|JSON.*", "", said))
    assert "%(" not in said and not ENGLISH & set(words), said
