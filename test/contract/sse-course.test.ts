/** The course of an event stream: how it begins, goes on while nothing is said, fails and ends. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
import { Conflict, get, handle, path, produces, routes, sse, string } from '../../src/index.ts'
import { base, contract } from '../support/contract.ts'
import { EventSource } from '../support/event-source.ts'

const events = (name: string) => pipe(path(`/${name}`), get(), produces(sse(string)))

const closed: string[] = []

async function* ticking({ request }: Context) {
  try {
    for (let tick = 0; !request.signal.aborted; tick++) {
      yield String(tick)
      await wait(5)
    }
  } finally {
    closed.push(request.path)
  }
}

async function* late(what: () => string) {
  await wait(200)
  yield what()
}

const operations = () =>
  routes({
    words: pipe(
      events('words'),
      handle(() => ['OK', 'a\r\nb', '']),
    ),
    thrown: pipe(
      events('thrown'),
      handle(() => {
        throw new Conflict('not now')
      }),
    ),
    rejected: pipe(
      events('rejected'),
      handle(async () => {
        await wait(5)
        throw new Conflict('not now')
      }),
    ),
    atOnce: pipe(
      events('at-once'),
      handle(async function* () {
        yield await Promise.reject<string>(new Conflict('not now'))
      }),
    ),
    defect: pipe(
      events('defect'),
      // a program without types may return anything
      handle(() => 5 as unknown as string[]),
    ),
    undefined: pipe(
      path('/undefined'),
      get(),
      produces(sse(t.unknown)),
      handle(() => [undefined]),
    ),
    lateFailure: pipe(
      events('late-failure'),
      handle(async function* () {
        yield 'first'
        await wait(20)
        throw new Conflict('too late')
      }),
    ),
    late: pipe(
      events('late'),
      handle(() => late(() => 'at last')),
    ),
    failsFirst: pipe(
      events('fails-first'),
      handle(() =>
        late(() => {
          throw new Conflict('too late')
        }),
      ),
    ),
    ticking: pipe(
      events('ticking'),
      handle((_, context) => ticking(context)),
    ),
  })

contract('the course of an event stream', operations, (test, call) => {
  const ask = (target: string, method = 'GET') => call(new Request(`${base}${target}`, { method }))
  test('has its head before its first element', async () => {
    const response = await ask('/late')
    const begun = performance.now()
    assert.is(await response.text(), 'data: at last\n\n')
    assert.ok(performance.now() - begun > 50, 'the head came with the element')
  })
  for (const target of ['/thrown', '/rejected', '/at-once'])
    test(`that fails before it begins is an answer like any other: ${target}`, async () => {
      const response = await ask(target)
      assert.is(response.status, 409)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      assert.is(response.headers.get('x-accel-buffering'), null)
      await response.text()
    })
  for (const target of ['/defect', '/undefined'])
    test(`that cannot be one is answered with 500: ${target}`, async () => {
      const response = await ask(target)
      assert.is(response.status, 500)
      await response.text()
    })
  for (const target of ['/late-failure', '/fails-first'])
    test(`that fails later is cut: ${target}`, async () => {
      const response = await ask(target)
      assert.is(response.status, 200)
      const error = await response.text().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof Error)
    })
  test('ends when the client goes away', async () => {
    closed.length = 0
    const response = await ask('/ticking')
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    for (let tries = 0; closed.length === 0 && tries < 100; tries++) await wait(10)
    assert.equal(closed, ['/ticking'])
  })
  test('is not asked for by HEAD', async () => {
    const response = await ask('/at-once', 'HEAD')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), 'text/event-stream')
    assert.is(response.headers.get('cache-control'), 'no-cache')
    assert.is(await response.text(), '')
  })
})

contract(
  'an event stream on which nothing is said',
  operations,
  (test, call) => {
    test('has comments between its messages', async () => {
      const response = await call(new Request(`${base}/late`))
      const received = await response.text()
      assert.match(received, /^(?::\n\n)+data: at last\n\n$/)
      assert.is(new EventSource().take(received).events.length, 1)
    })
    test('has none where something is said', async () => {
      const response = await call(new Request(`${base}/words`))
      assert.not((await response.text()).includes(':\n\n'))
    })
  },
  { 'fw.rest.sse.heartbeat': 15 },
)

contract(
  'an event stream without comments',
  operations,
  (test, call) => {
    test('waits in silence', async () => {
      assert.is(await (await call(new Request(`${base}/late`))).text(), 'data: at last\n\n')
    })
  },
  { 'fw.rest.sse.heartbeat': 0 },
)
