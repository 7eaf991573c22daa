"""What renderers load by together: connections, headers, a cache."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, Union

from . import _abi, _callbacks
from ._library import Handle, check, lib, take_buffer, take_json
from ._values import given, is_callable, mapping, member, milliseconds, path_text, utf8, whole

#: Takes the kind and the address of a resource; gives another address, or one (None: its own) with headers.
Transform = Callable[[str, str], Union[None, str, Tuple[Optional[str], Mapping[str, str]]]]


class Resources(Handle):
    """What renderers load by together that are given the same one: connections, headers, archives that stay
    open, the cache of what servers answered, and whether servers are asked at all. Any thread.

    cache: a file for what servers answer, made where it is not there; several processes may use it at once.
    cache_bytes: of it at most, None for 50 MiB; 0: nothing is kept. headers: sent with each request.
    user_agent: None for "Neatline". connections_per_host, connections: requests at once to one host and to
    all, None for 20 and 64. proxy: an address, None for what the environment says. ca_file: certificates that
    are trusted, PEM. credentials: {address: {"headers": {…}, "query": {…}}}, for addresses that begin so.
    providers: how addresses of other schemes become those of servers, {scheme: {"base", "token", "tokenName",
    "source", "style", "sprite", "glyphs", "tile"}}, templates with {domain}, {path}, {directory}, {filename},
    {extension} of the address. access_token: for mapbox:// addresses. assets: a folder for
    asset:// addresses, out of which none leads. timeout: seconds that one request may
    take in all; retries: attempts after a failure that may pass, 0 to 100; unpacked_limit: bytes that the
    packed body of one response may unpack to, None for 256 MiB. transform: as set_transform takes it.

    Answers are kept as Cache-Control and Expires say. Expired ones are asked about, and used where no server
    answers, but for those with must-revalidate. Raises FileError; ArchiveError for another application's
    database; InvalidStateError for one of a newer version.
    """

    _destroy = "neat_resources_destroy"

    def __init__(
        self,
        cache: Optional[Union[str, "os.PathLike[str]"]] = None,
        *,
        cache_bytes: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        user_agent: Optional[str] = None,
        connections_per_host: Optional[int] = None,
        connections: Optional[int] = None,
        proxy: Optional[str] = None,
        ca_file: Optional[Union[str, "os.PathLike[str]"]] = None,
        credentials: Optional[Mapping[str, Mapping[str, Mapping[str, str]]]] = None,
        providers: Optional[Mapping[str, Mapping[str, str]]] = None,
        access_token: Optional[str] = None,
        assets: Optional[Union[str, "os.PathLike[str]"]] = None,
        timeout: float = 30.0,
        retries: int = 3,
        unpacked_limit: Optional[int] = None,
        transform: Optional[Transform] = None,
    ) -> None:
        known = {} if providers is None else mapping(providers, "providers")
        table = {scheme: dict(mapping(provider, "a provider")) for scheme, provider in known.items()}
        entries = {} if credentials is None else mapping(credentials, "credentials")
        if access_token is not None:
            table.setdefault("mapbox", {"token": access_token})
        wishes = given(
            cache_path=None if cache is None else path_text(cache, "cache").decode(),
            cache_bytes=cache_bytes,
            headers=None if headers is None else dict(mapping(headers, "headers")),
            user_agent=user_agent,
            connections_per_host=connections_per_host,
            connections=connections,
            proxy=proxy,
            ca_file=None if ca_file is None else path_text(ca_file, "ca_file").decode(),
            credentials=[{"url": url, **mapping(entry, "credentials")} for url, entry in entries.items()],
            providers=table,
            asset_path=None if assets is None else path_text(assets, "assets").decode(),
            timeout_ms=milliseconds(timeout, "timeout"),
            retry_count=whole(retries, "retries", 0, 100),
            unpacked_limit_bytes=unpacked_limit,
        )
        super().__init__(self._make(lib.neat_resources_create, wishes, len(wishes)))
        if transform is not None:
            self.set_transform(transform)

    def set_transform(self, transform: Optional[Transform]) -> None:
        """Has each resource pass through a function before it is asked for, in place of the one before; None:
        none does.

        It takes a kind ("style", "source", "tile", "glyphs", "sprite_image", "sprite_json", "image", "geojson",
        "font", "unknown") and the address as the style names it, and returns None, another address, or an
        address (None: its own) and a mapping of further headers. What is kept, and what errors say, goes by the
        address that came in, so that credentials are in none of them. What it raises fails the resource
        (UnsupportedError) with its words. Threads of the library call it, several at once too.
        """
        if transform is None:
            check(
                lib.neat_resources_set_transform(
                    self._pointer, _abi.TransformCallback(), None, _abi.DestroyCallback()
                )
            )
            return
        number = _callbacks.add(is_callable(transform, "transform"))
        try:
            check(
                lib.neat_resources_set_transform(
                    self._pointer, _callbacks.change_resource, number, _callbacks.drop
                )
            )
        except BaseException:
            _callbacks.drop(number)
            raise

    def load(self, kind: str, url: str, timeout: Optional[float] = None) -> bytes:
        """Loads a resource as maps do: by the transform, from a file, an archive, the cache or a server, with
        retries, and waits.

        kind: as set_transform has it. timeout: seconds in all, None: as long as the options say. Empty for an
        empty answer (204). Raises NotFoundError for 404 and 410, and what loading fails with.
        """
        number = member(_abi.ResourceKind, "kind", kind)
        text = utf8(url, "url")
        return take_buffer(
            lib.neat_resources_load,
            self._pointer,
            number,
            text,
            len(text),
            0 if timeout is None else milliseconds(timeout, "timeout"),
        )

    def set_online(self, is_online: bool) -> None:
        """Says whether servers are asked. Where not, requests that the cache cannot answer fail, and no socket
        is opened."""
        check(lib.neat_resources_set_online(self._pointer, int(bool(is_online))))

    def clear_cache(self) -> None:
        """Forgets all of the cache. Raises InvalidStateError where there is none."""
        check(lib.neat_resources_keep(self._pointer, _abi.CacheAction.CLEAR))

    def invalidate_cache(self) -> None:
        """Has all of the cache asked about when it is used next."""
        check(lib.neat_resources_keep(self._pointer, _abi.CacheAction.INVALIDATE))

    def pack_cache(self) -> None:
        """Gives free room back to the disk."""
        check(lib.neat_resources_keep(self._pointer, _abi.CacheAction.PACK))

    def flush_cache(self) -> None:
        """Writes what waits to be written."""
        check(lib.neat_resources_keep(self._pointer, _abi.CacheAction.FLUSH))

    def set_cache_bytes(self, size: int) -> None:
        """Changes how many bytes the cache has at most; 0: nothing is kept."""
        check(lib.neat_resources_set_cache_bytes(self._pointer, whole(size, "size", 0, 2**63 - 1)))

    def make_default(self) -> None:
        """Has renderers and maps of the process load by these that are made from now on without `resources`."""
        check(lib.neat_resources_set_default(self._pointer))

    @staticmethod
    def clear_default() -> None:
        """Has such renderers and maps load each by itself again."""
        check(lib.neat_resources_set_default(None))

    @property
    def report(self) -> Dict[str, Any]:
        """How it goes: online, and of the cache bytes, hits, misses, stored, revalidated, evicted, damaged, skipped,
        bytesRead, bytesWritten, and notices, each told once."""
        return take_json(lib.neat_resources_report, self._pointer)
