"""What help() shows: every public class, function, method and property says what it does."""

import inspect

import neatline


def undocumented(value, name):
    """The public members of a class, and the value itself, that have no docstring."""
    if not inspect.getdoc(value):
        yield name
    if not inspect.isclass(value) or issubclass(value, Exception):
        return
    for member, found in vars(value).items():
        if member.startswith("_") or not (callable(found) or isinstance(found, (property, staticmethod))):
            continue
        if not inspect.getdoc(found):
            yield f"{name}.{member}"


def test_everything_public_is_documented():
    lacking = [place for name in neatline.__all__ for place in undocumented(getattr(neatline, name), name)]
    assert lacking == []


def test_a_class_without_a_docstring_is_found():
    class Bare:
        def method(self):
            pass

    assert list(undocumented(Bare, "Bare")) == ["Bare", "Bare.method"]
