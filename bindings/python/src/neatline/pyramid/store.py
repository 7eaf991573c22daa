"""Folders that parts, plans and tiles are kept in: of this machine, or whatever fsspec has an address for
(s3://, gs://, memory:// and others).

In a local folder a file is written under a name of its own and renamed when it is whole. Object stores show
an object when all of it has come; what is no object store gets the same by a move.
"""

from __future__ import annotations

import os
import shutil
import socket
import uuid
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ..errors import FileError, NeatlineError, NotFoundError
from .addresses import local_path, scheme_of


def is_remote(address: str) -> bool:
    """Whether an address is fsspec's to open: one with a scheme other than file."""
    return scheme_of(address) not in ("", "file")


def absolute(address: str) -> str:
    """The path that an address of this machine stands for."""
    return os.path.abspath(local_path(address))


def temporary_name(name: str) -> str:
    """A name that nobody else writes: with host, process and a number."""
    host = "".join(c if c.isalnum() else "-" for c in socket.gethostname())[:40]
    return f".{name}.{host}.{os.getpid()}.{uuid.uuid4().hex[:8]}.tmp"


class Failure:
    """Turns what a file system raises into FileError and NotFoundError, naming the place."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None or isinstance(error, (NeatlineError, KeyboardInterrupt, SystemExit, ImportError)):
            return
        if isinstance(error, FileNotFoundError):
            raise NotFoundError(f"{self.place} is not there") from error
        if isinstance(error, OSError):
            raise FileError(f"{self.place}: {error.strerror or error}") from error


class Folder:
    """A folder by path or address. options: fsspec's for the address."""

    def __init__(self, address: str, options: Optional[Dict[str, Any]] = None) -> None:
        self.address = address
        self._remote: Any = None
        if is_remote(address):
            self._remote, self._root = open_remote(address, options)
        else:
            self._root = absolute(address)

    @property
    def is_local(self) -> bool:
        """Whether its files are this machine's."""
        return self._remote is None

    def path(self, name: str) -> str:
        """A file's path, or its name in the file system of the address."""
        return f"{self._root.rstrip('/')}/{name}"

    def make(self) -> None:
        """Makes the folder, unless it is there."""
        with Failure(self.address):
            if self._remote is None:
                os.makedirs(self._root, exist_ok=True)
            else:
                self._remote.makedirs(self._root, exist_ok=True)

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises NotFoundError, FileError."""
        with Failure(self.path(name)):
            if self._remote is not None:
                return self._remote.cat_file(self.path(name))
            with open(self.path(name), "rb") as file:
                return file.read()

    def size(self, name: str) -> Optional[int]:
        """Bytes of a file, or None where it is not there."""
        try:
            with Failure(self.path(name)):
                if self._remote is not None:
                    return int(self._remote.size(self.path(name)))
                return os.path.getsize(self.path(name))
        except NotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Writes a file, whole or not at all; one that is there is replaced. It is not brought to the disk
        before the system does: after a power cut checksums tell."""
        with Failure(self.path(name)):
            if self._remote is not None:
                self._put(name, lambda place: self._remote.pipe_file(place, data))
                return
            parent, base = os.path.split(self.path(name))
            os.makedirs(parent, exist_ok=True)
            place = os.path.join(parent, temporary_name(base))
            try:
                with open(place, "wb") as file:
                    file.write(data)
                os.replace(place, self.path(name))
            except BaseException:
                remove_quietly(place)
                raise

    def take(self, path: str, name: str) -> None:
        """Takes over a local file, which is on the disk already."""
        with Failure(self.path(name)):
            if self._remote is None:
                os.replace(path, self.path(name))
            else:
                self._put(name, lambda place: self._remote.put_file(path, place))
                os.unlink(path)

    def fetch(self, name: str, path: str) -> None:
        """Copies a file to a path of this machine, where it appears when it is whole."""
        place = os.path.join(os.path.dirname(path), temporary_name(os.path.basename(path)))
        try:
            with Failure(self.path(name)):
                if self._remote is not None:
                    self._remote.get_file(self.path(name), place)
                else:
                    shutil.copyfile(self.path(name), place)
                os.replace(place, path)
        except BaseException:
            remove_quietly(place)
            raise

    def _put(self, name: str, write: Any) -> None:
        place = self.path(name)
        if not _is_object_store(self._remote):
            moved = self.path(temporary_name(name)) if "/" not in name else place
            write(moved)
            if moved != place:
                self._remote.mv(moved, place)
        else:
            write(place)

    def remove(self, name: str) -> None:
        """Removes a file, where it is there."""
        try:
            with Failure(self.path(name)):
                if self._remote is None:
                    os.unlink(self.path(name))
                else:
                    self._remote.rm_file(self.path(name))
        except NotFoundError:
            pass

    def names(self) -> Iterator[Tuple[str, int]]:
        """Files with their bytes; none where the folder is not there."""
        try:
            with Failure(self.address):
                if self._remote is not None:
                    self._remote.invalidate_cache()
                    for each in self._remote.ls(self._root, detail=True):
                        if each["type"] == "file":
                            yield each["name"].rsplit("/", 1)[-1], int(each["size"] or 0)
                    return
                with os.scandir(self._root) as entries:
                    found = [entry for entry in entries if entry.is_file()]
                for entry in found:
                    try:
                        yield entry.name, entry.stat().st_size
                    except FileNotFoundError:
                        # Renamed by its worker meanwhile.
                        continue
        except NotFoundError:
            return

    def remove_all(self) -> None:
        """Removes the folder and what is in it."""
        with Failure(self.address):
            if self._remote is None:
                for name, _ in list(self.names()):
                    remove_quietly(self.path(name))
                os.rmdir(self._root)
            else:
                self._remote.rm(self._root, recursive=True)


def _is_object_store(system: Any) -> bool:
    names = system.protocol if isinstance(system.protocol, (tuple, list)) else (system.protocol,)
    return any(name in ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oss", "memory") for name in names)


def open_remote(address: str, options: Optional[Dict[str, Any]] = None) -> Tuple[Any, str]:
    """fsspec's file system of an address, and the place in it. Raises ImportError with what to install."""
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"{address} needs fsspec: pip install neatline[cloud]") from None
    try:
        return fsspec.core.url_to_fs(address, **(options or {}))
    except ImportError as error:
        raise ImportError(f"{address}: {error}") from None
    except ValueError as error:
        raise FileError(f"{address}: {error}") from None


def read_address(address: str, options: Optional[Dict[str, Any]] = None) -> bytes:
    """The bytes of a file by path or address."""
    parent, _, name = address.rpartition("/")
    return Folder(parent or ("/" if address.startswith("/") else "."), options).read(name)


def write_address(address: str, data: bytes, options: Optional[Dict[str, Any]] = None) -> None:
    """Writes a file by path or address."""
    parent, _, name = address.rpartition("/")
    Folder(parent or ("/" if address.startswith("/") else "."), options).write(name, data)


def remove_quietly(path: str) -> None:
    """Removes a file, if that can be done."""
    try:
        os.unlink(path)
    except OSError:
        pass


def files_below(folder: str) -> List[str]:
    """All files of a local folder and those within, relative to it."""
    return [
        os.path.relpath(os.path.join(place, name), folder)
        for place, _, names in os.walk(folder)
        for name in names
    ]
