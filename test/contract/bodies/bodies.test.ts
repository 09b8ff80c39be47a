/** Request and response bodies that are not JSON: scalars, text, bytes, forms and custom representations. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Problem } from '../../../src/http/problem.ts'
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
  rawJson,
  representation,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

/** One name per line. Decoding fails with 400 for a body with `!`, and with 422 for one with `?`. */
const names = representation({
  mediaType: 'text/x-names',
  read: (data) => {
    const lines = new TextDecoder().decode(data)
    if (lines.includes('?')) throw new UnprocessableContent('question mark')
    if (lines.includes('!')) throw new Error('exclamation mark')
    return lines.split('\n')
  },
  write: (lines: ReadonlyArray<string>) => lines.join('\n'),
})

const reversed = representation({
  mediaType: 'application/x-reversed',
  read: (data): Uint8Array => data.toReversed(),
  write: (data: Uint8Array) => data.toReversed(),
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
  optionalString: pipe(
    path('/optional-string'),
    post(),
    body(optional(string)),
    produces(text),
    handle((input) => (input.body === undefined ? 'nothing' : `'${input.body}'`)),
  ),
  optionalInt: pipe(
    path('/optional-int'),
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
  reversed: pipe(
    path('/reversed'),
    post(),
    body(reversed),
    produces(reversed),
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

/** A body: bytes, or text that is sent in UTF-8. */
type Payload = string | ReadonlyArray<number>

const toBytes = (payload: Payload): Uint8Array<ArrayBuffer> =>
  typeof payload === 'string' ? new TextEncoder().encode(payload) : Uint8Array.from(payload)

/** Media types by path. Default: `text/plain`. */
const mediaTypes = new Map([
  ['/bytes', 'application/octet-stream'],
  ['/form', 'application/x-www-form-urlencoded'],
  ['/names', 'text/x-names'],
  ['/reversed', 'application/x-reversed'],
])

const mediaTypeOf = (target: string): string => mediaTypes.get(target) ?? 'text/plain'

/**
 * Creates a POST request. An empty `mediaType` omits the `Content-Type` header.
 * The body is passed as bytes, because Fetch adds a `Content-Type` to strings.
 */
const createRequest = (
  target: string,
  payload: Payload,
  mediaType = mediaTypeOf(target),
): Request =>
  new Request(`${base}${target}`, {
    method: 'POST',
    headers: mediaType === '' ? {} : { 'content-type': mediaType },
    body: toBytes(payload),
  })

const nines = '9'.repeat(1000)
const everyByte: Payload = Array.from({ length: 256 }, (_, byte) => byte)
const invalidUtf8: Payload = [0x00, 0xff, 0xef, 0xbb, 0xbf, 0x0d, 0x0a]

contract('bodies that are not JSON', api, (test, call) => {
  table<
    readonly [name: string, target: string, sent: Payload, received: Payload, mediaType?: string]
  >(
    test,
    [
      ['text in UTF-8', '/text', 'é', 'é'],
      ['text in ISO-8859-1', '/text', [0xe9], 'é', 'text/plain;charset=ISO-8859-1'],
      ['text with a quoted charset', '/text', [0xe9, 0], 'é', 'text/plain; Charset="UTF-16LE"'],
      ['empty text', '/text', '', ''],
      ['a boolean', '/boolean', 'true', 'false'],
      ['a number', '/int', '41', '42'],
      ['a number with a fraction', '/number', '-1.5e3', '-1500'],
      ['an integer in UTF-16', '/int', [0x34, 0], '5', 'text/plain;charset=utf-16le'],
      ['an empty optional integer', '/optional-int', '', 'undefined'],
      ['an empty optional string without Content-Type', '/optional-string', '', 'nothing', ''],
      ['an empty optional string with Content-Type: text/plain', '/optional-string', '', "''"],
      ['a string without Content-Type', '/optional-string', 'a', "'a'", ''],
      ['a bigint with 1000 digits', '/bigint', nines, `1${'0'.repeat(1000)}`],
      ['a decimal with a trailing zero', '/decimal', '12.50', '12.50'],
      ['a decimal with 1000 digits', '/decimal', `-0.${nines.slice(1)}`, `-0.${nines.slice(1)}`],
      ['bytes that are not valid UTF-8', '/bytes', invalidUtf8, invalidUtf8],
      ['every byte value', '/bytes', everyByte, everyByte],
      ['an empty byte body', '/bytes', '', ''],
      ['form fields in order', '/form', 'f2=v2&f1=v1', 'f2=v2&f1=v1'],
      ['a form with repeated names', '/form', 'a=1&b=2&a=', 'a=1&a=&b=2'],
      ['a form with escaped characters', '/form', 'a+%26=%C3%A9%20%3D', 'a+%26=%C3%A9+%3D'],
      ['an empty form', '/form', '', ''],
      ['alternatives without Content-Type: the first', '/either', '1', 'number', ''],
      ['a form without Content-Type', '/form', 'f1=v1', 'f1=v1', ''],
      ['a custom text representation', '/names', 'Jane\nZoë', 'Zoë\nJane'],
      ['a custom binary representation', '/reversed', [3, 2], [3, 2, 0]],
    ],
    async (_, target, sent, received, mediaType) => {
      const response = await call(createRequest(target, sent, mediaType))
      assert.is(response.status, 200)
      assert.is(
        response.headers.get('content-type'),
        mediaTypeOf(target).startsWith('text/')
          ? `${mediaTypeOf(target)};charset=UTF-8`
          : mediaTypeOf(target),
      )
      assert.equal(new Uint8Array(await response.arrayBuffer()), toBytes(received))
    },
  )

  table<readonly [name: string, target: string, sent: Payload, detail: string]>(
    test,
    [
      ['text that is invalid in its charset', '/text', [0xe9], 'malformed utf-8'],
      ['an invalid boolean', '/boolean', 'yes', 'must be a boolean'],
      ['a hexadecimal integer', '/int', '0x10', 'must be an integer'],
      ['an empty integer', '/int', '', 'is required and must be an integer'],
      ['an empty boolean', '/boolean', '', 'is required and must be a boolean'],
      ['an empty number with a fraction', '/number', '', 'is required and must be a number'],
      ['an infinite number', '/number', '1e999', 'must be a number'],
      ['an empty bigint', '/bigint', '', 'is required and must be an integer'],
      ['an empty decimal', '/decimal', '', 'is required and must be a decimal number'],
      ['a bigint with a fraction', '/bigint', '1.5', 'must be an integer'],
      ['malformed percent-encoding', '/form', 'a=%E9', 'it has malformed percent-encoding'],
      ['a bigint with 1001 digits', '/bigint', `${nines}9`, 'must be an integer'],
      ['a decimal with 1001 digits', '/decimal', `${nines}.9`, 'must be a decimal number'],
      ['an error thrown by a custom reader', '/names', 'Jane!', 'cannot be read'],
    ],
    async (_, target, sent, detail) => {
      const response = await call(createRequest(target, sent))
      assert.is(response.status, 400)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      const { errors } = (await response.json()) as Problem
      assert.equal(errors, [{ in: 'body', pointer: '#', detail }])
    },
  )

  test('an HttpError thrown by a custom reader determines the status', async () =>
    assert.is((await call(createRequest('/names', 'Jane?'))).status, 422))

  test('an unknown charset returns 415', async () =>
    assert.is((await call(createRequest('/text', 'é', 'text/plain;charset=klingon'))).status, 415))
})

const invalidResults = routes({
  text: pipe(
    path('/text'),
    post(),
    produces(text),
    handle(() => 1 as never),
  ),
  rawJson: pipe(
    path('/raw-json'),
    post(),
    produces(rawJson),
    handle(() => 1 as never),
  ),
  bytes: pipe(
    path('/bytes'),
    post(),
    produces(bytes),
    handle(() => '1' as never),
  ),
  form: pipe(
    path('/form'),
    post(),
    produces(formMap),
    handle(() => ({ a: ['1'] }) as never),
  ),
})

contract('results of an invalid type', invalidResults, (test, call) => {
  for (const target of ['/text', '/raw-json', '/bytes', '/form'])
    test(`${target} returns 500`, async () => {
      const response = await call(new Request(`${base}${target}`, { method: 'POST' }))
      assert.is(response.status, 500)
    })
})
