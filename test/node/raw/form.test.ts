import type { Expected, Row } from '../../support/raw.ts'
import { open, raw, sending, to, utf8 } from '../../support/raw.ts'

/** Fields `name`, which is required, and `tag`, a list; WHATWG URL, 5.1. */
const forms: ReadonlyArray<readonly [content: string, expected: Expected]> = [
  ['name=a', open([200, '{"name":"a","tag":[]}'])],
  ['tag=1&name=a&tag=2', open([200, '{"name":"a","tag":["1","2"]}'])],
  ['name=a%20b+c%2Bd', open([200, '{"name":"a b c+d","tag":[]}'])],
  ['n%61me=a', open([200, '{"name":"a","tag":[]}'])],
  ['&&name=a&', open([200, '{"name":"a","tag":[]}'])],
  ['name', open([200, '{"name":"","tag":[]}'])],
  ['name==', open([200, '{"name":"=","tag":[]}'])],
  ['name=a;tag=b', open([200, '{"name":"a;tag=b","tag":[]}'])], // a semicolon separates nothing
  ['name=%C3%A9', open([200, '{"name":"é","tag":[]}'])],
  [utf8('name=é'), open([200, '{"name":"é","tag":[]}'])],
  ['name=a&name=b', open([200, '{"name":"a","tag":[]}'])],
  ['__proto__=hunter2&name=a', open([200, '{"name":"a","tag":[]}'])],
  ['constructor[prototype]=1&name=a', open([200, '{"name":"a","tag":[]}'])],
  ['', open([400, /"name":"name","detail":"is required/])],
  ['tag=hunter2', open(400)],
  ['name=hunter2%zz', open([400, /malformed percent-escape/])],
  ['name=%ff', open(400)],
  ['name=%C0%AF', open(400)],
  ['name=\xff', open(400)],
]

const field = (octets: number): string => 'x'.repeat(octets)
const fields = (count: number): string => `name=a${'&x=1'.repeat(count - 1)}`

const bounds: ReadonlyArray<readonly [title: string, content: string, expected: Expected]> = [
  ['a field of 2,047 octets', `name=${field(2047)}`, open(200)],
  ['a field of 2,048 octets', `name=${field(2048)}`, open(200)],
  ['a field of 2,049 bytes', `name=${field(2049)}`, open([413, /"name.".*2048 bytes/])],
  ['a field of 2,048 bytes in escapes', `name=${'%41'.repeat(2048)}`, open(200)],
  ['a field of 2,049 bytes in escapes', `name=${'%41'.repeat(2049)}`, open(413)],
  ['2,049 bytes that are not declared', `name=a&x=${field(2049)}`, open(413)],
  ['999 fields', fields(999), open(200)],
  ['1,000 fields', fields(1000), open(200)],
  ['1,001 fields', fields(1001), open([413, /more than 1000 fields/])],
]

const types: ReadonlyArray<readonly [parameters: string, expected: Expected]> = [
  ['', open(200)],
  [';charset=UTF-8', open(200)],
  [';charset=iso-8859-1', open(415)],
  ['; boundary=x', open(200)],
  ['x', open(415)],
]

const type = 'Content-Type: application/x-www-form-urlencoded'

raw('forms', 'WHATWG URL, 5.1; bounds: RFC 9110, 15.5.14', [
  ...forms.map(([content, expected]): Row => [
    content,
    sending('POST /form', content, type),
    expected,
  ]),
  ...bounds.map(([title, content, expected]): Row => [
    title,
    sending('POST /form', content, type),
    expected,
  ]),
  ...types.map(([parameters, expected]): Row => [
    `Content-Type with ${parameters}`,
    sending('POST /form', 'name=a', type + parameters),
    expected,
  ]),
  ['a form in the query', to('POST /form?name=a'), open(400)],
  [
    'a form as JSON',
    sending('POST /form', '{"name":"a"}', 'Content-Type: application/json'),
    open(415),
  ],
])
