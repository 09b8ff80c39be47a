/** A route tree with blocking operations, in a module that workers can import. Each thread has its own module state. */
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
import { terminations } from './worker-termination.ts'
import { executions, currentThread } from '../support/executions.ts'
import { waitAtGate, reachGate } from '../support/gate.ts'
import { blockThread } from '../support/cpu-time.ts'
import { workerOperations } from '../support/worker-operations.ts'

const Early = slot<string>()('early')
const Late = slot<string>()('late')
const Uncloneable = slot<unknown>()('value')
const early = requestFilter({ gives: { early: Early } }, () => next({ early: currentThread() }))
const late = requestFilter({ needs: { early: Early }, gives: { late: Late } }, (_, dependencies) =>
  next({ late: `${dependencies.early} ${currentThread()}` }),
)

const filtered = pipe(
  routes({
    seen: pipe(
      path('/seen'),
      get(),
      produces(text),
      query({ deny: optional(t.string) }),
      needs({ early: Early, late: Late }),
      handle(({ needs: slots, query: { deny } }, { endpoint }) => {
        if (deny !== undefined) throw new Conflict('no', { detail: currentThread() })
        return [slots.early, slots.late, currentThread(), endpoint.name].join(', ')
      }),
      blocking,
    ),
  }),
  withFilter(late),
  withFilter(pipe(early, nonBlocking)),
  withFilter(
    responseFilter((response) => withHeader('X-Response-Filter', currentThread())(response)),
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
/** Values of a dependency. All but `plain` cannot be cloned. */
const values: Readonly<Record<string, unknown>> = {
  function: () => 1,
  symbol: Symbol('s'),
  instance: new Custom(),
  nested: { deep: [1, { url: new URL('http://a/') }] },
  inMap: new Map([['k', new Custom()]]),
  proxy: new Proxy({}, {}),
  plain: { a: [1, new Date(0), new Map([[1, new Set([2])]])], n: null },
}
const dependencies = pipe(
  routes({
    dependency: pipe(
      path('/dependency'),
      get(),
      produces(text),
      needs({ value: Uncloneable }),
      handle(({ needs: slots }) => JSON.stringify(slots.value)),
      blocking,
    ),
  }),
  withFilter(
    pipe(
      requestFilter({ gives: { value: Uncloneable } }, ({ uri }) =>
        next({ value: values[uri.queryParameters.get('kind')?.[0] ?? ''] }),
      ),
      nonBlocking,
    ),
  ),
)

let aborted = 0
const ended: string[] = []

const operations = routes({
  compute: pipe(
    path('/compute/{ms}'),
    get(),
    produces(text),
    query({ as: optional(t.string) }),
    handle(({ query: { as } }, { request }) => {
      blockThread(Number(request.path.split('/').at(-1)))
      return as ?? 'computed'
    }),
    blocking,
  ),
  hold: pipe(
    path('/hold'),
    get(),
    produces(text),
    handle(() => {
      blockThread(450)
      return 'held'
    }),
  ),
  holdLater: pipe(
    path('/hold-later'),
    get(),
    produces(text),
    handle(async () => {
      await wait(5)
      blockThread(450)
      return 'held later'
    }),
  ),
  die: pipe(
    path('/die/{how}'),
    get(),
    produces(text),
    query({ gate: optional(t.string) }),
    handle(async ({ path: { how }, query: { gate } }) => {
      reachGate(gate)
      await terminations[how]?.()
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
      response.addHeader('X-Handler', currentThread())
      return {
        input: { x: input.path.x, tag: input.query.tag },
        method: request.method,
        url: uri.request.href,
        x: uri.pathParameters.get('x'),
        name: endpoint.name,
        address: typeof request.clientAddress,
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
      await waitAtGate(gate)
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
      reachGate(gate)
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
      reachGate(gate)
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
      context.onEnd(({ status }) => ended.push(`${currentThread()} ${status}`))
      return 'done'
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
  routes({ executions, filtered, dependencies, workerOperations, operations }),
  withFilter(
    preMatching(({ request, response }) => {
      if (request.path === '/seen') response.addHeader('X-Pre-Matching', currentThread())
      return request.path === '/rewritten' ? rewrite({ target: '/context/y?tag=r' }) : undefined
    }),
  ),
)
export const blockingModule: string = import.meta.url

/** A route tree that differs from {@link api}. */
export const otherApi = routes({
  other: pipe(path('/operation'), get(), produces(text), handle(currentThread), blocking),
})
/** An export that is not a route tree. */
export const notRoutes = 1
