"""The JSON API: that its description is true, who gets in, what goes wrong and how that is told."""

from __future__ import annotations

import http.client
import io
import json
import threading
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate as validate_openapi
from waitress.server import create_server
from werkzeug.test import TestResponse

from pbem.campaign import commands, outbox, verify
from pbem.campaign.moderators import Moderators
from pbem.campaign.submissions import Submission
from pbem.web.security import limiter
from tests import toy
from tests.web.conftest import Site, lines_form, page

PROBLEM = "application/problem+json"


class Caller:
    """A program that uses the API with a token."""

    def __init__(self, site: Site, token: str | None = None):
        self.site, self.token = site, token
        self.client: FlaskClient = site.app.test_client()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        more = {"json": body} if body is not None else {}
        return self.client.open("/api" + path, method=method, headers=headers, **more)

    def seat(self, method: str, path: str = "/", body: Any = None, **headers: str) -> TestResponse:
        return self.ask(method, f"/campaigns/{self.site.id}/seat{path}", body, **headers)

    def good(self, answer: TestResponse) -> Any:
        assert answer.status_code in (200, 201), (answer.status_code, answer.text)
        return answer.get_json()


def problem(answer: TestResponse, status: int, kind: str = "") -> dict[str, Any]:
    """The problem that an answer tells; it is told as RFC 9457 has it."""
    assert answer.status_code == status, (answer.status_code, answer.text[:500])
    assert answer.content_type == PROBLEM
    told = answer.get_json()
    assert told["status"] == status and told["title"] and told["detail"] and told["type"].startswith("urn:pbem:")
    assert not kind or told["type"] == f"urn:pbem:{kind}", told
    return told


@pytest.fixture(autouse=True)
def _toy_is_configured(tmp_path, monkeypatch):
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))


@pytest.fixture
def player(toy_site: Site) -> Caller:
    return Caller(toy_site, toy_site.tokens["seat1"])


def moderator(site: Site, name: str = "anna", *, runs: bool = True) -> Caller:
    accounts = Moderators(site.service.store)
    accounts.add(name, "a long password", site.clock.now())
    if runs:
        accounts.take(site.id, name)
    return Caller(site, accounts.new_token(name))


def last(site: Site) -> int:
    return site.service.status(site.id).event


# --- the description --------------------------------------------------------------------------------------------------


def test_the_description_is_valid_openapi(toy_site):
    answer = toy_site.app.test_client().get("/api/openapi.json")
    assert answer.status_code == 200 and answer.content_type == "application/json"
    spec = answer.get_json()
    validate_openapi(spec)
    assert spec["openapi"] == "3.1.0"
    parameters = [parameter for _, _, operation in operations(spec) for parameter in operation.get("parameters", ())]
    assert not any("token" in parameter.get("name", "").lower() for parameter in parameters)
    for path, method, operation in operations(spec):
        assert operation.get("summary"), (method, path)
        wanted = {"seat": []} if "/seat/" in path else {"moderator": []} if "/api/desk/" in path else None
        assert operation["security"] == ([wanted] if wanted else [])


def operations(spec: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    found = [(path, method, o) for path, methods in spec["paths"].items() for method, o in methods.items()
             if method != "parameters"]  # fmt: skip
    assert len(found) > 40
    return found


def test_every_route_is_described_and_every_described_route_is_there(toy_site):
    spec = toy_site.app.test_client().get("/api/openapi.json").get_json()
    described = {(path, method.upper()) for path, method, _ in operations(spec)}
    there = set()
    for rule in toy_site.app.url_map.iter_rules():
        if rule.rule.startswith("/api/") and rule.endpoint.startswith("api-"):
            path = rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}")
            there |= {(path, method) for method in rule.methods - {"HEAD", "OPTIONS"}}
    assert described == there


def bodies(site: Site) -> dict[str, Any]:
    """A body for each route that takes one: end of the path -> JSON."""
    reason = {"reason": "a test"}
    person = {"seat": "seat2", "name": "Ada", "address": "ada@example.net"}
    facts = [{"fact": "units", "kind": "unit", "power": "red", "number": 1, "origin": "home", "place": "hill"}]
    return {
        "/seat/check": {"line": "DONE"}, "/seat/orders/check": {"lines": ["DONE"]}, "/seat/orders": {"lines": ["DONE"]},
        "/seat/invitation": {"accept": True},
        "/seat/standing": {"kind": "march", "order": "DECLINE"}, "/seat/press": {"to": ["blue"], "text": "hello"},
        "/seat/settings": {"timezone": "Europe/Paris"}, "/desk/campaigns": {"game": "toy", "seats": 3},
        "/invite": person, "/replace": person, "/assign": {}, "/start": {}, "/archive": {}, "/pause": reason,
        "/resume": {}, "/finish": reason, "/correct-kit": reason, "/disclose": reason,
        "/extend": {**reason, "hours": 3}, "/rule": {**reason, "facts": facts}, "/try-rule": {**reason, "facts": facts},
        "/rewind": {**reason, "event": None}, "/vacate": {**reason, "seat": "seat3"},
    }  # fmt: skip


def test_every_described_route_answers_as_described(toy_site):
    """Each is called as its token's owner; what it gives fits the schema that the description names for it."""
    site = toy_site
    site.play(1, 3)
    tree, index = next((p["tree"], p["index"]) for e in site.service.events(site.id) for p in e["throws"])
    spec = site.app.test_client().get("/api/openapi.json").get_json()
    callers = {"seat": Caller(site, site.tokens["seat1"]), "moderator": moderator(site)}
    values = {"campaign": site.id, "tree": tree, "index": index, "number": 1, "event": last(site) - 1, "name": "anna"}
    given, called = bodies(site), 0
    outbox.mark_failed(site.service.store, outbox.claim_due(site.service.store, site.clock.now())[0].number, "x",
                       site.clock.now(), for_good=True)  # fmt: skip
    failed = outbox.messages(site.service.store, state="failed")[0].number
    # What ends or changes much comes last.
    late = ("/extend", "/correct-kit", "/rule", "/pause", "/resume", "/rewind", "/vacate", "/finish", "/archive",
            "/{name}")  # fmt: skip

    def when(operation: tuple[str, str, Any]) -> tuple[int, bool]:
        path, method, _ = operation
        return next((n for n, end in enumerate(late, 1) if path.endswith(end)), 0), method == "delete"

    for path, method, operation in sorted(operations(spec), key=when):
        limiter.reset()
        needs = next(iter(operation["security"]), {})
        caller = callers[next(iter(needs))] if needs else Caller(site)
        if path.endswith("/retry"):
            values["number"] = failed
        elif path.endswith("/answers/{number}"):
            sent = callers["seat"].seat("POST", "/orders", {"lines": ["STATUS"]})
            values["number"] = sent.get_json()["number"]
        elif path.endswith("/standing/{number}"):
            callers["seat"].seat("POST", "/standing", {"kind": "march", "order": "DECLINE"})
            values["number"] = site.service.standing(site.id, "seat1")[0]["number"]
        address = path.removeprefix("/api").format(**values)
        body = next((b for end, b in given.items() if path.endswith(end)), None) if "requestBody" in operation else None
        assert ("requestBody" in operation) == (body is not None), path
        answer = caller.ask(method.upper(), address, body)
        called += 1
        expected = "409" if path.endswith(("/invite", "/assign", "/start", "/invitation")) else None
        if expected:  # the game is on already: told as the description says
            problem(answer, 409)
        else:
            assert answer.status_code in (200, 201), (method, path, answer.text[:400])
        described = operation["responses"][str(answer.status_code)]["content"]
        assert answer.mimetype in described, (method, path, answer.mimetype)
        if "json" in answer.mimetype and answer.mimetype != "application/jsonl":
            schema = {**described[answer.mimetype]["schema"], "components": spec["components"]}
            Draft202012Validator(schema).validate(answer.get_json())
    assert called == len(operations(spec))


def test_the_page_for_people_lists_every_route(toy_site):
    page = toy_site.app.test_client().get("/api/").text
    for path, method, _ in operations(toy_site.app.test_client().get("/api/openapi.json").get_json()):
        assert f"<strong>{method.upper()}</strong> <code>{path}</code>" in page


# --- who gets in ------------------------------------------------------------------------------------------------------


def test_without_its_token_a_route_gives_nothing(toy_site, sites):
    other = sites().start()
    spec = toy_site.app.test_client().get("/api/openapi.json").get_json()
    other_moderator = moderator(toy_site, "berta", runs=False)
    tokens = {None, "x", toy_site.tokens["seat1"][:-1] + "1", other.tokens["seat1"]}
    before = last(toy_site)
    values = {"campaign": toy_site.id, "tree": 0, "index": 0, "number": 1, "event": 1, "name": "berta"}
    for path, method, operation in operations(spec):
        if not operation["security"]:
            continue
        address = path.removeprefix("/api").format(**values)
        wrong = tokens | ({other_moderator.token} if "seat" in operation["security"][0] else {toy_site.tokens["seat1"]})
        for token in wrong:
            limiter.reset()
            answer = Caller(toy_site, token).ask(method.upper(), address, {} if "requestBody" in operation else None)
            problem(answer, 401, "token")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        if "moderator" in operation["security"][0] and "{campaign}" in path:
            for campaign in (toy_site.id, "no-such-one"):
                address = path.removeprefix("/api").format(**{**values, "campaign": campaign})
                answer = other_moderator.ask(method.upper(), address, {} if "requestBody" in operation else None)
                assert problem(answer, 404, "nothing-here")["detail"] == "There is no such campaign for you."
    assert last(toy_site) == before


def test_a_browser_that_is_signed_in_gets_nothing_without_a_token(toy_site):
    browser = toy_site.client("seat1")
    problem(browser.get(f"/api/campaigns/{toy_site.id}/seat/"), 401)
    problem(browser.post(f"/api/campaigns/{toy_site.id}/seat/orders", json={"lines": ["DONE"]}), 401)


def test_a_token_in_an_address_is_refused(toy_site):
    token = toy_site.tokens["seat1"]
    for name in ("token", "access_token", "Authorization"):
        answer = toy_site.app.test_client().get(f"/api/campaigns/{toy_site.id}/seat/?{name}={token}")
        assert token not in answer.text
        problem(answer, 400, "token-in-address")


def test_a_replaced_player_is_out_at_once(player):
    player.good(player.seat("GET"))
    player.site.service.replace(player.site.id, "seat1", "New", "new@example.net")
    problem(player.seat("GET"), 401)


def test_guessing_tokens_is_slowed_down(toy_site, player):
    answers = [Caller(toy_site, f"guess{n}").seat("GET").status_code for n in range(32)]
    assert answers[:30] == [401] * 30 and answers[31] == 429
    told = player.seat("GET")
    assert problem(told, 429, "too-many") and int(told.headers["Retry-After"]) > 0


def test_a_seat_sees_its_own_and_no_other_hand(player):
    site = player.site
    mine = player.good(player.seat("GET", "/board"))
    public = Caller(site).good(Caller(site).ask("GET", f"/campaigns/{site.id}/board"))
    other = Caller(site, site.tokens["seat2"])
    hand = site.service.view_at(site.id, "seat1").piles["hand:red"]
    assert mine["piles"]["hand:red"] == hand and mine["piles"]["hand:blue"] == ["?"] * 3
    assert public["piles"]["hand:red"] == ["?"] * 3
    for answer in (other.seat("GET"), other.seat("GET", "/board"), other.seat("GET", "/questions"),
                   other.seat("GET", "/events?start=10")):  # fmt: skip
        assert not any(f'"{card}"' in answer.text for card in hand)
    number = player.good(player.seat("POST", "/orders", {"lines": ["DONE"]}))["number"]
    problem(other.seat("GET", f"/answers/{number}"), 404)
    assert player.good(player.seat("GET", f"/answers/{number}"))["seat"] == "seat1"
    problem(player.seat("GET", f"/answers/{2**70}"), 404)


def test_a_campaign_without_spectators_is_not_there_for_others(sites):
    site = sites(policy={"spectators": "no"}).start()
    for path in ("", "/board", "/events", "/bundle", "/rolls/0/0"):
        problem(Caller(site).ask("GET", f"/campaigns/{site.id}{path}"), 404)
    assert Caller(site).ask("GET", "/campaigns?state=all").get_json() == {
        "campaigns": [], "page": 1, "pages": 1, "total": 0
    }  # fmt: skip
    assert Caller(site, site.tokens["seat1"]).seat("GET").status_code == 200


# --- playing ----------------------------------------------------------------------------------------------------------


def test_a_whole_game_is_played_by_what_the_questions_offer(toy_site):
    """Only what the API gives is used: the questions, their legal examples as JSON."""
    callers = {seat: Caller(toy_site, token) for seat, token in toy_site.tokens.items()}
    for _ in range(200):
        limiter.reset()
        state = callers["seat1"].good(Caller(toy_site).ask("GET", f"/campaigns/{toy_site.id}"))
        if state["state"] != "running":
            break
        for caller in callers.values():
            limiter.reset()
            for question in caller.good(caller.seat("GET", "/questions")):
                if question["answered"]:
                    continue
                offered = question["orders"][0]
                example = offered["examples"][0]
                Draft202012Validator(offered["schema"]).validate(example["json"])
                checked = caller.good(caller.seat("POST", "/check", {"order": example["json"]}))
                assert checked["state"] == "accepted" and checked["order"] == example["line"]
                assert caller.good(caller.seat("POST", "/orders", {"orders": [example["json"]]}))["ok"]
                break
    assert state["state"] == "finished"
    bundle = callers["seat1"].seat("GET", "/bundle")
    assert bundle.mimetype == "application/jsonl"
    assert verify.verify(io.BytesIO(bundle.data), [state["head"]]).secret_opened


def test_the_schemas_of_a_published_game_fit_its_legal_orders(empires):
    caller = Caller(empires, empires.tokens[empires.asked_seat()])
    questions = caller.good(caller.seat("GET", "/questions"))
    kinds = [kind for question in questions for kind in question["orders"]]
    assert len(kinds) > 3 and questions[0]["title"] and questions[0]["deadline"]
    for kind in kinds:
        Draft202012Validator.check_schema(kind["schema"])
        for example in kind["examples"]:
            Draft202012Validator(kind["schema"]).validate(example["json"])
        assert kind["form"]["usage"] and kind["help"]


def test_an_order_sent_as_an_object_is_read_by_no_grammar_of_lines(player, monkeypatch):
    """It is checked by its fields, and known by the line that it stands for: in the answer, the ledger and the dice."""
    site = player.site
    monkeypatch.setattr(commands, "read_order", lambda *a: pytest.fail("a line was read"))
    sent = {"orders": [{"order": "done"}]}
    checked = player.good(player.seat("POST", "/check", {"order": sent["orders"][0]}))
    assert checked["state"] == "accepted" and checked["order"] == "DONE"
    answer = player.good(player.seat("POST", "/orders", sent, **{"Idempotency-Key": "one"}))
    assert answer["lines"][0]["line"] == answer["lines"][0]["order"] == "DONE"
    assert player.good(player.seat("POST", "/orders", sent, **{"Idempotency-Key": "one"})) == answer
    assert site.service.events(site.id, "seat1", last(site))[0]["order"]["text"] == "DONE"


def test_names_in_an_object_may_be_written_as_in_a_line_and_are_known_or_refused(sites):
    site = sites(seats=2).start()
    for seat in site.seats:
        assert site.service.submit(Submission(site.id, ["DONE"], site.clock.now(), seat=seat)).ok
    player = Caller(site, site.tokens["seat1"])
    card = site.service.view_at(site.id, "seat1").piles["hand:red"][0]
    sent = {"orders": [{"order": "show", "card": "nowhere"}]}
    told = problem(player.seat("POST", "/orders", sent), 422, "unreadable")
    assert "nowhere" in told["detail"]
    assert problem(player.seat("POST", "/check", {"order": {"order": "show"}}), 422)["hints"]
    for whom in (5, "nobody"):
        order = {"order": "show", "card": card, "for": whom}
        problem(player.seat("POST", "/orders", {"orders": [order]}), 422, "unreadable")
    order = {"order": "show", "card": card.upper(), "for": "red"}
    answer = player.good(player.seat("POST", "/orders", {"orders": [order]}))
    assert answer["lines"][0]["order"] == f"FOR red: SHOW {card}"
    for text in ('{"order": "done"', "{", "[" * 9000, '{"order": ["done"]}', '{"a":' * 6000):
        line = player.seat("POST", "/orders", {"lines": [text]})
        assert problem(line, 422, "unreadable")["answer"]["lines"][0]["state"] == "unreadable"


def test_the_same_key_does_the_same_thing_once(player):
    site = player.site
    key = {"Idempotency-Key": "monday-1"}
    card = site.service.view_at(site.id, "seat1").piles["hand:red"][0]
    first = player.good(player.seat("POST", "/orders", {"lines": ["DONE"]}, **key))
    before = last(site)
    again = player.good(player.seat("POST", "/orders", {"lines": ["DONE"]}, **key))
    assert again == first and last(site) == before
    told = problem(player.seat("POST", "/orders", {"lines": [f"SHOW {card}"]}, **key), 422, "key-used")
    assert "new key" in told["detail"] and last(site) == before
    other = Caller(site, site.tokens["seat2"])
    assert other.good(other.seat("POST", "/orders", {"lines": ["DONE"]}, **key))["number"] != first["number"]
    problem(player.seat("POST", "/orders", {"lines": ["DONE"]}, **{"Idempotency-Key": "k" * 201}), 422, "invalid")


def test_refusals_say_what_would_be_right(player):
    site = player.site
    told = problem(player.seat("POST", "/orders", {"lines": ["DON"]}), 422, "unreadable")
    assert told["hints"][0] == "DONE" and told["hints"][-1] == "HELP"
    assert told["answer"]["lines"][0]["state"] == "unreadable"
    told = problem(player.seat("POST", "/orders", {"orders": [{"order": "leap"}]}), 422, "unreadable")
    assert "march" in told["hints"]
    sent = {"orders": [{"order": "march", "number": "two", "place": "hill"}]}
    told = problem(player.seat("POST", "/orders", sent), 422)
    assert "number" in told["detail"] and "MARCH <number> TO <where>" in told["hints"][0]
    told = problem(player.seat("POST", "/orders", {"lines": ["MARCH 1 TO hill"]}), 409, "refused")
    assert "Negotiation" in told["detail"] and told["hints"] and told["code"] == "no_answer"
    assert told["values"] == {"verb": "MARCH", "question": "negotiation", "about": "March units to a place."}
    both = {"lines": ["DONE"], "orders": [{"order": "done"}]}
    for body in ({}, both, {"lines": []}, {"lines": "DONE"}, {"line": "x"}):
        problem(player.seat("POST", "/orders", body), 422, "invalid")
    site.service.pause(site.id, "a holiday")
    assert "a holiday" in problem(player.seat("POST", "/orders", {"lines": ["DONE"]}), 409)["detail"]


def test_a_mail_in_which_something_was_done_is_no_problem(player):
    answer = player.good(player.seat("POST", "/orders", {"lines": ["CANCEL QUEUE", "MARCH 1 TO hill"]}))
    assert [line["state"] for line in answer["lines"]] == ["accepted", "refused"] and not answer["ok"]


def test_standing_orders_queue_press_and_settings(player):
    site = player.site
    player.good(player.seat("POST", "/standing", {"kind": "ambush", "order": "DECLINE", "conditions": "round >= 0"}))
    standing = player.good(player.seat("GET", "/standing"))
    assert [(s["kind"], s["line"]) for s in standing] == [("ambush", "DECLINE")]
    player.good(player.seat("DELETE", f"/standing/{standing[0]['number']}"))
    assert player.good(player.seat("GET", "/standing")) == []
    problem(player.seat("DELETE", "/standing/77"), 409)
    told = problem(player.seat("POST", "/standing", {"kind": "ambush", "order": "AMBUSCH"}), 422)
    assert "AMBUSH" in str(told["hints"])
    problem(player.seat("POST", "/standing", {"kind": "ambush: DECLINE", "order": "x", "conditions": "a: b"}), 422)

    text = "Meet me.\nAt the mill, at 6."
    player.good(player.seat("POST", "/press", {"to": ["blue"], "text": text}))
    other, third = Caller(site, site.tokens["seat2"]), Caller(site, site.tokens["seat3"])
    got = other.good(other.seat("GET", "/press"))
    assert [(m["from"], m["to"], m["text"]) for m in got] == [(["red"], ["blue"], text)]
    assert third.good(third.seat("GET", "/press")) == []
    problem(player.seat("POST", "/press", {"to": ["nobody"], "text": "x"}), 409)

    assert player.good(player.seat("GET", "/settings"))["reports"] == "every"
    sent = {"language": "fr", "timezone": "Asia/Tokyo", "reports": "daily", "hour": 7, "webhook": "https://x.example/a",
            "board": "none"}  # fmt: skip
    player.good(player.seat("PATCH", "/settings", sent))
    assert player.good(player.seat("GET", "/settings")) == sent
    problem(player.seat("PATCH", "/settings", {"timezone": "Mars/Olympus"}), 409)
    problem(player.seat("PATCH", "/settings", {}), 422)
    player.good(player.seat("PATCH", "/settings", {"webhook": None}))
    assert player.good(player.seat("GET", "/settings"))["webhook"] is None


@pytest.mark.parametrize("text", ["hi\nDONE", "hi\nEND\nDONE", "x\nCANCEL QUEUE", "a\nPRESS TO green: secret"])
def test_press_does_not_smuggle_orders(player, text):
    before = last(player.site)
    problem(player.seat("POST", "/press", {"to": ["blue"], "text": text}), 422, "bad-value")
    for to in (["blue: x\nDONE"], ["blue: DONE"], ["blue\nDONE"]):
        problem(player.seat("POST", "/press", {"to": to, "text": "x"}), 422)
    assert last(player.site) == before


def test_an_invitation_is_answered(sites):
    site = sites()
    caller = Caller(site, site.tokens["seat1"])
    assert caller.good(caller.seat("GET"))["accepted"] is False
    caller.good(caller.seat("PUT", "/invitation", {"accept": True}))
    assert site.service.status(site.id).seats["seat1"]["accepted"]
    caller.good(caller.seat("PUT", "/invitation", {"accept": False}))
    assert not site.service.status(site.id).seats["seat1"]["accepted"]


# --- moderators -------------------------------------------------------------------------------------------------------


def test_moderators_do_by_program_what_the_desk_does(sites):
    site = sites()
    caller = moderator(site)
    policy = {"times": {"negotiation": 10}, "missed": "hold"}
    wanted = {"game": "toy", "seats": 3, "title": "By program", "policy": policy}
    campaign = site.id = caller.good(caller.ask("POST", "/desk/campaigns", wanted))["campaign"]

    def act(what: str, **values: Any) -> Any:
        return caller.good(caller.ask("POST", f"/desk/campaigns/{campaign}/{what}", values))

    for n, seat in enumerate(site.seats):
        done = act("invite", seat=seat, name=f"P{n}", address=f"p{n}@example.net")
        assert "token" not in str(done), "the token goes to the player alone"
        site.service.accept(campaign, seat)
    chosen = dict(zip(site.seats, ["green", "red", "blue"], strict=True))
    assert act("assign", chosen=chosen)["powers"]["seat1"] == ["green"]
    assert act("start")["state"] == "running"
    assert act("extend", hours=4, reason="late")["deadline"].endswith("+00:00")
    assert act("pause", reason="a holiday")["state"] == "paused"
    assert act("resume")["state"] == "running"
    act("replace", seat="seat2", name="New", address="new@example.net", reason="left")
    facts = [{"fact": "units", "kind": "unit", "power": "red", "number": 1, "origin": "home", "place": "hill"}]
    tried = act("try-rule", facts=facts, reason="a slip")
    assert {(c["before"], c["after"]) for c in tried} == {("5", "4"), ("0", "1")}
    before = last(site)
    act("rule", facts=facts, reason="a slip")
    changes = caller.good(caller.ask("GET", f"/desk/campaigns/{campaign}/try-rewind/{before}"))
    assert {(c["before"], c["after"]) for c in changes} == {("4", "5"), ("1", "0")}
    act("rewind", event=before, reason="back")
    hidden = act("disclose", reason="a dispute")["hidden"]
    assert len([card for card in hidden["piles"]["hand:red"] if card.startswith("card_")]) == 3
    assert act("correct-kit", reason="names")["at_once"] in (True, False)
    assert act("finish", reason="enough")["state"] == "finished"
    assert act("archive")["state"] == "archived"
    kinds = {event["kind"] for event in site.service.events(campaign)}
    assert kinds >= {"created", "invited", "assigned", "started", "extended", "paused", "resumed", "replaced", "ruling",
                     "rewound", "asked_referee", "finished", "archived"}  # fmt: skip
    told = {(m.kind, m.seat) for m in outbox.messages(site.service.store, campaign, limit=500)}
    for kind in ("invitation", "opening", "extension", "pause", "resume", "ruling", "rewind", "final"):
        assert {seat for k, seat in told if k == kind} == set(site.seats), kind
    assert {seat for kind, seat in told if kind == "takeover"} == {"seat2"}
    assert {seat for kind, seat in told if kind == "replacement"} == set(site.seats) - {"seat2"}
    page = caller.good(caller.ask("GET", "/desk/campaigns?state=all&search=program"))
    assert [row["campaign"] for row in page["campaigns"]] == [campaign]


def test_moderators_are_told_why_something_cannot_be(toy_site):
    caller = moderator(toy_site)
    path = f"/desk/campaigns/{toy_site.id}"
    before = last(toy_site)
    assert "paused or held" in problem(caller.ask("POST", path + "/resume", {}), 409, "not-now")["detail"]
    assert "reason" in problem(caller.ask("POST", path + "/pause", {}), 422, "invalid")["errors"]
    assert "hours" in problem(caller.ask("POST", path + "/extend", {"hours": "5", "reason": "x"}), 422)["errors"]
    assert "when" in problem(caller.ask("POST", path + "/pause", {"reason": "x", "when": 1}), 422)["errors"]
    rule = {"reason": "x", "facts": [{"fact": "units"}]}
    lacking = problem(caller.ask("POST", path + "/rule", rule), 422, "bad-value")["detail"]
    assert "does not say what kind of units (“kind”" in lacking
    assert "no event 999" in problem(caller.ask("POST", path + "/rewind", {"event": 999, "reason": "x"}), 422)["detail"]
    problem(caller.ask("GET", path + "/try-rewind/999"), 422, "bad-value")
    assert "nobody" in problem(caller.ask("PUT", path + "/moderators/nobody"), 422)["detail"]
    told = problem(caller.ask("POST", "/desk/campaigns", {"game": "chess", "seats": 2}), 422, "bad-value")
    assert "toy" in told["hints"]
    problem(caller.ask("POST", "/desk/campaigns", {"game": "toy", "seats": 9}), 422)
    problem(caller.ask("POST", "/desk/campaigns", {"game": "toy", "seats": 3, "options": {"x": 1}}), 422)
    problem(caller.ask("POST", "/desk/campaigns", {"game": "toy", "seats": 3, "policy": {"times": {"chat": 3}}}), 422)
    problem(caller.ask("POST", path + "/outbox/1/retry"), 409)
    problem(caller.ask("POST", path + f"/outbox/{2**70}/retry"), 404)
    assert last(toy_site) == before


def test_lists_for_moderators_hold_nothing_hidden(player):
    site, caller = player.site, moderator(player.site)
    player.seat("POST", "/press", {"to": ["blue"], "text": "meet me at the mill"})
    path = f"/desk/campaigns/{site.id}"
    for end in ("", "/inbox", "/outbox", "/kit"):
        answer = caller.ask("GET", path + end)
        assert answer.status_code == 200
        assert "mill" not in answer.text and not any(token in answer.text for token in site.tokens.values())
    number = caller.good(caller.ask("GET", path + "/inbox"))["submissions"][0]["number"]
    read = caller.good(caller.ask("POST", path + "/disclose", {"reason": "a quarrel", "submission": number}))
    assert "meet me at the mill" in str(read) and site.service.events(site.id)[-1]["kind"] == "asked_referee"


# --- hostile input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("content", "kind", "status"), [
    (b"{", "application/json", 400), (b"\xff\xfe", "application/json", 400), (b"[1]", "application/json", 422),
    (b'"x"', "application/json", 422), (b"null", "application/json", 422), (b"", "application/json", 422),
    (b"lines=DONE", "application/x-www-form-urlencoded", 422),
    (b'{"lines": ["' + b"x" * 300_000 + b'"]}', "application/json", 413),
    (b"[" * 100_000, "application/json", 400), (b'{"lines": [1e400]}', "application/json", 422),
    (b'{"lines": [{"$ne": 1}]}', "application/json", 422), (b'{"__proto__": {}}', "application/json", 422),
    (b'{"lines": ["DONE"], "lines": []}', "application/json", 422),
])  # fmt: skip
def test_bodies_that_cannot_be_read(player, content, kind, status):
    before = last(player.site)
    answer = player.client.post(f"/api/campaigns/{player.site.id}/seat/orders", data=content, content_type=kind,
                                headers={"Authorization": f"Bearer {player.token}"})  # fmt: skip
    problem(answer, status)
    assert last(player.site) == before


@pytest.mark.parametrize("line", [
    "'; DROP TABLE inbox; --", "{{7*191}}", "<script>alert(1)</script>", "DONE\x00", "\ud800", "MARCH -1 TO hill",
    "MARCH 99999999999999999999 TO hill", "\u202eENOD", "🂡" * 500, "x" * 39_000, "", " ",
    "MARCH 1 TO hill\r\nBcc: x@y.example",
])  # fmt: skip
def test_lines_that_are_no_orders_have_no_effect(player, line):
    site = player.site
    board = site.service.view_at(site.id).to_json()
    answer = player.seat("POST", "/orders", {"lines": [line]})
    assert answer.status_code in (200, 409, 422), answer.text[:300]
    assert answer.status_code != 200 or line == "DONE\x00"
    assert site.service.view_at(site.id).to_json() == board
    assert Caller(site, site.tokens["seat2"]).seat("GET").status_code == 200


def test_strange_addresses_are_problems_too(toy_site):
    caller = Caller(toy_site)
    for path in ("/nothing", "/campaigns/%00", "/campaigns/'--", "/campaigns/../../x", "/campaigns/" + "x" * 3000):
        problem(caller.ask("GET", path), 404, "nothing-here")
    for query in ("?page=0", "?page=x", "?size=1000", "?state=';", "?page=99999999999999999999"):
        problem(caller.ask("GET", "/campaigns" + query), 422, "invalid")
    path = f"/campaigns/{toy_site.id}"
    problem(caller.ask("GET", path + "/board?event=99999"), 422, "bad-value")
    problem(caller.ask("GET", path + "/board?event=-1"), 422, "invalid")
    problem(caller.ask("GET", path + "/events?start=0"), 422, "invalid")
    problem(caller.ask("GET", path + f"/rolls/0/{2**70}"), 404)
    answer = caller.ask("DELETE", path)
    assert problem(answer, 405, "method") and "GET" in answer.headers["Allow"]
    assert len(caller.good(caller.ask("GET", path + "/events?start=1&stop=99999999999"))) <= 200


def test_a_fault_of_the_program_tells_nothing_of_it(player, monkeypatch, caplog):
    monkeypatch.setattr(player.site.service, "page", lambda *a, **more: 1 / 0)
    told = player.seat("GET")
    assert problem(told, 500, "fault") and "division" not in told.text
    assert "division" in caplog.text and player.token not in caplog.text


# --- over real HTTP ---------------------------------------------------------------------------------------------------


def test_over_real_http_two_programs_send_under_one_key_at_once(player):
    server = create_server(player.site.app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    found: list[tuple[int, dict[str, Any]]] = []

    def send() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=30)
        headers = {"Authorization": f"Bearer {player.token}", "Content-Type": "application/json"}
        headers["Idempotency-Key"] = "k1"
        path = f"/api/campaigns/{player.site.id}/seat/orders"
        connection.request("POST", path, json.dumps({"lines": ["DONE"]}), headers)
        answer = connection.getresponse()
        found.append((answer.status, json.loads(answer.read())))
        assert answer.headers["Cache-Control"] == "private, no-store" and "Set-Cookie" not in answer.headers
        connection.close()

    senders = [threading.Thread(target=send) for _ in range(6)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(60)
    server.close()
    thread.join(5)
    assert [status for status, _ in found] == [200] * 6
    assert len({body["number"] for _, body in found}) == 1
    events = player.site.service.events(player.site.id, "seat1")
    assert sum(event["kind"] == "order" and event["order"]["text"] == "DONE" for event in events if event["order"]) == 1


def test_a_message_is_checked_as_it_is_sent(sites):
    site = sites("virgin_queen", 3).start()
    caller = Caller(site, site.tokens["seat1"])
    held = {seat: list(entry["powers"]) for seat, entry in site.service.status(site.id).seats.items()}
    absent = [id for id in site.service.kit_of(site.id).labels["power"] if all(id not in held[seat] for seat in held)]
    wrong = [(held["seat1"][0], "nobody but yourself"), (absent[0], "plays no part in this campaign")]
    for power, said in wrong:
        line = f"PRESS TO {power}: Shall we meet?"
        checked = caller.good(caller.seat("POST", "/check", {"line": line}))
        assert checked["state"] == "refused" and said in checked["reason"]
        assert checked["code"] == problem(caller.seat("POST", "/orders", {"lines": [line]}), 409)["code"]
    good = f"PRESS TO {held['seat2'][0]}: Shall we meet?"
    assert caller.good(caller.seat("POST", "/check", {"line": good}))["state"] == "accepted"


def test_a_message_that_would_be_refused_is_so_in_a_check_on_the_page(sites):
    site = sites("virgin_queen", 3).start()
    client = site.client("seat1")
    held = [power for entry in site.service.status(site.id).seats.values() for power in entry["powers"]]
    own, absent = held[0], next(id for id in site.service.kit_of(site.id).labels["power"] if id not in held)
    fields = lines_form(page(client, site.url("/seat")))
    for power, said in ((own, "nobody but yourself"), (absent, "plays no part in")):
        answer = client.post(site.url("/orders"), data={**fields, "lines": f"PRESS TO {power}: Hello", "do": "check"})
        check = answer.text[answer.text.index('id="check"'):]
        assert said in check and "is a power" not in check


def test_help_about_an_order_tells_what_a_mail_tells(empires):
    seat = empires.asked_seat()
    caller = Caller(empires, empires.tokens[seat])
    told = caller.good(caller.seat("POST", "/orders", {"lines": ["HELP BUY"]}))["lines"][0]
    assert told["state"] == "told" and "BUY" in told["text"] and len(told["text"]) > 100
