import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Check } from '../../src/health/check.ts'
import { reportingCheck } from '../../src/health/check.ts'
import { describe, table } from '../support/describe.ts'

const refused = new Error('refused')
const never = () => new Promise<never>(() => undefined)
const rejecting = async () => {
  throw refused
}

type Up = readonly [title: string, check: Check, data?: object]
type Down = readonly [title: string, check: Check, cause: unknown, data?: object]

const up: ReadonlyArray<Up> = [
  ['nothing', () => undefined],
  ['true', () => true],
  ['a promise of nothing', async () => undefined],
  ['a promise of true', async () => true],
  ['UP', () => ({ status: 'UP' })],
  ['UP with data', () => ({ status: 'UP', data: { queued: 2 } }), { queued: 2 }],
  ['a promise of UP with data', async () => ({ status: 'UP', data: { a: true } }), { a: true }],
  ['a Right of nothing', () => E.right(undefined)],
  ['a Task', () => async () => true],
  ['a TaskEither', () => TE.right({ status: 'UP', data: { a: 'b' } }), { a: 'b' }],
]

const down: ReadonlyArray<Down> = [
  ['false', () => false, undefined],
  ['a promise of false', async () => false, undefined],
  ['DOWN', () => ({ status: 'DOWN' }), undefined],
  ['DOWN with data', () => ({ status: 'DOWN', data: { queued: 9 } }), undefined, { queued: 9 }],
  [
    'something thrown',
    () => {
      throw refused
    },
    refused,
  ],
  ['a rejection', rejecting, refused],
  ['a Left', () => E.left('full'), 'full'],
  ['a Right of false', () => E.right(false), undefined],
  ['a TaskEither that failed', () => TE.left('full'), 'full'],
  ['a Task that rejects', () => rejecting, refused],
]

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** A check that can be asked, and what was told of it. */
const asked = (check: Check, timeout = 1000) => {
  const told: Array<readonly [string, unknown]> = []
  const report = reportingCheck('name', check, {
    timeout,
    onDown: (...telling) => told.push(telling),
  })
  return { report, told }
}

describe('reporting: what is up', (test) => {
  table<Up>(test, up, async (_, check, data) => {
    const { report, told } = asked(check)
    assert.equal(await report(), { name: 'name', status: 'UP', ...(data && { data }) })
    assert.equal(told, [])
  })
})

describe('reporting: what is down', (test) => {
  table<Down>(test, down, async (_, check, cause, data) => {
    const { report, told } = asked(check)
    assert.equal(await report(), { name: 'name', status: 'DOWN', ...(data && { data }) })
    assert.equal(told, [['name', cause]])
  })

  test('what takes longer than it may, whose signal aborts', async () => {
    let aborted: unknown
    const { report, told } = asked((signal) => {
      signal.addEventListener('abort', () => (aborted = signal.reason))
      return never()
    }, 30)
    const begun = performance.now()
    assert.equal(await report(), { name: 'name', status: 'DOWN' })
    const took = performance.now() - begun
    assert.ok(took >= 29 && took < 10_000, `${took} ms`)
    assert.is(String(aborted), 'Error: the check "name" takes longer than 30 ms')
    assert.equal(told, [['name', aborted]])
  })
})

describe('reporting', (test) => {
  test('runs a check anew each time', async () => {
    let runs = 0
    const { report } = asked(() => ({ status: 'UP', data: { runs: ++runs } }))
    await report()
    assert.equal(await report(), { name: 'name', status: 'UP', data: { runs: 2 } })
  })

  test('does not start what still runs', async () => {
    let runs = 0
    const { report } = asked(() => {
      runs++
      return never()
    }, 20)
    await Promise.all([report(), report()])
    await report()
    assert.is(runs, 1)
  })

  test('starts it again when it has ended, however late, and forgets how', async () => {
    let runs = 0
    const { report } = asked(async () => {
      if (runs++ > 0) return
      await wait(60)
      throw refused
    }, 20)
    assert.is((await report()).status, 'DOWN')
    await wait(80)
    assert.is((await report()).status, 'UP')
    assert.is(runs, 2)
  })

  const failing = [
    ['throws', () => assert.unreachable()],
    ['rejects', rejecting],
  ] as const
  for (const [how, onDown] of failing)
    test(`says what is down when whoever listens ${how}`, async () => {
      const report = reportingCheck('name', () => false, { timeout: 1000, onDown })
      assert.equal(await report(), { name: 'name', status: 'DOWN' })
    })

  test('has the name of the check, whatever else a result says', async () => {
    for (const status of ['UP', 'DOWN'] as const) {
      const result = { status, name: 'another' }
      assert.equal(await asked(() => result).report(), { name: 'name', status })
    }
  })

  test('leaves no timer behind', async () => {
    const before = timers()
    await asked(() => true, 50_000).report()
    assert.is(timers(), before)
  })
})
