"""The server's configuration: docs/server.schema.json as tables, where it is there."""

import json
import pathlib
from typing import Any, Dict, List


def rows(schema: Dict[str, Any], root: Dict[str, Any], prefix: str = "") -> List[str]:
    """A row for each member, those of its own members behind it."""
    result: List[str] = []
    members = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        members["ID"] = schema["additionalProperties"]
    for name, member in members.items():
        while "$ref" in member:
            found: Any = root
            for part in member["$ref"].lstrip("#/").split("/"):
                found = found[part]
            member = {**found, **{key: value for key, value in member.items() if key != "$ref"}}
        kinds = member.get("type", "")
        kinds = ", ".join(kinds) if isinstance(kinds, list) else kinds
        if "enum" in member:
            kinds = ", ".join(f"`{value}`" for value in member["enum"])
        default = f"`{json.dumps(member['default'], ensure_ascii=False)}`" if "default" in member else ""
        words = " ".join(str(member.get("description", "")).split()).replace("|", "\\|")
        result.append(f"| `{prefix}{name}` | {kinds} | {default} | {words} |")
        result += rows(member, root, f"{prefix}{name}.")
    return result


def page(path: pathlib.Path) -> str:
    """The table; a sentence where there is no schema."""
    if not path.exists():
        return "The members are described in [the server](/server.md).\n"
    schema = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        "As a [JSON Schema](/server.schema.json), for editors that check while one writes:", "",
        "| member | type | default | |", "| --- | --- | --- | --- |", *rows(schema, schema), ""]
    return "\n".join(lines)
