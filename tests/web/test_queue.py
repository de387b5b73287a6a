"""Orders go before readers, also where more look at a campaign than there are threads."""

from __future__ import annotations

import http.client
import threading
import time

from pbem import running
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings


def test_an_order_waits_for_no_page_that_waits_itself(tmp_path, monkeypatch):
    served: list[str] = []
    busy, go_on = threading.Semaphore(0), threading.Event()

    def application(environ, start_response):
        busy.release()
        assert go_on.wait(60)
        served.append(environ["REQUEST_METHOD"])
        start_response("204 No Content", [])
        return []

    monkeypatch.setattr(running, "THREADS", 1)
    monkeypatch.setattr(running, "create_app", lambda *_: application)
    settings = Settings(var=tmp_path, web_port=0)
    service = Service(settings)
    server = running.page_server(service, settings)
    threading.Thread(target=server.run, daemon=True).start()

    def ask(method: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=60)
        connection.request(method, "/", body=b"x" if method == "POST" else None)
        connection.getresponse().read()
        connection.close()

    asking = []

    def begin(method: str, waiting: int) -> None:
        asking.append(threading.Thread(target=ask, args=(method,)))
        asking[-1].start()
        for _ in range(600):
            if len(server.task_dispatcher.queue) == waiting:
                return
            time.sleep(0.1)
        raise AssertionError(f"{method} does not wait")

    try:
        asking.append(threading.Thread(target=ask, args=("GET",)))
        asking[-1].start()
        assert busy.acquire(timeout=60)  # the one thread makes a page
        for number in range(4):
            begin("GET", number + 1)
        for number in range(2):
            begin("POST", number + 5)
        go_on.set()
        for one in asking:
            one.join(60)
    finally:
        go_on.set()
        server.task_dispatcher.shutdown()
        server.close()
        service.close()
    assert served == ["GET", "POST", "POST", "GET", "GET", "GET", "GET"]
