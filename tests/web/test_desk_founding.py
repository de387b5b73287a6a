"""The form by which a campaign is founded: what is typed stays, hours go with the pace, and what is wrong is told
beside its field in words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from lxml import html

from pbem.campaign.choices import KeptChoices
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from tests import toy
from tests.web.conftest import Site, csrf_of
from tests.web.test_desk import Desk

EMPIRES = "struggle_of_empires"
TYPED = {"title": "The long winter", "seats": "4", "players": "Anna <anna@example.net>\nsome one", "language": "fr",
         "campaign": "long-winter", "keep_as": "Ours"}  # fmt: skip


@pytest.fixture(autouse=True)
def _toy_is_configured(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))


@pytest.fixture
def desk(toy_site: Site) -> Desk:
    return Desk(toy_site)


def sent(desk: Desk, status: int = 422, game: str = EMPIRES, **values: str) -> html.HtmlElement:
    """The page that answers the form of a new campaign."""
    token = csrf_of(desk.client, "/desk/account")
    answer = desk.client.post("/desk/new", data={"csrf_token": token, "game": game, **values})
    assert answer.status_code == status, answer.status_code
    return html.fromstring(answer.data or b"<p/>")


def held(page: html.HtmlElement, name: str) -> str:
    """The value of a field of the form."""
    (field,) = page.xpath(f"//form[@id='found']//*[@name='{name}'][not(self::button)]")
    if field.tag == "select":
        return field.xpath(".//option[@selected]/@value")[0]
    return field.text.removeprefix("\n") if field.tag == "textarea" else field.get("value")


def beside(page: html.HtmlElement, name: str) -> str:
    """What is said to be wrong with a field, which points to it."""
    (field,) = page.xpath(f"//form[@id='found']//*[@name='{name}'][@aria-invalid]")
    return page.get_element_by_id(field.get("aria-describedby")).text_content()


@pytest.mark.parametrize("like", ["", "set:quick", "campaign:before", "kept:Ours"])
def test_what_was_typed_stays_when_the_form_is_filled_in(desk, like):
    sent(desk, 303, seats="5", campaign="before", pace="leisurely", keep_as="Ours")
    page = sent(desk, 200, **TYPED, do="fill", like=like, spectators="no", **{"hours.default": "11"})
    for name in TYPED.keys() - {"seats"}:
        assert held(page, name) == TYPED[name], name
    of_before = like.startswith(("campaign", "kept"))
    assert held(page, "seats") == ("5" if of_before else "4")
    assert held(page, "spectators") == ("yes" if of_before else "no"), "the choices of a campaign hold its policy"
    assert held(page, "pace") == {"": "normal", "set:quick": "quick"}.get(like, "leisurely")
    assert not any(one.get("value") for one in page.xpath("//input[starts-with(@name, 'hours.')]"))
    assert "long-winter" not in desk.site.service.campaigns(), "nothing is founded by it"


def test_a_kept_set_holds_seats_and_scenario_and_one_of_an_earlier_program_does_without(desk):
    sent(desk, 303, "here_i_stand", seats="3", scenario="1532", keep_as="Three of us")
    page = html.fromstring(desk.client.get("/desk/new?game=here_i_stand&like=kept:Three of us").data)
    assert (held(page, "seats"), held(page, "scenario")) == ("3", "1532")
    kept = KeptChoices(desk.site.service.store)
    old = {name: kept.of("anna", "here_i_stand")["Three of us"][name] for name in ("options", "policy")}
    kept.keep("anna", "here_i_stand", "Old", old)
    page = html.fromstring(desk.client.get("/desk/new?game=here_i_stand&like=kept:Old").data)
    assert held(page, "seats") == str(load_kit("here_i_stand").seats["usual"])


def test_hours_stand_as_the_pace_has_them_and_only_what_is_written_differs(desk):
    kit = load_kit(EMPIRES)
    page = html.fromstring(desk.client.get(f"/desk/new?game={EMPIRES}&like=set:quick").data)
    for field in page.xpath("//input[starts-with(@name, 'hours.')]"):
        kind = field.get("name").partition(".")[2]
        assert (field.get("value"), field.get("placeholder")) == ("", str(max(6, kit.times[kind] // 2))), kind
    told = " ".join(page.xpath("//details[@class='about'][1]")[0].text_content().split())
    assert "24 hTalk before the auction" in told and "36 h" in told and "72 h" not in told
    sent(desk, 303, seats="5", campaign="paced", pace="quick", **{"hours.auction": "30", "hours.negotiation": "48"})
    times = desk.site.service.status("paced").policy["times"]
    assert times["auction"] == 30 and times["negotiation"] == 48 and times["default"] == 36
    again = html.fromstring(desk.client.get(f"/desk/new?game={EMPIRES}&like=campaign:paced").data)
    hours = {one.get("name"): one.get("value") for one in again.xpath("//input[starts-with(@name, 'hours.')]")}
    assert held(again, "pace") == "quick"
    assert {name: value for name, value in hours.items() if value} == {"hours.auction": "30",
                                                                       "hours.negotiation": "48"}  # fmt: skip


def test_the_page_of_a_campaign_tells_how_long_each_question_stays_open(desk):
    sent(desk, 303, seats="5", campaign="paced", pace="quick", **{"hours.auction": "30"})
    page = html.fromstring(desk.client.get("/desk/c/paced/").data)
    told = {dt.text_content(): dt.getnext().text_content() for dt in page.xpath("//dl[@class='pairs']/dt")}
    teller = Teller(load_kit(EMPIRES), "en")
    assert told["30 hours for"] == teller.question_title("auction")
    assert told["24 hours for"] == teller.question_title("negotiation") and "All others" in told["36 hours for"]


@pytest.mark.parametrize("like", ["campaign:nothing", "kept:nothing", "set:nothing", "nothing", "campaign:other"])
def test_choices_that_are_not_there_are_said_to_be_so(desk, like):
    desk.site.service.create(EMPIRES, 5, campaign="other")  # which another moderator runs
    answer = desk.client.get(f"/desk/new?game={EMPIRES}&like={like}")
    page = html.fromstring(answer.data)
    assert answer.status_code == 422
    assert "choose from the list" in page.xpath("//*[@role='alert']")[0].text_content()
    page = sent(desk, 422, **TYPED, do="fill", like=like)
    assert "choose from the list" in page.xpath("//*[@role='alert']")[0].text_content()
    assert all(held(page, name) == value for name, value in TYPED.items())


WRONG = {
    "title": ("\x07", "line breaks or other control"), "seats": ("9", "for 2 to 7 seats"),
    "pace": ("at once", "paces of the list"), "players": ("x\nAnna <a@b.cc>\nBo <a@b.cc>", "Line 1, “x”"),
    "campaign": ("Not An Id", "small letters, digits and hyphens"),
    "hours.auction": ("soon", "a whole number from 1 to 8784"), "hours.default": ("0", "a whole number from 1 to"),
    "reminders": ("24, never", "a whole number from 1 to"), "grace_hours": ("-1", "a whole number from 1 to"),
    "extensions": ("x", "a whole number from 0 to 99"), "option.gold_sums": ("nobody", "values of the list"),
}  # fmt: skip


def test_everything_that_is_wrong_is_told_beside_its_field_and_all_that_was_typed_stays(desk):
    page = sent(desk, 422, **{name: value for name, (value, _) in WRONG.items()}, missed="hold")
    said = page.xpath("//*[@role='alert']")[0].text_content()
    for name, (value, words) in WRONG.items():
        if name == "option.gold_sums":
            assert words in page.get_element_by_id("option-gold_sums-wrong").text_content()
        else:
            assert words in beside(page, name), name
            assert name in ("seats", "pace") or held(page, name) == value, name
        assert words in said, name
    assert "Line 3: a@b.cc stands there twice" in said and held(page, "missed") == "hold"
    teller = Teller(load_kit(EMPIRES), "en")
    assert f"{teller.question_title('auction')}: should be" in said
    assert not re.search(r"policy|times\.|\.value|_hours|Missing data|gold_sums|auction\b.*:.*\bvalue\b", said)
    opened = page.xpath("//details[@open]//h2/text()")
    assert {"Times of each kind of question", "Missed deadlines, press and secrecy"} <= set(opened)


def test_an_id_that_is_taken_and_a_name_that_is_too_long_are_told_beside_their_fields(desk):
    sent(desk, 303, seats="5", campaign="winter")
    page = sent(desk, 422, seats="5", campaign="winter", title="Ours")
    assert "There is a campaign winter already" in beside(page, "campaign") and held(page, "title") == "Ours"
    assert "at most 60 characters" in beside(sent(desk, 422, seats="5", keep_as="x" * 61), "keep_as")


@pytest.mark.parametrize(("path", "values", "name", "words"), [
    ("do/invite", {"seat": "seat1", "name": "", "address": "a@example.net"}, "name", "This is needed."),
    ("do/invite", {"seat": "seat1", "name": "A", "address": "nowhere"}, "address", "no mail address"),
    ("do/invite", {"seat": "seat1", "name": "A", "address": "a@example.net", "timezone": "Here"}, "timezone",
     "no such time zone"),
    ("do/finish", {}, "reason", "This is needed."), ("do/finish", {"reason": "x" * 2001}, "reason", "at most 2000"),
    ("moderators", {"do": "take", "moderator": "nobody"}, None, "There is no moderator “nobody”"),
])  # fmt: skip
def test_forms_of_actions_tell_what_is_wrong_beside_the_field(sites, path, values, name, words):
    desk = Desk(sites())
    page = html.fromstring(desk.post(path, **values).data)
    said = page.xpath("//*[@role='alert']")[0].text_content()
    assert words in said and "Missing data" not in said
    if name is not None:
        (field,) = page.xpath(f"//*[@name='{name}'][@aria-invalid]")
        assert words in page.get_element_by_id(field.get("aria-describedby")).text_content()
    for typed, value in values.items():
        fields = page.xpath(f"//details[@open]//*[@name='{typed}'][not(self::button)]")
        assert typed in ("do",) or not fields or any(_value_of(field) == value for field in fields), typed


def _value_of(field: Any) -> str:
    if field.tag == "select":
        return field.xpath(".//option[@selected]/@value")[0]
    return field.text.removeprefix("\n") if field.tag == "textarea" else field.get("value") or ""
