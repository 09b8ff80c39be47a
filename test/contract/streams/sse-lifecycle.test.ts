/** Lifecycle of server-sent events: first bytes, heartbeats, failures and disconnects. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import { Conflict, get, handle, path, produces, routes, sse, string } from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'
import { EventSource } from '../../support/event-source.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

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

/** Whether a client has received the headers of `/held`. */
const head = { isReceived: false }

async function* held() {
  await waitUntil(() => head.isReceived)
  yield 'done'
}

async function* delayed(create: () => string) {
  await wait(200)
  yield create()
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
        await turns()
        throw new Conflict('not now')
      }),
    ),
    immediateFailure: pipe(
      events('immediate-failure'),
      handle(async function* () {
        yield await Promise.reject<string>(new Conflict('not now'))
      }),
    ),
    notIterable: pipe(
      events('not-iterable'),
      // an untyped program may return any value
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
        await turns()
        throw new Conflict('too late')
      }),
    ),
    held: pipe(events('held'), handle(held)),
    delayed: pipe(
      events('delayed'),
      handle(() => delayed(() => 'done')),
    ),
    delayedFailure: pipe(
      events('delayed-failure'),
      handle(() =>
        delayed(() => {
          throw new Conflict('too late')
        }),
      ),
    ),
    ticking: pipe(
      events('ticking'),
      handle((_, context) => ticking(context)),
    ),
  })

contract('lifecycle of server-sent events', operations, (test, call) => {
  const send = (target: string, method = 'GET') => call(new Request(`${base}${target}`, { method }))
  test('the headers are sent before the first event', async () => {
    head.isReceived = false
    const response = await send('/held')
    head.isReceived = true
    assert.is(await response.text(), 'data: done\n\n')
  })
  for (const target of ['/thrown', '/rejected', '/immediate-failure'])
    test(`a failure before the first event returns an error response: ${target}`, async () => {
      const response = await send(target)
      assert.is(response.status, 409)
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      assert.is(response.headers.get('x-accel-buffering'), null)
      await response.text()
    })
  for (const target of ['/not-iterable', '/undefined'])
    test(`an invalid result returns 500: ${target}`, async () => {
      const response = await send(target)
      assert.is(response.status, 500)
      await response.text()
    })
  for (const target of ['/late-failure', '/delayed-failure'])
    test(`a failure after the headers aborts the response: ${target}`, async () => {
      const response = await send(target)
      assert.is(response.status, 200)
      const error = await response.text().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof Error)
    })
  test('a disconnect of the client closes the source', async () => {
    closed.length = 0
    const response = await send('/ticking')
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await waitUntil(() => closed.length > 0)
    assert.equal(closed, ['/ticking'])
  })
  test('HEAD does not read the source', async () => {
    const response = await send('/immediate-failure', 'HEAD')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-type'), 'text/event-stream')
    assert.is(response.headers.get('cache-control'), 'no-cache')
    assert.is(await response.text(), '')
  })
})

contract(
  'fw.rest.sse.heartbeat',
  operations,
  (test, call) => {
    test('sends comments while no event is available', async () => {
      const response = await call(new Request(`${base}/delayed`))
      const received = await response.text()
      assert.match(received, /^(?::\n\n)+data: done\n\n$/)
      assert.is(new EventSource().take(received).events.length, 1)
    })
    test('sends no comments between available events', async () => {
      const response = await call(new Request(`${base}/words`))
      assert.not((await response.text()).includes(':\n\n'))
    })
  },
  { 'fw.rest.sse.heartbeat': 15 },
)

contract(
  'fw.rest.sse.heartbeat 0',
  operations,
  (test, call) => {
    test('sends no comments', async () => {
      assert.is(await (await call(new Request(`${base}/delayed`))).text(), 'data: done\n\n')
    })
  },
  { 'fw.rest.sse.heartbeat': 0 },
)
