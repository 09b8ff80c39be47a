/** Handler timeouts: 503, the abort signal, discarded late responses, and operations without a timeout. */
import { open } from 'node:fs/promises'
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  byteStream,
  file,
  handle,
  int,
  jsonStream,
  limits,
  produces,
  responseFilter,
  routes,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import {
  getAt,
  reset,
  gate,
  delay,
  log,
  timeout,
  never,
  numbers,
  calls,
  signals,
} from './late-responses.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'
import { turns, waitUntil } from '../../support/wait-until.ts'

let opened: Awaited<ReturnType<typeof open>> | undefined

/** A source whose first element has been requested before it is returned. */
const startedSource = () => {
  const source = numbers(Promise.resolve())
  void source.next()
  return source
}

const stuck = pipe(
  getAt('/stuck'),
  produces(text),
  handle(() => never<string>()),
)

const tree = pipe(
  routes({
    stuck,
    task: pipe(
      getAt('/task'),
      produces(text),
      handle(() => () => never<string>()),
    ),
    source: pipe(
      getAt('/source'),
      produces(jsonStream(int)),
      handle(() => numbers(never())),
    ),
    bytes: pipe(
      getAt('/bytes'),
      produces(byteStream),
      handle(() => new ReadableStream<Uint8Array>({ cancel: () => void calls.closed++ })),
    ),
    started: pipe(
      getAt('/started'),
      produces(jsonStream(int)),
      handle(() => numbers(Promise.resolve(), delay(2.5 * timeout))),
    ),
    sync: pipe(
      getAt('/sync'),
      produces(text),
      handle(() => 'sync'),
    ),
    async: pipe(
      getAt('/async'),
      produces(text),
      handle(() => Promise.resolve('async')),
    ),
    fails: pipe(
      getAt('/fails'),
      produces(text),
      handle((): Promise<string> => Promise.reject(new Error('immediate'))),
    ),
    ends: pipe(
      getAt('/ends'),
      produces(text),
      handle((_, { onEnd, request }) => {
        signals.push(request.signal)
        onEnd(({ status }) => calls.ended.push(status))
        return never<string>()
      }),
    ),
    lateSignal: pipe(
      getAt('/late-signal'),
      produces(text),
      handle(async (_, { request, onEnd }) => {
        await gate.passed
        signals.push(request.signal)
        onEnd(({ status }) => calls.ended.push(status))
        return 'late'
      }),
    ),
    late: pipe(
      getAt('/late'),
      produces(text),
      handle(async () => {
        await gate.passed
        calls.ran++
        return 'late'
      }),
    ),
    lateError: pipe(
      getAt('/late-error'),
      produces(text),
      handle(async (_, { request: { signal } }): Promise<string> => {
        await once(signal, 'abort')
        calls.ran++
        throw signal.reason
      }),
    ),
    lateStream: pipe(
      getAt('/late-stream'),
      produces(jsonStream(int)),
      handle(async () => {
        await gate.passed
        calls.ran++
        return startedSource()
      }),
    ),
    lateFile: pipe(
      getAt('/late-file'),
      produces(file),
      handle(async () => {
        await gate.passed
        calls.ran++
        opened = await open(import.meta.filename)
        return opened
      }),
    ),
    unlimited: pipe(
      getAt('/unlimited'),
      limits({ timeout: 0 }),
      produces(text),
      handle(async () => {
        await delay(2.5 * timeout)
        return 'unlimited'
      }),
    ),
    inner: pipe(
      routes({
        slow: pipe(
          getAt('/inner'),
          produces(text),
          handle(async () => {
            await delay(2.5 * timeout)
            return 'inner'
          }),
        ),
      }),
      limits({ timeout: '10s' }),
    ),
  }),
  limits({ timeout }),
  withFilter(
    responseFilter((response) => {
      calls.filtered.push(response.status)
      return pipe(response, withHeader('X-Filtered', String(response.status)))
    }),
  ),
)

contract(
  'handler timeout',
  tree,
  (test, call) => {
    for (const [target, filtered] of [
      ['/stuck', 503],
      ['/task', 503],
      ['/ends', 503],
      // Response filters have run for the stream, and run once per response.
      ['/source', 200],
      ['/bytes', 200],
    ] as const)
      test(`an operation that exceeds its timeout returns 503: ${target}`, async () => {
        reset()
        const start = performance.now()
        const response = await sendRequest(call, `GET ${target}`)
        assert.is(response.status, 503)
        assert.ok(performance.now() - start >= timeout - 2)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        assert.match(await response.text(), /"status":503,"detail":"The operation timed out/)
        // A retry may repeat the effect of the handler, which still runs.
        assert.is(response.headers.get('retry-after'), null)
        assert.is(response.headers.get('x-filtered'), String(filtered))
        assert.equal(calls.filtered, [filtered])
        assert.equal(
          log.lines.map(({ level, message }) => [level, message.replace(/^\w+/, 'it')]),
          [['warn', `it did not start its response within ${timeout} ms`]],
        )
      })
    test('a stream without a first chunk is cancelled', async () => {
      reset()
      await sendRequest(call, 'GET /bytes')
      await waitUntil(() => calls.closed === 1)
    })
    test('onEnd callbacks receive status 503', async () => {
      reset()
      await sendRequest(call, 'GET /ends')
      await waitUntil(() => calls.ended.length === 1)
      assert.equal(calls.ended, [503])
    })
    test('request.signal is aborted with a TimeoutError', async () => {
      reset()
      await sendRequest(call, 'GET /ends')
      assert.equal(
        signals.map(({ aborted, reason }) => [aborted, String(reason)]),
        [[true, `TimeoutError: the response did not start within ${timeout} ms`]],
      )
    })
    test('request.signal is aborted and onEnd callbacks run if first used after the timeout', async () => {
      reset()
      const response = await sendRequest(call, 'GET /late-signal')
      assert.is(response.status, 503)
      await response.text()
      gate.open()
      await waitUntil(() => calls.ended.length === 1)
      assert.equal([signals[0]?.aborted, calls.ended], [true, [503]])
    })
    for (const target of ['/late', '/late-error', '/late-stream', '/late-file'])
      test(`a response after the timeout is discarded: ${target}`, async () => {
        reset()
        const response = await sendRequest(call, `GET ${target}`)
        assert.is(response.status, 503)
        assert.match(await response.text(), /"status":503/)
        gate.open()
        await waitUntil(() => calls.ran === 1)
        if (target === '/late-stream') await waitUntil(() => calls.closed === 1)
        if (target === '/late-file')
          await waitUntil(async () => {
            const closed = await opened?.stat().then(
              () => false,
              () => true,
            )
            return closed === true
          })
        await turns()
        assert.equal(calls.filtered, [503])
        assert.equal(
          log.lines.map(({ level }) => level),
          target === '/late-error' ? ['warn', 'debug'] : ['warn'],
        )
      })
    table(
      test,
      [
        ['/sync', 200, 'sync'],
        ['/async', 200, 'async'],
        ['/fails', 500, undefined],
        ['/started', 200, '[0,1]'],
        ['/unlimited', 200, 'unlimited'],
        ['/inner', 200, 'inner'],
      ] as const,
      (target, status, content) =>
        retryWhenDelayed(timeout / 3, async () => {
          reset()
          const response = await sendRequest(call, `GET ${target}`)
          const received = await response.text()
          assert.is(response.status, status)
          if (content !== undefined) assert.is(received, content)
          await delay(1.5 * timeout)
          assert.equal(calls.filtered, [status])
          assert.equal(log.linesAt('warn'), [])
        }),
    )
  },
  { logger: log.logger, 'fw.log.level': 'debug' },
)
