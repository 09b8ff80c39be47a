"""Calls all operations of `generated-api.mjs` with a Python client of OpenAPI Generator."""

import sys
from datetime import date, datetime, timedelta, timezone
from uuid import UUID

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

at = datetime(2026, 1, 31, 10, 15, 30, 250000, tzinfo=timezone.utc)
read = calls.read_dates(date(2026, 1, 3), since=at, changed=at)
assert read == at + timedelta(days=2), read

key = UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
local = datetime(2026, 1, 31, 11, 15, tzinfo=timezone(timedelta(hours=1)))
sent = api.Loan(
    id=1,
    reader=None,
    key=key,
    at=at,
    due=date(2026, 2, 28),
    local=local,
    changed=at,
    month="2026-01",
    opens="10:15:00",
    term="PT90M",
)
loan = calls.echo_loan(sent)
assert loan == sent, loan

print("generated.py: 8 calls")
