"""HTTP services for tests: one that answers from memory, and a real one over Python's standard library."""

import http.client
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import neatline
from neatline.http import HttpRequest, HttpService

HOST = "https://maps.example"
STYLE = (
    '{"version":8,"sources":{"s":{"type":"geojson","data":"%s/square.geojson"}},"layers":['
    '{"id":"f","type":"fill","source":"s","paint":{"fill-color":"#c00"}}]}'
)
SQUARE = '{"type":"Polygon","coordinates":[[[-170,-80],[170,-80],[170,80],[-170,80],[-170,-80]]]}'
RED = (204, 0, 0, 255)


def page(request):
    """What the server that there is not has at an address: status, headers, body."""
    path = request.url[len(HOST) :].split("?")[0]
    bodies = {"/style.json": STYLE % HOST, "/square.geojson": SQUARE}
    if path not in bodies:
        return 404, {}, b""
    return 200, {"Cache-Control": "max-age=100"}, bodies[path].encode()


class Double(HttpService):
    """Answers by a function, on threads of its own."""

    def __init__(self, answer=page):
        self.answer = answer
        self.asked = []
        self.cancelled = []
        self.waiting = []

    def request(self, request: HttpRequest) -> None:
        self.asked.append(request)
        threading.Thread(target=self.give, args=(request,)).start()

    def give(self, request):
        try:
            answer = self.answer(request)
        except neatline.http.HttpError as error:
            request.fail(str(error), error.kind)
            return
        if answer is None:
            self.waiting.append(request)
        else:
            request.respond(*answer)

    def cancel(self, request: HttpRequest) -> None:
        self.cancelled.append(request)


class StandardLibraryService(HttpService):
    """Requests by urllib on a pool of threads. urllib follows redirects, and packs nothing as it asks for none."""

    def __init__(self, threads=8):
        self.pool = ThreadPoolExecutor(threads)

    def request(self, request: HttpRequest) -> None:
        self.pool.submit(self.send, request)

    def send(self, request):
        asked = urllib.request.Request(
            request.url, request.body or None, request.headers, method=request.method
        )
        try:
            with urllib.request.urlopen(asked, timeout=request.timeout) as answer:
                request.respond(answer.status, answer.getheaders(), answer.read())
        except urllib.error.HTTPError as error:
            # A status that is no success, 304 among them, is an answer.
            request.respond(error.code, list(error.headers.items()), error.read())
        except TimeoutError as error:
            request.fail(str(error), "timeout")
        except (OSError, http.client.HTTPException) as error:
            request.fail(str(error), "connection")
        except Exception as error:
            request.fail(str(error))


def draw(url=HOST + "/style.json", **options):
    """The pixel in the middle of a picture of the style."""
    with neatline.Renderer(url, **options) as renderer:
        image = renderer.draw(zoom=0, size=(32, 32))
        return tuple(image.to_numpy()[16, 16].tolist())
