/** The time in which a response has to begin. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import {
  at,
  forget,
  gate,
  later,
  log,
  most,
  never,
  numbers,
  seen,
  signals,
} from '../support/late-responses.ts'
import { undisturbed } from '../support/retry-timing.ts'
import { until } from '../support/workers.ts'

let opened: Awaited<ReturnType<typeof open>> | undefined

/** A source that holds something before it is asked. */
const holding = () => {
  const source = numbers(Promise.resolve())
  void source.next()
  return source
}

const stuck = pipe(
  at('/stuck'),
  produces(text),
  handle(() => never<string>()),
)

const plain = pipe(
  routes({
    stuck,
    task: pipe(
      at('/task'),
      produces(text),
      handle(() => () => never<string>()),
    ),
    source: pipe(
      at('/source'),
      produces(jsonStream(int)),
      handle(() => numbers(never())),
    ),
    octets: pipe(
      at('/octets'),
      produces(byteStream),
      handle(() => new ReadableStream<Uint8Array>({ cancel: () => void seen.left++ })),
    ),
    begun: pipe(
      at('/begun'),
      produces(jsonStream(int)),
      handle(() => numbers(Promise.resolve(), later(2.5 * most))),
    ),
    now: pipe(
      at('/now'),
      produces(text),
      handle(() => 'now'),
    ),
    soon: pipe(
      at('/soon'),
      produces(text),
      handle(() => Promise.resolve('soon')),
    ),
    fails: pipe(
      at('/fails'),
      produces(text),
      handle((): Promise<string> => Promise.reject(new Error('at once'))),
    ),
    ends: pipe(
      at('/ends'),
      produces(text),
      handle((_, { onEnd, request }) => {
        signals.push(request.signal)
        onEnd(({ status }) => seen.ended.push(status))
        return never<string>()
      }),
    ),
    lateSignal: pipe(
      at('/late-signal'),
      produces(text),
      handle(async (_, { request, onEnd }) => {
        await gate.passed
        signals.push(request.signal)
        onEnd(({ status }) => seen.ended.push(status))
        return 'late'
      }),
    ),
    late: pipe(
      at('/late'),
      produces(text),
      handle(async () => {
        await gate.passed
        seen.ran++
        return 'late'
      }),
    ),
    lateError: pipe(
      at('/late-error'),
      produces(text),
      handle(async (_, { request: { signal } }): Promise<string> => {
        await once(signal, 'abort')
        seen.ran++
        throw signal.reason
      }),
    ),
    lateStream: pipe(
      at('/late-stream'),
      produces(jsonStream(int)),
      handle(async () => {
        await gate.passed
        seen.ran++
        return holding()
      }),
    ),
    lateFile: pipe(
      at('/late-file'),
      produces(file),
      handle(async () => {
        await gate.passed
        seen.ran++
        opened = await open(import.meta.filename)
        return opened
      }),
    ),
    patient: pipe(
      at('/patient'),
      limits({ time: 0 }),
      produces(text),
      handle(async () => {
        await later(2.5 * most)
        return 'patient'
      }),
    ),
    inner: pipe(
      routes({
        patient: pipe(
          at('/inner'),
          produces(text),
          handle(async () => {
            await later(2.5 * most)
            return 'inner'
          }),
        ),
      }),
      limits({ time: '10s' }),
    ),
  }),
  limits({ time: most }),
  withFilter(
    responseFilter((answer) => {
      seen.filtered.push(answer.status)
      return pipe(answer, withHeader('X-Filtered', String(answer.status)))
    }),
  ),
)

contract(
  'a response that does not begin in time',
  plain,
  (test, call) => {
    for (const [target, shown] of [
      ['/stuck', 503],
      ['/task', 503],
      ['/ends', 503],
      // filters have seen that there is a stream, and each sees one reply
      ['/source', 200],
      ['/octets', 200],
    ] as const)
      test(`is answered with 503: ${target}`, async () => {
        forget()
        const begun = performance.now()
        const response = await ask(call, `GET ${target}`)
        assert.is(response.status, 503)
        assert.ok(performance.now() - begun >= most - 2)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        assert.match(await response.text(), /"status":503,"detail":"The operation timed out/)
        // nobody knows when it would be faster, and what runs may have its effect
        assert.is(response.headers.get('retry-after'), null)
        assert.is(response.headers.get('x-filtered'), String(shown))
        assert.equal(seen.filtered, [shown])
        assert.equal(
          log.lines.map(({ level, message }) => [level, message.replace(/^\w+/, 'it')]),
          [['warn', `it did not begin its response within ${most} ms`]],
        )
      })
    test('is left: a source that was asked already', async () => {
      forget()
      await ask(call, 'GET /octets')
      await until(() => seen.left === 1)
    })
    test('is the end of its request', async () => {
      forget()
      await ask(call, 'GET /ends')
      await until(() => seen.ended.length === 1)
      assert.equal(seen.ended, [503])
    })
    test('aborts its signal, with the reason', async () => {
      forget()
      await ask(call, 'GET /ends')
      assert.equal(
        signals.map(({ aborted, reason }) => [aborted, String(reason)]),
        [[true, `TimeoutError: the response did not begin within ${most} ms`]],
      )
    })
    test('aborts a signal that is asked for later, and ends for who registers later', async () => {
      forget()
      const response = await ask(call, 'GET /late-signal')
      assert.is(response.status, 503)
      await response.text()
      gate.open()
      await until(() => seen.ended.length === 1)
      assert.equal([signals[0]?.aborted, seen.ended], [true, [503]])
    })
    for (const target of ['/late', '/late-error', '/late-stream', '/late-file'])
      test(`is dropped when it comes later: ${target}`, async () => {
        forget()
        const response = await ask(call, `GET ${target}`)
        assert.is(response.status, 503)
        assert.match(await response.text(), /"status":503/)
        gate.open()
        await until(() => seen.ran === 1)
        if (target === '/late-stream') await until(() => seen.left === 1)
        if (target === '/late-file')
          await until(async () => {
            const closed = await opened?.stat().then(
              () => false,
              () => true,
            )
            return closed === true
          })
        await later(20)
        assert.equal(seen.filtered, [503])
        assert.equal(
          log.lines.map(({ level }) => level),
          target === '/late-error' ? ['warn', 'debug'] : ['warn'],
        )
      })
    table(
      test,
      [
        ['/now', 200, 'now'],
        ['/soon', 200, 'soon'],
        ['/fails', 500, undefined],
        ['/begun', 200, '[0,1]'],
        ['/patient', 200, 'patient'],
        ['/inner', 200, 'inner'],
      ] as const,
      (target, status, content) =>
        undisturbed(most / 3, async () => {
          forget()
          const response = await ask(call, `GET ${target}`)
          const received = await response.text()
          assert.is(response.status, status)
          if (content !== undefined) assert.is(received, content)
          await later(1.5 * most)
          assert.equal(seen.filtered, [status])
          assert.equal(log.told('warn'), [])
        }),
    )
  },
  { logger: log.logger, 'fw.log.level': 'debug' },
)
