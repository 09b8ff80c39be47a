/** A route tree with a response for each rule of response compression, and helpers for its requests. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as zlib from 'node:zlib'
import type { Modify } from '../../src/index.ts'
import {
  NotFound,
  as,
  bytes,
  cacheControl,
  compressed,
  etag,
  evaluatePreconditions,
  fails,
  get,
  handle,
  html,
  int,
  json,
  mediaType,
  noContent,
  ok,
  path,
  produces,
  responds,
  responseFilter,
  responseHeader,
  routes,
  string,
  text,
  uncompressed,
  vary,
  withFilter,
  withHeader,
} from '../../src/index.ts'
import type { InMemoryCall } from '../../src/testing.ts'
import { base } from '../support/contract.ts'

export const word = 'espalier '.repeat(100)

const replying = (name: string, ...changes: ReadonlyArray<Modify>) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle(() => changes.reduce((reply, change) => change(reply), ok(word))),
  )

const sized = pipe(
  path('/sized/{size}', { size: int }),
  get(),
  produces(text),
  handle((input) => 'x'.repeat(input.path.size)),
)

const foo = as('foo/bar')(text)

export const api = routes({
  plain: replying('plain'),
  sized,
  umlauts: pipe(
    path('/umlauts/{count}', { count: int }),
    get(),
    produces(text),
    handle((input) => 'ä'.repeat(input.path.count)),
  ),
  foo: pipe(
    path('/foo'),
    get(),
    produces(foo),
    handle(() => word),
  ),
  page: pipe(
    path('/page'),
    get(),
    produces(html, json(string)),
    handle(() => word),
  ),
  tagged: replying('tagged', etag('v1')),
  weak: replying('weak', etag({ weak: true, opaque: 'v1' })),
  untransformed: replying('untransformed', cacheControl({ noTransform: true, maxAge: 1 })),
  transformed: replying('transformed', cacheControl({ maxAge: 1 })),
  identity: replying('identity', withHeader('Content-Encoding', 'identity')),
  digest: replying('digest', withHeader('Repr-Digest', 'sha-256=:AAAA:')),
  varied: replying('varied', vary('Origin', 'accept-encoding')),
  variedByAll: replying('varied-by-all', vary('*')),
  variedByOther: replying('varied-by-other', vary('Origin')),
  parameters: replying('parameters', mediaType('TEXT/Plain ; charset=utf-8')),
  otherType: replying('other-type', mediaType('image/png')),
  part: pipe(
    path('/part'),
    get(),
    responds(206, text),
    handle(() => ({ ...ok(word), status: 206 as const })),
  ),
  ranges: replying('ranges', withHeader('Accept-Ranges', 'bytes')),
  empty: pipe(
    path('/empty'),
    get(),
    responds(204),
    handle(() => noContent),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    produces(text),
    handle(() => ''),
  ),
  conditional: pipe(
    path('/conditional'),
    get(),
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, { etag: 'v1' }),
        O.getOrElseW(() => pipe(ok(word), etag('v1'))),
      ),
    ),
  ),
  failing: pipe(
    path('/failing'),
    get(),
    produces(text),
    handle((): string => {
      throw new NotFound('not found')
    }),
  ),
  unsendable: pipe(
    path('/unsendable'),
    get(),
    produces(text),
    handle(() => ({ ...ok(word.repeat(100)), headers: ['invalid name', 'a'] })),
  ),
  filtered: pipe(
    routes({ one: replying('filtered') }),
    withFilter(responseFilter(withHeader('X-Seen', 'yes'))),
    withFilter(responseFilter((_, { response }) => response.addHeader('X-Added', 'yes'))),
  ),
  marked: pipe(
    routes({
      foo: pipe(
        path('/marked/foo'),
        get(),
        produces(foo),
        handle(() => word),
      ),
      bytes: pipe(
        path('/marked/bytes'),
        get(),
        produces(bytes),
        handle(() => new Uint8Array(100)),
      ),
      untyped: pipe(
        path('/marked/untyped'),
        get(),
        responds(200),
        handle(() => ok(undefined)),
      ),
      not: pipe(
        path('/marked/not'),
        get(),
        produces(foo),
        uncompressed,
        handle(() => word),
      ),
    }),
    compressed,
  ),
  unmarked: pipe(
    routes({
      not: replying('unmarked/not'),
      failing: pipe(
        path('/unmarked/failing'),
        get(),
        produces(text),
        handle((): string => {
          throw new NotFound('not found')
        }),
      ),
      foo: pipe(
        path('/unmarked/foo'),
        produces(foo),
        compressed,
        get(),
        handle(() => word),
      ),
      last: pipe(
        path('/unmarked/last'),
        produces(foo),
        compressed,
        get(),
        uncompressed,
        responseHeader('X-Own', 'yes'),
        handle(() => word),
      ),
    }),
    uncompressed,
  ),
})

/** Creates a function that sends a request with an `Accept-Encoding`. */
export const createSend =
  (call: InMemoryCall) =>
  (target: string, accepted?: string, headers: Record<string, string> = {}, method = 'GET') =>
    call(
      new Request(`${base}${target}`, {
        method,
        headers: { ...headers, ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }) },
      }),
    )

const decoders: Readonly<Record<string, (data: Uint8Array) => Uint8Array>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: (data) =>
    (Reflect.get(zlib, 'zstdDecompressSync') as (data: Uint8Array) => Uint8Array)(data),
}

/** Reads the body of a response, decompressed according to its `Content-Encoding`. */
export const decodedBody = async (response: Response): Promise<string> => {
  const data = new Uint8Array(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  return Buffer.from(decoders[coding ?? '']?.(data) ?? data).toString()
}

export const hasZstd = 'createZstdCompress' in zlib

/** Settings that enable compression. */
export const compressionEnabled = { 'fw.http.enable-compression': true }
