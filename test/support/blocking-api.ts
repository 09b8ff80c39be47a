/** A tree with blocking operations, in a module that workers can import. What it remembers, each thread remembers for itself. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  body,
  bytes,
  Conflict,
  fails,
  get,
  handle,
  int,
  json,
  list,
  mapError,
  needs,
  next,
  nonBlocking,
  optional,
  path,
  post,
  preMatching,
  produces,
  query,
  reply,
  requestFilter,
  responseFilter,
  rewrite,
  routes,
  slot,
  text,
  uuid,
  withDefault,
  withFilter,
  withHeader,
  withMapper,
} from '../../src/index.ts'
import { deaths } from './worker-termination.ts'
import { executions, here } from './executions.ts'
import { pass, reach } from './gate.ts'
import { hold } from './block-thread.ts'
import { telling } from './telling.ts'

const Early = slot<string>()('early')
const Late = slot<string>()('late')
const Odd = slot<unknown>()('odd')
const early = requestFilter({ gives: { early: Early } }, () => next({ early: here() }))
const late = requestFilter({ needs: { early: Early }, gives: { late: Late } }, (_, given) =>
  next({ late: `${given.early} ${here()}` }),
)

const filtered = pipe(
  routes({
    seen: pipe(
      path('/seen'),
      get(),
      produces(text),
      query({ deny: optional(t.string) }),
      needs({ early: Early, late: Late }),
      handle(({ needs: given, query: { deny } }, { endpoint }) => {
        if (deny !== undefined) throw new Conflict('no', { detail: here() })
        return [given.early, given.late, here(), endpoint.name].join(', ')
      }),
      blocking,
    ),
  }),
  withFilter(late),
  withFilter(pipe(early, nonBlocking)),
  withFilter(
    responseFilter((answer) => withHeader('X-Response-Filter', here())(answer)),
    pipe(
      requestFilter(({ request }) =>
        request.header('X-Deny') === 'early' ? reply(401) : undefined,
      ),
      nonBlocking,
    ),
  ),
  withMapper(mapError(RangeError, () => reply(418))),
)

class Custom {
  readonly kind = 'custom'
}
const odd: Readonly<Record<string, unknown>> = {
  function: () => 1,
  symbol: Symbol('s'),
  instance: new Custom(),
  nested: { deep: [1, { url: new URL('http://a/') }] },
  inMap: new Map([['k', new Custom()]]),
  proxy: new Proxy({}, {}),
  plain: { a: [1, new Date(0), new Map([[1, new Set([2])]])], n: null },
}
const givenOdd = pipe(
  routes({
    given: pipe(
      path('/given'),
      get(),
      produces(text),
      needs({ odd: Odd }),
      handle(({ needs: given }) => JSON.stringify(given.odd)),
      blocking,
    ),
  }),
  withFilter(
    pipe(
      requestFilter({ gives: { odd: Odd } }, ({ uri }) =>
        next({ odd: odd[uri.queryParameters.get('kind')?.[0] ?? ''] }),
      ),
      nonBlocking,
    ),
  ),
)

let aborted = 0
const ended: string[] = []

const works = routes({
  compute: pipe(
    path('/compute/{ms}'),
    get(),
    produces(text),
    query({ as: optional(t.string) }),
    handle(({ query: { as } }, { request }) => {
      hold(Number(request.path.split('/').at(-1)))
      return as ?? 'computed'
    }),
    blocking,
  ),
  hold: pipe(
    path('/hold'),
    get(),
    produces(text),
    handle(() => {
      hold(450)
      return 'held'
    }),
  ),
  holdLater: pipe(
    path('/hold-later'),
    get(),
    produces(text),
    handle(async () => {
      await wait(5)
      hold(450)
      return 'held later'
    }),
  ),
  die: pipe(
    path('/die/{how}'),
    get(),
    produces(text),
    query({ gate: optional(t.string) }),
    handle(async ({ path: { how }, query: { gate } }) => {
      reach(gate)
      await deaths[how]?.()
      return 'alive'
    }),
    blocking,
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(bytes),
    produces(bytes),
    handle(({ body: b }) => b),
    blocking,
  ),
  sum: pipe(
    path('/sum'),
    post(),
    query({ factor: withDefault(int, 1), id: optional(uuid) }),
    body(json(t.strict({ numbers: t.array(t.number) }))),
    produces(json(t.strict({ sum: t.number }))),
    fails(422, text),
    handle(({ body: { numbers }, query: { factor } }) => ({
      sum: factor * numbers.reduce((a, b) => a + b, 0),
    })),
    blocking,
  ),
  context: pipe(
    path('/context/{x}'),
    get(),
    query({ tag: list(t.string) }),
    produces(json(t.UnknownRecord)),
    handle((input, { request, uri, endpoint, response }) => {
      response.addHeader('X-Handler', here())
      return {
        input: { x: input.path.x, tag: input.query.tag },
        method: request.method,
        url: uri.request.href,
        x: uri.pathParameters.get('x'),
        name: endpoint.name,
        address: typeof request.address,
        cookie: request.cookie('c'),
      }
    }),
    blocking,
  ),
  gated: pipe(
    path('/gated'),
    get(),
    produces(text),
    query({ gate: t.string, as: withDefault(t.string, 'gated') }),
    handle(async ({ query: { gate, as } }) => {
      await pass(gate)
      return as
    }),
    blocking,
  ),
  patient: pipe(
    path('/patient'),
    get(),
    produces(text),
    query({ gate: optional(t.string) }),
    handle(async ({ query: { gate } }, { request }) => {
      reach(gate)
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      aborted++
      return 'late'
    }),
    blocking,
  ),
  busy: pipe(
    path('/busy'),
    get(),
    produces(text),
    query({ gate: optional(t.string) }),
    handle(({ query: { gate } }, { request }) => {
      reach(gate)
      const end = performance.now() + 10_000
      while (!request.signal.aborted && performance.now() < end);
      if (request.signal.aborted) aborted++
      return 'late'
    }),
    blocking,
  ),
  aborted: pipe(
    path('/aborted'),
    get(),
    produces(text),
    handle(() => String(aborted)),
    blocking,
  ),
  ending: pipe(
    path('/ending'),
    get(),
    produces(text),
    handle((_, context) => {
      context.onEnd(({ status }) => ended.push(`${here()} ${status}`))
      return 'answered'
    }),
    blocking,
  ),
  ended: pipe(
    path('/ended'),
    get(),
    produces(text),
    handle(() => ended.join()),
    blocking,
  ),
  light: pipe(
    path('/light'),
    get(),
    produces(text),
    handle(() => 'light'),
  ),
})

export const api = pipe(
  routes({ executions, filtered, givenOdd, telling, works }),
  withFilter(
    preMatching(({ request }) =>
      request.path === '/rewritten' ? rewrite({ target: '/context/y?tag=r' }) : undefined,
    ),
  ),
)
export const blockingModule: string = import.meta.url

/** Another tree. */
export const another = routes({
  other: pipe(path('/operation'), get(), produces(text), handle(here), blocking),
})
export const noTree = 1
