/** A service for Workers, Deno and Bun, to which `service-requests.mjs` sends requests. Its bundle contains no modules of Node.js. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import 'temporal-polyfill/global'
import { toFetchHandler } from '../../../src/fetch.ts'
import {
  authenticated,
  bearer,
  broadcaster,
  body,
  byteStream,
  form,
  get,
  handle,
  int,
  json,
  limits,
  needs,
  noContent,
  ok,
  path,
  plainDate,
  post,
  produces,
  query,
  responds,
  routes,
  slot,
  sse,
  string,
  text,
  upload,
  withCookie,
  withEtag,
  withFilter,
} from '../../../src/index.ts'
import { serveHandler } from './serve.mjs'

const wait = (time) => new Promise((resolve) => setTimeout(resolve, time))

/** What handlers have observed. Plain values, because requests of a Worker share no other state. */
const seen = { closed: 0, aborted: 0, pulled: 0, background: 0, logged: [] }

const Runtime = slot()('runtime')

const endless = (size, pause) =>
  async function* ({ needs: { runtime } }, { request, onEnd }) {
    // without `waitUntil`, a Worker stops when its client disconnects
    runtime.waitUntil(new Promise((resolve) => onEnd(() => setTimeout(resolve, 100))))
    request.signal.addEventListener('abort', () => seen.aborted++)
    try {
      for (;;) {
        seen.pulled++
        yield 'x'.repeat(size)
        if (pause > 0) await wait(pause)
      }
    } finally {
      seen.closed++
    }
  }

const feed = broadcaster(string)

const api = routes({
  date: pipe(
    path('/date'),
    query({ day: plainDate }),
    get(),
    produces(text),
    handle(({ query: { day } }) => day.add({ days: 1 }).toString()),
  ),
  subscribe: pipe(
    path('/subscribe'),
    get(),
    produces(sse(string)),
    handle((_, context) => feed.subscribe(context)),
  ),
  publish: pipe(
    path('/publish'),
    post(),
    responds(204),
    handle(async () => {
      await feed.publish('news')
      return noContent
    }),
  ),
  hello: pipe(
    path('/hello'),
    get(),
    needs({ runtime: Runtime }),
    produces(text),
    handle(({ needs: { runtime } }) =>
      pipe(
        ok(runtime.env.GREETING),
        withCookie({ name: 'a', value: '1' }),
        withCookie({ name: 'b', value: '2' }),
      ),
    ),
  ),
  address: pipe(
    path('/address'),
    get(),
    produces(text),
    handle((_, { request }) => String(request.clientAddress)),
  ),
  sum: pipe(
    path('/sum/{a}', { a: int }),
    query({ b: int }),
    get(),
    produces(json(t.number)),
    handle(({ path: { a }, query: { b } }) => a + b),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(json(t.type({ title: t.string }))),
    produces(json(t.type({ title: t.string }))),
    handle((input) => input.body),
  ),
  nothing: pipe(
    path('/nothing'),
    get(),
    responds(204),
    handle(() => noContent),
  ),
  tagged: pipe(
    path('/tagged'),
    get(),
    produces(withEtag('strong')(text)),
    handle(() => 'tagged'),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    form({ cover: upload, title: string }),
    produces(text),
    handle(async ({ form: { cover, title } }) => {
      const bytes = await cover.read()
      return `${title} ${cover.fileName} ${cover.size} ${bytes.reduce((sum, byte) => (sum + byte) % 65_521, 0)}`
    }),
  ),
  count: pipe(
    path('/count'),
    post(),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let length = 0
      for await (const chunk of input.body) length += chunk.length
      return String(length)
    }),
  ),
  small: pipe(
    path('/small'),
    post(),
    limits({ bodySize: 1000 }),
    body(byteStream),
    produces(text),
    handle(async (input) => {
      let length = 0
      for await (const chunk of input.body) length += chunk.length
      return String(length)
    }),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(string)),
    handle(async function* () {
      for (const element of ['one', 'two', 'three']) {
        yield element
        await wait(300)
      }
    }),
  ),
  endless: pipe(
    path('/endless'),
    get(),
    needs({ runtime: Runtime }),
    produces(sse(string)),
    handle(endless(10, 20)),
  ),
  fast: pipe(
    path('/fast'),
    get(),
    needs({ runtime: Runtime }),
    produces(sse(string)),
    handle(endless(50_000, 0)),
  ),
  slow: pipe(
    path('/slow'),
    get(),
    produces(text),
    handle(
      (_, { request }) =>
        new Promise((_resolve, reject) => {
          // a Worker is ended if it waits for neither a timer nor I/O
          setTimeout(() => reject(new Error('late')), 15_000)
          request.signal.addEventListener('abort', () => {
            seen.aborted++
            reject(request.signal.reason)
          })
        }),
    ),
  ),
  late: pipe(
    path('/late'),
    get(),
    limits({ timeout: 300 }),
    produces(text),
    handle(() => new Promise(() => {})),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(text),
    handle(() => 'large '.repeat(10_000)),
  ),
  background: pipe(
    path('/background'),
    get(),
    needs({ runtime: Runtime }),
    responds(204),
    handle(({ needs: { runtime } }) => {
      runtime.waitUntil(wait(20).then(() => seen.background++))
      return noContent
    }),
  ),
  secret: pipe(
    path('/secret'),
    get(),
    authenticated,
    produces(text),
    handle((_, { security }) => String(security.principal?.name)),
  ),
  seen: pipe(
    path('/seen'),
    get(),
    produces(json(t.unknown)),
    handle(() => seen),
  ),
})

const log = (level) => (members, message) => {
  seen.logged.push([level, message, String(members.err ?? '')])
}
const ignore = () => undefined

/** Created while the module is loading, where a Worker must not perform I/O. */
const handler = toFetchHandler(
  pipe(
    api,
    withFilter(
      bearer({ verify: (token) => (token === 'valid' ? { name: 'ann', roles: [] } : undefined) }),
    ),
  ),
  {
    platform: Runtime,
    clientAddress: (request) => request.headers.get('x-peer') ?? undefined,
    'fw.http.enable-compression': true,
    'fw.http.limits.max-body-size': '20M',
    'fw.http.limits.max-initial-line-length': 2000,
    'fw.rest.sse.heartbeat': '200ms',
    logger: { trace: ignore, debug: ignore, info: ignore, warn: log('warn'), error: log('error') },
  },
)

const isServer = typeof Deno === 'object' || typeof Bun === 'object'

// Deno and Bun would serve the default export, too
export default isServer
  ? undefined
  : {
      fetch: (request, env, context) =>
        handler(request, { env, waitUntil: (promise) => context.waitUntil(promise) }),
    }

if (isServer) {
  const env = { GREETING: 'Hello from a binding' }
  const { url } = await serveHandler((request) => handler(request, { env, waitUntil: ignore }))
  console.log(`\u0001${JSON.stringify({ url })}`)
}
