/** The time in which a response has to begin: R-422 of the rules. */
import { open } from 'node:fs/promises'
import { once } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  byteStream,
  get,
  file,
  handle,
  int,
  json,
  jsonStream,
  limits,
  mapError,
  path,
  produces,
  reply,
  requestFilter,
  responseFilter,
  routes,
  ServiceUnavailable,
  text,
  withFilter,
  withHeader,
  withMapper,
  writerInterceptor,
  withInterceptor,
} from '../../src/index.ts'
import { compile } from '../../src/interpreter/compile.ts'
import { explain } from '../../src/interpreter/explain.ts'
import { ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'
import { recorder } from '../support/recorder.ts'
import { undisturbed } from '../support/undisturbed.ts'
import { until } from '../support/workers.ts'

/** Milliseconds that a response may take, and that something takes that is too late. */
const most = 60
const log = recorder()

const never = <A>(): Promise<A> => new Promise<A>(() => undefined)

/** Goes on when a test says so. */
const gate = { open: (): void => undefined, passed: Promise.resolve() }
const close = (): void => {
  gate.passed = new Promise((resolve) => (gate.open = resolve))
}

const seen = { filtered: new Array<number>(), ended: new Array<unknown>(), ran: 0, left: 0 }
const signals: AbortSignal[] = []
let opened: Awaited<ReturnType<typeof open>> | undefined

const at = (to: string) => pipe(path(to), get())

async function* numbers(...waits: ReadonlyArray<Promise<unknown>>) {
  try {
    let n = 0
    for (const one of waits) {
      await one
      yield n++
    }
  } finally {
    seen.left++
  }
}

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A source that holds something before it is asked. */
const holding = () => {
  const source = numbers(Promise.resolve())
  void source.next()
  return source
}

const stuck = pipe(at('/stuck'), produces(text), handle(() => never<string>()))

const plain = pipe(
  routes({
    stuck,
    task: pipe(at('/task'), produces(text), handle(() => () => never<string>())),
    source: pipe(at('/source'), produces(jsonStream(int)), handle(() => numbers(never()))),
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
    now: pipe(at('/now'), produces(text), handle(() => 'now')),
    soon: pipe(at('/soon'), produces(text), handle(() => Promise.resolve('soon'))),
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
    patient: pipe(at('/patient'), limits({ time: 0 }), produces(text), handle(async () => {
      await later(2.5 * most)
      return 'patient'
    })),
    inner: pipe(
      routes({
        patient: pipe(at('/inner'), produces(text), handle(async () => {
          await later(2.5 * most)
          return 'inner'
        })),
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

const forget = (): void => {
  seen.filtered.length = seen.ended.length = signals.length = log.lines.length = 0
  seen.ran = seen.left = 0
  close()
}

contract(
  'R-422: a response that does not begin in time',
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
        assert.match(await response.text(), /"status":503,"detail":"The answer takes longer than/)
        // nobody knows when it would be faster, and what runs may have its effect
        assert.is(response.headers.get('retry-after'), null)
        assert.is(response.headers.get('x-filtered'), String(shown))
        assert.equal(seen.filtered, [shown])
        assert.equal(
          log.lines.map(({ level, message }) => [level, message.replace(/^\w+/, 'it')]),
          [['warn', `it has not begun its response within ${most} ms`]],
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
      const [signal] = signals
      assert.is(signal?.aborted, true)
      const { name, message } = signal?.reason as Error
      assert.equal([name, message], ['TimeoutError', `the response has not begun within ${most} ms`])
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

const around = pipe(
  routes({
    filtered: pipe(
      routes({
        one: pipe(at('/filter'), produces(text), handle(() => {
          seen.ran++
          return 'run'
        })),
      }),
      withFilter(requestFilter(async () => void (await gate.passed))),
    ),
    mapped: pipe(
      routes({
        one: pipe(at('/mapper'), produces(text), handle((): string => {
          throw new RangeError('mapped')
        })),
      }),
      withMapper(mapError(RangeError, () => never<ReturnType<typeof reply<409>>>())),
    ),
    replied: pipe(
      routes({ one: pipe(at('/reply'), produces(text), handle(() => 'sent')) }),
      withFilter(
        responseFilter((answer) => {
          seen.filtered.push(answer.status)
        }),
        responseFilter(async (answer) => {
          if (answer.status === 200) await gate.passed
        }),
      ),
    ),
    written: pipe(
      routes({ one: pipe(at('/writer'), produces(json(int)), handle(() => 1)) }),
      withInterceptor(
        writerInterceptor(async (writing, proceed) => {
          if (writing.status === 200) await gate.passed
          return proceed()
        }),
      ),
    ),
    own: pipe(
      routes({ one: pipe(at('/own'), produces(text), handle(() => never<string>())) }),
      withMapper(mapError(ServiceUnavailable, () => reply(504, 'an upstream is slow'))),
    ),
  }),
  withFilter(
    responseFilter((answer) => {
      seen.filtered.push(answer.status)
    }),
  ),
)

contract(
  'R-422: the setting, and what stands around handlers',
  around,
  (test, call) => {
    table(
      test,
      [
        ['a filter', '/filter', 503, [503]],
        ['a mapper', '/mapper', 503, [503]],
        // one of the two that stand behind the one that waits has seen the reply, and sees no other
        ['a response filter', '/reply', 503, undefined],
        ['an interceptor', '/writer', 503, undefined],
        ['answered by a mapper of its own', '/own', 504, [504]],
      ] as const,
      async (_, target, status, filtered) => {
        forget()
        const response = await ask(call, `GET ${target}`)
        assert.is(response.status, status)
        await response.text()
        const before = [...seen.filtered]
        gate.open()
        await later(30)
        // each filter sees one reply, and what comes later is shown to none
        assert.equal(seen.filtered, before)
        if (filtered !== undefined) assert.equal(seen.filtered, [...filtered])
        assert.is(seen.ran, 0)
        assert.is(log.told('warn').length, 1)
        assert.is(log.told('error').length, 0)
      },
    )
  },
  { logger: log.logger, 'fw.http.handler-timeout': most },
)

describe('R-422: limits({ time })', (test) => {
  table<[number | string]>(test, [['soon'], ['10 years'], [-1], [1.5], [Number.NaN]], (time) =>
    assert.throws(() => limits({ time }), /^time is a duration of at most 24 days/),
  )
  test('is explained', () =>
    assert.match(explain(compile(pipe(routes({ stuck }), limits({ time: '90s' })))), / limit time 90s/))
  test('is off unless it is said', async () => {
    const program = compile(routes({ stuck }))
    assert.is(program.settings['fw.http.handler-timeout'], 0)
  })
})
