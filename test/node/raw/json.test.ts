import type { Expected, Row } from '../../support/raw.ts'
import { chunkedRequest, keepsOpen, rawRequests, requestWithBody, utf8 } from '../../support/raw.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const nestedObjects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
const withMembers = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`

/** The operation decodes and encodes `{ name: string }`. */
const named: ReadonlyArray<readonly [body: string, expected: Expected]> = [
  ['{"name":"a"}', keepsOpen([200, '{"name":"a"}'])],
  [' \t\r\n{ "name" : "a" } \n', keepsOpen([200, '{"name":"a"}'])], // RFC 8259, 2
  [utf8('{"name":"é€😀"}'), keepsOpen([200, '{"name":"é€😀"}'])], // RFC 8259, 8.1
  [utf8('\uFEFF{"name":"a"}'), keepsOpen([200, '{"name":"a"}'])], // RFC 8259, 8.1: may be ignored
  ['{"name":"\\u00e9\\n"}', keepsOpen([200, '{"name":"é\\n"}'])], // RFC 8259, 7
  ['{"name":"a","name":"b"}', keepsOpen([200, '{"name":"b"}'])], // RFC 8259, 4: the last
  ['{"name":"a","other":"hunter2"}', keepsOpen([200, '{"name":"a"}'])],
  ['', keepsOpen([400, /"pointer":"#","detail":"is required/])],
  [' ', keepsOpen(400)],
  ['{}', keepsOpen([400, /"pointer":"#\/name","detail":"is required/])],
  ['{"name":["hunter2"]}', keepsOpen([400, /"pointer":"#\/name","detail":"must be a string/])],
  ['"hunter2"', keepsOpen(400)],
  ['null', keepsOpen(400)],
  ['{"name":"hunter2', keepsOpen([400, /malformed JSON/])],
  ['{"name":"a"} hunter2', keepsOpen([400, /malformed JSON at line 1, column 14/])],
  ["{'name':'hunter2'}", keepsOpen(400)],
  ['{"name":"a",}', keepsOpen(400)],
  ['{name:"a"}', keepsOpen(400)],
  ['{"name":"a"}//', keepsOpen(400)],
  ['{"name":"\x01"}', keepsOpen(400)], // RFC 8259, 7
  ['{"name":"\xff"}', keepsOpen([400, /invalid UTF-8/])], // RFC 3629, 3
  ['{"name":"\xc0\xaf"}', keepsOpen([400, /invalid UTF-8/])], // RFC 3629, 3: overlong
  ['{"name":"\xed\xa0\x80"}', keepsOpen([400, /invalid UTF-8/])], // RFC 3629, 3: a surrogate
  ['\xff\xfe{\0}\0', keepsOpen([400, /invalid UTF-8/])], // RFC 8259, 8.1
  ['{"name":"a","__proto__":{"x":"hunter2"}}', keepsOpen(400)],
  ['{"name":"a","\\u005f_proto__":{"x":1}}', keepsOpen(400)],
  ['{"name":"a","constructor":{"prototype":{"x":1}}}', keepsOpen(400)],
  ['{"name":"a","b":[{"__proto__":1}]}', keepsOpen(400)],
  ['{"name":"__proto__"}', keepsOpen([200, '{"name":"__proto__"}'])],
  ['{"name":"a","constructor":1}', keepsOpen(200)],
]

/** The operation accepts any JSON value and returns its type. */
const anything: ReadonlyArray<readonly [title: string, body: string, expected: Expected]> = [
  ['99 arrays', nested(99), keepsOpen(200)],
  ['100 arrays', nested(100), keepsOpen(200)],
  ['101 arrays', nested(101), keepsOpen([400, /nested more than 100 levels deep/])],
  ['100,000 arrays', nested(100_000), keepsOpen([400, /nested more than 100 levels deep/])],
  ['100,000 brackets that never close', '['.repeat(100_000), keepsOpen(400)],
  ['99 objects', nestedObjects(99), keepsOpen(200)],
  ['100 objects', nestedObjects(100), keepsOpen(200)],
  ['101 objects', nestedObjects(101), keepsOpen([400, /nested more than 100 levels deep/])],
  ['brackets in a string', JSON.stringify(nested(200)), keepsOpen([200, 'string'])],
  ['9,999 members', withMembers(9999), keepsOpen(200)],
  ['10,000 members', withMembers(10_000), keepsOpen(200)],
  ['10,001 members', withMembers(10_001), keepsOpen([400, /more than 10000 members/])],
  ['20,002 members in two objects', `[${withMembers(9999)},${withMembers(9999)}]`, keepsOpen(200)],
  ['20,000 elements', `[${'0,'.repeat(19_999)}0]`, keepsOpen(200)],
  ['a number', '-0.5e1', keepsOpen([200, 'number'])], // RFC 8259, 6
  ['NaN', 'NaN', keepsOpen(400)], // RFC 8259, 6
  ['a number with a plus', '+1', keepsOpen(400)],
  ['a number with a leading zero', '01', keepsOpen(400)],
  ['a number of 100,000 digits', '1'.repeat(100_000), keepsOpen(400)],
]

rawRequests(
  'JSON',
  'RFC 8259, 2 to 8',
  named.map(([body, expected]): Row => [
    body,
    requestWithBody('POST /json', body, 'Content-Type: application/json'),
    expected,
  ]),
)
rawRequests('JSON limits', 'RFC 8259, 9', [
  ...anything.map(([title, body, expected]): Row => [
    title,
    requestWithBody('POST /anything', body),
    expected,
  ]),
  [
    'a character split across chunks',
    chunkedRequest('POST /json', ['{"name":"\xc3', '\xa9"}']),
    keepsOpen([200, '{"name":"é"}']),
  ],
])
