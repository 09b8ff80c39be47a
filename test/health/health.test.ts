import { EventEmitter, once } from 'node:events'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { Check } from '../../src/health/health.ts'
import { reportingCheck } from '../../src/health/health.ts'
import { describe, table } from '../support/describe.ts'
import { turns } from '../support/wait-until.ts'

const failure = new Error('failure')
const never = () => new Promise<never>(() => undefined)
const rejecting = async () => {
  throw failure
}

type Up = readonly [title: string, check: Check, data?: object]
type Down = readonly [title: string, check: Check, cause: unknown, data?: object]

const up: ReadonlyArray<Up> = [
  ['undefined', () => undefined],
  ['true', () => true],
  ['a promise of undefined', async () => undefined],
  ['a promise of true', async () => true],
  ['UP', () => ({ status: 'UP' })],
  ['UP with data', () => ({ status: 'UP', data: { queued: 2 } }), { queued: 2 }],
  ['a promise of UP with data', async () => ({ status: 'UP', data: { a: true } }), { a: true }],
  ['a Right of undefined', () => E.right(undefined)],
  ['a Task', () => async () => true],
  ['a TaskEither', () => TE.right({ status: 'UP', data: { a: 'b' } }), { a: 'b' }],
]

const down: ReadonlyArray<Down> = [
  ['false', () => false, undefined],
  ['a promise of false', async () => false, undefined],
  ['DOWN', () => ({ status: 'DOWN' }), undefined],
  ['DOWN with data', () => ({ status: 'DOWN', data: { queued: 9 } }), undefined, { queued: 9 }],
  [
    'an exception',
    () => {
      throw failure
    },
    failure,
  ],
  ['a rejection', rejecting, failure],
  ['a Left', () => E.left('full'), 'full'],
  ['a Right of false', () => E.right(false), undefined],
  ['a TaskEither with a Left', () => TE.left('full'), 'full'],
  ['a Task that rejects', () => rejecting, failure],
]

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Creates the report function of a check, and collects the calls of `onDown`. */
const observe = (check: Check, timeout = 1000) => {
  const downCalls: Array<readonly [string, unknown]> = []
  const report = reportingCheck('name', check, {
    timeout,
    onDown: (...call) => downCalls.push(call),
  })
  return { report, downCalls }
}

describe('reportingCheck, up', (test) => {
  table<Up>(test, up, async (_, check, data) => {
    const { report, downCalls } = observe(check)
    assert.equal(await report(), { name: 'name', status: 'UP', ...(data && { data }) })
    assert.equal(downCalls, [])
  })
})

describe('reportingCheck, down', (test) => {
  table<Down>(test, down, async (_, check, cause, data) => {
    const { report, downCalls } = observe(check)
    assert.equal(await report(), { name: 'name', status: 'DOWN', ...(data && { data }) })
    assert.equal(downCalls, [['name', cause]])
  })

  test('a check that exceeds its timeout is down, and its signal aborts', async () => {
    let aborted: unknown
    const { report, downCalls } = observe((signal) => {
      signal.addEventListener('abort', () => (aborted = signal.reason))
      return never()
    }, 30)
    const start = performance.now()
    assert.equal(await report(), { name: 'name', status: 'DOWN' })
    const duration = performance.now() - start
    assert.ok(duration >= 29 && duration < 10_000, `${duration} ms`)
    assert.is(String(aborted), 'Error: health check "name" did not finish within 30 ms')
    assert.equal(downCalls, [['name', aborted]])
  })
})

describe('reportingCheck', (test) => {
  test('each report runs the check again', async () => {
    let runs = 0
    const { report } = observe(() => ({ status: 'UP', data: { runs: ++runs } }))
    await report()
    assert.equal(await report(), { name: 'name', status: 'UP', data: { runs: 2 } })
  })

  test('a running check is not started again', async () => {
    let runs = 0
    const { report } = observe(() => {
      runs++
      return never()
    }, 20)
    await Promise.all([report(), report()])
    await report()
    assert.is(runs, 1)
  })

  test('a check that ended after its timeout runs again for the next report', async () => {
    let runs = 0
    const late = new EventEmitter()
    const { report } = observe(async () => {
      if (runs++ > 0) return
      await once(late, 'end')
      throw failure
    }, 20)
    assert.is((await report()).status, 'DOWN')
    late.emit('end')
    await turns()
    assert.is((await report()).status, 'UP')
    assert.is(runs, 2)
  })

  const failing = [
    ['throws', () => assert.unreachable()],
    ['rejects', rejecting],
  ] as const
  for (const [how, onDown] of failing)
    test(`a check is reported as down if onDown ${how}`, async () => {
      const report = reportingCheck('name', () => false, { timeout: 1000, onDown })
      assert.equal(await report(), { name: 'name', status: 'DOWN' })
    })

  test('the report has the name of the check, not that of its result', async () => {
    for (const status of ['UP', 'DOWN'] as const) {
      const result = { status, name: 'another' }
      assert.equal(await observe(() => result).report(), { name: 'name', status })
    }
  })

  test('a finished check leaves no timer', async () => {
    const before = timers()
    await observe(() => true, 50_000).report()
    assert.is(timers(), before)
  })
})
