"""The moderator's desk: who gets in, what it shows and what it never shows, and that every action is on record."""

from __future__ import annotations

import base64
import http.client
import io
import json
import quopri
import re
import threading
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from urllib.parse import urlencode

import pytest
from lxml import html
from sqlalchemy import insert, select, update
from waitress.server import create_server
from werkzeug.security import check_password_hash

from pbem.campaign import lookup, outbox, verify
from pbem.campaign.clock import stamp
from pbem.campaign.moderators import BadAccount, Moderators
from pbem.campaign.submissions import Submission
from pbem.mail.outbound import Courier
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from pbem.web import raw
from pbem.web.security import limiter
from tests import toy
from tests.web.conftest import Site, csrf_of

PASSWORD = "correct horse battery"
EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)>{{7*191}}{% raw %}\' OR 1=1 --'


class Desk:
    """A browser of a moderator."""

    def __init__(self, site: Site, name: str = "anna", *, runs: bool = True, admin: bool = False):
        self.site, self.name = site, name
        self.accounts = Moderators(site.service.store)
        self.accounts.add(name, PASSWORD, site.clock.now(), admin=admin)
        if runs:
            self.accounts.take(site.id, name)
        self.client = site.app.test_client()
        assert self.log_in().status_code == 303

    def log_in(self, password: str = PASSWORD, name: str | None = None):
        values = {"name": name or self.name, "password": password, "csrf_token": csrf_of(self.client, "/desk/login")}
        return self.client.post("/desk/login", data=values)

    def get(self, path: str = ""):
        return self.client.get(f"/desk/c/{self.site.id}/{path}")

    def post(self, path: str, **values: str):
        token = csrf_of(self.client, "/desk/account")
        return self.client.post(f"/desk/c/{self.site.id}/{path}", data={"csrf_token": token, **values})

    def done(self, path: str, **values: str) -> list[str]:
        """Do something that is to succeed; returns the kinds of the events it made."""
        before = self.last
        answer = self.post(path, **values)
        why = re.findall(r'role="alert">(.*?)</div>', answer.text, re.S)
        assert answer.status_code == 303, (answer.status_code, why)
        return self.kinds(before)

    def refused(self, path: str, status: int, words: str, **values: str) -> None:
        """Do something that is to be refused, with words of the reason, and without any event."""
        before = self.last
        answer = self.post(path, **values)
        assert answer.status_code == status, (answer.status_code, answer.text[:500])
        assert words.casefold() in answer.text.casefold() and "Nothing was changed" in answer.text
        assert self.last == before

    @property
    def last(self) -> int:
        return self.site.service.status(self.site.id).event

    def kinds(self, after: int = 0) -> list[str]:
        return [event["kind"] for event in self.site.service.events(self.site.id, None, after + 1)]

    def told(self, kind: str) -> set[str]:
        """The seats that a kind of message goes to."""
        rows = outbox.messages(self.site.service.store, self.site.id, limit=1000)
        return {row.seat for row in rows if row.kind == kind}


@pytest.fixture(autouse=True)
def _toy_is_configured(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))


@pytest.fixture
def desk(toy_site: Site) -> Desk:
    return Desk(toy_site)


@pytest.fixture
def inviting(sites) -> Desk:
    """A campaign whose seats are not taken yet."""
    return Desk(sites())


# --- who gets in ------------------------------------------------------------------------------------------------------


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(desk):
    browser = desk.site.app.test_client()
    desk.client = browser
    wrong, unknown = desk.log_in("not the password"), desk.log_in(name="nobody")
    assert wrong.status_code == unknown.status_code == 401
    plain = [re.sub(r'value="[^"]*"', "", answer.text) for answer in (wrong, unknown)]
    assert plain[0] == plain[1]
    assert browser.get("/desk/").status_code == 302


def test_an_unknown_name_costs_a_hash_as_a_wrong_password_does(desk, monkeypatch):
    checked = []
    monkeypatch.setattr(
        "pbem.campaign.moderators.check_password_hash", lambda h, p: checked.append(h) or check_password_hash(h, p)
    )
    assert desk.accounts.log_in("nobody", PASSWORD) is None
    assert desk.accounts.log_in("anna", "wrong") is None
    methods = {stored.split("$")[0] for stored in checked}
    assert len(checked) == 2 and len(methods) == 1


def test_guessing_passwords_is_slowed_down(desk):
    desk.client = desk.site.app.test_client()
    limiter.reset()
    answers = [desk.log_in(f"guess number {n}").status_code for n in range(7)]
    assert answers == [401] * 5 + [429] * 2


def test_a_new_password_or_the_end_of_an_account_closes_all_sessions(desk):
    other = desk.site.app.test_client()
    mine, desk.client = desk.client, other
    assert desk.log_in().status_code == 303
    desk.client = mine
    token = csrf_of(mine, "/desk/account")
    changed = {"csrf_token": token, "old": PASSWORD, "new": "another long password"}
    assert mine.post("/desk/account/password", data=changed).status_code == 303
    assert mine.get("/desk/").status_code == 200
    assert other.get("/desk/").status_code == 302
    desk.accounts.remove("anna")
    assert mine.get("/desk/").status_code == 302
    desk.accounts.add("anna", PASSWORD, desk.site.clock.now())
    assert mine.get("/desk/").status_code == 302


# --- a link by mail ---------------------------------------------------------------------------------------------------


class Letters:
    """A way out that keeps what it gets."""

    def __init__(self):
        self.sent = []

    def send(self, raw, sender, recipient):
        self.sent.append((recipient, message_from_bytes(raw, policy=policy.default)))

    def close(self):
        pass


def ask_for_link(browser, who: str):
    answer = browser.post("/desk/login/link", data={"csrf_token": csrf_of(browser, "/desk/login"), "who": who})
    browser.application.extensions["pbem_background"].wait()
    return answer


def links_sent(site: Site) -> dict[str, str]:
    """Who got a link by mail now, and the path of it."""
    letters = Letters()
    Courier(site.service, transport=letters, pictures=False).send_due()
    texts = {to: mail.get_body(("plain",)).get_content() for to, mail in letters.sent}
    return {to: found[0] for to, text in texts.items() if (found := re.search(r"/desk/enter/\w+", text))}


def use_link(browser, path: str):
    return browser.post(path, data={"csrf_token": csrf_of(browser, path)})


@pytest.fixture
def reachable(desk) -> Desk:
    desk.accounts.add("anna", PASSWORD, desk.site.clock.now(), address="Anna@example.net")
    limiter.reset()
    return desk


@pytest.mark.parametrize("who", ["anna", " anna@EXAMPLE.net "])
def test_a_link_by_mail_logs_in_once(reachable, who):
    site, browser = reachable.site, reachable.site.app.test_client()
    assert ask_for_link(browser, who).status_code == 200
    path = links_sent(site)["Anna@example.net"]
    for _ in range(2):
        assert browser.get(path).status_code == 200  # what looks at the link before its reader does uses nothing up
    answer = use_link(browser, path)
    assert answer.status_code == 303 and browser.get("/desk/").status_code == 200
    other = site.app.test_client()
    assert use_link(other, path).status_code == 401 and other.get("/desk/").status_code == 302


def test_a_link_is_void_when_it_is_old_or_the_account_has_changed(reachable):
    site, browser = reachable.site, reachable.site.app.test_client()
    for change in (
        lambda: site.clock.advance(minutes=31),
        lambda: reachable.accounts.add("anna", PASSWORD, site.clock.now(), address="anna@example.net"),
        lambda: reachable.accounts.remove("anna"),
    ):
        site.clock.advance(minutes=6)
        limiter.reset()
        ask_for_link(browser, "anna")
        (path,) = links_sent(site).values()
        change()
        assert use_link(browser, path).status_code == 401 and browser.get("/desk/").status_code == 302


def test_asking_for_a_link_tells_nobody_who_is_a_moderator_and_fills_no_mailbox(reachable):
    site, browser = reachable.site, reachable.site.app.test_client()
    reachable.accounts.add("carl", PASSWORD, site.clock.now())  # cannot be written to
    known, unknown, silent = (ask_for_link(browser, who) for who in ("anna", "nobody@example.net", "carl"))
    plain = [re.sub(r'name="csrf_token" value="[^"]*"', "", answer.text) for answer in (known, unknown, silent)]
    assert plain[0] == plain[1] == plain[2] and "anna" not in plain[0].lower().replace("anna@example", "")
    assert set(links_sent(site)) == {"Anna@example.net"}
    limiter.reset()
    ask_for_link(browser, "anna@example.net")
    assert links_sent(site) == {}  # not again at once
    assert ask_for_link(browser, "").status_code == 200 and links_sent(site) == {}


def test_asking_for_links_and_trying_them_is_slowed_down(reachable):
    browser = reachable.site.app.test_client()
    assert [ask_for_link(browser, f"guess{n}").status_code for n in range(4)] == [200] * 3 + [429]
    answers = [use_link(browser, f"/desk/enter/{n:040x}").status_code for n in range(7)]
    assert answers == [401] * 5 + [429] * 2


def test_a_link_reaches_the_account_whose_address_is_the_house_s_own(reachable):
    reachable.site.service.settings = replace(reachable.site.settings, moderator="anna@example.net")
    ask_for_link(reachable.site.app.test_client(), "anna")
    assert set(links_sent(reachable.site)) == {"Anna@example.net"}


def test_a_session_ends_by_itself(desk):
    assert desk.client.get("/desk/").status_code == 200
    desk.site.clock.advance(days=8)
    assert desk.client.get("/desk/").status_code == 302


@pytest.mark.parametrize(("name", "password"), [
    ("Anna", PASSWORD), ("", PASSWORD), ("a" * 41, PASSWORD), ("an na", PASSWORD), ("anna\n", PASSWORD),
    ("anna", "short"), ("anna", "x" * 201),
])  # fmt: skip
def test_accounts_that_cannot_be(desk, name, password):
    with pytest.raises(BadAccount):
        desk.accounts.add(name, password, desk.site.clock.now())


def test_passwords_and_tokens_are_not_stored_as_they_are(desk, tmp_path):
    token = desk.accounts.new_token("anna")
    content = b"".join(file.read_bytes() for file in desk.site.settings.var.glob("pbem.sqlite*"))
    assert PASSWORD.encode() not in content and token.encode() not in content
    assert desk.accounts.of_token(token).name == "anna"
    assert desk.accounts.of_token(token + "x") is None
    desk.accounts.drop_token("anna")
    assert desk.accounts.of_token(token) is None


def addresses(site: Site, campaign: str) -> list[tuple[str, str]]:
    """(method, address) of everything on the desk that belongs to a campaign."""
    found = []
    with site.app.test_request_context():
        for rule in site.app.url_map.iter_rules():
            if rule.rule.startswith("/desk/c/"):
                values = {"campaign": campaign, "number": 1, "name": "pause", "event": 1}
                address = rule.build({name: values[name] for name in rule.arguments})[1]
                found += [(method, address) for method in rule.methods & {"GET", "POST"}]
    assert len(found) >= 18
    return found


def test_a_foreign_campaign_is_as_one_that_is_not_there(desk):
    other = Desk(desk.site, "berta", runs=False)
    token = csrf_of(other.client, "/desk/account")
    before = desk.last
    for (method, foreign), (_, absent) in zip(
        addresses(desk.site, desk.site.id), addresses(desk.site, "no-such-one"), strict=True
    ):
        answers = [
            other.client.open(address, method=method, data={"csrf_token": token, "reason": "I want to"})
            for address in (foreign, absent)
        ]
        assert [answer.status_code for answer in answers] == [404, 404], (method, foreign)
        assert re.sub(r'value="[^"]*"', "", answers[0].text) == re.sub(r'value="[^"]*"', "", answers[1].text)
    assert desk.last == before
    assert desk.site.id not in other.client.get("/desk/?state=all").text


def test_without_a_login_nothing_is_shown_and_nothing_done(desk):
    for browser in (desk.site.client(), desk.site.client("seat1")):
        token = csrf_of(browser)
        before = desk.last
        for method, address in [*addresses(desk.site, desk.site.id), ("GET", "/desk/"), ("POST", "/desk/new")]:
            answer = browser.open(address, method=method, data={"csrf_token": token, "reason": "please"})
            assert answer.status_code in ((302,) if method == "GET" else (404,)), (method, address)
            assert "Player seat1" not in answer.text
        assert desk.last == before


def test_an_admin_runs_all(desk):
    admin = Desk(desk.site, "root", runs=False, admin=True)
    assert desk.site.id in admin.client.get("/desk/").text
    assert admin.get().status_code == 200
    assert admin.done("do/pause", reason="a holiday") == ["paused"]


def test_forms_without_their_token_do_nothing(desk):
    before = desk.last
    answer = desk.client.post(f"/desk/c/{desk.site.id}/do/pause", data={"reason": "x"})
    assert answer.status_code == 400 and desk.last == before


def test_login_goes_on_to_pages_of_the_desk_only(desk):
    for back, wanted in [("/desk/new", "/desk/new"), ("//evil.example/", "/desk/"), ("/desk\\evil", "/desk/"),
                         ("https://evil.example/desk", "/desk/"), ("/desk/\r\nX: y", "/desk/")]:  # fmt: skip
        limiter.reset()
        browser = desk.site.app.test_client()
        values = {"name": "anna", "password": PASSWORD, "back": back, "csrf_token": csrf_of(browser, "/desk/login")}
        assert browser.post("/desk/login", data=values).headers["Location"] == wanted


def test_a_campaign_is_handed_over(desk):
    other = Desk(desk.site, "berta", runs=False)
    desk.refused("moderators", 422, "there is no moderator", moderator="nobody", do="take")
    desk.done("moderators", moderator="berta", do="take")
    assert other.get().status_code == 200
    desk.done("moderators", moderator="anna", do="leave")
    assert desk.get().status_code == 404 and other.get().status_code == 200


# --- every action -----------------------------------------------------------------------------------------------------


def test_a_campaign_from_its_creation_to_the_archive(inviting):
    desk, site = inviting, inviting.site
    seats = set(site.seats)
    token = csrf_of(desk.client, "/desk/account")
    made = desk.client.post("/desk/new", data={
        "csrf_token": token, "game": "toy", "title": "From the desk", "campaign": "from-the-desk", "seats": "3",
        "scenario": "standard", "hours.default": "30", "hours.negotiation": "12", "missed": "grace", "grace_hours": "5",
        "extensions": "2", "extension_hours": "7", "then": "pause", "answers": "everyone", "press": "windows",
        "spectators": "no", "reminders": "10, 2",
    })  # fmt: skip
    assert made.status_code == 303 and made.headers["Location"] == "/desk/c/from-the-desk/"
    status = site.service.status("from-the-desk")
    assert status.title == "From the desk" and status.dice and len(status.seats) == 3
    assert status.policy == {
        "times": {"default": 30, "negotiation": 12}, "reminders": [10, 2], "missed": "grace", "grace_hours": 5,
        "extensions": 2, "extension_hours": 7, "then": "pause", "answers": "everyone", "press": "windows",
        "spectators": "no", "absence_days": 14, "tell": "no",
    }  # fmt: skip
    site.id = "from-the-desk"
    assert desk.kinds() == ["created"]

    person = {"language": "fr", "timezone": "Europe/Paris"}
    for seat in site.seats:
        person |= {"seat": seat, "name": f"Player {seat}", "address": f"{seat}@example.net"}
        assert desk.done("do/invite", **person) == ["invited"]
    assert desk.told("invitation") == seats
    assert site.service.player(site.id, "seat1")["timezone"] == "Europe/Paris"
    desk.refused("do/start", 409, "not all have accepted yet", seat="seat1")
    for seat in site.seats:
        site.service.accept(site.id, seat)
    chosen = dict(zip(site.seats, ["red", "blue", "green"], strict=True))
    desk.refused("do/assign", 422, "cannot be given", **{f"power.{s}": "red" for s in site.seats})
    assert desk.done("do/assign", **{f"power.{s}": p for s, p in chosen.items()}) == ["assigned"]
    assert site.service.status(site.id).seats["seat2"]["powers"] == ["blue"]
    assert desk.told("report") == seats
    said = desk.get("events").text
    assert "The moderator gives out the powers: Seat 1 – Red, Seat 2 – Blue and Seat 3 – Green" in said
    assert "started" in desk.done("do/start")
    assert desk.told("opening") == seats and desk.told("window_opening") == seats

    deadline = site.service.status(site.id).deadline
    desk.refused("do/extend", 422, "hours", hours="0", reason="back")
    desk.refused("do/extend", 422, "in the past", hours="-500", reason="back")
    desk.refused("do/extend", 422, "reason", hours="5", reason="  ")
    assert desk.done("do/extend", hours="5", reason="a late train") == ["extended"]
    assert site.service.status(site.id).deadline == deadline + timedelta(hours=5)
    assert desk.told("extension") == seats
    assert desk.done("do/extend", hours="-2", reason="the train came") == ["extended"]
    assert site.service.status(site.id).deadline == deadline + timedelta(hours=3)
    assert site.service.events(site.id)[-1]["public"]["earlier"] and desk.told("extension") == seats
    desk.refused("do/extend", 409, "closes for all at once", hours="5", reason="a late train", seat="seat2")
    form = html.fromstring(desk.get().data).get_element_by_id("do-extend")
    assert form.xpath(".//select[@name='seat']/option/@value") == [""], "what would be refused is not offered"
    assert "later questions have their usual time again" in form.text_content()
    assert "(needed)" in form.text_content() and form.xpath(".//textarea[@name='reason']/@required")

    assert desk.done("do/pause", reason="Holidays") == ["paused"]
    assert desk.told("pause") == seats and site.service.status(site.id).deadline is None
    desk.refused("do/pause", 409, "The campaign is now: paused", reason="again")
    assert desk.done("do/resume", reason="Back") == ["resumed"]
    assert desk.told("resume") == seats and site.service.status(site.id).deadline is not None

    old = site.service.token_of(site.id, "seat3")
    person = {"seat": "seat3", "name": "New", "address": "new@example.net", "reason": "left"}
    desk.refused("do/replace", 422, "Seat", **{**person, "seat": ""})
    assert "Seat 3 (Player seat3: Green)" in desk.get().text
    assert desk.done("do/replace", **person) == ["replaced"]
    assert site.service.seat_of(site.id, old) is None and desk.told("takeover") == {"seat3"}
    assert desk.told("replacement") == seats - {"seat3"}
    assert site.service.player(site.id, "seat3")["name"] == "New"

    before = desk.last
    facts = '[{"fact": "units", "kind": "unit", "power": "red", "number": 3, "origin": "home", "place": "hill"}]'
    tried = re.search(r'name="tried" value="(\w+)"', desk.post("ruling", do="try", facts=facts, reason="a slip").text)
    assert tried and desk.last == before, "a try changes nothing"
    assert desk.done("ruling", do="rule", facts=facts, reason="a slip", tried=tried[1]) == ["ruling"]
    assert site.service.view_at(site.id).count("hill", "red", "unit") == 3 and desk.told("ruling") == seats

    page = desk.get(f"rewind?event={before}").text
    assert "What everybody would see change" in page and "<td>3</td><td>0</td>" in page
    assert desk.done("rewind", event=str(before), reason="on second thoughts") == ["rewound"]
    assert site.service.view_at(site.id).count("hill", "red", "unit") == 0 and desk.told("rewind") == seats
    assert desk.done("rewind", event="", reason="the step anew")[0] == "rewound"

    assert desk.done("do/finish", reason="Enough")[0] == "finished"
    assert desk.told("final") == seats
    assert desk.done("do/archive") == ["archived"]
    assert site.service.status(site.id).state == "archived"
    report = verify.verify(io.BytesIO(desk.get("bundle").data), [])
    assert report.secret_opened


def test_a_corrected_kit_comes_in_from_the_configured_files(desk, tmp_path, monkeypatch):
    site = desk.site
    assert "The configured files hold the same" in desk.get("kit").text
    folder = tmp_path / "corrected"
    toy.write_kit(folder)
    file = folder / "games" / "toy" / "places.csv"
    file.write_text(file.read_text().replace("Green Hollow,rules", "Deep Hollow,rebuilt"))
    monkeypatch.setenv("PBEM_CONFIG", str(folder))
    page = desk.get("kit").text
    assert "places / hollow / name" in page and "Deep Hollow" in page
    old = site.service.kit_of(site.id).hash
    desk.refused("kit", 422, "reason", reason="")
    assert desk.done("kit", reason="the printed name") == ["settings"]
    assert site.service.kit_of(site.id).hash == old, "the open step goes on as it began"
    site.play(3, 1, lambda status: status.kind == "negotiation" and "kit" in desk.kinds())
    assert site.service.kit_of(site.id).hash != old and desk.told("ruling") == set(site.seats)
    shown = desk.get("kit").text
    assert "Rebuilt values: 1" in shown and "Deep Hollow" in shown
    assert "1 value is rebuilt</a>" in desk.get().text
    file.write_text("id,name\nbroken")
    faults = desk.get("kit")
    assert faults.status_code == 200 and "have faults and cannot be used" in faults.text
    desk.refused("kit", 422, "places.csv", reason="try it")


def test_the_rebuilt_values_of_a_published_game_are_shown(empires):
    page = Desk(empires).get("kit").text
    number = len(empires.service.kit_of(empires.id).rebuilt())
    assert number > 100 and f"Rebuilt values: {number}" in page and page.count('<span class="value">') == number
    assert "Counters (65) <code>counters.csv</code>" in page and "ottoman_empire" not in page


def test_founding_asks_for_the_times_of_every_kind_of_question_of_a_game_that_there_is(desk):
    page = desk.client.get("/desk/new?game=struggle_of_empires").text
    assert all(f'name="hours.{kind}"' in page for kind in load_kit("struggle_of_empires").times)
    assert "in preparation" not in page and desk.client.get("/desk/new?game=nothing").status_code == 404


@pytest.mark.parametrize("game", ["struggle_of_empires", "here_i_stand", "thirty_years_war", "virgin_queen"])
@pytest.mark.parametrize(("code", "usual"), [("en", "as a rule"), ("fr", "d’ordinaire"), ("ru", "обычно")])
def test_values_of_options_are_offered_in_words(desk, game, code, usual):
    token = csrf_of(desk.client, "/desk/account")
    assert desk.client.post("/language", data={"csrf_token": token, "language": code}).status_code == 303
    tree = html.fromstring(desk.client.get(f"/desk/new?game={game}").data)
    kit = load_kit(game)
    teller = Teller(kit, code)
    for id, option in kit.options.items():
        if not option.choices:
            assert tree.xpath(f"//input[@name='option.{id}']/@value") == [str(option.default)]
            continue
        (field,) = tree.xpath(f"//fieldset[@id='option-{id}']")
        assert teller.option(option) in field.findtext("legend")
        told = [(label.find("input"), label.text_content()) for label in field.iter("label")]
        assert [radio.get("value") for radio, _ in told] == [option.word(choice) for choice in option.choices]
        is_usual = [choice == option.default for choice in option.choices]
        assert ["checked" in radio.attrib for radio, _ in told] == [usual in words for _, words in told] == is_usual
        shown = field.text_content()
        for choice in option.choices:
            assert teller.option_value(option, choice) in shown and not re.search(r"\b(true|false|\w+_\w+)\b", shown)


@pytest.mark.parametrize("code", ["en", "fr", "ru"])
@pytest.mark.parametrize("game", ["struggle_of_empires", "here_i_stand", "thirty_years_war", "virgin_queen"])
def test_the_kit_page_tells_each_option_in_words(desk, game, code):
    token = csrf_of(desk.client, "/desk/account")
    desk.client.post("/language", data={"csrf_token": token, "language": code})
    kit = load_kit(game)
    teller = Teller(kit, code)
    shown = html.fromstring(desk.client.get(f"/games/{game}/kit").data).text_content()
    for option in kit.options.values():
        told = [teller.option(option), teller.option_about(option)]
        assert all(words in shown for words in (*told, *(teller.option_value(option, one) for one in option.choices)))


@pytest.mark.parametrize("game", ["struggle_of_empires", "here_i_stand", "thirty_years_war", "virgin_queen"])
def test_founding_is_one_short_screen(desk, game):
    page = desk.client.get(f"/desk/new?game={game}").text
    first, _, folded = page[page.index("<h1>") :].partition('<details class="choices"')
    asked = set(re.findall(r'name="([^"]+)"', first)) - {"csrf_token", "game"}
    assert asked <= {"title", "seats", "scenario", "pace", "spectators", "players", "language", "like", "do"}
    assert asked >= {"title", "seats", "pace", "players"} and "rebuilt" in first
    assert 'name="hours.default"' in folded and 'name="missed"' in folded
    usual = load_kit(game).seats.get("usual", 2)
    assert re.search(rf'name="seats">.*?value="{usual}" selected', page, re.S)
    assert re.search(r'name="missed">.*?value="grace" selected', page, re.S)


def test_players_are_invited_where_the_campaign_is_founded(desk):
    values = {"csrf_token": csrf_of(desk.client, "/desk/account"), "game": "toy", "seats": "3", "campaign": "club"}
    values |= {"pace": "quick", "language": "fr", "hours.show": "48", "hours.march": ""}
    for box, words in [("Anna", "Line 1"), ("Anna <a@example.net>\nBo <a@example.net>", "stands there twice"),
                       ("\n".join(f"p{n}@example.net" for n in range(4)), "More players are named (4) than"),
                       ("Anna <a@example.net>, Bo <b@example.net>", "Line 1")]:  # fmt: skip
        answer = desk.client.post("/desk/new", data={**values, "players": box})
        assert answer.status_code == 422 and words in html.fromstring(answer.data).text_content(), box
    assert "club" not in desk.site.service.campaigns()
    box = "Anna Ä <anna@example.net>\n\n  bo@example.net \n"
    assert desk.client.post("/desk/new", data={**values, "players": box}).status_code == 303
    site = desk.site
    first, second = (site.service.player("club", seat) for seat in ("seat1", "seat2"))
    assert (first["name"], first["address"], first["language"]) == ("Anna Ä", "anna@example.net", "fr")
    assert second["name"] == "bo" and site.service.player("club", "seat3") is None
    times = site.service.status("club").policy["times"]
    assert times["default"] == 36 and times["show"] == 48 and times["march"] == 36  # half, but for what was changed


def test_a_campaign_begins_with_the_choices_of_another(desk):
    token = csrf_of(desk.client, "/desk/account")
    desk.client.post("/desk/new", data={
        "csrf_token": token, "game": "struggle_of_empires", "seats": "5", "campaign": "winter", "title": "Winter",
        "missed": "hold", "hours.auction": "30", "option.forts_in_setup": "false", "reminders": "10, 2",
    })  # fmt: skip
    tree = html.fromstring(desk.client.get("/desk/new?game=struggle_of_empires&like=campaign:winter").data)
    chosen = {one.getparent().get("name"): one.get("value") for one in tree.xpath("//select/option[@selected]")}
    assert chosen["missed"] == "hold"
    assert tree.xpath("//input[@name='option.forts_in_setup'][@checked]/@value") == ["false"]
    assert tree.xpath("//input[@name='hours.auction']/@value") == ["30"]
    assert tree.xpath("//input[@name='reminders']/@value") == ["10, 2"]


@pytest.mark.parametrize("game", ["struggle_of_empires", "here_i_stand", "thirty_years_war", "virgin_queen"])
def test_a_campaign_begins_with_choices_that_the_game_names(desk, game):
    kit = load_kit(game)
    teller = Teller(kit, "en")
    assert "quick" in kit.choice_sets and len(kit.choice_sets) >= 3
    for name, chosen in kit.choice_sets.items():
        tree = html.fromstring(desk.client.get(f"/desk/new?game={game}&like=set:{name}").data)
        (offered,) = tree.xpath("//select[@id='like']//option[@selected]")
        assert offered.text_content() == teller.words("choice_set")[name]
        assert tree.xpath("//select[@id='pace']/option[@selected]/@value") == [chosen.get("pace", "normal")]
        ticked = tree.xpath("//input[starts-with(@name, 'option.')][@checked or @type='number']")
        told = {one.get("name").partition(".")[2]: one.get("value") for one in ticked}
        wanted = kit.settings(dict(chosen["options"]))
        assert told == {id: option.word(wanted[id]) for id, option in kit.options.items()}
        hint = tree.xpath("//*[contains(@class, 'begin')]")[0].text_content()
        for id, value in chosen["options"].items():
            option = kit.options[id]
            assert (teller.option(option) + ": “" in hint) == (value != option.default), (name, id)


def test_a_club_keeps_its_choices_under_a_name_for_the_next_time(desk):
    token = csrf_of(desk.client, "/desk/account")
    values = {"csrf_token": token, "game": "struggle_of_empires", "seats": "5", "campaign": "one", "missed": "hold",
              "pace": "quick", "option.gold_sums": "owner", "keep_as": " Our club "}  # fmt: skip
    refused = desk.client.post("/desk/new", data={**values, "keep_as": "x" * 61})
    assert refused.status_code == 422 and "a name of at most 60 characters" in refused.text
    assert "one" not in desk.site.service.campaigns(), "nothing was changed, as the page says"
    assert desk.client.post("/desk/new", data=values).status_code == 303
    tree = html.fromstring(desk.client.get("/desk/new?game=struggle_of_empires&like=kept:Our club").data)
    assert tree.xpath("//select[@id='like']//option[@selected]/text()") == ["Our club"]
    assert tree.xpath("//input[@name='option.gold_sums'][@checked]/@value") == ["owner"]
    assert tree.xpath("//select[@name='missed']/option[@selected]/@value") == ["hold"]
    assert tree.xpath("//select[@name='pace']/option[@selected]/@value") == ["quick"]
    assert tree.xpath("//select[@name='seats']/option[@selected]/@value") == ["5"]
    (time,) = tree.xpath("//input[@name='hours.default']")
    assert (time.get("value"), time.get("placeholder")) == ("", "36"), "the pace says it"
    other = Desk(desk.site, "berta", runs=False)
    assert "Our club</option>" not in other.client.get("/desk/new?game=struggle_of_empires&like=kept:Our club").text
    assert "Our club" not in desk.client.get("/desk/new?game=here_i_stand").text
    forget = {"csrf_token": token, "game": "struggle_of_empires", "name": "Our club"}
    assert desk.client.post("/desk/new/forget", data=forget).status_code == 303
    assert desk.client.get("/desk/new?game=struggle_of_empires").text.count("Our club") == 1, "that it is forgotten"
    assert "Our club" not in desk.client.get("/desk/new?game=struggle_of_empires").text


def test_readings_of_unclear_rules_lie_folded_behind_scenario_and_lengths(desk):
    page = desk.client.get("/desk/new?game=struggle_of_empires").text
    first, _, folded = page[page.index("<h1>") :].partition('<details class="choices">')
    assert 'name="option.' not in first
    number = len(load_kit("struggle_of_empires").options)
    assert f"Readings of unclear rules ({number})" in folded and folded.count(" data-option ") == number


def test_options_that_are_no_readings_have_folds_of_their_own(desk):
    page = desk.client.get("/desk/new?game=thirty_years_war").text
    _, _, readings = page.partition("Readings of unclear rules")
    groups = load_kit("thirty_years_war").grouped_options()
    for group in groups:
        for option in group.options:
            assert f'name="option.{option.id}"' in page
            assert (f'name="option.{option.id}"' in readings) == group.folded, option.id
    assert any(group.folded for group in groups) and not all(group.folded for group in groups)


def test_a_game_in_preparation_is_called_so(desk, tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_unfinished_kit(tmp_path / "config", "here_i_stand")))
    assert "in preparation: its rules and values may still be" in desk.client.get("/desk/new?game=here_i_stand").text


# --- rulings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("facts", "words"), [
    ("[", "no JSON"), ("{}", "square brackets"), ("[]", "at least one fact"), ("[1]", "list of objects"),
    ('[{"fact": "roll", "what": "x"}]', "its type (“fact”) is one of"),
    ('[{"fact": ["x"]}]', "its type (“fact”) is one of"),
    ('[{"fact": "units", "kind": "unit"}]', "does not say whose it is (“power”"),
    ('[{"fact": "count", "track": "luck", "power": "red", "after": 1.5}]', "to be (“after”) is to be a whole number"),
    ('[{"fact": "count", "track": "luck", "power": "red", "after": 99999999999999999999}]', "whole number"),
    ('[{"fact": "state", "name": "x", "after": 1.5}]', "the ledger cannot hold this"),
    ('[{"fact": "state", "name": "x", "after": "\\ud800"}]', "half a character"),
    ('[{"fact": "state", "name": "round", "before": 5, "after": 1}]', "Round is 0, not 5."),
    ('[{"fact": "units", "kind": "unit", "power": "red", "number": 99, "origin": "home", "place": "hill"}]', "not 99"),
    ('[{"fact": "card", "card": "card_01", "origin": null, "place": "discard"}]', "25 cards"),
    ("[" * 5000, "no JSON"),
])  # fmt: skip
def test_rulings_that_cannot_be(desk, facts, words):
    desk.refused("ruling", 422, words, do="try", facts=facts, reason="hm")


def test_a_ruling_is_made_only_as_it_was_tried(desk):
    facts = '[{"fact": "count", "track": "luck", "power": "red", "after": 3}]'
    desk.refused("ruling", 409, "Try it first", do="rule", facts=facts, reason="hm", tried="")
    desk.refused("ruling", 409, "Try it first", do="rule", facts=facts, reason="hm", tried="ü")
    mark = re.search(r'name="tried" value="(\w+)"', desk.post("ruling", do="try", facts=facts, reason="hm").text)[1]
    other = facts.replace("3", "4")
    desk.refused("ruling", 409, "Try it first", do="rule", facts=other, reason="hm", tried=mark)
    desk.site.service.extend(desk.site.id, 1, "meanwhile")
    desk.refused("ruling", 409, "Try it first", do="rule", facts=facts, reason="hm", tried=mark)


def built(desk: Desk, *steps: dict[str, str], facts: str = "[]") -> str:
    """The facts of a ruling that is built from lists: what is chosen, and what it is to be."""
    for step in steps:
        page = html.fromstring(desk.post("ruling", do="choose", facts=facts, what=step["what"]).data)
        (thing,) = page.xpath("//input[@name='thing']/@value")
        named = {field.get("name") for field in page.xpath("//fieldset[@class='change']//*[@name]")} - {"do", "thing"}
        assert named == step.keys() - {"what"}, step
        said = {name: value for name, value in step.items() if name != "what"}
        answer = desk.post("ruling", do="add", facts=facts, thing=thing, **said)
        assert answer.status_code == 200, html.fromstring(answer.data).xpath("string(//*[@role='alert'])")
        facts = html.fromstring(answer.data).xpath("//textarea[@id='facts']")[0].text
    return facts


RULED = [
    {"what": "Home: 5 units, Red", "number": "2", "to": "green hill"},
    {"what": "Luck: Blue", "value": "7"},
    {"what": "Green Hill: 2 units, Red", "number": "1", "to": "The supply"},
    {"what": "Home: 3 units, Red", "number": "3", "to": "out of the game"},
]
"""A ruling on the toy, thing by thing, as its lists name them."""


def test_a_ruling_is_built_from_lists_and_read_back_in_the_words_of_reports(desk):
    site = desk.site
    listed = html.fromstring(desk.get("ruling").data).xpath("//datalist[@id='things']/option/@value")
    assert len(listed) == len(set(listed)) == 9 and not any("_" in name or "hand" in name for name in listed)
    facts = built(desk, *RULED)
    assert [fact["fact"] for fact in json.loads(facts)] == ["units", "count", "units", "units"]
    tried = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="all").data)
    (call,) = tried.xpath("//section[contains(@class, 'call')]")
    read = [line.text_content() for line in call.xpath("./ul/li")]
    assert read == ["Red: 2 units from home to Green Hill.", "Blue: luck → 7.", "Red: 1 unit removed from Green Hill.",
                    "Red: 3 units removed from home."]  # fmt: skip
    folded = tried.xpath("//textarea[@id='facts']/ancestor::details")
    assert folded and "open" not in folded[0].attrib, "its JSON is folded away"
    desk.done("ruling", do="rule", facts=facts, reason="all", tried=tried.xpath("//input[@name='tried']/@value")[0])
    board = site.service.view_at(site.id)
    assert board.count("hill", "red", "unit") == 1 and board.count("home", "red", "unit") == 0
    assert site.service.view_at(site.id, "seat2").value("luck", "blue") == 7, "a number that only its owner sees"
    told = desk.get("events").text
    public = [line.replace("→ 7", "changes") for line in read]
    assert all(line in html.fromstring(told).text_content() for line in public)
    ledger = html.fromstring(site.client("seat3").get(site.url("/ledger")).data).text_content()
    assert all(line in ledger for line in public)


def test_a_change_is_taken_out_of_a_ruling_again(desk):
    facts = built(desk, *RULED[:2])
    page = html.fromstring(desk.post("ruling", do="drop-0", facts=facts, reason="").data)
    assert [fact["fact"] for fact in json.loads(page.xpath("//textarea[@id='facts']")[0].text)] == ["count"]
    assert [line.text.strip() for line in page.xpath("//ol[@class='ruled']/li")] == ["Blue: luck → 7."]


@pytest.mark.parametrize(("what", "said", "words"), [
    ("", {}, "Say what the ruling is to change."),
    ("Luk: Blue", {}, "Nothing called “Luk: Blue” is on the board; did you mean “Luck: Blue”?"),
    ("luck", {}, "“luck” may be several things: “Luck: "),
    ("Luck: Blue", {"value": ""}, "Say what it is to be."),
    ("Luck: Blue", {"value": "many"}, "Say it as a whole number: “many” is none."),
    ("Home: 5 units, Red", {"number": "99", "to": "Green Hill"}, "99 cannot go from there."),
    ("Home: 5 units, Red", {"number": "0", "to": "Green Hill"}, "At least one goes."),
    ("Home: 5 units, Red", {"number": "1", "to": ""}, "Say where to."),
    ("Home: 5 units, Red", {"number": "1", "to": "Hoem"}, "did you mean “Home”?"),
    ("Home: 5 units, Red", {"number": "1", "to": "Home"}, "They are there already."),
])  # fmt: skip
def test_what_a_ruling_lacks_is_said_in_words(desk, what, said, words):
    if not said:
        answer = desk.post("ruling", do="choose", facts="[]", what=what)
    else:
        page = html.fromstring(desk.post("ruling", do="choose", facts="[]", what=what).data)
        answer = desk.post("ruling", do="add", facts="[]", thing=page.xpath("//input[@name='thing']/@value")[0], **said)
    (alert,) = html.fromstring(answer.data).xpath("//*[@role='alert']")
    assert answer.status_code == 422 and words in alert.text_content()
    assert not re.search(r"\b(units-|value\b.*missing|[a-z]+_[a-z]+|hand:)", alert.text_content())


def test_trying_a_ruling_on_hidden_things_is_put_on_record(desk):
    site = desk.site
    facts = '[{"fact": "card", "card": "card_01", "origin": "hand:red", "place": "discard"}]'
    held = "card_01" in site.service.view_at(site.id, "seat1").piles["hand:red"]
    before = desk.last
    answer = desk.post("ruling", do="try", facts=facts, reason="is it there?")
    assert answer.status_code == (200 if held else 422)
    event = site.service.events(site.id, "seat2", before + 1)
    assert [one["kind"] for one in event] == ["asked_referee"] and event[0]["public"]["reason"] == "is it there?"


def test_a_held_campaign_tells_no_hidden_difference(desk, monkeypatch):
    """What the rules now give instead may be a card; the desk says only that they differ."""
    site = desk.site
    secret = site.service.view_at(site.id, "seat1").piles["hand:red"][0]
    site.service.memory.drop(site.id)
    whole = type(toy.GAME).round

    def other(game, table):
        table.tell("changed rules")
        yield from whole(game, table)

    monkeypatch.setattr(type(toy.GAME), "round", other)
    site.service.submit(Submission(site.id, ["DONE"], site.clock.now(), seat="seat1"))
    site.service.project()
    assert site.service.status(site.id).state == "held"
    assert secret in str(site.service.events(site.id, "seat1"))
    for page in (desk.get(), desk.client.get("/desk/?only=trouble"), desk.get("events")):
        assert secret not in page.text and "held" in page.text
    desk.refused("do/resume", 409, "the rules still differ from the record", reason="now?")
    assert desk.done("rewind", event="", reason="new rules")[0] == "rewound"
    assert site.service.status(site.id).state == "running"


# --- going back -------------------------------------------------------------------------------------------------------


def test_going_back_names_the_rulings_and_kept_things_that_it_undoes_or_leaves(desk):
    site = desk.site
    back_to = desk.last
    for seat in site.seats:
        mails(desk, "DONE", seat=seat)
    mails(desk, "PRESS TO blue: meet me at the mill", seat="seat1")
    mails(desk, "STANDING PRESET quiet", seat="seat2")
    facts = built(desk, RULED[1])
    tried = html.fromstring(desk.post("ruling", do="try", facts=facts, reason="Blue was lucky").data)
    desk.done("ruling", do="rule", facts=facts, reason="Blue was lucky",
              tried=tried.xpath("//input[@name='tried']/@value")[0])  # fmt: skip
    ruling = desk.last
    site.service.extend(site.id, 24, "holidays")
    page = html.fromstring(desk.get(f"rewind?event={back_to}").data)
    (call,) = page.xpath("//section[contains(@class, 'call')]")
    undone, stays = (" ".join(one.text_content().split()) for one in call.xpath("./ul")[:2])
    assert f"A ruling: event {ruling} The moderator rules: Blue: luck changes. “Blue was lucky”" in undone
    assert "Orders and answers: sealed answers 3" in undone
    assert "Messages between players stay: 1 since then." in stays and "Queued orders fall" in stays
    assert re.search(r"Standing orders stay .*\(Changes of .* since then: [1-9];", stays)
    assert re.search(r"Event \d+ The deadline is moved: stays as it is", stays)
    assert "mill" not in page.text_content() and "quiet" not in page.text_content()
    nothing = html.fromstring(desk.get(f"rewind?event={desk.last - 1}").data).text_content()
    assert "No ruling is undone." in nothing and "Nobody has written to another player since then." in nothing
    site.service.submit(Submission(site.id, ["SHOW " + site.service.view_at(site.id, "seat1").piles["hand:red"][0]],
                                   site.clock.now(), seat="seat1"))  # fmt: skip
    of_step = html.fromstring(desk.get("rewind").data).xpath("//details[contains(., 'What that undoes')]")
    assert of_step and "sealed answers" in of_step[0].text_content()


# --- hidden things ----------------------------------------------------------------------------------------------------


def hidden_cards(site: Site) -> set[str]:
    return {card for seat, power in zip(site.seats, ("red", "blue", "green"), strict=True)
            for card in site.service.view_at(site.id, seat).piles[f"hand:{power}"]}  # fmt: skip


def mails(desk: Desk, line: str, *, body: bytes | None = None, seat: str = "seat1") -> int:
    """Let a seat send a mail; returns its number in the inbox."""
    site = desk.site
    content = body or f"To: {site.id}+{site.tokens[seat]}@example.org\r\nSubject: move\r\n\r\n{line}\r\n".encode()
    answer = site.service.submit(Submission(
        site.id, [line], site.clock.now(), "mail", token=site.tokens[seat], raw=content, remote="192.0.2.1",
    ))  # fmt: skip
    site.service.project()
    return answer.number


def test_no_page_of_the_desk_shows_what_is_hidden(desk):
    site = desk.site
    for seat in site.seats:
        mails(desk, "DONE", seat=seat)
    card = site.service.view_at(site.id, "seat1").piles["hand:red"][0]
    number = mails(desk, f"SHOW {card}")
    mails(desk, "PRESS TO blue: meet me at the mill", seat="seat1")
    secrets = {f"SHOW {card}", "meet me at the mill", site.tokens["seat1"], site.tokens["seat2"]}
    cards = {name for held in hidden_cards(site) for name in (held, held.replace("_", " "))}
    pages = ["", "inbox", f"inbox/{number}", "outbox", "events", "ruling", "rewind", f"rewind?event={desk.last - 1}",
             "kit", "hidden", "bundle"]  # fmt: skip
    for path in pages:
        answer = desk.get(path)
        assert answer.status_code == 200, path
        laid_out = path in ("events", "bundle")  # the toy lays its whole deck out openly before it is dealt
        for secret in secrets if laid_out else secrets | cards:
            assert secret not in answer.text, (path, secret)
    assert f"/inbox/{number}" in desk.get("inbox").text and "accepted: 1" in desk.get("inbox").text
    assert not any(secret in desk.client.get("/desk/").text for secret in secrets | cards)
    assert not any(card in str(e) for e in site.service.events(site.id, None, 10) for card in hidden_cards(site))


def test_the_whole_board_is_shown_once_for_a_reason_that_all_can_read(desk):
    site, cards = desk.site, hidden_cards(desk.site)
    desk.refused("hidden", 422, "reason", what="board", reason=" ")
    desk.refused("hidden", 422, "there is no event 999", what="event", event="999", reason="x")
    before = desk.last
    page = desk.post("hidden", what="board", reason="Red says that he holds four cards")
    assert page.status_code == 200 and all(card in page.text for card in cards)
    assert page.headers["Cache-Control"] == "private, no-store"
    for reader in (None, *site.seats):
        events = site.service.events(site.id, reader, before + 1)
        assert [event["kind"] for event in events] == ["asked_referee"]
        assert events[0]["public"]["reason"] == "Red says that he holds four cards"
    again = desk.get("hidden").text
    assert not any(card in again for card in cards)
    ledger = site.client("seat2").get(site.url("/ledger")).text
    assert "The moderator looks at the whole board" in ledger and "he holds four cards" in ledger


def test_an_event_is_shown_whole(desk):
    card = desk.site.service.view_at(desk.site.id, "seat1").piles["hand:red"][0]
    started = desk.kinds().index("started") + 1
    page = desk.post("hidden", what="event", event=str(started), reason="the deal")
    assert page.status_code == 200 and card in page.text
    assert desk.site.service.events(desk.site.id, None, desk.last)[0]["public"]["event"] == started


def test_a_mail_is_read_for_a_reason_without_the_secret_address_of_its_seat(desk):
    number = mails(desk, "DONE")
    token = desk.site.tokens["seat1"]
    desk.refused(f"inbox/{number}", 422, "reason", do="show", reason="")
    before = desk.last
    page = desk.post(f"inbox/{number}", do="show", reason="he says it was lost")
    assert page.status_code == 200 and "Subject: move" in page.text and "DONE" in page.text
    assert token not in page.text and "[secret address]" in page.text
    events = desk.site.service.events(desk.site.id, "seat3", before + 1)
    assert [(e["kind"], e["public"]["submission"]) for e in events] == [("asked_referee", number)]
    assert "Subject: move" not in desk.get(f"inbox/{number}").text
    assert desk.get("inbox/99999").status_code == 404
    assert desk.get(f"inbox/{2**70}").status_code == 404


TOKEN = "abcdefghijklmnop234567qrstuvwxyz"
"""Looks like the token of a seat, of whatever campaign."""


def seen(mail: bytes) -> list[bytes]:
    """What a mail program, or whoever opens the file, reads of a mail: the bytes, the headers, the contents."""
    read = [mail.replace(b"=\r\n", b"")]
    for part in message_from_bytes(mail, policy=policy.default).walk():
        read += [str(value).encode("utf-8", "replace") for value in part.values()]
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            read += [content, content.replace(b"\0", b"")]
    return [one.lower() for one in read]


def coded(kind: str, encoding: str, content: bytes) -> bytes:
    """A part of a mail."""
    encoded = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}.get(encoding, bytes)(content)
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    return head + encoded.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


LINK = f"é > https://pbem.example/c/rome/enter/{TOKEN}?a=b To: rome+{TOKEN.upper()}@example.org, x={TOKEN}\n"
FORWARDED = f"Subject: {TOKEN}\n\nplay {TOKEN}\n".encode()


@pytest.mark.parametrize(("part", "is_left_out"), [
    (coded("text/plain; charset=utf-8", "8bit", LINK.encode()), False),
    (coded("text/plain; charset=utf-8", "quoted-printable", LINK.encode()), False),
    (coded("text/html; charset=utf-8", "base64", LINK.encode()), False),
    (coded("text/plain; charset=utf-16", "base64", LINK.encode("utf-16")), True),
    (coded("application/pdf", "base64", LINK.encode()), True),
    (coded("message/rfc822", "7bit", FORWARDED), False),
    (coded("message/rfc822", "base64", FORWARDED), True),
])
def test_a_download_holds_no_secret_address_of_any_campaign_in_any_encoding(desk, part, is_left_out):
    picture = base64.encodebytes(bytes(range(97, 256)) * 40).replace(b"\n", b"\r\n")
    words = [base64.b64encode(half.encode()).decode() for half in ("link " + TOKEN[:20], TOKEN[20:] + " of mine")]
    own = desk.site.tokens["seat1"]
    mail = (
        f"To: {desk.site.id}+{own}@example.org\r\nSubject: =?utf-8?b?{words[0]}?=\r\n =?utf-8?b?{words[1]}?=\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n"
    ).encode() + part + b"\r\n--x\r\n" + coded("image/png", "base64", b"") + picture + b"\r\n--x--\r\n"
    assert any(TOKEN.encode() in one for one in seen(mail))
    given = desk.post(f"inbox/{mails(desk, 'DONE', body=mail)}", do="download", reason="to look at it").data
    assert not [one for one in seen(given) if TOKEN.encode() in one or own.encode() in one]
    assert picture in given, "what holds nothing is as it was"
    assert (b"a part is left out" in given) == is_left_out
    nothing = b"Subject: x\r\n\r\nno secret \xff\xfe\n\r here"
    assert raw.without_secrets(nothing) == nothing


def test_hostile_mails_are_shown_and_do_nothing(desk):
    evil = f"Subject: {EVIL}\r\n\r\n\x1b[2J\u202egnp.exe\x00{EVIL}\r\n".encode()
    number = mails(desk, "DONE", body=evil)
    page = desk.post(f"inbox/{number}", do="show", reason="strange")
    assert "<script>alert" not in page.text and "&lt;script&gt;alert" in page.text and "1337" not in page.text
    assert "\x1b" not in page.text and "\u202e" not in page.text and "\x00" not in page.text
    binary = bytes(range(256)) * 64
    number = mails(desk, "HELP", body=binary)
    page = desk.post(f"inbox/{number}", do="show", reason="binary")
    assert "000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f  ················" in page.text
    assert "Only its beginning" in page.text


def test_what_a_player_calls_himself_stays_text(inviting):
    desk = inviting
    for value in (EVIL, "{{ config }}", "'; DROP TABLE players; --"):
        name = value[:100]
        desk.done("do/invite", seat="seat1", name=name, address="a@example.net", instead="true")
        page = desk.get()
        assert "<script>alert" not in page.text and "1337" not in page.text
        assert desk.site.service.player(desk.site.id, "seat1")["name"] == name.strip()
    for field, value in [("name", "A\r\nBcc: x@example.net"), ("address", "a@example.net\r\nBcc: b@example.net"),
                         ("address", "no address"), ("name", "\x00"), ("timezone", "Mars/Olympus"), ("language", "xx"),
                         ("seat", "seat99"), ("name", "x" * 101)]:  # fmt: skip
        values = {"seat": "seat1", "name": "A", "address": "a@example.net", field: value}
        answer = desk.post("do/invite", **values)
        assert answer.status_code == 422, (field, value)
        assert "Bcc" not in str(desk.site.service.player(desk.site.id, "seat1"))


@pytest.mark.parametrize(("field", "value"), [
    ("seats", "-1"), ("seats", "99999999999999999999"), ("seats", ""), ("title", "a\nb"), ("title", "x" * 101),
    ("campaign", "No Good"), ("campaign", "../../etc"), ("hours.default", "0"), ("hours.default", "1e9"),
    ("grace_hours", "99999"), ("reminders", "soon"), ("missed", "shrug"), ("scenario", "1518"),
])  # fmt: skip
def test_campaigns_that_cannot_be(desk, field, value):
    count = len(desk.site.service.campaigns())
    values = {"csrf_token": csrf_of(desk.client, "/desk/account"), "game": "toy", "title": "T", "seats": "3"}
    answer = desk.client.post("/desk/new", data={**values, field: value})
    assert answer.status_code == 422 and "Nothing was changed" in answer.text
    assert len(desk.site.service.campaigns()) == count


@pytest.mark.parametrize(("event", "words"), [
    ("-1", "“-1” is no event: write a number from 1 to {most}"), ("0", "“0” is no event"),
    ("99", "there is no event 99 to go back to; there are 1 to {most}"),
    ("99999999999999", "is no event: write a number from 1 to {most}"),
    ("soon", "“soon” is no event: write a number from 1 to {most}"),
    ("3", "the game had not begun at event 3; choose a later one"), ("{last}", "event {last} is the last"),
])  # fmt: skip
def test_an_event_that_cannot_be_gone_back_to_is_answered_with_what_would_be_right(desk, event, words):
    event, words = (one.format(last=desk.last, most=desk.last - 1) for one in (event, words))
    answer = desk.get(f"rewind?event={event}")
    page = html.fromstring(answer.data)
    assert answer.status_code == 422
    assert words.casefold() in page.xpath("//*[@role='alert']")[0].text_content().casefold()
    assert page.get_element_by_id("event").get("value") == event
    assert not page.xpath("//section[contains(@class, 'call')]"), "nothing is offered"
    desk.refused("rewind", 422, words, event=event, reason="a slip")


def test_what_falls_by_going_back_is_told_in_the_words_of_reports(empires):
    desk = Desk(empires, "dora")
    page = html.fromstring(desk.get(f"rewind?event={desk.last - 12}").data)
    seen, *notes = page.xpath("//section[contains(@class, 'call')]//table")
    told = {row.findtext("th"): row.findtext("td[1]") for row in seen.iter("tr") if row.findtext("th")}
    assert notes and "whose turn it is" in told and not {"active", "to place", "settled"} & told.keys(), told


def test_strange_addresses_are_answered_calmly(desk):
    for path in ("inbox?page=-5", "inbox?page=99999999999999999999", "outbox?state='--",
                 "events?page=x", "rewind?event=", "hidden?event=zzz"):  # fmt: skip
        assert desk.get(path).status_code == 200, path
    assert desk.get("inbox?state=%00").status_code == 400  # no text at all
    for query in ("?sort=;drop", "?state=%27", "?page=0", "?search=%25_%5C", "?only=x", "?search=" + "x" * 5000):
        assert desk.client.get("/desk/" + query).status_code == 200, query
    desk.refused("rewind", 422, "there is no event 999", event="999", reason="far")
    desk.refused("rewind", 422, "the game had not begun", event="1", reason="far")
    assert desk.post("do/no-such-thing").status_code == 404
    assert desk.post("do/rule").status_code == 404
    assert desk.post(f"outbox/{2**70}/retry").status_code == 404
    assert desk.post("do/pause", reason="x" * 300_000).status_code == 413
    desk.refused("do/pause", 422, "reason", reason="x" * 3_000)


# --- outbox, list -----------------------------------------------------------------------------------------------------


def test_a_message_that_was_given_up_is_shown_and_tried_again(desk):
    store, now = desk.site.service.store, desk.site.clock.now()
    first, second = outbox.claim_due(store, now)[:2]
    outbox.store_rendered(store, first, b"Subject: secret things\r\n\r\nbody", now)
    outbox.mark_failed(store, first.number, "550 <b>no</b> such mailbox", now, for_good=True)
    outbox.mark_sent(store, [second.number], now)
    page = desk.get("outbox?state=failed").text
    assert "550 &lt;b&gt;no&lt;/b&gt; such mailbox" in page and "given up" in page and "secret things" not in page
    assert "1 message could not be sent</a>" in desk.get().text
    assert "1 not sent" in desk.client.get("/desk/?only=trouble").text
    assert desk.post(f"outbox/{first.number}/retry").status_code == 303
    assert outbox.messages(store, state="failed") == []
    assert desk.post(f"outbox/{second.number}/retry").status_code == 303
    assert "was not given up" in desk.get("outbox").text
    other = Desk(desk.site, "berta", runs=False)
    other.accounts.take("another", "berta")
    assert other.post(f"outbox/{first.number}/retry").status_code == 404


def test_mails_are_shown_with_who_sat_at_the_seat_then(desk):
    site = desk.site
    number = mails(desk, "DONE")
    site.clock.advance(hours=1)
    site.service.replace(site.id, "seat1", "Berta", "berta@example.net", "Player seat1 moved away")
    site.clock.advance(hours=1)
    site.tokens["seat1"] = site.service.token_of(site.id, "seat1")
    later = mails(desk, "DONE")
    rows = {row.findtext("th/a"): row.findtext("td[@data-label='From']/small")
            for row in html.fromstring(desk.get("inbox").data).xpath("//tbody/tr")}  # fmt: skip
    assert rows == {str(number): "Player seat1, who sat there then", str(later): "Berta"}
    one = html.fromstring(desk.get(f"inbox/{number}").data).text_content()
    assert "Player seat1 <seat1@example.net>, who sat there then" in one and "Berta" not in one
    told: dict[str, list[str]] = {}
    for row in html.fromstring(desk.get("outbox").data).xpath("//tbody/tr"):
        to = " ".join(row.xpath("./td[@data-label='To']")[0].text_content().split())
        told.setdefault(row.xpath("./td[@data-label='What']/text()")[0], []).append(to)
    assert told["farewell"] == ["who had Seat 1 Player seat1, who sat there then"]
    assert told["invitation to a running game"] == ["Seat 1 Berta"]
    assert "Seat 1 Player seat1, who sat there then" in told["the game begins"]


def test_a_submission_that_the_program_failed_on_is_shown(desk, monkeypatch):
    monkeypatch.setattr("pbem.campaign.taking.take", lambda *a, **k: 1 / 0)
    number = mails(desk, "DONE")
    monkeypatch.undo()
    monkeypatch.setenv("PBEM_CONFIG", str(desk.site.settings.var))
    assert "1 submission was set aside" in desk.get().text
    assert f"inbox/{number}" in desk.get("inbox?state=set_aside").text
    assert "1 set aside" in desk.client.get("/desk/?only=trouble").text
    assert "moderator" in desk.told("set_aside")


def test_the_list_serves_a_thousand_campaigns(desk):
    store, now = desk.site.service.store, desk.site.clock.now()
    t = store.tables.campaigns
    states = ("running", "inviting", "paused", "finished")
    rows = [{
        "campaign": f"c{n:04}", "title": f"Table {n}", "game": "toy", "scenario": "standard", "state": states[n % 4],
        "seats": json.dumps({"seat1": {"powers": ["red"], "accepted": n % 8 == 0}}), "waiting_for": '["red"]',
        "waiting_seats": '["seat1"]', "waited_since": stamp(now - timedelta(hours=n)), "question": "march",
        "deadline": stamp(now + timedelta(hours=500 - n)) if n % 4 == 0 else None, "event": n, "head": "0" * 64,
        "updated_at": stamp(now - timedelta(minutes=n)),
    } for n in range(1000)]  # fmt: skip
    with store.write() as connection:
        connection.execute(insert(t), rows)
        running = [{"campaign": row["campaign"], "moderator": "anna"} for row in rows]
        connection.execute(insert(desk.accounts.running), running)

    def found(**wanted):
        page = lookup.campaign_list(store, desk.accounts, desk.accounts.find("anna"), **wanted)
        return page, [row.campaign for row in page.rows]

    page, ids = found(state="open")
    assert page.total == 751 and page.pages == 16 and len(ids) == 50
    assert ids[:2] == ["c0996", "c0992"], "the nearest deadline comes first"
    assert found(state="open", sort="waiting")[1][0] == "c0998"
    with store.write() as connection:
        connection.execute(update(t).where(t.c.campaign == "c0770").values(state="held"))
        connection.execute(update(t).where(t.c.campaign == "c0773").values(seats='{"seat1": {"accepted": true}}'))
    needing = found(state="open", sort="needs")[1]
    assert needing[:3] == ["c0770", "c0773", "c0996"], "in trouble, ready to begin, then the nearest deadline"
    assert found(state="running", late_at=now)[0].total == sum(n % 4 == 0 and n > 500 for n in range(1000))
    assert found(search="table 77")[0].total == 11
    assert found(search="%")[0].total == 0, "no wildcards from outside"
    assert found(state="paused", page=99)[0].number == 5
    with pytest.raises(ValueError, match="sorted by"):
        found(sort="head")
    seen: set[str] = set()
    for number in range(1, 17):
        seen |= set(found(state="open", page=number)[1])
    assert len(seen) == 751
    answer = desk.client.get("/desk/?state=running&sort=waiting&page=2")
    assert "page 2 of" in answer.text and "past by" in desk.client.get("/desk/").text
    with store.read() as connection:
        assert connection.execute(select(desk.accounts.running.c.campaign)).first()


# --- over real HTTP ---------------------------------------------------------------------------------------------------


@pytest.fixture
def server(desk: Desk):
    """The desk's site behind waitress, on a free port."""
    made = create_server(desk.site.app, host="127.0.0.1", port=0, threads=2)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    yield made.effective_port
    made.close()
    thread.join(5)


def test_over_real_http_a_mail_is_a_file_that_no_browser_opens(desk, server):
    number = mails(desk, "DONE", body=b"Content-Type: text/html\r\n\r\n<script>alert(1)</script>\xff\xfe")
    connection = http.client.HTTPConnection("127.0.0.1", server, timeout=20)
    kept: dict[str, str] = {}

    def ask(method: str, path: str, **values: str):
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in kept.items()),
                   "Content-Type": "application/x-www-form-urlencoded"}  # fmt: skip
        connection.request(method, path, urlencode(values), headers)
        answer = connection.getresponse()
        content = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            kept[name] = value
            assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
        return answer, content

    def token(content: bytes) -> str:
        return re.search(rb'name="csrf_token" value="([^"]+)"', content)[1].decode()

    _, page = ask("GET", "/desk/login")
    answer, _ = ask("POST", "/desk/login", name="anna", password=PASSWORD, csrf_token=token(page), back="")
    assert answer.status == 303
    path = f"/desk/c/{desk.site.id}/inbox/{number}"
    answer, page = ask("GET", path)
    assert answer.status == 200 and "default-src 'none'" in answer.headers["Content-Security-Policy"]
    answer, content = ask("POST", path, do="download", reason="to look at it", csrf_token=token(page))
    assert answer.status == 200 and content.endswith(b"</script>\xff\xfe")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert desk.kinds()[-1] == "asked_referee"
    connection.close()


def test_every_page_of_the_desk_has_strict_headers_and_no_inline_code(empires):
    desk = Desk(empires, "carla")
    paths = ["", "inbox", "outbox", "events", "ruling", "rewind?event=20", "kit", "hidden"]
    for address in ["/desk/", "/desk/new", "/desk/new?game=struggle_of_empires", "/desk/account", "/api/",
                    *(f"/desk/c/{empires.id}/{path}" for path in paths)]:  # fmt: skip
        answer = desk.client.get(address)
        assert answer.status_code == 200, address
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "<script>" not in answer.text and " onclick" not in answer.text
        markup = re.sub(r"<svg.*?</svg>", "", answer.text, flags=re.S)
        assert ' style="' not in markup and "<style" not in markup, address
        assert not re.search(r'(?:src|href)="https?://', markup), address


def test_options_are_taken_as_they_were_chosen(desk):
    values = {"csrf_token": csrf_of(desk.client, "/desk/account"), "game": "struggle_of_empires", "seats": "5"}
    values |= {"campaign": "chosen", "option.forts_in_setup": "false", "option.gold_sums": "owner"}
    assert desk.client.post("/desk/new", data=values).status_code == 303
    options = desk.site.service.status("chosen").options
    assert options["forts_in_setup"] is False and options["gold_sums"] == "owner"
    assert options["seat_order"] == load_kit("struggle_of_empires").options["seat_order"].default


# --- mails that belong to no seat -------------------------------------------------------------------------------------


def test_stray_mails_are_shown_to_those_whom_they_concern(desk):
    store, clock = desk.site.service.store, desk.site.clock
    row = {"received_at": stamp(clock.now()), "sender": "x@example.net", "reason": "no token", "answered": 1}
    row |= {"content": b"what it says"}
    with store.write() as connection:
        for n, campaign in enumerate([desk.site.id, "another", None]):
            values = {**row, "campaign": campaign, "subject": f"letter {n} {EVIL}", "same": str(n)}
            connection.execute(insert(store.tables.strays).values(**values))
    page = desk.client.get("/desk/strays").text
    assert "letter 0" in page and "letter 1" not in page and "letter 2" not in page
    assert "its sender was told" in page and "what it says" not in page and "<script>alert" not in page
    desk.accounts.add("anna", PASSWORD, clock.now(), admin=True)
    assert desk.log_in().status_code == 303
    page = desk.client.get("/desk/strays").text
    assert all(f"letter {n}" in page for n in range(3))
    assert desk.site.app.test_client().get("/desk/strays").status_code == 302


def test_the_first_page_says_that_no_mail_goes_out(desk):
    service = desk.site.service
    first = desk.client.get("/desk/").text
    service.way_closed("out", "the smart host cannot be used: the login is refused (535)")
    told = desk.client.get("/desk/").text
    assert "No mail goes out" not in first and "No mail goes out since" in told and "login is refused (535)" in told
    service.heartbeat("out")
    assert "No mail goes out" not in desk.client.get("/desk/").text


def test_one_seat_gets_more_time_and_the_desk_shows_whose_time_is_another(desk):
    site = desk.site
    for seat in site.seats:
        site.service.submit(Submission(site.id, ["DONE"], site.clock.now(), seat=seat))
    deadline = site.service.status(site.id).deadline
    assert desk.done("do/extend", hours="48", reason="a week at sea", seat="seat2") == ["extended"]
    assert site.service.status(site.id).deadlines["seat1"] == deadline
    assert site.service.status(site.id).deadlines["seat2"] == deadline + timedelta(hours=48)
    page = desk.get().text
    assert page.count("<small>until") == 2 and "For</label>" in page


def test_people_are_shown_with_their_seats_and_how_they_keep_their_deadlines(desk):
    site = desk.site
    for _ in range(2):
        site.clock.advance(hours=100)
        site.service.tick()
    desk.log_in()
    page = desk.client.get("/desk/people").text
    assert "Player seat1" in page and "seat1@example.net" in page
    person = site.service.player(site.id, "seat1")["person"]
    shown = desk.client.get(f"/desk/people/{person}").text
    assert site.service.status(site.id).title in shown and re.search("[1-9] deadlines? missed", shown)
    assert f"/desk/people/{person}" in desk.get().text
    stranger = Desk(site, "bert", runs=False)
    assert stranger.client.get(f"/desk/people/{person}").status_code == 404
    assert "Player seat1" not in stranger.client.get("/desk/people").text


def test_a_seat_is_left_without_a_player_at_the_desk(desk):
    site = desk.site
    desk.refused("do/vacate", 422, "reason", seat="seat2")
    assert desk.done("do/vacate", seat="seat2", reason="he left")[0] == "vacated"
    assert ">vacant<" in desk.get().text
    assert "vacated" in desk.done("do/vacate", seat="seat2", reason="nobody comes", silent="true")
    assert "nobody: silence answers at once" in desk.get().text
    desk.refused("do/vacate", 409, "silent already", seat="seat2", reason="again", silent="true")
    assert site.service.status(site.id).seats["seat2"]["empty"] == "silent"


def test_an_admin_forgets_a_person_and_the_sessions_of_that_person_end(desk):
    site = desk.site
    player = site.client("seat1")
    assert player.get(site.url("/seat")).status_code == 200
    person = site.service.player(site.id, "seat1")["person"]
    admin = Desk(site, "root", admin=True)

    def erase(of: Desk, address: str) -> int:
        token = csrf_of(of.client, "/desk/account")
        sent = {"csrf_token": token, "address": address}
        return of.client.post(f"/desk/people/{person}/erase", data=sent).status_code

    assert "Forget this person" not in desk.client.get(f"/desk/people/{person}").text
    assert erase(desk, "seat1@example.net") == 404
    assert "Forget this person" in admin.client.get(f"/desk/people/{person}").text
    assert erase(admin, "someone@example.net") == 303 and site.service.player(site.id, "seat1")
    assert erase(admin, "Seat1@example.net") == 303 and site.service.player(site.id, "seat1") is None
    assert player.get(site.url("/seat")).status_code != 200
    assert "Player seat1" not in admin.client.get("/desk/people").text
