/** Contents that are not JSON, read as a body and sent as the same value. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Problem } from '../../src/http/problem.ts'
import {
  UnprocessableContent,
  bigint,
  body,
  boolean,
  bytes,
  decimal,
  formMap,
  handle,
  int,
  number,
  optional,
  path,
  post,
  produces,
  representation,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/doors.ts'

/** A name a line; one with `!` cannot be read, one with `?` is refused by a status of its own. */
const names = representation({
  mediaType: 'text/x-names',
  read: (octets) => {
    const all = new TextDecoder().decode(octets)
    if (all.includes('?')) throw new UnprocessableContent('asked')
    if (all.includes('!')) throw new Error('shouted')
    return all.split('\n')
  },
  write: (all: ReadonlyArray<string>) => all.join('\n'),
})

const backwards = representation({
  mediaType: 'application/x-backwards',
  read: (octets): Uint8Array => octets.toReversed(),
  write: (octets: Uint8Array) => octets.toReversed(),
})

const api = routes({
  boolean: pipe(
    path('/boolean'),
    post(),
    body(boolean),
    produces(boolean),
    handle((input) => !input.body),
  ),
  int: pipe(
    path('/int'),
    post(),
    body(int),
    produces(int),
    handle((input) => input.body + 1),
  ),
  number: pipe(
    path('/number'),
    post(),
    body(number),
    produces(number),
    handle((input) => input.body),
  ),
  words: pipe(
    path('/words'),
    post(),
    body(optional(string)),
    produces(text),
    handle((input) => (input.body === undefined ? 'nothing' : `'${input.body}'`)),
  ),
  perhaps: pipe(
    path('/perhaps'),
    post(),
    body(optional(int)),
    produces(text),
    handle((input) => String(input.body)),
  ),
  bigint: pipe(
    path('/bigint'),
    post(),
    body(bigint),
    produces(bigint),
    handle((input) => input.body + 1n),
  ),
  decimal: pipe(
    path('/decimal'),
    post(),
    body(decimal),
    produces(decimal),
    handle((input) => input.body),
  ),
  text: pipe(
    path('/text'),
    post(),
    body(text),
    produces(text),
    handle((input) => input.body),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    body(bytes),
    produces(bytes),
    handle((input) => Buffer.from(input.body)),
  ),
  form: pipe(
    path('/form'),
    post(),
    body(formMap),
    produces(formMap),
    handle((input) => input.body),
  ),
  names: pipe(
    path('/names'),
    post(),
    body(names),
    produces(names),
    handle((input) => input.body.toReversed()),
  ),
  backwards: pipe(
    path('/backwards'),
    post(),
    body(backwards),
    produces(backwards),
    handle((input) => Uint8Array.of(0, ...input.body)),
  ),
  either: pipe(
    path('/either'),
    post(),
    body(int, formMap),
    produces(text),
    handle((input) => typeof input.body),
  ),
})

/** A text stands for its octets in UTF-8. */
type Content = string | ReadonlyArray<number>

const octets = (content: Content): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)

/** As what contents travel, where that is not `text/plain`. */
const types = new Map([
  ['/bytes', 'application/octet-stream'],
  ['/form', 'application/x-www-form-urlencoded'],
  ['/names', 'text/x-names'],
  ['/backwards', 'application/x-backwards'],
])

const typeOf = (to: string): string => types.get(to) ?? 'text/plain'

/** Without a type when that is empty. Content is in octets, because Fetch adds a `Content-Type` to texts. */
const sending = (to: string, content: Content, type = typeOf(to)): Request =>
  new Request(`${base}${to}`, {
    method: 'POST',
    headers: type === '' ? {} : { 'content-type': type },
    body: octets(content),
  })

const nines = '9'.repeat(1000)
const everyOctet: Content = Array.from({ length: 256 }, (_, octet) => octet)
const unread: Content = [0x00, 0xff, 0xef, 0xbb, 0xbf, 0x0d, 0x0a]

contract('bodies', api, (test, call) => {
  table<readonly [string, to: string, sent: Content, answered: Content, type?: string]>(
    test,
    [
      ['R-016 a text is UTF-8', '/text', 'é', 'é'],
      ['R-016 or what its charset says', '/text', [0xe9], 'é', 'text/plain;charset=ISO-8859-1'],
      ['R-016 quoted too', '/text', [0xe9, 0], 'é', 'text/plain; Charset="UTF-16LE"'],
      ['R-016 a text may be empty', '/text', '', ''],
      ['R-018 a boolean', '/boolean', 'true', 'false'],
      ['R-018 a number', '/int', '41', '42'],
      ['R-018 a number with a fraction', '/number', '-1.5e3', '-1500'],
      ['R-018 in another charset', '/int', [0x34, 0], '5', 'text/plain;charset=utf-16le'],
      ['R-019 nothing where that is allowed', '/perhaps', '', 'undefined'],
      ['R-019 no text where nothing says that it is one', '/words', '', 'nothing', ''],
      ['R-019 an empty text where something does', '/words', '', "''"],
      ['R-019 a text, whatever says so', '/words', 'a', "'a'", ''],
      ['R-020 a whole number of any size', '/bigint', nines, `1${'0'.repeat(1000)}`],
      ['R-020 a decimal keeps its digits', '/decimal', '12.50', '12.50'],
      ['R-020 a thousand of them', '/decimal', `-0.${nines.slice(1)}`, `-0.${nines.slice(1)}`],
      ['R-015, R-022 octets are not touched', '/bytes', unread, unread],
      ['R-015 whatever they are', '/bytes', everyOctet, everyOctet],
      ['R-022 none at all', '/bytes', '', ''],
      ['R-024 a form keeps its order', '/form', 'f2=v2&f1=v1', 'f2=v2&f1=v1'],
      ['R-024 with the values of a name together', '/form', 'a=1&b=2&a=', 'a=1&a=&b=2'],
      ['R-024 with any characters', '/form', 'a+%26=%C3%A9%20%3D', 'a+%26=%C3%A9+%3D'],
      ['R-024 with no field', '/form', '', ''],
      ['R-030 without Content-Type, the first is assumed', '/either', '1', 'number', ''],
      ['R-030 for each operation', '/form', 'f1=v1', 'f1=v1', ''],
      ['a representation of texts', '/names', 'Jane\nZoë', 'Zoë\nJane'],
      ['a representation of octets', '/backwards', [3, 2], [3, 2, 0]],
    ],
    async (_, to, sent, answered, type) => {
      const response = await call(sending(to, sent, type))
      assert.is(response.status, 200)
      assert.is(
        response.headers.get('content-type'),
        typeOf(to).startsWith('text/') ? `${typeOf(to)};charset=UTF-8` : typeOf(to),
      )
      assert.equal(new Uint8Array(await response.arrayBuffer()), octets(answered))
    },
  )

  table<readonly [string, to: string, sent: Content, detail: string]>(
    test,
    [
      ['R-016 what is not of its charset', '/text', [0xe9], 'the text is not utf-8'],
      ['R-018 a boolean is one of two words', '/boolean', 'yes', 'must be a boolean'],
      ['R-018 a number is decimal', '/int', '0x10', 'must be an integer'],
      ['R-019 an empty number', '/int', '', 'is required: an integer'],
      ['R-019 an empty boolean', '/boolean', '', 'is required: a boolean'],
      ['R-019 an empty number with a fraction', '/number', '', 'is required: a number'],
      ['R-018 a number is finite', '/number', '1e999', 'must be a number'],
      ['R-019 an empty whole number', '/bigint', '', 'is required: an integer'],
      ['R-019 an empty decimal', '/decimal', '', 'is required: a decimal number'],
      ['R-020 a whole number with a fraction', '/bigint', '1.5', 'must be an integer'],
      ['R-024 a malformed escape', '/form', 'a=%E9', 'it has a malformed percent-escape'],
      ['R-028 a whole number of 1001 digits', '/bigint', `${nines}9`, 'must be an integer'],
      ['R-028 a decimal of 1001 digits', '/decimal', `${nines}.9`, 'must be a decimal number'],
      ['what its own reader throws at', '/names', 'Jane!', 'it cannot be read'],
    ],
    async (_, to, sent, detail) => {
      const response = await call(sending(to, sent))
      assert.is(response.status, 400)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      const { errors } = (await response.json()) as Problem
      assert.equal(errors, [{ in: 'body', pointer: '#', detail }])
    },
  )

  test('a reader may refuse by a status of its own', async () =>
    assert.is((await call(sending('/names', 'Jane?'))).status, 422))

  test('R-016 a charset that is not known: 415', async () =>
    assert.is((await call(sending('/text', 'é', 'text/plain;charset=klingon'))).status, 415))
})
