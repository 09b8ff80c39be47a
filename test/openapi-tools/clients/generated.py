"""Calls all operations of `generated-api.mjs` with a Python client of OpenAPI Generator."""

import sys

import generated_client as api
from generated_client.api.default_api import DefaultApi

client = api.ApiClient(api.Configuration(host=sys.argv[1]))
calls = DefaultApi(client)

# the reason for this test: the client accepts only the type of errors
selected = client.select_header_accept(["text/plain", "application/problem+json"])
assert selected == "application/problem+json", selected

assert calls.read_text(name="Ann") == "Hello, Ann"
assert calls.read_bytes() == bytearray([0, 1, 255])
assert calls.read_page() == "<p>page</p>"
assert calls.read_note(1) == "note"
assert calls.upload(title="cover", file=("cover.png", b"png")) == "cover cover.png 3"

try:
    calls.read_note(2)
    raise AssertionError("the note does not exist")
except api.ApiException as error:
    assert (error.status, error.data.id) == (404, 2), error

loan = calls.echo_loan(api.Loan(id=1, reader=None))
assert (loan.id, loan.reader) == (1, None), loan

print("generated.py: 7 calls")
