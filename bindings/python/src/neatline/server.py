"""Tiles and pictures of styles as an ASGI application on starlette (`pip install "neatline[server]"`).

    from neatline.server import create_app

    app = create_app({"basic": "style.json"})

Addresses, statuses, tags and limits are those of `neatline serve` below /styles/, as far as create_app lists
them; docs/server.md has all.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from typing import Any, AsyncIterator, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ._values import instance, utf8, whole
from .errors import (
    DeadlineError,
    InvalidArgumentError,
    LimitExceededError,
    NeatlineError,
    NotFoundError,
    OutOfMemoryError,
)
from .geojson import GeoJSON
from .image import Image
from .overlay import Overlay
from .renderer import Renderer, Style
from .report import silence

__all__ = ["Limits", "create_app"]

_TYPES = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp"}
_NAME = re.compile(r"(.+?)(?:@([1-9][0-9]{0,8})x)?\.(png|jpg|jpeg|webp)", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


class Limits(NamedTuple):
    """What clients are granted.

    pixels, edge: device pixels of a picture, and of the longer of its edges. ratio: device pixels a logical
    pixel. waiting: pictures that wait for a thread. seconds: for a picture, its turn and all that it needs.
    """

    pixels: int = 16 << 20
    edge: int = 8192
    ratio: int = 4
    waiting: int = 256
    seconds: float = 30.0


class _Refusal(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, text: str, **headers: str) -> None:
        super().__init__(text)
        self.response = Response(
            text + "\n", status, {"Cache-Control": "no-store", **headers}, "text/plain; charset=utf-8"
        )


class _Picture(NamedTuple):
    """What is to be drawn: a tile, or a view."""

    tile: Optional[Tuple[int, int, int]]
    view: Dict[str, Any]
    size: Tuple[int, int]
    ratio: int
    format: str
    quality: Optional[int]
    must_be_complete: bool
    geojson: Sequence[str] = ()
    padding: float = 0.1
    attribution: bool = False
    scale_bar: Optional[str] = None


class _Site:
    """Styles, and the threads that draw them."""

    def __init__(
        self,
        styles: Mapping[str, Any],
        workers: int,
        limits: Limits,
        cache_control: str,
        options: Dict[str, Any],
    ) -> None:
        self.limits, self.cache_control = limits, cache_control
        self.sources = dict(styles)
        self.renderers = {
            name: style if isinstance(style, Renderer) else Renderer(style, **options)
            for name, style in styles.items()
        }
        self.workers = workers
        self.pool: Optional[ThreadPoolExecutor] = None
        self.lock = threading.Lock()
        self.busy = 0

    # Threads

    async def work(self, function: Callable[[float], Response]) -> Response:
        """Runs a function that is told how many seconds it has, in its turn."""
        begin = time.monotonic()

        def run() -> Response:
            left = self.limits.seconds - (time.monotonic() - begin)
            if left <= 0:
                raise _Refusal(503, "the picture had no turn in time", **{"Retry-After": "1"})
            return function(left)

        with self.lock:
            if self.pool is None:
                self.pool = ThreadPoolExecutor(self.workers, "neatline")
            if self.busy >= self.limits.waiting + self.workers:
                raise _Refusal(503, "too many pictures at once", **{"Retry-After": "1"})
            self.busy += 1
            future = self.pool.submit(run)
        # Of the drawing, and not of the client, who may be gone before it is over.
        future.add_done_callback(self._over)
        return await asyncio.wrap_future(future)

    def _over(self, _: Any) -> None:
        with self.lock:
            self.busy -= 1

    def close(self) -> None:
        with self.lock:
            pool, self.pool = self.pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    # Answers

    def renderer(self, request: Request) -> Renderer:
        name = request.path_params["style"]
        if name not in self.renderers:
            raise _Refusal(404, f'there is no style "{name}"')
        return self.renderers[name]

    async def tile(self, request: Request) -> Response:
        renderer, params = self.renderer(request), request.path_params
        edge = params.get("edge", "256")
        name = _NAME.fullmatch(params["name"])
        if name is None or edge not in ("256", "512"):
            raise _nothing()
        numbers = [params["z"], params["x"], name[1]]
        if not all(_WHOLE.fullmatch(each) for each in numbers):
            raise _nothing()
        z, x, y = map(int, numbers)
        return await self.picture(request, renderer, (z, x, y), {}, (int(edge), int(edge)), name)

    async def static(self, request: Request) -> Response:
        renderer, params = self.renderer(request), request.path_params
        name = _NAME.fullmatch(params["name"])
        size = name[1].split("x") if name else []
        if name is None or len(size) != 2 or not all(_WHOLE.fullmatch(each) for each in size):
            raise _nothing()
        view = _view(params["view"])
        return await self.picture(request, renderer, None, view, (int(size[0]), int(size[1])), name)

    async def picture(
        self, request: Request, renderer: Renderer, tile: Any, view: Dict[str, Any], size: Any, name: Any
    ) -> Response:
        ratio, format = int(name[2] or 1), name[3]
        known = ["quality", "complete"] + ([] if tile else ["padding", "attribution", "scalebar"])
        query = _parameters(request, known, [] if tile else ["geojson"])
        quality = query.get("quality")
        if quality is not None:
            if not _WHOLE.fullmatch(quality) or not 1 <= int(quality) <= 100:
                raise _Refusal(400, f'quality: "{quality}" is not within 1 to 100')
            if format == "png":
                raise _Refusal(400, "quality: PNG has none")
        if query.get("complete", "0") not in ("0", "1"):
            raise _Refusal(400, f'complete: "{query["complete"]}" is neither 0 nor 1')
        self.check(size, ratio)
        number = None if quality is None else int(quality)
        wanted = _Picture(tile, view, size, ratio, format, number, query.get("complete") == "1")
        if tile is None:
            wanted = _with_overlay(wanted, query, request.query_params.getlist("geojson"))
        return _conditional(request, await self.work(lambda left: self.draw(renderer, wanted, left)))

    def check(self, size: Tuple[int, int], ratio: int) -> None:
        limits = self.limits
        if ratio > limits.ratio:
            raise _Refusal(413, f"@{ratio}x is over the limit of {limits.ratio}")
        width, height = (each * ratio for each in size)
        if max(width, height) > limits.edge or width * height > limits.pixels:
            raise _Refusal(413, f"a picture of {width} x {height} device pixels is over the limits")

    def draw(self, renderer: Renderer, wanted: _Picture, left: float) -> Response:
        # What is missing is in the answer.
        with silence():
            if wanted.tile is not None:
                image = renderer.draw_tile(*wanted.tile, wanted.size[0], wanted.ratio, deadline=left)
            else:
                image = _draw_view(renderer, wanted, left)
        with image:
            missing = image._missing_count
            headers = {"Neatline-Missing": str(missing)} if missing else {}
            if not image.is_complete:
                if wanted.must_be_complete:
                    lines = "\n".join(str(each) for each in image.missing if each.is_failure)
                    headers["Retry-After"] = "10"
                    raise _Refusal(503, f"the picture is not complete:\n{lines}", **headers)
                headers["Cache-Control"] = "no-store"
            body = image.encode(wanted.format, quality=wanted.quality)
        return self.answer(body, _TYPES[wanted.format], headers)

    def located(self, body: bytes) -> Response:
        """JSON with addresses in it, which are as the client asked for them."""
        return self.answer(body, "application/json", {"Vary": "Host, X-Forwarded-Host, X-Forwarded-Proto"})

    def answer(self, body: bytes, kind: str, headers: Mapping[str, str] = {}) -> Response:
        tag = '"' + hashlib.blake2b(body, digest_size=16).hexdigest() + '"'
        return Response(body, 200, {"ETag": tag, "Cache-Control": self.cache_control, **headers}, kind)

    def json(self, request: Request, value: Any) -> Response:
        return _conditional(request, self.located(json.dumps(value).encode()))

    async def tilejson(self, request: Request) -> Response:
        edge = request.path_params.get("edge", "256")
        if edge not in ("256", "512"):
            raise _nothing()
        renderer = self.renderer(request)
        _parameters(request, [])
        base = self.base(request)

        def make(left: float) -> Response:
            about = self.about(request.path_params["style"], renderer, edge, base, left)
            return self.located(json.dumps(about).encode())

        return _conditional(request, await self.work(make))

    def about(self, name: str, renderer: Renderer, edge: str, base: str, left: float) -> Dict[str, Any]:
        try:
            credit = renderer.attribution(deadline=min(left, 5))
        except NeatlineError:
            # The rest is worth having without it.
            credit = []
        own = renderer.info
        size = "" if edge == "256" else "512/"
        return {
            "tilejson": "3.0.0", "id": name, "name": own.get("name") or name,
            "attribution": " | ".join(credit),
            "minzoom": 0, "maxzoom": 22, "bounds": [-180, -85.0511, 180, 85.0511], "format": "png",
            "type": "baselayer", "scheme": "xyz", "tileSize": int(edge),
            "center": [*own["center"], math.floor(own["zoom"] + (edge == "256") + 0.5)],
            "tiles": [f"{base}/styles/{quote(name, safe='')}/{size}{{z}}/{{x}}/{{y}}.png"],
        }  # fmt: skip

    def base(self, request: Request) -> str:
        """Where this application is, as the client asks for it, with what it is mounted at."""
        url = request.url
        return f"{url.scheme}://{url.netloc}{quote(request.scope.get('root_path', '').rstrip('/'))}"

    async def styles(self, request: Request) -> Response:
        _parameters(request, [])
        base = self.base(request)
        return self.json(
            request,
            [
                {
                    "version": 8,
                    "name": renderer.info.get("name") or name,
                    "id": name,
                    "url": f"{base}/styles/{quote(name, safe='')}/style.json",
                }
                for name, renderer in self.renderers.items()
            ],
        )

    async def style(self, request: Request) -> Response:
        self.renderer(request)
        _parameters(request, [])
        source = self.sources[request.path_params["style"]]

        def make(_: float) -> Response:
            return self.answer(_document(source), "application/json")

        return _conditional(request, await self.work(make))


def _document(source: Any) -> bytes:
    """A style as it was given; its addresses stay as they are."""
    if isinstance(source, Mapping):
        return json.dumps(source).encode()
    if isinstance(source, Renderer):
        raise _Refusal(404, "this style is known by its renderer alone")
    text = os.fspath(source)
    if text.lstrip().startswith("{"):
        return text.encode()
    if "://" in text and not text.startswith("file://"):
        raise _Refusal(302, text, Location=text)
    with open(text[7:] if text.startswith("file://") else text, "rb") as file:
        return file.read()


def _nothing() -> _Refusal:
    return _Refusal(404, "nothing here; styles are listed at /styles.json")


def _with_overlay(wanted: _Picture, query: Mapping[str, str], geojson: Sequence[str]) -> _Picture:
    """What the parameters of a static picture say."""
    padding = query.get("padding", "0.1")
    if len(padding) > 40 or not _NUMBER.fullmatch(padding) or not 0 <= float(padding) <= 10:
        raise _Refusal(400, f'padding: "{padding}" is no number within 0 and 10')
    attribution = query.get("attribution", "0")
    if attribution not in ("", "1", "true", "0", "false"):
        raise _Refusal(400, f'attribution: "{attribution}" is neither 1 nor 0')
    scale_bar = query.get("scalebar")
    if scale_bar not in (None, "metric", "imperial", "nautical"):
        raise _Refusal(400, f'scalebar: "{scale_bar}" is not metric, imperial or nautical')
    if wanted.view.get("bounds") == "auto" and not geojson:
        raise _Refusal(400, "auto: there is nothing to go around; give geojson")
    return wanted._replace(
        geojson=geojson,
        padding=float(padding),
        attribution=attribution in ("", "1", "true"),
        scale_bar=scale_bar,
    )


def _overlay(texts: Sequence[str]) -> Overlay:
    """All GeoJSON of an address, read by the library's rules."""
    features: List[Any] = []
    for text in texts:
        try:
            # Read for its faults alone: an overlay would draw without what is wrong.
            GeoJSON(text).close()
            value = json.loads(text)
        except (NeatlineError, ValueError, RecursionError) as error:
            raise _Refusal(400, f"geojson: {error}") from None
        if value["type"] == "FeatureCollection":
            features += value["features"]
        elif value["type"] == "Feature":
            features.append(value)
        else:
            features.append({"type": "Feature", "properties": {}, "geometry": value})
    return Overlay({"type": "FeatureCollection", "features": features})


def _draw_view(renderer: Renderer, wanted: _Picture, left: float) -> Image:
    view = dict(wanted.view)
    with ExitStack() as held:
        overlay = held.enter_context(_overlay(wanted.geojson)) if wanted.geojson else None
        if "bounds" in view:
            # A part of the box on each side, as a part of the picture.
            part = wanted.padding / (1 + 2 * wanted.padding)
            side, end = (edge * part for edge in wanted.size)
            view["padding"] = (end, side, end, side)
        if view.get("bounds") == "auto" and overlay is not None:
            try:
                view["bounds"] = overlay.bounds
            except NotFoundError as error:
                raise _Refusal(400, str(error)) from None
        return renderer.draw(
            **view, size=wanted.size, ratio=wanted.ratio, deadline=left, overlay=overlay,
            attribution=wanted.attribution, scale_bar=wanted.scale_bar,
        )  # fmt: skip


def _parameters(request: Request, known: List[str], repeating: Sequence[str] = ()) -> Dict[str, str]:
    """The query; what nobody reads is refused by name, so that a misspelt one is not lost."""
    result: Dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in repeating:
            continue
        if name not in known:
            names = ", ".join([*known, *repeating]) or "none"
            raise _Refusal(400, f'unknown parameter "{name}"; known here: {names}')
        if name in result:
            raise _Refusal(400, f'parameter "{name}" is given twice')
        result[name] = value
    return result


def _numbers(text: str) -> List[float]:
    parts = text.split(",")
    if not all(len(each) < 40 and _NUMBER.fullmatch(each) for each in parts):
        raise _nothing()
    numbers = [float(each) for each in parts]
    if not all(map(math.isfinite, numbers)):
        raise _nothing()
    return numbers


def _view(text: str) -> Dict[str, Any]:
    """LON,LAT,ZOOM[@BEARING[,PITCH]], W,S,E,N or auto; the world is 256 pixels wide at zoom 0."""
    if text == "auto":
        return {"bounds": "auto", "bearing": 0.0, "pitch": 0.0, "roll": 0.0}
    place, at, turn = text.partition("@")
    numbers = _numbers(place)
    if len(numbers) == 4 and not at:
        if numbers[1] > numbers[3]:
            raise _Refusal(400, f"the box W,S,E,N has S {numbers[1]:g} above N {numbers[3]:g}")
        return {"bounds": numbers, "bearing": 0.0, "pitch": 0.0, "roll": 0.0}
    turns = _numbers(turn) if at else [0.0]
    if len(numbers) != 3 or len(turns) > 2:
        raise _nothing()
    return {
        "center": numbers[:2], "zoom": numbers[2] - 1, "bearing": turns[0],
        "pitch": turns[1] if len(turns) == 2 else 0.0, "roll": 0.0,
    }  # fmt: skip


def _conditional(request: Request, answer: Response) -> Response:
    """Nothing but the head where the client has the answer."""
    tag = answer.headers.get("etag")
    known = request.headers.get("if-none-match")
    if answer.status_code != 200 or tag is None or known is None:
        return answer
    words = [word.strip() for word in known.split(",")]
    if "*" not in words and tag not in words and "W/" + tag not in words:
        return answer
    left_out = ("content-length", "content-type")
    kept = {name: answer.headers[name] for name in answer.headers if name not in left_out}
    return Response(None, 304, kept)


def _failed(error: NeatlineError) -> Response:
    if isinstance(error, InvalidArgumentError):
        status = 400
    elif isinstance(error, LimitExceededError):
        status = 413
    elif isinstance(error, OutOfMemoryError):
        return _Refusal(503, str(error), **{"Retry-After": "1"}).response
    else:
        status = 504 if isinstance(error, DeadlineError) else 500
    return _Refusal(status, str(error)).response


def create_app(
    styles: Union[Style, Renderer, Mapping[str, Union[Style, Renderer]]],
    *,
    workers: Optional[int] = None,
    limits: Limits = Limits(),
    cache_control: str = "public, max-age=3600",
    **options: Any,
) -> Starlette:
    """An ASGI application that draws styles; run it with any server of ASGI, or mount it within another.

    styles: styles, or renderers, by what stands for them in addresses; one alone is "style". workers:
    pictures drawn at once; None: as many as there are processors. options: of Renderer.

        /styles.json                                    what is served
        /styles/ID/style.json, /styles/ID.json          the style as it was given, and TileJSON
        /styles/ID/[256/|512/]{z}/{x}/{y}[@2x].png      tiles (.jpg, .webp; ?quality=, ?complete=1)
        /styles/ID/static/LON,LAT,ZOOM[@B[,P]]/WxH.png  a picture; or W,S,E,N or auto in the place of the view
                                                        (?geojson=, ?padding=, ?attribution=1, ?scalebar=metric)
        /health

    Raises what Renderer raises where a style cannot be had.
    """
    is_one = not isinstance(styles, Mapping) or "layers" in styles
    known: Mapping[str, Any] = {"style": styles} if is_one else styles  # type: ignore[assignment]
    for name in known:
        if not isinstance(name, str) or not name or "/" in name or name in (".", ".."):
            raise InvalidArgumentError(f"{name!r} is no name that an address can have")
    instance(limits, Limits, "limits")
    utf8(cache_control, "cache_control")
    count = (os.cpu_count() or 1) if workers is None else whole(workers, "workers", -(2**63), 2**63)
    if count < 1:
        raise InvalidArgumentError(f"workers: {count} is below 1")
    site = _Site(known, count, limits, cache_control, options)

    def guarded(function: Callable[[Request], Any]) -> Callable[[Request], Any]:
        async def handle(request: Request) -> Response:
            try:
                answer = await function(request)
            except _Refusal as refusal:
                answer = refusal.response
            except NeatlineError as error:
                answer = _failed(error)
            # How the server does is no business of pages of other origins.
            if function is not health:
                answer.headers["Access-Control-Allow-Origin"] = "*"
            answer.headers["X-Content-Type-Options"] = "nosniff"
            return answer

        return handle

    async def health(_: Request) -> Response:
        busy = site.busy
        state = {"status": "ok", "drawing": min(busy, count), "waiting": max(0, busy - count)}
        return Response(json.dumps(state), 200, {"Cache-Control": "no-store"}, "application/json")

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.get_running_loop().run_in_executor(None, site.close)

    at = "/styles/{style}"
    routes = [
        ("/styles.json", site.styles), ("/health", health), (at + "/style.json", site.style),
        (at + ".json", site.tilejson),
        ("/styles/{edge}/{style}.json", site.tilejson), (at + "/static/{view}/{name}", site.static),
        (at + "/{z}/{x}/{name}", site.tile), (at + "/{edge}/{z}/{x}/{name}", site.tile),
    ]  # fmt: skip
    return Starlette(routes=[Route(path, guarded(function)) for path, function in routes], lifespan=lifespan)
