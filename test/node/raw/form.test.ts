import type { Expected, Row } from '../../support/raw.ts'
import { keepsOpen, rawRequests, requestWithBody, rawRequest, utf8 } from '../../support/raw.ts'

/** The fields are `name`, which is required, and `tag`, a list; WHATWG URL, 5.1. */
const forms: ReadonlyArray<readonly [body: string, expected: Expected]> = [
  ['name=a', keepsOpen([200, '{"name":"a","tag":[]}'])],
  ['tag=1&name=a&tag=2', keepsOpen([200, '{"name":"a","tag":["1","2"]}'])],
  ['name=a%20b+c%2Bd', keepsOpen([200, '{"name":"a b c+d","tag":[]}'])],
  ['n%61me=a', keepsOpen([200, '{"name":"a","tag":[]}'])],
  ['&&name=a&', keepsOpen([200, '{"name":"a","tag":[]}'])],
  ['name', keepsOpen([200, '{"name":"","tag":[]}'])],
  ['name==', keepsOpen([200, '{"name":"=","tag":[]}'])],
  ['name=a;tag=b', keepsOpen([200, '{"name":"a;tag=b","tag":[]}'])], // a semicolon is not a separator
  ['name=%C3%A9', keepsOpen([200, '{"name":"é","tag":[]}'])],
  [utf8('name=é'), keepsOpen([200, '{"name":"é","tag":[]}'])],
  ['name=a&name=b', keepsOpen([200, '{"name":"a","tag":[]}'])],
  ['__proto__=hunter2&name=a', keepsOpen([200, '{"name":"a","tag":[]}'])],
  ['constructor[prototype]=1&name=a', keepsOpen([200, '{"name":"a","tag":[]}'])],
  ['', keepsOpen([400, /"name":"name","detail":"is required/])],
  ['tag=hunter2', keepsOpen(400)],
  ['name=hunter2%zz', keepsOpen([400, /malformed percent-encoding/])],
  ['name=%ff', keepsOpen(400)],
  ['name=%C0%AF', keepsOpen(400)],
  ['name=\xff', keepsOpen(400)],
]

const value = (length: number): string => 'x'.repeat(length)
const fields = (count: number): string => `name=a${'&x=1'.repeat(count - 1)}`

const limits: ReadonlyArray<readonly [title: string, body: string, expected: Expected]> = [
  ['a field of 2,047 bytes', `name=${value(2047)}`, keepsOpen(200)],
  ['a field of 2,048 bytes', `name=${value(2048)}`, keepsOpen(200)],
  ['a field of 2,049 bytes', `name=${value(2049)}`, keepsOpen([413, /"name.".*2048 bytes/])],
  ['a field of 2,048 bytes in escapes', `name=${'%41'.repeat(2048)}`, keepsOpen(200)],
  ['a field of 2,049 bytes in escapes', `name=${'%41'.repeat(2049)}`, keepsOpen(413)],
  ['an undeclared field of 2,049 bytes', `name=a&x=${value(2049)}`, keepsOpen(413)],
  ['999 fields', fields(999), keepsOpen(200)],
  ['1,000 fields', fields(1000), keepsOpen(200)],
  ['1,001 fields', fields(1001), keepsOpen([413, /more than 1000 fields/])],
]

const types: ReadonlyArray<readonly [parameters: string, expected: Expected]> = [
  ['', keepsOpen(200)],
  [';charset=UTF-8', keepsOpen(200)],
  [';charset=iso-8859-1', keepsOpen(415)],
  ['; boundary=x', keepsOpen(200)],
  ['x', keepsOpen(415)],
]

const type = 'Content-Type: application/x-www-form-urlencoded'

rawRequests('forms', 'WHATWG URL, 5.1; limits: RFC 9110, 15.5.14', [
  ...forms.map(([body, expected]): Row => [
    body,
    requestWithBody('POST /form', body, type),
    expected,
  ]),
  ...limits.map(([title, body, expected]): Row => [
    title,
    requestWithBody('POST /form', body, type),
    expected,
  ]),
  ...types.map(([parameters, expected]): Row => [
    `Content-Type with ${parameters}`,
    requestWithBody('POST /form', 'name=a', type + parameters),
    expected,
  ]),
  ['a form in the query', rawRequest('POST /form?name=a'), keepsOpen(400)],
  [
    'a form as JSON',
    requestWithBody('POST /form', '{"name":"a"}', 'Content-Type: application/json'),
    keepsOpen(415),
  ],
])
