/** Request filters: order, results, slots, and pre-matching filters that rewrite the request. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  del,
  Forbidden,
  get,
  handle,
  json,
  needs,
  next,
  nonBlocking,
  path,
  post,
  preMatching,
  priority,
  produces,
  reply,
  requestFilter,
  responseFilter,
  rewrite,
  routes,
  slot,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

const textAt = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle(() => word),
  )

/** Filters that append their name to a header: `trail` for requests, `track` for responses. */
const trail = (name: string) => requestFilter(({ response }) => response.addHeader('X-Trail', name))
const track = (name: string) => responseFilter(withHeader('X-Track', name))

const ordered = pipe(
  routes({ hello: textAt('hello') }),
  withFilter(trail('inner'), trail('inner, second')),
  withFilter(trail('outer')),
  withFilter(pipe(trail('late'), priority(6000)), pipe(trail('first'), priority(-1))),
  withFilter(
    pipe(trail('early'), nonBlocking),
    pipe(trail('early, late'), nonBlocking, priority(9000)),
  ),
  withFilter(track('inner'), track('inner, second')),
  withFilter(
    track('outer'),
    pipe(track('late'), priority(6000)),
    pipe(track('first'), priority(1)),
  ),
)

contract('filter order', ordered, (test, call) => {
  const order = async (name: string) => (await sendRequest(call, 'GET /hello')).headers.get(name)

  test('request filters run non-blocking first, then by priority, then from the outer to the inner tree', async () => {
    assert.is(
      await order('X-Trail'),
      'early, early, late, first, outer, inner, inner, second, late',
    )
  })
  test('response filters run in the reverse order', async () => {
    assert.is(await order('X-Track'), 'late, inner, second, inner, outer, first')
  })
})

const Declared = t.type({ a: t.string })
const conflict = () => reply(409, 'filtered')
const filters = {
  undefined: requestFilter(() => undefined),
  reply: requestFilter(conflict),
  none: requestFilter(() => O.none),
  some: requestFilter(() => O.some(conflict())),
  left: requestFilter(() => E.left(conflict())),
  right: requestFilter(() => E.right(undefined)),
  promiseEmpty: requestFilter(async () => undefined),
  promise: requestFilter(async () => conflict()),
  promiseSome: requestFilter(async () => O.some(conflict())),
  task: requestFilter(() => T.of(conflict())),
  taskEmpty: requestFilter(() => T.of(undefined)),
  taskLeft: requestFilter(() => TE.left(conflict())),
  taskRight: requestFilter(() => TE.right(undefined)),
  error: requestFilter(() => new Forbidden()),
  thrown: requestFilter(() => {
    throw new Forbidden()
  }),
  rejected: requestFilter(() => Promise.reject(new Forbidden())),
  internalError: requestFilter((): undefined => {
    throw new Error('unexpected')
  }),
  declared: requestFilter({ fails: { 409: json(Declared) } }, () =>
    reply(409, { a: 'b', hidden: 1 }),
  ),
}
const statuses: ReadonlyArray<[name: keyof typeof filters, status: number]> = [
  ['undefined', 200],
  ['reply', 409],
  ['none', 200],
  ['some', 409],
  ['left', 409],
  ['right', 200],
  ['promiseEmpty', 200],
  ['promise', 409],
  ['promiseSome', 409],
  ['task', 409],
  ['taskEmpty', 200],
  ['taskLeft', 409],
  ['taskRight', 200],
  ['error', 403],
  ['thrown', 403],
  ['rejected', 403],
  ['internalError', 500],
  ['declared', 409],
]

const returned = pipe(
  routes({
    undefined: pipe(routes({ it: textAt('undefined') }), withFilter(filters.undefined)),
    reply: pipe(routes({ it: textAt('reply') }), withFilter(filters.reply)),
    none: pipe(routes({ it: textAt('none') }), withFilter(filters.none)),
    some: pipe(routes({ it: textAt('some') }), withFilter(filters.some)),
    left: pipe(routes({ it: textAt('left') }), withFilter(filters.left)),
    right: pipe(routes({ it: textAt('right') }), withFilter(filters.right)),
    promiseEmpty: pipe(routes({ it: textAt('promiseEmpty') }), withFilter(filters.promiseEmpty)),
    promise: pipe(routes({ it: textAt('promise') }), withFilter(filters.promise)),
    promiseSome: pipe(routes({ it: textAt('promiseSome') }), withFilter(filters.promiseSome)),
    task: pipe(routes({ it: textAt('task') }), withFilter(filters.task)),
    taskEmpty: pipe(routes({ it: textAt('taskEmpty') }), withFilter(filters.taskEmpty)),
    taskLeft: pipe(routes({ it: textAt('taskLeft') }), withFilter(filters.taskLeft)),
    taskRight: pipe(routes({ it: textAt('taskRight') }), withFilter(filters.taskRight)),
    error: pipe(routes({ it: textAt('error') }), withFilter(filters.error)),
    thrown: pipe(routes({ it: textAt('thrown') }), withFilter(filters.thrown)),
    rejected: pipe(routes({ it: textAt('rejected') }), withFilter(filters.rejected)),
    internalError: pipe(routes({ it: textAt('internalError') }), withFilter(filters.internalError)),
    declared: pipe(routes({ it: textAt('declared') }), withFilter(filters.declared)),
  }),
  withFilter(
    responseFilter((response, { endpoint }) =>
      pipe(response, withHeader('X-Seen', endpoint?.name ?? 'none')),
    ),
  ),
)

contract('results of request filters', returned, (test, call) => {
  table(test, statuses, async (name, status) => {
    const response = await sendRequest(call, `GET /${name}`)
    assert.is(response.status, status)
    assert.is(response.headers.get('X-Seen'), `${name}.it`)
  })

  test('a reply with text is sent as text', async () => {
    assert.equal(await responseTo(call, 'GET /reply'), [409, 'filtered'])
  })
  test('a declared reply is encoded by its codec', async () => {
    assert.equal(await responseTo(call, 'GET /declared'), [409, { a: 'b' }])
  })
})

const User = slot<string>()('user')
const Greeting = slot<string>()('greeting')
const authenticate = requestFilter({ gives: { user: User } }, ({ request }) => {
  const user = request.header('X-User')
  return user === undefined ? reply(401) : next({ user })
})
const greeting = requestFilter(
  { needs: { name: User }, gives: { greeting: Greeting } },
  async (_, { name }) => next({ greeting: `Hello, ${name}` }),
)
const greeter = pipe(
  routes({
    greet: pipe(
      path('/greet'),
      get(),
      needs({ message: Greeting, name: User }),
      produces(text),
      handle((input) => `${input.needs.message} (${input.needs.name})`),
    ),
  }),
  withFilter(greeting),
  withFilter(authenticate),
)

contract('slots filled by filters', greeter, (test, call) => {
  test('a filter passes values to inner filters and to the handler', async () => {
    assert.equal(await responseTo(call, 'GET /greet', { headers: { 'X-User': 'ann' } }), [
      200,
      'Hello, ann (ann)',
    ])
  })
  test('a filter that replies skips the handler', async () => {
    assert.is((await sendRequest(call, 'GET /greet')).status, 401)
  })
  test('concurrent requests have separate slots', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `user-${n}`)
    const responses = await Promise.all(
      names.map((name) => responseTo(call, 'GET /greet', { headers: { 'X-User': name } })),
    )
    assert.equal(
      responses,
      names.map((name) => [200, `Hello, ${name} (${name})`]),
    )
  })
})

const Count = slot<number>()('count')
const countRuns = requestFilter({ gives: { count: Count } }, ({ request }) =>
  next({ count: ++runs.count + Number(request.query) }),
)
const runs = { count: 0 }
const twice = pipe(
  routes({
    counted: pipe(
      path('/counted'),
      get(),
      needs({ count: Count }),
      produces(text),
      handle((input) => `${input.needs.count} of ${runs.count}`),
    ),
  }),
  withFilter(countRuns),
  withFilter(countRuns),
)

contract('a filter applied twice', twice, (test, call) => {
  test('the filter runs twice, and the inner one fills the slot', async () => {
    runs.count = 0
    assert.equal(await responseTo(call, 'GET /counted?10'), [200, '12 of 2'])
  })
})

const rewriting = pipe(
  routes({
    remove: pipe(
      path('/items/{id}'),
      del(),
      produces(text),
      handle(({ path: { id } }) => `removed ${id}`),
    ),
    item: pipe(
      path('/items/{id}'),
      get(),
      produces(text, json(t.string)),
      handle(({ path: { id } }) => id),
    ),
    echo: pipe(
      path('/echo'),
      post(),
      body(text),
      produces(text),
      handle((input, { request }) => `${request.method} ${input.body}`),
    ),
  }),
  withFilter(
    preMatching(({ request }) => {
      const method = request.header('X-HTTP-Method-Override')
      return method === undefined ? undefined : rewrite({ method })
    }),
    preMatching(async ({ request }) => {
      if (request.path === '/old') return rewrite({ target: '/items/new?x=1' })
      if (request.path === '/json')
        return rewrite({ target: '/items/a', headers: { accept: 'application/json' } })
      if (request.path === '/stop') return reply(410, 'stopped')
      if (request.path === '/bad') return rewrite({ target: 'invalid target' })
      return undefined
    }),
    responseFilter(withHeader('X-Seen', 'yes')),
  ),
)

contract('pre-matching filters', rewriting, (test, call) => {
  const override = { headers: { 'X-HTTP-Method-Override': 'DELETE' } }
  test('a filter changes the method', async () => {
    assert.equal(await responseTo(call, 'POST /items/7', override), [200, 'removed 7'])
  })
  test('a filter changes the URI', async () => {
    assert.equal(await responseTo(call, 'GET /old'), [200, 'new'])
  })
  test('a filter changes the Accept header', async () => {
    assert.is(
      (await sendRequest(call, 'GET /json')).headers.get('Content-Type'),
      'application/json',
    )
  })
  test('response filters run after a filter that replies', async () => {
    const response = await sendRequest(call, 'GET /stop')
    assert.equal([response.status, response.headers.get('X-Seen')], [410, 'yes'])
  })
  test('an invalid target returns 500', async () => {
    assert.is((await sendRequest(call, 'GET /bad')).status, 500)
  })
  test('the body is read after a filter has run', async () => {
    const response = await call(new Request(`${base}/echo`, { method: 'POST', body: 'text' }))
    assert.is(await response.text(), 'POST text')
  })
})
