/** Clients that disconnect while a handler runs. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../../src/index.ts'
import {
  byteStream,
  get,
  handle,
  path,
  produces,
  responseFilter,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

/** Events of the requests, in order. */
const events: string[] = []
const log = createRecorder()

const waitForAbort = ({ request: { signal } }: Context): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const tree = pipe(
  routes({
    aborts: pipe(
      path('/aborts'),
      get(),
      produces(text),
      handle(async (_, context) => {
        events.push('started')
        await waitForAbort(context)
        events.push('aborted')
        return context.request.signal.throwIfAborted() ?? 'never'
      }),
    ),
    continues: pipe(
      path('/continues'),
      get(),
      produces(text),
      handle(async (_, context) => {
        events.push('started')
        await waitForAbort(context)
        await turns()
        events.push('done')
        return 'unread'
      }),
    ),
    streams: pipe(
      path('/streams'),
      get(),
      produces(byteStream),
      handle(async (_, context) => {
        events.push('started')
        await waitForAbort(context)
        return (function* () {
          events.push('pulled')
          yield new Uint8Array(1)
        })()
      }),
    ),
    immediate: pipe(
      path('/immediate'),
      get(),
      produces(text),
      handle((_, { request: { signal } }) => {
        signal.addEventListener('abort', () => events.push('aborted'))
        return 'done'
      }),
    ),
  }),
  withFilter(
    responseFilter(({ status }) => {
      events.push(`filter ${status}`)
    }),
  ),
)

contract(
  'client disconnects',
  tree,
  (test, call) => {
    /** Disconnects once the handler has started, waits for the event `last` and returns all events. */
    const eventsAfterDisconnect = async (
      target: string,
      last: string,
    ): Promise<ReadonlyArray<string>> => {
      events.length = 0
      log.lines.length = 0
      const client = new AbortController()
      const result = call(new Request(`${base}${target}`, { signal: client.signal })).then(
        () => 'completed',
        () => 'aborted',
      )
      await waitUntil(() => events.includes('started'))
      client.abort()
      assert.is(await result, 'aborted')
      await waitUntil(() => events.includes(last))
      await turns()
      assert.equal(log.linesAt('error'), [])
      return [...events]
    }
    test('a disconnect aborts request.signal, and an AbortError of the handler is not logged', async () => {
      assert.equal(await eventsAfterDisconnect('/aborts', 'filter 500'), [
        'started',
        'aborted',
        'filter 500',
      ])
    })
    test('a handler that ignores request.signal runs once to its end', async () => {
      const recorded = await eventsAfterDisconnect('/continues', 'done')
      assert.equal(
        recorded.filter((entry) => entry === 'started' || entry === 'done'),
        ['started', 'done'],
      )
    })
    test('response filters run once after a disconnect', async () => {
      const recorded = await eventsAfterDisconnect('/continues', 'filter 200')
      assert.is(recorded.filter((entry) => entry.startsWith('filter')).length, 1)
    })
    test('a stream returned after a disconnect is not read', async () => {
      assert.equal(await eventsAfterDisconnect('/streams', 'filter 200'), ['started', 'filter 200'])
    })
    test('a disconnect after the response does not abort request.signal', async () => {
      events.length = 0
      const client = new AbortController()
      const response = await call(new Request(`${base}/immediate`, { signal: client.signal }))
      assert.is(await response.text(), 'done')
      client.abort()
      await turns()
      assert.not(events.includes('aborted'))
    })
  },
  { logger: log.logger },
)
