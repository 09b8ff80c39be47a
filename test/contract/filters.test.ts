/** Filters around handlers, in the order in which a request meets them. */
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
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const say = (word: string) =>
  pipe(
    path(`/${word}`),
    get(),
    produces(text),
    handle(() => word),
  )

/** A filter that leaves its name on the request's way there, and one on the way back, both told by a header field. */
const trail = (name: string) => requestFilter(({ response }) => response.addHeader('X-Trail', name))
const track = (name: string) => responseFilter(withHeader('X-Track', name))

const ordered = pipe(
  routes({ hello: say('hello') }),
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

contract('the order of filters', ordered, (test, call) => {
  const order = async (name: string) => (await ask(call, 'GET /hello')).headers.get(name)

  test('requests meet early ones, then by ascending priority, the outer and the first given before others', async () => {
    assert.is(
      await order('X-Trail'),
      'early, early, late, first, outer, inner, inner, second, late',
    )
  })
  test('responses meet them the other way round', async () => {
    assert.is(await order('X-Track'), 'late, inner, second, inner, outer, first')
  })
})

const No = t.type({ no: t.string })
const answer = () => reply(409, 'filtered')
const returning = {
  nothing: requestFilter(() => undefined),
  aReply: requestFilter(answer),
  none: requestFilter(() => O.none),
  some: requestFilter(() => O.some(answer())),
  left: requestFilter(() => E.left(answer())),
  right: requestFilter(() => E.right(undefined)),
  promiseOfNothing: requestFilter(async () => undefined),
  promise: requestFilter(async () => answer()),
  promiseOfSome: requestFilter(async () => O.some(answer())),
  task: requestFilter(() => T.of(answer())),
  taskOfNothing: requestFilter(() => T.of(undefined)),
  taskEither: requestFilter(() => TE.left(answer())),
  taskEitherOn: requestFilter(() => TE.right(undefined)),
  error: requestFilter(() => new Forbidden()),
  thrown: requestFilter(() => {
    throw new Forbidden()
  }),
  rejected: requestFilter(() => Promise.reject(new Forbidden())),
  defect: requestFilter((): undefined => {
    throw new Error('a defect')
  }),
  declared: requestFilter({ fails: { 409: json(No) } }, () => reply(409, { no: 'way', hidden: 1 })),
}
const statuses: ReadonlyArray<[name: keyof typeof returning, status: number]> = [
  ['nothing', 200],
  ['aReply', 409],
  ['none', 200],
  ['some', 409],
  ['left', 409],
  ['right', 200],
  ['promiseOfNothing', 200],
  ['promise', 409],
  ['promiseOfSome', 409],
  ['task', 409],
  ['taskOfNothing', 200],
  ['taskEither', 409],
  ['taskEitherOn', 200],
  ['error', 403],
  ['thrown', 403],
  ['rejected', 403],
  ['defect', 500],
  ['declared', 409],
]

const returned = pipe(
  routes({
    nothing: pipe(routes({ it: say('nothing') }), withFilter(returning.nothing)),
    aReply: pipe(routes({ it: say('aReply') }), withFilter(returning.aReply)),
    none: pipe(routes({ it: say('none') }), withFilter(returning.none)),
    some: pipe(routes({ it: say('some') }), withFilter(returning.some)),
    left: pipe(routes({ it: say('left') }), withFilter(returning.left)),
    right: pipe(routes({ it: say('right') }), withFilter(returning.right)),
    promiseOfNothing: pipe(
      routes({ it: say('promiseOfNothing') }),
      withFilter(returning.promiseOfNothing),
    ),
    promise: pipe(routes({ it: say('promise') }), withFilter(returning.promise)),
    promiseOfSome: pipe(routes({ it: say('promiseOfSome') }), withFilter(returning.promiseOfSome)),
    task: pipe(routes({ it: say('task') }), withFilter(returning.task)),
    taskOfNothing: pipe(routes({ it: say('taskOfNothing') }), withFilter(returning.taskOfNothing)),
    taskEither: pipe(routes({ it: say('taskEither') }), withFilter(returning.taskEither)),
    taskEitherOn: pipe(routes({ it: say('taskEitherOn') }), withFilter(returning.taskEitherOn)),
    error: pipe(routes({ it: say('error') }), withFilter(returning.error)),
    thrown: pipe(routes({ it: say('thrown') }), withFilter(returning.thrown)),
    rejected: pipe(routes({ it: say('rejected') }), withFilter(returning.rejected)),
    defect: pipe(routes({ it: say('defect') }), withFilter(returning.defect)),
    declared: pipe(routes({ it: say('declared') }), withFilter(returning.declared)),
  }),
  withFilter(
    responseFilter((_, { endpoint }) => pipe(_, withHeader('X-Seen', endpoint?.name ?? 'nothing'))),
  ),
)

contract('what a filter may return', returned, (test, call) => {
  table(test, statuses, async (name, status) => {
    const response = await ask(call, `GET /${name}`)
    assert.is(response.status, status)
    assert.is(response.headers.get('X-Seen'), `${name}.it`)
  })

  test('a reply with text is sent as text', async () => {
    assert.equal(await answerTo(call, 'GET /aReply'), [409, 'filtered'])
  })
  test('a declared reply is written by its codec', async () => {
    assert.equal(await answerTo(call, 'GET /declared'), [409, { no: 'way' }])
  })
})

const User = slot<string>()('user')
const Greeting = slot<string>()('greeting')
const authenticating = requestFilter({ gives: { who: User } }, ({ request }) => {
  const who = request.header('X-User')
  return who === undefined ? reply(401) : next({ who })
})
const greeting = requestFilter(
  { needs: { name: User }, gives: { greeting: Greeting } },
  async (_, { name }) => next({ greeting: `Hello, ${name}` }),
)
const given = pipe(
  routes({
    greet: pipe(
      path('/greet'),
      get(),
      needs({ said: Greeting, name: User }),
      produces(text),
      handle((input) => `${input.needs.said} (${input.needs.name})`),
    ),
  }),
  withFilter(greeting),
  withFilter(authenticating),
)

contract('filters give values to what lies below', given, (test, call) => {
  test('to handlers and to filters further in', async () => {
    assert.equal(await answerTo(call, 'GET /greet', { headers: { 'X-User': 'ann' } }), [
      200,
      'Hello, ann (ann)',
    ])
  })
  test('or answer instead', async () => {
    assert.is((await ask(call, 'GET /greet')).status, 401)
  })
  test('of many requests at once, each has its own', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `user-${n}`)
    const answers = await Promise.all(
      names.map((name) => answerTo(call, 'GET /greet', { headers: { 'X-User': name } })),
    )
    assert.equal(
      answers,
      names.map((name) => [200, `Hello, ${name} (${name})`]),
    )
  })
})

const Count = slot<number>()('count')
const counting = requestFilter({ gives: { count: Count } }, ({ request }) =>
  next({ count: ++asked.count + Number(request.query) }),
)
const asked = { count: 0 }
const twice = pipe(
  routes({
    counted: pipe(
      path('/counted'),
      get(),
      needs({ count: Count }),
      produces(text),
      handle((input) => `${input.needs.count} of ${asked.count}`),
    ),
  }),
  withFilter(counting),
  withFilter(counting),
)

contract('a filter that is put around a tree twice', twice, (test, call) => {
  test('runs twice, and the nearer one fills the slot', async () => {
    asked.count = 0
    assert.equal(await answerTo(call, 'GET /counted?10'), [200, '12 of 2'])
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
      if (request.path === '/bad') return rewrite({ target: 'no path' })
      return undefined
    }),
    responseFilter(withHeader('X-Seen', 'yes')),
  ),
)

contract('filters before matching', rewriting, (test, call) => {
  const override = { headers: { 'X-HTTP-Method-Override': 'DELETE' } }
  test('change the method', async () => {
    assert.equal(await answerTo(call, 'POST /items/7', override), [200, 'removed 7'])
  })
  test('change the URI', async () => {
    assert.equal(await answerTo(call, 'GET /old'), [200, 'new'])
  })
  test('change what is negotiated with', async () => {
    assert.is((await ask(call, 'GET /json')).headers.get('Content-Type'), 'application/json')
  })
  test('answer, and response filters still run', async () => {
    const response = await ask(call, 'GET /stop')
    assert.equal([response.status, response.headers.get('X-Seen')], [410, 'yes'])
  })
  test('a target that is none is a defect', async () => {
    assert.is((await ask(call, 'GET /bad')).status, 500)
  })
  test('content still arrives', async () => {
    const response = await call(new Request(`${base}/echo`, { method: 'POST', body: 'content' }))
    assert.is(await response.text(), 'POST content')
  })
})
