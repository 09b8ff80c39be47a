/** Clients that leave while a handler runs. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { Context } from '../../src/index.ts'
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
} from '../../src/index.ts'
import { base, contract } from '../support/contract.ts'
import { recorder } from '../support/recorder.ts'
import { until } from '../support/workers.ts'

/** What happened to the requests, in order. */
const seen: string[] = []
const log = recorder()

const aborted = ({ request: { signal } }: Context): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const tree = pipe(
  routes({
    heeds: pipe(
      path('/heeds'),
      get(),
      produces(text),
      handle(async (_, context) => {
        seen.push('begun')
        await aborted(context)
        seen.push('aborted')
        return context.request.signal.throwIfAborted() ?? 'never'
      }),
    ),
    goesOn: pipe(
      path('/goes-on'),
      get(),
      produces(text),
      handle(async (_, context) => {
        seen.push('begun')
        await aborted(context)
        await new Promise((resolve) => setTimeout(resolve, 10))
        seen.push('done')
        return 'nobody reads this'
      }),
    ),
    streams: pipe(
      path('/streams'),
      get(),
      produces(byteStream),
      handle(async (_, context) => {
        seen.push('begun')
        await aborted(context)
        return (function* () {
          seen.push('asked')
          yield new Uint8Array(1)
        })()
      }),
    ),
    answered: pipe(
      path('/answered'),
      get(),
      produces(text),
      handle((_, { request: { signal } }) => {
        signal.addEventListener('abort', () => seen.push('aborted'))
        return 'answered'
      }),
    ),
  }),
  withFilter(
    responseFilter(({ status }) => {
      seen.push(`filter ${status}`)
    }),
  ),
)

contract(
  'a client that leaves while its handler runs',
  tree,
  (test, call) => {
    /** What happened, when the last of it has. */
    const leaving = async (target: string, last: string): Promise<ReadonlyArray<string>> => {
      seen.length = 0
      log.lines.length = 0
      const client = new AbortController()
      const answer = call(new Request(`${base}${target}`, { signal: client.signal })).then(
        () => 'answered',
        () => 'cut',
      )
      await until(() => seen.includes('begun'))
      client.abort()
      assert.is(await answer, 'cut')
      await until(() => seen.includes(last))
      await new Promise((resolve) => setTimeout(resolve, 20))
      assert.equal(log.told('error'), [])
      return [...seen]
    }
    test('the handler is told, and what it stops with is no defect', async () => {
      assert.equal(await leaving('/heeds', 'filter 500'), ['begun', 'aborted', 'filter 500'])
    })
    test('a handler that does not heed it runs to its end, once', async () => {
      const all = await leaving('/goes-on', 'done')
      assert.equal(
        all.filter((one) => one === 'begun' || one === 'done'),
        ['begun', 'done'],
      )
    })
    test('response filters see what it came to, once', async () => {
      const all = await leaving('/goes-on', 'filter 200')
      assert.is(all.filter((one) => one.startsWith('filter')).length, 1)
    })
    test('a stream that comes too late is not asked', async () => {
      assert.equal(await leaving('/streams', 'filter 200'), ['begun', 'filter 200'])
    })
    test('the signal of a request that was answered stays as it is', async () => {
      seen.length = 0
      const client = new AbortController()
      const response = await call(new Request(`${base}/answered`, { signal: client.signal }))
      assert.is(await response.text(), 'answered')
      client.abort()
      await new Promise((resolve) => setTimeout(resolve, 20))
      assert.not(seen.includes('aborted'))
    })
  },
  { logger: log.logger },
)
