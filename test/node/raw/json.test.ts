import type { Expected, Row } from '../../support/raw.ts'
import { chunked, open, raw, sending, utf8 } from '../../support/raw.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const nestedObjects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
const withMembers = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`

/** Read by a codec of `{ name: string }`, and written by it. */
const named: ReadonlyArray<readonly [content: string, expected: Expected]> = [
  ['{"name":"a"}', open([200, '{"name":"a"}'])],
  [' \t\r\n{ "name" : "a" } \n', open([200, '{"name":"a"}'])], // RFC 8259, 2
  [utf8('{"name":"é€😀"}'), open([200, '{"name":"é€😀"}'])], // RFC 8259, 8.1
  [utf8('\uFEFF{"name":"a"}'), open([200, '{"name":"a"}'])], // RFC 8259, 8.1: may be ignored
  ['{"name":"\\u00e9\\n"}', open([200, '{"name":"é\\n"}'])], // RFC 8259, 7
  ['{"name":"a","name":"b"}', open([200, '{"name":"b"}'])], // RFC 8259, 4: the last
  ['{"name":"a","other":"hunter2"}', open([200, '{"name":"a"}'])],
  ['', open([400, /"pointer":"#","detail":"is required/])],
  [' ', open(400)],
  ['{}', open([400, /"pointer":"#\/name","detail":"is required/])],
  ['{"name":["hunter2"]}', open([400, /"pointer":"#\/name","detail":"must be a string/])],
  ['"hunter2"', open(400)],
  ['null', open(400)],
  ['{"name":"hunter2', open([400, /malformed JSON/])],
  ['{"name":"a"} hunter2', open([400, /malformed JSON at line 1, column 14/])],
  ["{'name':'hunter2'}", open(400)],
  ['{"name":"a",}', open(400)],
  ['{name:"a"}', open(400)],
  ['{"name":"a"}//', open(400)],
  ['{"name":"\x01"}', open(400)], // RFC 8259, 7
  ['{"name":"\xff"}', open([400, /invalid UTF-8/])], // RFC 3629, 3
  ['{"name":"\xc0\xaf"}', open([400, /invalid UTF-8/])], // RFC 3629, 3: overlong
  ['{"name":"\xed\xa0\x80"}', open([400, /invalid UTF-8/])], // RFC 3629, 3: a surrogate
  ['\xff\xfe{\0}\0', open([400, /invalid UTF-8/])], // RFC 8259, 8.1
  ['{"name":"a","__proto__":{"x":"hunter2"}}', open(400)],
  ['{"name":"a","\\u005f_proto__":{"x":1}}', open(400)],
  ['{"name":"a","constructor":{"prototype":{"x":1}}}', open(400)],
  ['{"name":"a","b":[{"__proto__":1}]}', open(400)],
  ['{"name":"__proto__"}', open([200, '{"name":"__proto__"}'])],
  ['{"name":"a","constructor":1}', open(200)],
]

/** Read by a codec that takes everything. */
const anything: ReadonlyArray<readonly [title: string, content: string, expected: Expected]> = [
  ['99 arrays', nested(99), open(200)],
  ['100 arrays', nested(100), open(200)],
  ['101 arrays', nested(101), open([400, /nested more than 100 levels deep/])],
  ['100,000 arrays', nested(100_000), open([400, /nested more than 100 levels deep/])],
  ['100,000 brackets that never close', '['.repeat(100_000), open(400)],
  ['99 objects', nestedObjects(99), open(200)],
  ['100 objects', nestedObjects(100), open(200)],
  ['101 objects', nestedObjects(101), open([400, /nested more than 100 levels deep/])],
  ['brackets in a text', JSON.stringify(nested(200)), open([200, 'string'])],
  ['9,999 members', withMembers(9999), open(200)],
  ['10,000 members', withMembers(10_000), open(200)],
  ['10,001 members', withMembers(10_001), open([400, /more than 10000 members/])],
  ['20,002 members in two objects', `[${withMembers(9999)},${withMembers(9999)}]`, open(200)],
  ['20,000 elements', `[${'0,'.repeat(19_999)}0]`, open(200)],
  ['a number', '-0.5e1', open([200, 'number'])], // RFC 8259, 6
  ['NaN', 'NaN', open(400)], // RFC 8259, 6
  ['a number with a plus', '+1', open(400)],
  ['a number with a zero before it', '01', open(400)],
  ['a number of 100,000 digits', '1'.repeat(100_000), open(400)],
]

raw(
  'JSON',
  'RFC 8259, 2 to 8',
  named.map(([content, expected]): Row => [
    content,
    sending('POST /json', content, 'Content-Type: application/json'),
    expected,
  ]),
)
raw('bounds of JSON', 'RFC 8259, 9', [
  ...anything.map(([title, content, expected]): Row => [
    title,
    sending('POST /anything', content),
    expected,
  ]),
  [
    'a character cut by chunks',
    chunked('POST /json', ['{"name":"\xc3', '\xa9"}']),
    open([200, '{"name":"é"}']),
  ],
])
