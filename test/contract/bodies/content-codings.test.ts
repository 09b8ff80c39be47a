/** Compressed request bodies: decompression, its limits, and 415 if decompression is disabled. */
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
} from '../../../src/index.ts'
import { readFileSync } from 'node:fs'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

const limit = 200_000

const api = pipe(
  routes({
    whole: pipe(
      path('/whole'),
      post(),
      body(bytes),
      produces(text),
      handle((input) => Buffer.from(input.body).toString('latin1')),
    ),
    chunks: pipe(
      path('/chunks'),
      post(),
      body(byteStream),
      produces(text),
      handle(async (input) => {
        const received: Uint8Array[] = []
        for await (const chunk of input.body) received.push(chunk)
        return Buffer.concat(received).toString('latin1')
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
        for await (const chunk of input.body) return String(chunk.length > 0)
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
    headers: pipe(
      path('/headers'),
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

const fastBrotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

const codings: ReadonlyArray<readonly [coding: string, (data: Buffer) => Buffer]> = [
  ['gzip', (data) => zlib.gzipSync(data)],
  ['x-gzip', (data) => zlib.gzipSync(data)],
  ['GZip', (data) => zlib.gzipSync(data)],
  ['deflate', (data) => zlib.deflateSync(data)],
  ['br', (data) => zlib.brotliCompressSync(data, fastBrotli)],
  ...zstd(),
]

function zstd(): ReadonlyArray<readonly [string, (data: Buffer) => Buffer]> {
  const compress = Reflect.get(zlib, 'zstdCompressSync') as ((data: Buffer) => Buffer) | undefined
  return compress === undefined ? [] : [['zstd', compress]]
}

const gzip = (content: string | Buffer): Buffer => zlib.gzipSync(content)

const requestTo = (
  target: string,
  content: Buffer,
  coding: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Request =>
  new Request(`${base}${target}`, {
    method: 'POST',
    headers: { ...(coding === undefined ? {} : { 'content-encoding': coding }), ...headers },
    body: new Uint8Array(content),
  })

/** Generates pseudo-random bytes, which no coding can compress. */
const random = (): Buffer => {
  const data = Buffer.alloc(2_000_000)
  let state = 1
  for (let index = 0; index < data.length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    data[index] = state >>> 24
  }
  return data
}
const incompressible = random()

const noise = (length: number): Buffer => incompressible.subarray(0, length)

type Row = readonly [title: string, coding: string, body: Buffer, size: number, status: number]

const contents = [
  ['1 MiB of zeros', Buffer.alloc(1024 * 1024), 200],
  ['20 MiB of zeros', Buffer.alloc(20 * 1024 * 1024), 413],
  ['a ratio below 100', Buffer.concat([noise(30_000), Buffer.alloc(2_000_000)]), 200],
] as const

/** Bodies with a high compression ratio, which are compressed once for all ways to send them. */
const compressible = codings
  .filter(([name]) => !/^x-|^GZ/.test(name))
  .flatMap(([coding, encode]) =>
    contents.map(([name, content, status]): Row => [
      `${coding}: ${name}`,
      coding,
      encode(content),
      content.length,
      status,
    ]),
  )

contract(
  'content codings, decompression enabled',
  api,
  (test, call) => {
    for (const [coding, encode] of codings)
      table<readonly [name: string, target: string, content: string]>(
        test,
        [
          [`${coding}: a buffered body`, '/whole', 'Emma'],
          [`${coding}: a stream`, '/chunks', 'Emma'],
          [`${coding}: a file`, '/file', 'Emma'],
          [`${coding}: an empty body`, '/whole', ''],
          [`${coding}: a body at the limit`, '/whole', noise(limit).toString('latin1')],
        ],
        async (_, target, content) => {
          const response = await call(
            requestTo(target, encode(Buffer.from(content, 'latin1')), coding),
          )
          assert.is(response.status, 200)
          assert.is(await response.text(), content)
        },
      )
    for (const [coding, encode] of codings.filter(([name]) => name !== 'GZip')) {
      const encoded = encode(Buffer.from('Emma, by Jane Austen. '.repeat(40)))
      table<readonly [name: string, content: Buffer]>(
        test,
        [
          [`${coding}: a body that is not compressed`, Buffer.from('Emma, by Jane Austen')],
          [`${coding}: a missing last byte`, encoded.subarray(0, -1)],
          [`${coding}: only the first byte`, encoded.subarray(0, 1)],
          [`${coding}: a byte after the end`, Buffer.concat([encoded, Buffer.from('x')])],
          [`${coding}: many bytes after the end`, Buffer.concat([encoded, Buffer.alloc(150_000)])],
        ],
        async (_, content) => {
          for (const target of ['/whole', '/chunks', '/file'])
            assert.is((await call(requestTo(target, content, coding))).status, 400)
        },
      )
      table<readonly [name: string, length: number, status: number]>(
        test,
        [
          [`${coding}: one byte below the limit`, limit - 1, 200],
          [`${coding}: exactly at the limit`, limit, 200],
          [`${coding}: one byte above the limit`, limit + 1, 413],
        ],
        async (_, length, status) => {
          for (const target of ['/whole', '/chunks', '/file'])
            for (const content of [noise(length), Buffer.alloc(length)])
              assert.is((await call(requestTo(target, encode(content), coding))).status, status)
        },
      )
    }

    test('the detail of a 413 response contains the configured limit', async () => {
      for (const length of [limit + 1, 2 * limit]) {
        const response = await call(requestTo('/whole', gzip(noise(length)), 'gzip'))
        assert.match(await response.text(), `Size limit of ${limit} bytes exceeded`)
      }
    })
    test('gzip with several members is decoded', async () => {
      const response = await call(
        requestTo('/whole', Buffer.concat([gzip('Em'), gzip('ma')]), 'gzip'),
      )
      assert.is(await response.text(), 'Emma')
    })
    test('an empty body with Content-Encoding: gzip is accepted', async () => {
      assert.is((await call(requestTo('/whole', Buffer.alloc(0), 'gzip'))).status, 200)
      assert.is((await call(requestTo('/chunks', Buffer.alloc(0), 'gzip'))).status, 200)
    })
    test('a compressed form is decoded', async () => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const response = await call(requestTo('/form', gzip('a=1%202'), 'gzip', type))
      assert.is(await response.text(), '1 2')
    })
    test('a body without a coding or with identity is read unchanged', async () => {
      assert.is(await (await call(requestTo('/whole', Buffer.from('a'), undefined))).text(), 'a')
      assert.is(await (await call(requestTo('/whole', Buffer.from('a'), 'identity'))).text(), 'a')
    })
    test('Content-Encoding and Content-Length are hidden from the handler', async () => {
      const type = { 'content-type': 'text/plain' }
      const response = await call(requestTo('/headers', gzip('Emma'), 'gzip', type))
      assert.is(await response.text(), '[{},"Emma"]')
    })
    test('a Content-Encoding set by a pre-matching filter is decoded', async () => {
      const response = await call(requestTo('/whole', gzip('a'), undefined, { 'X-Coding': 'gzip' }))
      assert.is(await response.text(), 'a')
    })
    test('an invalid compressed body is ignored if it is not read', async () => {
      assert.is((await call(requestTo('/guarded', Buffer.from('x'), 'gzip'))).status, 401)
      assert.is(await (await call(requestTo('/unread', Buffer.from('x'), 'gzip'))).text(), 'unread')
    })
    test('a partially read stream is decoded', async () => {
      const response = await call(requestTo('/first', gzip(noise(2_000_000)), 'gzip'))
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
        ['an empty Content-Encoding', ''],
        ['the name of an Object.prototype member', 'constructor'],
      ] as const,
      async (_, coding) => {
        const response = await call(requestTo('/whole', gzip('a'), coding))
        assert.is(response.status, 415)
        assert.match(
          response.headers.get('accept-encoding') ?? '',
          /^gzip, deflate, br(?:, zstd)?, identity$/,
        )
      },
    )

    table<Row>(test, compressible, async (_, coding, encoded, length, status) => {
      const response = await call(requestTo('/size', encoded, coding))
      assert.is(response.status, status)
      assert.match(await response.text(), status === 200 ? String(length) : /ratio of 100 exceeded/)
    })
  },
  { 'fw.http.limits.max-body-size': limit, 'fw.http.enable-decompression': true },
)

contract('content codings, default settings', api, (test, call) => {
  test('a compressed body returns 415', async () => {
    for (const target of ['/whole', '/chunks', '/file', '/form']) {
      const type = target === '/form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const response = await call(requestTo(target, gzip('a=1'), 'gzip', type))
      assert.is(response.status, 415)
      assert.is(response.headers.get('accept-encoding'), 'identity')
    }
  })
})
