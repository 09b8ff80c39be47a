/** CBOR bodies: values, limits and malformed input. The encoded values are from RFC 8949, appendix A. */
import * as assert from 'uvu/assert'
import { decode, encode } from 'cborg'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { cbor } from '../../../src/cbor.ts'
import { promiseClient } from '../../../src/client.ts'
import {
  body,
  get,
  handle,
  json,
  path,
  plainDate,
  post,
  produces,
  routes,
  secureField,
  string,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'

const Book = t.type({ title: t.string, pages: t.number })
const api = routes({
  echo: pipe(
    path('/echo'),
    post(),
    body(cbor(Book)),
    produces(cbor(Book)),
    handle((input) => input.body),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(json(Book), cbor(Book)),
    handle(() => ({ title: 'Emma', pages: 474 })),
  ),
  anything: pipe(
    path('/anything'),
    post(),
    body(cbor(t.unknown)),
    produces(json(t.unknown)),
    handle((input) => input.body),
  ),
  dates: pipe(
    path('/dates'),
    post(),
    body(cbor(t.type({ published: plainDate, secret: secureField('admin')(string) }))),
    produces(cbor(t.type({ published: plainDate, secret: secureField('admin')(string) }))),
    handle((input) => input.body),
  ),
})

const call = inMemory(api)

const send = (target: string, bytes: Uint8Array, type = 'application/cbor'): Promise<Response> =>
  call(
    new Request(`http://localhost${target}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: new Uint8Array(bytes),
    }),
  )

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

const decoded = async (response: Response): Promise<unknown> =>
  decode(new Uint8Array(await response.arrayBuffer()))

describe('cbor', (test) => {
  test('reads and writes a value without undeclared members', async () => {
    const response = await send('/echo', encode({ title: 'Emma', pages: 474, admin: true }))
    assert.is(response.status, 200)
    assert.is(response.headers.get('Content-Type'), 'application/cbor')
    assert.equal(await decoded(response), { title: 'Emma', pages: 474 })
  })
  test('Accept: application/cbor selects CBOR', async () => {
    const headers = { Accept: 'application/cbor' }
    const response = await call(new Request('http://localhost/either', { headers }))
    assert.equal(await decoded(response), { title: 'Emma', pages: 474 })
  })
  test('encodes values by their codecs and omits restricted members', async () => {
    const response = await send('/dates', encode({ published: '1815-12-23', secret: 'x' }))
    assert.equal(await decoded(response), { published: '1815-12-23' })
  })
  test('a value that the codec rejects returns 400 with its location', async () => {
    const response = await send('/echo', encode({ title: 1, pages: 474 }))
    assert.is(response.status, 400)
    assert.match(await response.text(), '#/title')
  })
  test('another media type returns 415', async () => {
    assert.is((await send('/echo', bytesOf('a0'), 'application/json')).status, 415)
  })
  test('the client sends and receives CBOR', async () => {
    const books = promiseClient(api, { baseUrl: 'http://localhost', fetch: call })
    const { body: received } = await books.echo({ body: { title: 'Emma', pages: 474 } })
    assert.equal(received, { title: 'Emma', pages: 474 })
  })
})

describe('cbor: values', (test) => {
  table(
    test,
    [
      ['00', '0'],
      ['3903e7', '-1000'],
      ['fb3ff199999999999a', '1.1'],
      ['f5', 'true'],
      ['6449455446', '"IETF"'],
      ['83010203', '[1,2,3]'],
      ['8301820203820405', '[1,[2,3],[4,5]]'],
      ['a26161016162820203', '{"a":1,"b":[2,3]}'],
      ['9f018202039f0405ffff', '[1,[2,3],[4,5]]'],
      ['bf61610161629f0203ffff', '{"a":1,"b":[2,3]}'],
      ['80', '[]'],
      ['8380a080', '[[],{},[]]'],
    ] as const,
    async (hex, text) => {
      const response = await send('/anything', bytesOf(hex))
      assert.is(response.status, 200)
      assert.is(await response.text(), text)
    },
  )
})

describe('cbor: rejected bodies', (test) => {
  table(
    test,
    [
      ['an empty body', ''],
      ['a truncated string', '6449'],
      ['a truncated array', '8301'],
      ['bytes after the value', '0000'],
      ['a break without an array', 'ff'],
      ['a tag', 'c074323031332d30332d32315432303a30343a30305a'],
      ['a repeated key', 'a2616101616102'],
      ['a key that is not a string', 'a10102'],
      ['undefined', 'f7'],
      ['an array of a declared length beyond the body', '9affffffff00'],
      ['a string of a declared length beyond the body', '7b00ffffffffffffff'],
      ['arrays nested one level deeper than the limit', `${'81'.repeat(101)}00`],
      ['arrays nested far deeper than the limit', '81'.repeat(100_000)],
      ['arrays of indefinite length nested deeper than the limit', '9f'.repeat(100_000)],
      ['maps nested deeper than the limit', 'a16161'.repeat(100_000)],
    ] as const,
    async (name, hex) => {
      const response = await send('/anything', bytesOf(hex))
      assert.is(response.status, 400, name)
    },
  )
  test('the maximum depth is accepted', async () => {
    const response = await send('/anything', bytesOf(`${'81'.repeat(100)}00`))
    assert.is(response.status, 200)
  })
  test('a map with more members than the limit returns 400', async () => {
    const members = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`m${at}`, at]))
    const response = await send('/anything', encode(members))
    assert.is(response.status, 400)
    assert.match(await response.text(), 'more than')
  })
})
