/** Event streams that are read with the package `eventsource`. */
import { EventSource } from 'eventsource'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  broadcaster,
  comment,
  event,
  get,
  handle,
  header,
  int,
  lastEventId,
  noContent,
  path,
  produces,
  responds,
  routes,
  sse,
  string,
} from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server, ServeOptions } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** The `Last-Event-ID` and the time of each connection. */
const connections: Array<Readonly<{ after: string | undefined; at: number }>> = []
const feed = broadcaster(string, { replay: 10 })
const delay = 60

const api = routes({
  texts: pipe(
    path('/texts'),
    get(),
    produces(sse(string)),
    handle(async function* () {
      yield event('a\nb\r\nc\rd')
      yield event(' é€😀')
      yield comment('a comment\nor data: this')
      yield event('named', 'e', { comment: 'a comment' })
      yield event('named', '', { id: '7 é' })
      await new Promise(() => undefined)
    }),
  ),
  // two events per connection, after which the client reconnects
  counting: pipe(
    path('/counting'),
    get(),
    header({ lastEventId }),
    produces(sse(int)),
    handle(async function* ({ header: { lastEventId: after } }) {
      connections.push({ after, at: performance.now() })
      const from = Number(after ?? 0)
      for (const n of [from + 1, from + 2]) yield event('count', n, { id: String(n), retry: delay })
    }),
  ),
  cut: pipe(
    path('/cut'),
    get(),
    header({ lastEventId }),
    produces(sse(string)),
    handle(async function* ({ header: { lastEventId: after = 'nothing' } }) {
      yield event(undefined, `after ${after}`, { id: 'x', retry: 1 })
      await new Promise((resolve) => setTimeout(resolve, 10))
      throw new Error('secret')
    }),
  ),
  // 204 makes clients stop reconnecting (HTML standard, server-sent events)
  over: pipe(
    path('/over'),
    get(),
    produces(sse(string)),
    responds(204),
    handle(() => noContent),
  ),
  feed: pipe(
    path('/feed'),
    get(),
    produces(sse(string)),
    handle((_, context) => feed.subscribe(context)),
  ),
})

interface ReceivedEvent {
  readonly type: string
  readonly data: string
  readonly id: string
}

/** Collects the events of a stream with the given names, and counts its connections and errors. */
const listen = (url: string, ...types: ReadonlyArray<string>) => {
  const source = new EventSource(url)
  const events: ReceivedEvent[] = []
  const counts = { open: 0, error: 0 }
  source.addEventListener('open', () => counts.open++)
  source.addEventListener('error', () => counts.error++)
  for (const type of types)
    source.addEventListener(type, ({ data, lastEventId: id }) => events.push({ type, data, id }))
  return { source, events, counts }
}

describe('the package eventsource', (test, { before, after }) => {
  let server: Server | undefined
  const options: ServeOptions = {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    'fw.rest.sse.heartbeat': 20,
  }
  const to = (target: string): string => `${server?.url ?? ''}${target}`
  before(async () => {
    server = await serve(api, options)
  })
  after(() => server?.close())

  test('reads names, ids and data, and skips comments', async () => {
    const { source, events } = listen(to('/texts'), 'message', 'named')
    await waitUntil(() => events.length === 4)
    source.close()
    assert.equal(events, [
      { type: 'message', data: 'a\nb\nc\nd', id: '' },
      { type: 'message', data: ' é€😀', id: '' },
      { type: 'named', data: 'e', id: '' },
      { type: 'named', data: '', id: '7 é' },
    ])
  })

  test('reconnects after the delay with the id of its last event', async () => {
    connections.length = 0
    const { source, events } = listen(to('/counting'), 'count')
    await waitUntil(() => events.length >= 6)
    source.close()
    assert.equal(
      events.slice(0, 6).map(({ data, id }) => `${id}: ${data}`),
      ['1: 1', '2: 2', '3: 3', '4: 4', '5: 5', '6: 6'],
    )
    assert.equal(
      connections.slice(0, 3).map(({ after: last }) => last),
      [undefined, '2', '4'],
    )
    const [first, second] = connections
    assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= delay - 5)
  })

  test('reconnects when a stream is cut', async () => {
    const { source, events, counts } = listen(to('/cut'), 'message')
    await waitUntil(() => events.length >= 2)
    source.close()
    assert.equal(
      events.slice(0, 2).map(({ data }) => data),
      ['after nothing', 'after x'],
    )
    assert.ok(counts.error >= 1)
  })

  test('stays connected while only comments are sent', async () => {
    const { source, events, counts } = listen(to('/feed'), 'message')
    await waitUntil(() => feed.subscribers === 1)
    await new Promise((resolve) => setTimeout(resolve, 120))
    await feed.publish('at last')
    await waitUntil(() => events.length === 1)
    assert.equal([events[0]?.data, counts.open, counts.error], ['at last', 1, 0])
    source.close()
    await waitUntil(() => feed.subscribers === 0)
  })

  test('receives events that were published while it was disconnected', async () => {
    const { source, events } = listen(to('/feed'), 'message')
    await waitUntil(() => feed.subscribers === 1)
    await feed.publish(event(undefined, 'one', { retry: 1 }))
    await waitUntil(() => events.length === 1)
    const url = new URL(to(''))
    await server?.close()
    await feed.publish('two')
    server = await serve(api, { ...options, 'fw.http.port': Number(url.port) })
    await waitUntil(() => events.length === 2)
    assert.equal(
      events.map(({ data }) => data),
      ['one', 'two'],
    )
    source.close()
    await waitUntil(() => feed.subscribers === 0)
  })

  test('does not reconnect after 204', async () => {
    const { source, counts } = listen(to('/over'), 'message')
    await waitUntil(() => counts.error === 1)
    assert.is(source.readyState, EventSource.CLOSED)
  })
})
