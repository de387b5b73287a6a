"""The pages as players meet them: the real server behind a real nginx that ends TLS."""

from __future__ import annotations

import datetime
import http.client
import ipaddress
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from http.client import HTTPResponse
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.campaign.settings import Settings
from pbem.running import Running
from pbem.web.security import limiter
from tests.end_to_end.conftest import free_ports, until

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed (.ci/run installs it)")
HOST = "play.example.org"
CONFIG = """
pid {folder}/pid; error_log {folder}/error;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fast;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{tls} ssl; listen 127.0.0.1:{plain};
        ssl_certificate {folder}/certificate; ssl_certificate_key {folder}/key;
        location / {{
            proxy_pass http://127.0.0.1:{pages};
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
        }}
    }}
}}
"""


def self_signed(folder: Path) -> None:
    """A certificate and its key, for the loopback."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(HOST), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1)).add_extension(names, False).sign(key, hashes.SHA256())
    )  # fmt: skip
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "certificate").write_bytes(made.public_bytes(encoding))
    (folder / "key").write_bytes(key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain))


class House:
    """A service, its pages on a socket, and nginx before them."""

    def __init__(self, folder: Path, **more: object):
        self.folder = folder / "nginx"
        self.folder.mkdir(parents=True)
        self.pages, self.tls, self.plain = free_ports(3)
        more = {"site": f"https://{HOST}", "web_trusted_proxies": 1, **more}
        self.running = Running(Settings(var=folder / "var", web_port=self.pages, domain="example.org", **more))
        self.running.__enter__()
        self.running.web()
        limiter.reset()
        self_signed(self.folder)
        names = {"folder": self.folder, "tls": self.tls, "plain": self.plain, "pages": self.pages}
        (self.folder / "conf").write_text(CONFIG.format(**names))
        assert NGINX is not None
        self.nginx = subprocess.Popen(
            [NGINX, "-p", self.folder, "-c", self.folder / "conf", "-e", self.folder / "error", "-g", "daemon off;"],
            stderr=subprocess.DEVNULL,
        )
        until(self._answers)

    def _answers(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.tls)) == 0

    def close(self) -> None:
        self.nginx.terminate()
        self.nginx.wait(30)
        self.running.__exit__()

    def get(self, path: str, *, port: str = "tls", source: str = "127.0.0.1", **headers: str) -> HTTPResponse:
        """A request as a browser sends it: by TLS through nginx (``tls``), without TLS through it (``plain``), or to
        the service itself (``pages``)."""
        where = ("127.0.0.1", getattr(self, port))
        if port == "tls":
            context = ssl.create_default_context(cafile=str(self.folder / "certificate"))
            made = http.client.HTTPSConnection(*where, timeout=60, context=context, source_address=(source, 0))
        else:
            made = http.client.HTTPConnection(*where, timeout=60, source_address=(source, 0))
        made.request("GET", path, headers={"Host": HOST, **{n.replace("_", "-"): v for n, v in headers.items()}})
        answer = made.getresponse()
        answer.read()
        made.close()
        return answer


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[Callable[..., House]]:
    made: list[House] = []

    def make(**more: object) -> House:
        made.append(House(tmp_path / str(len(made)), **more))
        return made[-1]

    yield make
    for house in made:
        house.close()


def test_pages_of_an_https_site_are_read_through_the_proxy(houses: Callable[..., House]) -> None:
    house = houses()
    for path in ("/", "/games", "/desk/login", "/link", "/api/openapi.json", "/static/pages.css"):
        assert house.get(path).status == 200, path
    service = house.running.service
    campaign = service.create("struggle_of_empires", 3)
    token = service.invite(campaign, "seat1", "One", "one@example.org")
    entered = house.get(f"/c/{campaign}/enter/{token}")
    assert entered.status == 303 and entered.headers["Location"] == f"/c/{campaign}/seat"
    cookie = entered.headers["Set-Cookie"]
    assert cookie.startswith("__Host-pbem=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "max-age=" in entered.headers["Strict-Transport-Security"]
    assert house.get(f"/c/{campaign}/seat", Cookie=cookie.partition(";")[0]).status == 200


@pytest.mark.parametrize("host", [HOST, "evil.example", "evil.example:8443", "[::1]", "a@evil.example"])
def test_who_comes_without_tls_is_sent_to_the_site_and_nowhere_else(houses: Callable[..., House], host: str) -> None:
    house = houses()
    answer = house.get("/games?a=1&b=%2F", port="plain", Host=host, X_Forwarded_Host="evil.example")
    assert answer.status == 307
    assert answer.headers["Location"] == f"https://{HOST}/games?a=1&b=%2F"
    double = house.get("//evil.example/%0d%0aX: y".replace(" ", ""), port="plain", Host=host)
    assert double.headers["Location"].startswith(f"https://{HOST}/") and "X" not in double.headers


def test_limits_count_each_client_of_the_proxy_and_believe_nobody_else(houses: Callable[..., House]) -> None:
    house = houses()

    def left(port: str, source: str, **headers: str) -> int:
        return int(house.get("/games", port=port, source=source, **headers).headers["X-RateLimit-Remaining"])

    first = left("tls", "127.0.0.11")
    assert left("tls", "127.0.0.11") == first - 1
    assert left("tls", "127.0.0.12") == first, "another client counts for himself"
    # What a client says of himself is not what the proxy says of him.
    assert left("tls", "127.0.0.11", X_Forwarded_For="203.0.113.9") == first - 2
    assert left("tls", "127.0.0.11", X_Forwarded_For="203.0.113.10, 203.0.113.11") == first - 3


def test_only_proxies_that_are_named_are_believed(houses: Callable[..., House]) -> None:
    house = houses(web_proxies="127.0.0.9, 192.0.2.0/24")
    forged = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "203.0.113.9"}
    assert house.get("/games", port="pages", source="127.0.0.8", **forged).status == 307
    assert house.get("/games", port="pages", source="127.0.0.9", **forged).status == 200


def test_a_site_without_tls_in_its_address_has_safe_cookies_for_those_who_come_by_it(
    houses: Callable[..., House],
) -> None:
    house = houses(site="")
    service = house.running.service
    campaign = service.create("struggle_of_empires", 3)
    token = service.invite(campaign, "seat1", "One", "one@example.org")
    path = f"/c/{campaign}/enter/{token}"
    assert "; Secure" in house.get(path).headers["Set-Cookie"]
    plain = house.get(path, port="plain").headers["Set-Cookie"]
    assert "; Secure" not in plain and "HttpOnly" in plain and "SameSite=Lax" in plain


def test_a_proxy_that_was_not_told_of_makes_no_circle(houses: Callable[..., House]) -> None:
    house = houses(web_trusted_proxies=0)
    assert house.get("/").status == 200


def test_many_slow_readers_of_one_address_shut_nobody_out(houses: Callable[..., House]) -> None:
    house = houses()
    slow = [socket.create_connection(("127.0.0.1", house.pages)) for _ in range(150)]
    for one in slow:
        one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
    try:
        assert house.get("/games").status == 200
    finally:
        for one in slow:
            one.close()
