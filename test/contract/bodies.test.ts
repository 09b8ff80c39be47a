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
import { base, contract } from '../support/contract.ts'

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
      ['a text is UTF-8', '/text', 'é', 'é'],
      ['or what its charset says', '/text', [0xe9], 'é', 'text/plain;charset=ISO-8859-1'],
      ['quoted too', '/text', [0xe9, 0], 'é', 'text/plain; Charset="UTF-16LE"'],
      ['a text may be empty', '/text', '', ''],
      ['a boolean', '/boolean', 'true', 'false'],
      ['a number', '/int', '41', '42'],
      ['a number with a fraction', '/number', '-1.5e3', '-1500'],
      ['in another charset', '/int', [0x34, 0], '5', 'text/plain;charset=utf-16le'],
      ['nothing where that is allowed', '/perhaps', '', 'undefined'],
      ['no text where nothing says that it is one', '/words', '', 'nothing', ''],
      ['an empty text where something does', '/words', '', "''"],
      ['a text, whatever says so', '/words', 'a', "'a'", ''],
      ['a whole number of any size', '/bigint', nines, `1${'0'.repeat(1000)}`],
      ['a decimal keeps its digits', '/decimal', '12.50', '12.50'],
      ['a thousand of them', '/decimal', `-0.${nines.slice(1)}`, `-0.${nines.slice(1)}`],
      ['octets are not touched', '/bytes', unread, unread],
      ['whatever they are', '/bytes', everyOctet, everyOctet],
      ['none at all', '/bytes', '', ''],
      ['a form keeps its order', '/form', 'f2=v2&f1=v1', 'f2=v2&f1=v1'],
      ['with the values of a name together', '/form', 'a=1&b=2&a=', 'a=1&a=&b=2'],
      ['with any characters', '/form', 'a+%26=%C3%A9%20%3D', 'a+%26=%C3%A9+%3D'],
      ['with no field', '/form', '', ''],
      ['without Content-Type, the first is assumed', '/either', '1', 'number', ''],
      ['for each operation', '/form', 'f1=v1', 'f1=v1', ''],
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
      ['what is not of its charset', '/text', [0xe9], 'malformed utf-8'],
      ['a boolean is one of two words', '/boolean', 'yes', 'must be a boolean'],
      ['a number is decimal', '/int', '0x10', 'must be an integer'],
      ['an empty number', '/int', '', 'is required: an integer'],
      ['an empty boolean', '/boolean', '', 'is required: a boolean'],
      ['an empty number with a fraction', '/number', '', 'is required: a number'],
      ['a number is finite', '/number', '1e999', 'must be a number'],
      ['an empty whole number', '/bigint', '', 'is required: an integer'],
      ['an empty decimal', '/decimal', '', 'is required: a decimal number'],
      ['a whole number with a fraction', '/bigint', '1.5', 'must be an integer'],
      ['a malformed escape', '/form', 'a=%E9', 'it has a malformed percent-escape'],
      ['a whole number of 1001 digits', '/bigint', `${nines}9`, 'must be an integer'],
      ['a decimal of 1001 digits', '/decimal', `${nines}.9`, 'must be a decimal number'],
      ['what its own reader throws at', '/names', 'Jane!', 'cannot be read'],
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

  test('a charset that is not known: 415', async () =>
    assert.is((await call(sending('/text', 'é', 'text/plain;charset=klingon'))).status, 415))
})
