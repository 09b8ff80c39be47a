"""Requests that schemathesis does not send, each with its reason."""

import math
import re
import unicodedata

import schemathesis


def is_field_name(name):
    """Whether a form can contain a field: its name is not empty and has no control characters (RFC 7578, 4.2)."""
    return name != "" and not any(unicodedata.category(letter) == "Cc" for letter in name)


def is_text(value):
    """Whether a value is text, a file or a list of such values. The fields of a form have no other types."""
    return isinstance(value, (str, bytes)) or (isinstance(value, list) and all(map(is_text, value)))


def has_single_tag(parameters):
    return isinstance(parameters, dict) and not isinstance(parameters.get("tag", []), list)


def is_form(case):
    return case.media_type in ("multipart/form-data", "application/x-www-form-urlencoded")


def has_infinite_number(value):
    """Whether a value contains a number that is infinite as a double."""
    if isinstance(value, str):
        return re.fullmatch(r"[-+0-9.eE]+", value) is not None and is_infinite(value)
    if isinstance(value, dict):
        return any(map(has_infinite_number, value.values()))
    return isinstance(value, list) and any(map(has_infinite_number, value))


def is_infinite(text):
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def has_forbidden_name(value):
    """Whether a value contains a member whose name could change the prototype of an object."""
    if isinstance(value, dict):
        constructor = value.get("constructor")
        return (
            "__proto__" in value
            or (isinstance(constructor, dict) and "prototype" in constructor)
            or any(map(has_forbidden_name, value.values()))
        )
    return isinstance(value, list) and any(map(has_forbidden_name, value))


@schemathesis.hook
def before_add_examples(context, examples):
    # `filter_case` is not called for the examples in the document and its schemas.
    examples[:] = [case for case in examples if filter_case(context, case)]


@schemathesis.hook
def filter_case(context, case):
    # Schemathesis ignores `xml` next to `$ref` and in `allOf`, so it writes other elements than the document describes.
    if case.media_type == "application/xml":
        return False
    # The server responds with the exact decimal number, which schemathesis reads as `null` if it exceeds the range of doubles.
    if has_infinite_number(case.body):
        return False
    # The server rejects these names everywhere in a body, also in undeclared members, which schemas do not describe.
    if has_forbidden_name(case.body):
        return False
    # a list with one element is sent like the element itself
    if has_single_tag(case.query) or (is_form(case) and has_single_tag(case.body)):
        return False
    if is_form(case) and isinstance(case.body, dict):
        return all(is_field_name(name) and is_text(value) for name, value in case.body.items())
    return True
