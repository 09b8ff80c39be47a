/** Headers of 304 and 412 responses, which equal those of the 200 response to the same request (RFC 9110, 15.4.5). */
import { writeFileSync, mkdtempSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  as,
  bytes,
  cache,
  conditional,
  etag,
  evaluatePreconditions,
  fails,
  file,
  get,
  handle,
  html,
  ok,
  path,
  preMatching,
  produces,
  responds,
  routes,
  text,
  withEtag,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import type { Routes } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'espalier-not-modified-'))
const page = join(folder, 'page.txt')
writeFileSync(page, 'x'.repeat(3000))
utimesSync(page, 1000, 1000)

const large = 'x'.repeat(3000)
const cached = cache({ maxAge: 5 })

const api = routes({
  declared: pipe(
    path('/declared'),
    get(),
    cached,
    produces(text, html),
    conditional({ etag: () => 't1' }),
    handle(() => large),
  ),
  evaluated: pipe(
    path('/evaluated'),
    get(),
    cached,
    produces(text),
    responds(304),
    fails(412),
    handle((_, context) =>
      pipe(
        evaluatePreconditions(context, { etag: 't1' }),
        O.getOrElseW(() => pipe(ok(large), etag('t1'))),
      ),
    ),
  ),
  computed: pipe(
    path('/computed'),
    get(),
    cached,
    produces(withEtag('strong')(text)),
    handle(() =>
      pipe(
        ok(large),
        withHeader('Content-Location', '/computed/1'),
        withHeader('Expires', 'Thu, 01 Dec 2039 16:00:00 GMT'),
      ),
    ),
  ),
  small: pipe(
    path('/small'),
    get(),
    produces(withEtag('strong')(text)),
    handle(() => 'x'),
  ),
  smallDeclared: pipe(
    path('/small-declared'),
    get(),
    produces(text),
    conditional({ etag: () => 't1' }),
    handle(() => 'x'),
  ),
  image: pipe(
    path('/image'),
    get(),
    produces(
      withEtag('strong')(as('image/png')(bytes)),
      withEtag('strong')(as('text/plain')(bytes)),
    ),
    handle((_, { response }) => new Uint8Array(response.contentType === 'image/png' ? 3000 : 0)),
  ),
  untransformed: pipe(
    path('/untransformed'),
    get(),
    cache({ noTransform: true }),
    produces(text),
    conditional({ etag: () => 't1' }),
    handle(() => large),
  ),
  file: pipe(
    path('/file'),
    get(),
    cached,
    produces(file),
    handle(() => page),
  ),
})

const compared = ['etag', 'vary', 'cache-control', 'content-location', 'expires'] as const
type Compared = (typeof compared)[number]

const headersOf = ({ headers }: Response): ReadonlyArray<string | null> =>
  compared.map((name: Compared) => headers.get(name))

const targets = [
  'declared',
  'evaluated',
  'computed',
  'small',
  'small-declared',
  'image',
  'untransformed',
  'file',
]
type Row = readonly [name: string, method: string, target: string, coding: string]

const rows: ReadonlyArray<Row> = targets.flatMap((target) =>
  ['GET', 'HEAD'].flatMap((method) =>
    ['gzip', 'identity'].map(
      (coding) => [`${method} /${target} with ${coding}`, method, target, coding] as const,
    ),
  ),
)

/** The targets whose 412 responses carry the `ETag` of GET. That of a file is a problem document. */
const failing = targets.filter((target) => target !== 'file' && target !== 'untransformed')

const adding = pipe(
  api,
  withFilter(preMatching(({ response }) => response.addHeader('X-Added', 'a'))),
)

const define = <T, E>(threshold: number, tree: Routes<T, {}, E>, title = ''): void =>
  contract(
    `a 304 response with a threshold of ${threshold} bytes${title}`,
    tree,
    (test, call) => {
      table<Row>(test, rows, async (_, method, target, coding) => {
        const send = (headers: Readonly<Record<string, string>>): Promise<Response> =>
          sendRequest(call, `${method} /${target}`, {
            headers: { 'accept-encoding': coding, ...headers },
          })
        const whole = await send({})
        await whole.arrayBuffer()
        const tag = whole.headers.get('etag') ?? ''
        const strong = tag.replace(/^W\//, '')
        // without running the handler, the size of the body is unknown, so the ETag that the client has is used
        const others = threshold === 0 ? [strong, `W/${strong}`, '*'] : []
        for (const listed of [tag, ...others]) {
          const unchanged = await send({ 'if-none-match': listed })
          assert.equal([unchanged.status, headersOf(unchanged)], [304, headersOf(whole)], listed)
        }
        const failed = await send({ 'if-match': '"other"' })
        assert.is(failed.status, 412)
        if (threshold === 0 && failing.includes(target)) assert.is(failed.headers.get('etag'), tag)
      })
    },
    { 'fw.http.enable-compression': true, 'fw.http.compression-threshold': threshold },
  )

define(0, api)
define(100, api)
define(100, adding, ', and an added header')
