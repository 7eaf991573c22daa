"""How requests reach servers where it is not by libcurl, and what looks at them on their way.

    class Mine(neatline.http.HttpService):
        def request(self, request):
            request.respond(200, {}, b"...")

    neatline.http.set_http_service(Mine())

Retries, priorities, the limit of requests to one host and the cache stand above a service.
"""

from __future__ import annotations

import weakref
from ctypes import byref, c_void_p, cast, sizeof, string_at
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from . import _abi, _callbacks
from ._library import Bytes, as_bytes, check, lib
from ._values import chosen, is_callable, member, several, utf8, whole
from .errors import NotFoundError

__all__ = [
    "HttpError",
    "HttpInterceptor",
    "HttpRequest",
    "HttpResponse",
    "HttpService",
    "set_http_interceptor",
    "set_http_service",
]

Headers = Union[Mapping[str, str], Iterable[Tuple[str, str]]]

#: Kinds of failures, by their numbers in the library.
_KINDS = {each.name.lower(): each.value for each in _abi.HttpError}


class HttpError(Exception):
    """A request without an answer: raised by services and interceptors, to say why.

    kind: "connection" (asked again, as answers of status 500 and above are), "tls", "timeout", "cancelled" or
    "other". The message goes into the error of what asked: no credentials may be in it.
    """

    def __init__(self, message: str, kind: str = "other") -> None:
        super().__init__(message)
        chosen(_KINDS, "kind", kind)
        self.kind = kind


class HttpRequest:
    """What a server is asked: method ("GET", "HEAD" or "POST"), url, headers by name (several of one name with
    commas between), body, and timeout: seconds that it may take, or None.

    A service answers it by `respond` or `fail`, once, from any thread, at any time. An interceptor may change
    all but the timeout.
    """

    def __init__(
        self,
        url: str,
        method: str = "GET",
        headers: Optional[Mapping[str, str]] = None,
        body: bytes = b"",
        timeout: Optional[float] = None,
        id: int = 0,
    ) -> None:
        self.url = url
        self.method = method
        self.headers: Dict[str, str] = dict(headers or {})
        self.body = body
        self.timeout = timeout
        #: Names the request in this process; 0 where it is only looked at.
        self.id = id

    def __repr__(self) -> str:
        # Headers and the query of the address may have credentials in them.
        return f"HttpRequest({self.method} {self.url.split('?')[0]})"

    def respond(self, status: int, headers: Headers = (), body: Bytes = b"") -> bool:
        """Answers the request. Returns whether somebody waited for it: a second answer, and one after a cancel,
        is ignored. Raises InvalidArgumentError and LimitExceededError (headers of more than 1 MiB); the
        request then fails with the same words."""
        data = as_bytes(body)
        pairs = several(headers.items() if isinstance(headers, Mapping) else headers, "headers")
        array, kept = _header_array(pairs)
        status = whole(status, "status", -(2**63), 2**63 - 1)
        status = status if 0 <= status <= 0xFFFFFFFF else 0
        try:
            check(lib.neat_http_respond(self.id, status, array, len(pairs), data, len(data)))
        except NotFoundError:
            return False
        finally:
            del kept
        return True

    def fail(self, message: str, kind: str = "other") -> bool:
        """Says why there is no answer: see HttpError. Returns whether somebody waited for it."""
        number = _KINDS[HttpError(message, kind).kind]
        data = utf8(message, "message")
        try:
            check(lib.neat_http_fail(self.id, number, data, len(data)))
        except NotFoundError:
            return False
        return True

    @classmethod
    def _of(cls, view: _abi.HttpRequest) -> "HttpRequest":
        return cls(
            _callbacks.text(view.url, view.url_size),
            _abi.HttpMethod(view.method).name,
            _headers_of(view.headers, view.header_count),
            string_at(view.body, view.body_size) if view.body_size else b"",
            view.timeout_ms / 1000 if view.timeout_ms else None,
            view.id,
        )


class HttpResponse:
    """What a server answered: status, headers with names in lower case, and the body, unpacked. An interceptor
    may change all of it."""

    def __init__(self, status: int, headers: Optional[Mapping[str, str]] = None, body: bytes = b"") -> None:
        self.status = status
        self.headers: Dict[str, str] = dict(headers or {})
        self.body = body

    def __repr__(self) -> str:
        return f"HttpResponse({self.status}, {len(self.body)} bytes)"

    @classmethod
    def _of(cls, view: _abi.HttpResponse) -> "HttpResponse":
        return cls(
            view.status,
            _headers_of(view.headers, view.header_count),
            string_at(view.body, view.body_size) if view.body_size else b"",
        )


class HttpService:
    """How requests reach servers, in the place of libcurl. Called by threads of the library's, several at once
    too. It follows redirects, and unpacks what is compressed for transfer."""

    def request(self, request: HttpRequest) -> None:
        """Begins a request and returns without waiting for the answer, which comes by request.respond or
        request.fail. What is raised fails the request."""
        raise NotImplementedError(f"{type(self).__name__} has no method request")

    def cancel(self, request: HttpRequest) -> None:
        """Nobody waits for the answer any more: the request may be ended. Its answer is ignored."""


class HttpInterceptor:
    """Looks at requests before they are sent and at answers before anyone uses them, and changes them in place.
    Called by threads of the library's, several at once too; each try of a request passes through it. What is
    raised fails the request: HttpError says how."""

    def send(self, request: HttpRequest) -> None:
        """A request is about to be sent."""

    def receive(self, request: HttpRequest, response: HttpResponse) -> None:
        """An answer has come; `request` as it was sent."""


def _header_array(pairs: List[Tuple[str, str]]) -> Tuple[Any, Any]:
    """Headers as the library takes them, and the texts that must live as long."""
    texts = [(utf8(name, "a header's name"), utf8(value, "a header's value")) for name, value in pairs]
    array = (_abi.HttpHeader * len(texts))()
    for entry, (name, value) in zip(array, texts):
        entry.name, entry.name_size = cast(name, c_void_p), len(name)
        entry.value, entry.value_size = cast(value, c_void_p), len(value)
    return array, texts


def _headers_of(headers: Any, count: int) -> Dict[str, str]:
    """Headers of the library's: those of one name with commas between their values."""
    result: Dict[str, str] = {}
    for index in range(count):
        header = headers[index]
        name = _callbacks.text(header.name, header.name_size)
        value = _callbacks.text(header.value, header.value_size)
        result[name] = f"{result[name]}, {value}" if name in result else value
    return result


class _Running:
    """A service, and its requests under way by their numbers."""

    def __init__(self, service: HttpService) -> None:
        self.service = service
        # The library forgets its own; what a service holds on to is its own matter.
        self.requests: "weakref.WeakValueDictionary[int, HttpRequest]" = weakref.WeakValueDictionary()

    def begin(self, request: HttpRequest) -> None:
        self.requests[request.id] = request
        try:
            self.service.request(request)
        except HttpError as error:
            request.fail(str(error), error.kind)
        except BaseException as error:
            request.fail(_callbacks.words(error))

    def cancel(self, number: int) -> None:
        request = self.requests.get(number)
        if request is not None:
            self.service.cancel(request)


@_abi.HttpRequestCallback
def _begin(context: Optional[int], view: Any) -> None:
    _callbacks.get(context).begin(HttpRequest._of(view.contents))


@_abi.HttpCancelCallback
def _cancel(context: Optional[int], number: int) -> None:
    _callbacks.get(context).cancel(number)


def set_http_service(service: HttpService) -> None:
    """Replaces libcurl in all of the process, for as long as it lives: before any request, and once. Raises
    InvalidStateError where that was done before, or a server was asked before."""
    is_callable(getattr(service, "request", None), "service.request")
    number = _callbacks.add(_Running(service))
    given = _abi.HttpService(sizeof(_abi.HttpService), number, _begin, _cancel)
    try:
        check(lib.neat_set_http_service(byref(given)))
    except BaseException:
        _callbacks.drop(number)
        raise


def _fail(exchange: int, error: BaseException) -> None:
    kind = error.kind if isinstance(error, HttpError) else "other"
    message = (str(error) if isinstance(error, HttpError) else _callbacks.words(error)).encode("utf-8", "replace")
    lib.neat_http_exchange_fail(exchange, _KINDS[kind], message, len(message))


def _set_headers(exchange: int, old: Mapping[str, str], new: Mapping[str, str]) -> None:
    for name in [*(each for each in old if each not in new), *(each for each in new if old.get(each) != new[each])]:
        data, value = utf8(name, "name"), utf8(new[name], name) if name in new else None
        check(lib.neat_http_exchange_set_header(exchange, data, len(data), value, len(value or b"")))


@_abi.HttpSendCallback
def _send(context: Optional[int], view: Any, exchange: int) -> None:
    try:
        request = HttpRequest._of(view.contents)
        url, method, headers, body = request.url, request.method, dict(request.headers), request.body
        _callbacks.get(context).send(request)
        if request.url != url:
            data = utf8(request.url, "url")
            check(lib.neat_http_exchange_set_url(exchange, data, len(data)))
        if request.method != method:
            check(lib.neat_http_exchange_set_method(exchange, member(_abi.HttpMethod, "method", request.method)))
        _set_headers(exchange, headers, request.headers)
        if request.body != body:
            data = as_bytes(request.body)
            check(lib.neat_http_exchange_set_body(exchange, data, len(data)))
    except BaseException as error:
        _fail(exchange, error)


@_abi.HttpReceiveCallback
def _receive(context: Optional[int], sent: Any, view: Any, exchange: int) -> None:
    try:
        response = HttpResponse._of(view.contents)
        status, headers, body = response.status, dict(response.headers), response.body
        _callbacks.get(context).receive(HttpRequest._of(sent.contents), response)
        if response.status != status:
            check(lib.neat_http_exchange_set_status(exchange, whole(response.status, "status")))
        _set_headers(exchange, headers, response.headers)
        if response.body != body:
            data = as_bytes(response.body)
            check(lib.neat_http_exchange_set_body(exchange, data, len(data)))
    except BaseException as error:
        _fail(exchange, error)


def set_http_interceptor(interceptor: Optional[HttpInterceptor]) -> None:
    """Has an interceptor look at all requests of the process from now on, in place of the one before; None: none
    does."""
    if interceptor is None:
        check(lib.neat_set_http_interceptor(None))
        return
    number = _callbacks.add(interceptor)
    given = _abi.HttpInterceptor(sizeof(_abi.HttpInterceptor), number, _send, _receive, _callbacks.drop)
    try:
        check(lib.neat_set_http_interceptor(byref(given)))
    except BaseException:
        _callbacks.drop(number)
        raise
