"""The style of a pyramid and what it draws from: which resources there are, and a fingerprint of each, so
that a plan can tell whether they are still what they were.

Small files are hashed whole. Of files past 16 MiB a fingerprint takes the size, both ends and 64 samples:
SQLite counts changes of an MBTiles in its first page, and the directory of a PMTiles stands at its start, so
neither changes without its fingerprint. `check="full"` hashes every byte.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .._values import as_json, path_str
from ..errors import FileError, InvalidArgumentError, JSONError, NotFoundError, StyleError
from .addresses import fetch, is_of_server, local_path, read, resolve, scheme_of

WHOLE_LIMIT = 16 << 20
SAMPLES, SAMPLE_BYTES, END_BYTES = 64, 16 << 10, 64 << 10
CHECKS = ("fast", "full", "none")
# Files in a folder of glyphs.
GLYPH_FILE_LIMIT = 100_000

StyleInput = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class Resource(NamedTuple):
    """Something that a style draws from.

    kind: "style", "archive", "tilejson", "geojson", "image", "sprite", "glyphs" or "font". is_data: what
    tiles are drawn from one by one, so that its changes change only those near them."""

    kind: str
    address: str
    fingerprint: str
    is_data: bool

    def to_json(self) -> List[Any]:
        """As a plan keeps it."""
        return list(self)


class StyleText(NamedTuple):
    """A style as text, and where relative addresses in it start."""

    address: Optional[str]
    text: bytes
    base: str

    @property
    def json(self) -> Dict[str, Any]:
        """The style. Raises JSONError, StyleError."""
        try:
            value = json.loads(self.text)
        except ValueError as error:
            raise JSONError(f"{self.address or 'the style'} is not JSON: {error}") from None
        if not isinstance(value, dict) or not isinstance(value.get("sources", {}), dict):
            raise StyleError(f"{self.address or 'the style'} is not a style")
        return value


def read_style(style: StyleInput, base: str, timeout: float) -> StyleText:
    """The style of a path, an address, JSON text or a dictionary."""
    if isinstance(style, Mapping) or isinstance(style, str) and style.lstrip().startswith("{"):
        return StyleText(None, as_json(style), base)
    address = path_str(style, "style")
    if not isinstance(address, str):
        raise InvalidArgumentError(f"{style!r} is not the address of a style")
    if not is_of_server(address):
        # Workers may run in other folders.
        address = os.path.abspath(local_path(address))
    return StyleText(address, read(address, timeout), address)


def resources(style: StyleText, fonts: Sequence[str], check: str, timeout: float) -> List[Resource]:
    """All that a style draws from, with fingerprints. Raises NotFoundError, FileError, NetworkError where one
    of them is not to be had."""
    if check not in CHECKS:
        raise InvalidArgumentError(f'check "{check}" is none of {", ".join(CHECKS)}')
    found = [Resource("style", style.address or "", hashlib.sha256(style.text).hexdigest(), False)]
    if check == "none":
        return found
    seen = set()
    for kind, address, is_data in _named(style, timeout):
        if (kind, address) not in seen:
            seen.add((kind, address))
            found.append(Resource(kind, address, _fingerprint(kind, address, check, timeout), is_data))
    for path in fonts:
        found.append(Resource("font", path, _of_file(path, check), False))
    return found


def _named(style: StyleText, timeout: float) -> Iterator[Tuple[str, str, bool]]:
    document = style.json
    for name, source in sorted(document.get("sources", {}).items()):
        if not isinstance(source, dict):
            raise StyleError(f"source {name} is not an object")
        url, data = source.get("url"), source.get("data")
        if source.get("type") == "image" and isinstance(url, str):
            yield "image", resolve(url, style.base), False
        elif isinstance(data, str):
            yield "geojson", resolve(data, style.base), True
        elif isinstance(url, str):
            address = resolve(url, style.base)
            if scheme_of(address) in ("mbtiles", "pmtiles"):
                yield "archive", address, True
            elif scheme_of(address) != "data":
                yield "tilejson", address, False
                for template in tile_templates(address, timeout):
                    if scheme_of(template) in ("mbtiles", "pmtiles"):
                        yield "archive", template, True
        for template in source.get("tiles") or ():
            if isinstance(template, str) and scheme_of(template) in ("mbtiles", "pmtiles"):
                yield "archive", resolve(template, style.base), True
    sprites = document.get("sprite")
    for sprite in sprites if isinstance(sprites, list) else [sprites]:
        address = sprite.get("url") if isinstance(sprite, dict) else sprite
        if isinstance(address, str):
            yield "sprite", resolve(address, style.base), False
    if isinstance(document.get("glyphs"), str):
        yield "glyphs", resolve(document["glyphs"], style.base), False


def tile_templates(address: str, timeout: float) -> List[str]:
    """The tile addresses of a TileJSON."""
    document = tilejson(address, timeout)
    return [resolve(each, address) for each in document.get("tiles") or () if isinstance(each, str)]


def tilejson(address: str, timeout: float) -> Dict[str, Any]:
    """A TileJSON. Raises JSONError."""
    try:
        document = json.loads(read(address, timeout))
    except ValueError as error:
        raise JSONError(f"{address} is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise JSONError(f"{address} is not a TileJSON")
    return document


def _fingerprint(kind: str, address: str, check: str, timeout: float) -> str:
    if kind == "archive":
        place = address.split("://", 1)[1]
        return _of_server(place, timeout) if is_of_server(place) else _of_file(local_path(place), check)
    if kind == "sprite":
        return _of_sprite(address, timeout)
    if kind == "glyphs":
        return _of_glyphs(address)
    if scheme_of(address) == "data":
        return hashlib.sha256(address.encode()).hexdigest()
    if is_of_server(address):
        return hashlib.sha256(read(address, timeout)).hexdigest()
    return _of_file(local_path(address), check)


def _of_file(path: str, check: str) -> str:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            digest.update(b"%d\n" % size)
            if size <= WHOLE_LIMIT or check == "full":
                while block := file.read(1 << 20):
                    digest.update(block)
            else:
                step = (size - 2 * END_BYTES) // SAMPLES
                places = [(0, END_BYTES), (size - END_BYTES, END_BYTES)]
                places += [(END_BYTES + n * step, SAMPLE_BYTES) for n in range(SAMPLES)]
                for place, count in places:
                    file.seek(place)
                    digest.update(file.read(count))
        # Changes that SQLite has not brought into the file yet.
        if os.path.exists(path + "-wal") and os.path.getsize(path + "-wal"):
            digest.update(b"wal" + _of_file(path + "-wal", check).encode())
    except FileNotFoundError:
        raise NotFoundError(f"{path} is not there") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    return digest.hexdigest()


def _of_server(address: str, timeout: float) -> str:
    """An archive on a server: its first 16 KiB, which hold header and root directory, and what the server
    says about the rest."""
    head, headers = fetch(address, timeout, (0, 16 << 10))
    length = (headers.get("Content-Range") or "").rpartition("/")[2] or headers.get("Content-Length") or ""
    digest = hashlib.sha256(head)
    for text in (length, headers.get("ETag") or headers.get("Last-Modified") or ""):
        digest.update(b"\n" + text.encode())
    return digest.hexdigest()


def _of_sprite(address: str, timeout: float) -> str:
    digest, count = hashlib.sha256(), 0
    stem, mark, query = address.partition("?")
    for ending in (".json", ".png", "@2x.json", "@2x.png"):
        try:
            content = read(f"{stem}{ending}{mark}{query}", timeout)
        except NotFoundError:
            continue
        count += 1
        digest.update(f"{ending} {len(content)}\n".encode() + content)
    return digest.hexdigest() if count else "absent"


def _of_glyphs(template: str) -> str:
    """Glyph files by names and contents; of a server's only the address is known."""
    if scheme_of(template) not in ("", "file"):
        return hashlib.sha256(template.encode()).hexdigest()
    root = os.path.dirname(local_path(template).split("{", 1)[0] + "x")
    digest, left, count = hashlib.sha256(), WHOLE_LIMIT * 4, 0
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            count += 1
            if count > GLYPH_FILE_LIMIT:
                raise InvalidArgumentError(f"{root} has more than {GLYPH_FILE_LIMIT:,} files of glyphs")
            try:
                size = os.path.getsize(path)
                digest.update(f"{os.path.relpath(path, root)} {size}\n".encode())
                # Contents as far as they are few: glyphs of a font do not change without their sizes.
                if size <= left:
                    left -= size
                    with open(path, "rb") as file:
                        digest.update(file.read())
            except OSError as error:
                raise FileError(f"{path}: {error.strerror or error}") from None
    return digest.hexdigest() if count else "absent"


def signature(resources: Sequence[Resource]) -> Tuple[Any, ...]:
    """Sizes and times of the local files among resources: as long as they stay, so do the fingerprints."""
    marks: List[Any] = []
    for each in resources:
        place = each.address.split("://", 1)[1] if each.kind == "archive" else each.address
        if is_of_server(place) or not place:
            continue
        paths = [local_path(place)]
        if each.kind == "archive":
            paths.append(paths[0] + "-wal")
        if each.kind == "sprite":
            paths = [paths[0] + end for end in (".json", ".png", "@2x.json", "@2x.png")]
        for path in paths:
            try:
                state = os.stat(path)
                marks.append((path, state.st_size, state.st_mtime_ns, state.st_ino))
            except OSError:
                marks.append((path, None))
    return tuple(marks)
