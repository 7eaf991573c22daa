"""What a pyramid can become: an archive, a folder of files, a cloud-optimised GeoTIFF, a Zarr group."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Type, Union

from ...errors import InvalidArgumentError
from ..plan import Plan
from ..store import is_remote
from .base import Target

KINDS = ("pmtiles", "mbtiles", "folder", "cog", "zarr")
_ENDINGS = {".pmtiles": "pmtiles", ".mbtiles": "mbtiles", ".tif": "cog", ".tiff": "cog", ".zarr": "zarr"}


def kind_of(target: str, kind: Optional[str] = None) -> str:
    """What a target is by its name's end: .pmtiles, .mbtiles, .tif, .zarr, or / for a folder. Raises
    InvalidArgumentError."""
    if kind is not None:
        if kind not in KINDS:
            raise InvalidArgumentError(f'kind "{kind}" is none of {", ".join(KINDS)}')
        return kind
    if target.endswith("/"):
        return "folder"
    found = _ENDINGS.get(os.path.splitext(target)[1].lower())
    if found is None:
        raise InvalidArgumentError(
            f"{target}: the name ends in none of {', '.join(_ENDINGS)} or / (a folder), and kind is not given"
        )
    return found


def open_target(
    plan: Plan,
    target: Union[str, "os.PathLike[str]"],
    kind: Optional[str] = None,
    *,
    overwrite: bool = False,
    storage_options: Optional[Dict[str, Any]] = None,
    **options: Any,
) -> Target:
    """Begins a target. Raises InvalidStateError where it is there already, unless overwrite;
    InvalidArgumentError for options that it does not have; ImportError with what to install."""
    address = os.fspath(target)
    found = kind_of(address, kind)
    make = _target_of(found, options)
    return make(plan, address, found, overwrite, storage_options, **options)


def check_target(target: str, kind: Optional[str], options: Dict[str, Any]) -> None:
    """Raises now what `open_target` would raise of a kind's options, and of what it needs installed."""
    _target_of(kind_of(target, kind), options).check(**options)


def _target_of(found: str, options: Dict[str, Any]) -> Type[Target]:
    if found in ("pmtiles", "mbtiles"):
        from .archive import ArchiveTarget as make
    elif found == "folder":
        from .tree import TreeTarget as make  # type: ignore[assignment]
    elif found == "cog":
        from .cog import CogTarget as make  # type: ignore[assignment]
    else:
        from .zarr import ZarrTarget as make  # type: ignore[assignment]
    for name in options:
        if name not in make.options:
            known = f"known: {', '.join(make.options)}" if make.options else "there are none"
            raise InvalidArgumentError(f"a target of kind {found} has no option {name!r}; {known}")
    return make


__all__ = ["KINDS", "Target", "check_target", "is_remote", "kind_of", "open_target"]
