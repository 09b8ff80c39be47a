/** Coded contents of requests, decoded where that is enabled. */
import { pipe } from 'fp-ts/lib/function.js'
import * as zlib from 'node:zlib'
import * as assert from 'uvu/assert'
import {
  Unauthorized,
  body,
  byteStream,
  bytes,
  fileBody,
  form,
  handle,
  header,
  limits,
  optional,
  path,
  post,
  preMatching,
  produces,
  requestFilter,
  rewrite,
  routes,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { readFileSync } from 'node:fs'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const most = 200_000

const api = pipe(
  routes({
    whole: pipe(
      path('/whole'),
      post(),
      body(bytes),
      produces(text),
      handle((input) => Buffer.from(input.body).toString('latin1')),
    ),
    pieces: pipe(
      path('/pieces'),
      post(),
      body(byteStream),
      produces(text),
      handle(async (input) => {
        const all: Uint8Array[] = []
        for await (const piece of input.body) all.push(piece)
        return Buffer.concat(all).toString('latin1')
      }),
    ),
    file: pipe(
      path('/file'),
      post(),
      body(fileBody),
      produces(text),
      handle((input) => readFileSync(input.body.path, 'latin1')),
    ),
    size: pipe(
      path('/size'),
      post(),
      body(bytes),
      produces(text),
      limits({ bodySize: '64M' }),
      handle((input) => String(input.body.length)),
    ),
    first: pipe(
      path('/first'),
      post(),
      body(byteStream),
      produces(text),
      limits({ bodySize: '64M' }),
      handle(async (input) => {
        for await (const piece of input.body) return String(piece.length > 0)
        return 'none'
      }),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ a: string }),
      produces(text),
      handle((input) => input.form.a),
    ),
    seen: pipe(
      path('/seen'),
      post(),
      header({ contentEncoding: optional(string), contentLength: optional(string) }),
      body(text),
      produces(text),
      handle((input) => JSON.stringify([input.header, input.body])),
    ),
    guarded: pipe(
      routes({
        in: pipe(
          path('/guarded'),
          post(),
          body(text),
          handle(() => {}),
        ),
      }),
      withFilter(requestFilter(() => new Unauthorized('Basic'))),
    ),
    unread: pipe(
      path('/unread'),
      post(),
      produces(text),
      handle(() => 'unread'),
    ),
  }),
  withFilter(
    preMatching(({ request }) => {
      const coding = request.header('X-Coding')
      return coding === undefined ? undefined : rewrite({ headers: { 'Content-Encoding': coding } })
    }),
  ),
)

const quickly = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

const codings: ReadonlyArray<readonly [coding: string, (octets: Buffer) => Buffer]> = [
  ['gzip', (octets) => zlib.gzipSync(octets)],
  ['x-gzip', (octets) => zlib.gzipSync(octets)],
  ['GZip', (octets) => zlib.gzipSync(octets)],
  ['deflate', (octets) => zlib.deflateSync(octets)],
  ['br', (octets) => zlib.brotliCompressSync(octets, quickly)],
  ...zstd(),
]

function zstd(): ReadonlyArray<readonly [string, (octets: Buffer) => Buffer]> {
  const compress = Reflect.get(zlib, 'zstdCompressSync') as ((octets: Buffer) => Buffer) | undefined
  return compress === undefined ? [] : [['zstd', compress]]
}

const gzip = (content: string | Buffer): Buffer => zlib.gzipSync(content)

const sending = (
  to: string,
  content: Buffer,
  coding: string | undefined,
  fields: Readonly<Record<string, string>> = {},
): Request =>
  new Request(`${base}${to}`, {
    method: 'POST',
    headers: { ...(coding === undefined ? {} : { 'content-encoding': coding }), ...fields },
    body: new Uint8Array(content),
  })

const random = (): Buffer => {
  const octets = Buffer.alloc(2_000_000)
  let state = 1
  for (let at = 0; at < octets.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    octets[at] = state >>> 24
  }
  return octets
}
const incompressible = random()

/** Octets that cannot be compressed. */
const noise = (length: number): Buffer => incompressible.subarray(0, length)

contract(
  'content codings, enabled',
  api,
  (test, call) => {
    for (const [coding, encode] of codings)
      table<readonly [name: string, to: string, content: string]>(
        test,
        [
          [`${coding}: as a whole`, '/whole', 'Emma'],
          [`${coding}: in pieces`, '/pieces', 'Emma'],
          [`${coding}: in a file`, '/file', 'Emma'],
          [`${coding}: without octets`, '/whole', ''],
          [`${coding}: up to the limit`, '/whole', noise(most).toString('latin1')],
        ],
        async (_, to, content) => {
          const response = await call(sending(to, encode(Buffer.from(content, 'latin1')), coding))
          assert.is(response.status, 200)
          assert.is(await response.text(), content)
        },
      )
    for (const [coding, encode] of codings.filter(([name]) => name !== 'GZip')) {
      const coded = encode(Buffer.from('Emma, by Jane Austen. '.repeat(40)))
      table<readonly [name: string, content: Buffer]>(
        test,
        [
          [`${coding}: something else`, Buffer.from('Emma, by Jane Austen')],
          [`${coding}: without the last octet`, coded.subarray(0, -1)],
          [`${coding}: the first octet alone`, coded.subarray(0, 1)],
          [`${coding}: octets behind the end`, Buffer.concat([coded, Buffer.from('x')])],
          [`${coding}: many behind it`, Buffer.concat([coded, Buffer.alloc(150_000)])],
        ],
        async (_, content) => {
          for (const to of ['/whole', '/pieces', '/file'])
            assert.is((await call(sending(to, content, coding))).status, 400)
        },
      )
      table<readonly [name: string, length: number, status: number]>(
        test,
        [
          [`${coding}: one less than the limit`, most - 1, 200],
          [`${coding}: as many as the limit`, most, 200],
          [`${coding}: one more than the limit`, most + 1, 413],
        ],
        async (_, length, status) => {
          for (const to of ['/whole', '/pieces', '/file'])
            for (const content of [noise(length), Buffer.alloc(length)])
              assert.is((await call(sending(to, encode(content), coding))).status, status)
        },
      )
    }

    test('gzip of several members', async () => {
      const response = await call(
        sending('/whole', Buffer.concat([gzip('Em'), gzip('ma')]), 'gzip'),
      )
      assert.is(await response.text(), 'Emma')
    })
    test('no content at all', async () => {
      assert.is((await call(sending('/whole', Buffer.alloc(0), 'gzip'))).status, 200)
      assert.is((await call(sending('/pieces', Buffer.alloc(0), 'gzip'))).status, 200)
    })
    test('a form', async () => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const response = await call(sending('/form', gzip('a=1%202'), 'gzip', type))
      assert.is(await response.text(), '1 2')
    })
    test('what is not coded is read as before', async () => {
      assert.is(await (await call(sending('/whole', Buffer.from('a'), undefined))).text(), 'a')
      assert.is(await (await call(sending('/whole', Buffer.from('a'), 'identity'))).text(), 'a')
    })
    test('behind it, nothing tells of the coding', async () => {
      const type = { 'content-type': 'text/plain' }
      const response = await call(sending('/seen', gzip('Emma'), 'gzip', type))
      assert.is(await response.text(), '[{},"Emma"]')
    })
    test('a coding that a filter before matching has said is taken off', async () => {
      const response = await call(sending('/whole', gzip('a'), undefined, { 'X-Coding': 'gzip' }))
      assert.is(await response.text(), 'a')
    })
    test('a request that is answered before is not decoded', async () => {
      assert.is((await call(sending('/guarded', Buffer.from('x'), 'gzip'))).status, 401)
      assert.is(await (await call(sending('/unread', Buffer.from('x'), 'gzip'))).text(), 'unread')
    })
    test('who reads a part of it gets that', async () => {
      const response = await call(sending('/first', gzip(noise(2_000_000)), 'gzip'))
      assert.is(await response.text(), 'true')
    })

    table(
      test,
      [
        ['two codings', 'gzip, br'],
        ['the same coding twice', 'gzip, gzip'],
        ['two hundred codings', 'gzip,'.repeat(199) + 'gzip'],
        ['an unknown coding', 'klingon'],
        ['compress', 'compress'],
        ['nothing', ''],
        ['a name that every object has', 'constructor'],
      ] as const,
      async (_, coding) => {
        const response = await call(sending('/whole', gzip('a'), coding))
        assert.is(response.status, 415)
        assert.match(
          response.headers.get('accept-encoding') ?? '',
          /^gzip, deflate, br(?:, zstd)?, identity$/,
        )
      },
    )

    for (const [coding, encode] of codings.filter(([name]) => !/^x-|^GZ/.test(name)))
      table<readonly [name: string, content: Buffer, status: number]>(
        test,
        [
          [`${coding}: zeros below 1 MiB`, Buffer.alloc(1024 * 1024), 200],
          [`${coding}: zeros beyond`, Buffer.alloc(60 * 1024 * 1024), 413],
          [
            `${coding}: less than 100 times as large`,
            Buffer.concat([noise(30_000), Buffer.alloc(2_000_000)]),
            200,
          ],
        ],
        async (_, content, status) => {
          const response = await call(sending('/size', encode(content), coding))
          assert.is(response.status, status)
          if (status === 200) assert.is(await response.text(), String(content.length))
          else assert.match(await response.text(), /Compression ratio of 100 exceeded/)
        },
      )
  },
  { 'fw.http.limits.max-body-size': most, 'fw.http.enable-decompression': true },
)

contract('content codings, by default', api, (test, call) => {
  test('are refused', async () => {
    for (const to of ['/whole', '/pieces', '/file', '/form']) {
      const type = to === '/form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const response = await call(sending(to, gzip('a=1'), 'gzip', type))
      assert.is(response.status, 415)
      assert.is(response.headers.get('accept-encoding'), 'identity')
    }
  })
})
