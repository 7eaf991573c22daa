"""The server's addresses: openapi.yaml as Markdown."""

import pathlib
from typing import Any, Dict, List

import yaml


def resolve(document: Dict[str, Any], value: Dict[str, Any]) -> Dict[str, Any]:
    """What a $ref names; else the value."""
    while "$ref" in value:
        found: Any = document
        for part in value["$ref"].lstrip("#/").split("/"):
            found = found[part]
        value = found
    return value


def cell(text: Any) -> str:
    """Text in a cell of a table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def schema_text(document: Dict[str, Any], schema: Dict[str, Any]) -> str:
    """A parameter's type, range and default in a few words."""
    schema = resolve(document, schema)
    words = str(schema.get("type", ""))
    if "enum" in schema:
        words = ", ".join(f"`{value}`" for value in schema["enum"])
    elif "pattern" in schema:
        words += f" `{schema['pattern']}`"
    if "minimum" in schema and "maximum" in schema:
        words += f", {schema['minimum']} to {schema['maximum']}"
    if "default" in schema:
        words += f" [`{schema['default']}`]"
    return words


def operation(document: Dict[str, Any], address: str, shared: List[Any], get: Dict[str, Any]) -> List[str]:
    """One address."""
    lines = [f"### {get['summary']}", "", "```text", f"GET {address}", "```", ""]
    if "description" in get:
        lines += [get["description"].strip(), ""]
    parameters = [resolve(document, each) for each in shared + get.get("parameters", [])]
    if parameters:
        lines += ["| parameter | in | | |", "| --- | --- | --- | --- |"]
        for each in parameters:
            lines.append(
                f"| `{each['name']}` | {each['in']} | {cell(schema_text(document, each.get('schema', {})))} "
                f"| {cell(each.get('description', ''))} |")
        lines.append("")
    lines += ["| status | answer |", "| --- | --- |"]
    for status, answer in get["responses"].items():
        answer = resolve(document, answer)
        kinds = ", ".join(f"`{kind}`" for kind in answer.get("content", {}))
        lines.append(f"| {status} | {cell(answer['description'])}{': ' + kinds if kinds else ''} |")
    return lines + [""]


def page(path: pathlib.Path) -> str:
    """The whole document."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    lines: List[str] = []
    for tag in document["tags"]:
        lines += [f"## {tag['name']}", "", tag.get("description", "").strip(), ""]
        for address, item in document["paths"].items():
            get = item["get"]
            if tag["name"] in get["tags"]:
                lines += operation(document, address, item.get("parameters", []), get)
    return "\n".join(lines)
