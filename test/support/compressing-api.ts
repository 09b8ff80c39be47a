/** A tree whose responses are compressed, or not, for every reason there is; and what asks it. */
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
import type { Call } from '../../src/testing.ts'
import { base } from './contract.ts'

export const word = 'espalier '.repeat(100)

const says = (name: string, ...changes: ReadonlyArray<Modify>) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(text),
    handle(() => changes.reduce((reply, change) => change(reply), ok(word))),
  )

const sized = pipe(
  path('/sized/{octets}', { octets: int }),
  get(),
  produces(text),
  handle((input) => 'x'.repeat(input.path.octets)),
)

const foo = as('foo/bar')(text)

export const api = routes({
  plain: says('plain'),
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
  tagged: says('tagged', etag('v1')),
  weak: says('weak', etag({ weak: true, opaque: 'v1' })),
  untransformed: says('untransformed', cacheControl({ noTransform: true, maxAge: 1 })),
  transformed: says('transformed', cacheControl({ maxAge: 1 })),
  identity: says('identity', withHeader('Content-Encoding', 'identity')),
  digest: says('digest', withHeader('Repr-Digest', 'sha-256=:AAAA:')),
  varied: says('varied', vary('Origin', 'accept-encoding')),
  variedByAll: says('varied-by-all', vary('*')),
  variedByOther: says('varied-by-other', vary('Origin')),
  parameters: says('parameters', mediaType('TEXT/Plain ; charset=utf-8')),
  otherType: says('other-type', mediaType('image/png')),
  part: pipe(
    path('/part'),
    get(),
    responds(206, text),
    handle(() => ({ ...ok(word), status: 206 as const })),
  ),
  ranges: says('ranges', withHeader('Accept-Ranges', 'bytes')),
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
      throw new NotFound('there is none')
    }),
  ),
  unsendable: pipe(
    path('/unsendable'),
    get(),
    produces(text),
    handle(() => ({ ...ok(word.repeat(100)), headers: ['no name', 'a'] })),
  ),
  filtered: pipe(
    routes({ one: says('filtered') }),
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
      octets: pipe(
        path('/marked/octets'),
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
      not: says('unmarked/not'),
      failing: pipe(
        path('/unmarked/failing'),
        get(),
        produces(text),
        handle((): string => {
          throw new NotFound('there is none')
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

export const asking =
  (call: Call) =>
  (target: string, accepted?: string, fields: Record<string, string> = {}, method = 'GET') =>
    call(
      new Request(`${base}${target}`, {
        method,
        headers: { ...fields, ...(accepted === undefined ? {} : { 'Accept-Encoding': accepted }) },
      }),
    )

const reading: Readonly<Record<string, (octets: Uint8Array) => Uint8Array>> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: (octets) =>
    (Reflect.get(zlib, 'zstdDecompressSync') as (octets: Uint8Array) => Uint8Array)(octets),
}

export const contentOf = async (response: Response): Promise<string> => {
  const octets = new Uint8Array(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  return Buffer.from(reading[coding ?? '']?.(octets) ?? octets).toString()
}

export const hasZstd = 'createZstdCompress' in zlib

export const on = { 'fw.http.enable-compression': true }
