"""Addresses in styles: where they point, and what is there."""

from __future__ import annotations

import os
import re
import urllib.error
import urllib.parse
import urllib.request
from typing import Optional, Tuple

from ..errors import FileError, NetworkError, NotFoundError

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):")
# Bytes of a style, a TileJSON, a sprite or a GeoJSON document.
DOCUMENT_LIMIT = 1 << 30


def scheme_of(address: str) -> str:
    """The scheme in small letters, "" for a path."""
    match = _SCHEME.match(address)
    return match.group(1).lower() if match else ""


def is_of_server(address: str) -> bool:
    """Whether an address is http or https."""
    return scheme_of(address) in ("http", "https")


def resolve(address: str, base: str) -> str:
    """An address of a document as seen from the document's own, as the library resolves it."""
    scheme = scheme_of(address)
    if scheme in ("mbtiles", "pmtiles") and address.lower().startswith(scheme + "://"):
        inner = address[len(scheme) + 3 :]
        return f"{scheme}://{inner if scheme_of(inner) else resolve(inner, base)}"
    if scheme:
        return address
    if scheme_of(base) in ("mbtiles", "pmtiles"):
        base = base.split("://", 1)[1]
    if is_of_server(base):
        return urllib.parse.urljoin(base, address)
    if not base or address.startswith("/"):
        return address
    return os.path.normpath(os.path.join(os.path.dirname(local_path(base)), address))


def local_path(address: str) -> str:
    """The path of a file:// address; paths stay as they are."""
    if address.lower().startswith("file://"):
        path = address[7:]
        return urllib.parse.unquote(path[len("localhost") :] if path.startswith("localhost/") else path)
    return address


def read(address: str, timeout: float) -> bytes:
    """The bytes of a document. Raises NotFoundError, FileError, NetworkError."""
    if is_of_server(address):
        return fetch(address, timeout)[0]
    path = local_path(address)
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise NotFoundError(f"{path} is not there") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None


def fetch(
    address: str, timeout: float, part: Optional[Tuple[int, int]] = None
) -> Tuple[bytes, "urllib.request.http.client.HTTPMessage"]:  # type: ignore[name-defined]
    """What a server has, or the bytes from, to before of it; and the answer's headers."""
    request = urllib.request.Request(address, headers={"User-Agent": "neatline"})
    if part is not None:
        request.add_header("Range", f"bytes={part[0]}-{part[1] - 1}")
    limit = DOCUMENT_LIMIT if part is None else part[1] - part[0]
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            # A server without ranges sends all: no more is read than was asked for.
            return answer.read(limit), answer.headers
    except urllib.error.HTTPError as error:
        if error.code in (404, 410):
            raise NotFoundError(f"{address}: the server answers {error.code}") from None
        raise NetworkError(f"{address}: the server answers {error.code}") from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise NetworkError(f"{address}: {getattr(error, 'reason', error)}") from None
