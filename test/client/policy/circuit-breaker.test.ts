import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { ClientError } from '../../../src/client/client-error.ts'
import type { Passage } from '../../../src/client/exchange.ts'
import { circuitBreaker } from '../../../src/client/policy/circuit-breaker.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import type { Outcome } from '../../../src/client/policy/outcome.ts'
import {
  contentOf,
  failureOf,
  held,
  requestTo,
  responded,
  scripted,
  send,
  unreachable,
  word,
} from '../../support/client-passage.ts'
import { describe, table } from '../../support/describe.ts'
import type { SteppedClock } from '../../support/stepped-clock.ts'
import { settled, steppedClock } from '../../support/stepped-clock.ts'

const error = (_tag: 'Aborted' | 'TimedOut'): Outcome =>
  E.left({ _tag, message: '', operation: '', cause: undefined })

/** Sends one request after the other, each of which comes to the next outcome, and tells what callers got. */
const course = async (
  passage: Passage,
  count: number,
  url?: string,
): Promise<ReadonlyArray<number | ClientError['_tag']>> => {
  const words = []
  for (let n = 0; n < count; n++) words.push(word(await passage(requestTo(url))()))
  return words
}

describe('circuitBreaker', (test) => {
  test('R-448: opens after so many failures, and says when to come back', async () => {
    const clock = steppedClock()
    const network = scripted(() => responded(500))
    const passage = circuitBreaker({ failures: 2, open: '10s', clock }).around(network.passage)
    assert.equal(await course(passage, 4), [500, 500, 'Refused', 'Refused'])
    assert.is(network.sent.length, 2)
    await clock.pass(3000)
    const failure = failureOf(await passage(requestTo())())
    assert.ok(failure._tag === 'Refused')
    assert.equal([failure.policy, failure.retryAfter], ['circuit-breaker', 7000])
    assert.is(
      failure.message,
      'books.get: not sent, http://books.test has failed too often',
    )
  })
  test('R-448: half-open lets one through, and its failure opens it again', async () => {
    const clock = steppedClock()
    const network = held()
    const passage = circuitBreaker({ failures: 1, open: '10s', clock }).around(network.passage)
    const call = (): Promise<Outcome> => passage(requestTo())()
    const first = call()
    network.answer(0, unreachable)
    await first
    await clock.pass(10_000)
    const trying = call()
    assert.is(word(await call()), 'Refused')
    assert.is(network.sent.length, 2)
    network.answer(1, unreachable)
    await trying
    await clock.pass(9999)
    assert.is(word(await call()), 'Refused')
    await clock.pass(1)
    const last = call()
    network.answer(2, responded(200))
    assert.is(word(await last), 200)
    const two = [call(), call()]
    network.answer(3, responded(200))
    network.answer(4, responded(200))
    assert.equal((await Promise.all(two)).map(word), [200, 200])
  })
  test('R-448: an attempt that is aborted does not block the next', async () => {
    const clock = steppedClock()
    const outcomes = [unreachable, error('Aborted'), responded(200)]
    const network = scripted((_, n) => outcomes[n] ?? responded(200))
    const passage = circuitBreaker({ failures: 1, open: 1000, clock }).around(network.passage)
    assert.equal(await course(passage, 2), ['NetworkError', 'Refused'])
    await clock.pass(1000)
    assert.equal(await course(passage, 3), ['Aborted', 200, 200])
  })
  test('R-448: knows each origin on its own', async () => {
    const network = scripted(({ url }) => (url.includes('bad') ? unreachable : responded(200)))
    const passage = circuitBreaker({ failures: 1 }).around(network.passage)
    assert.equal(await course(passage, 2, 'http://bad.test/a'), ['NetworkError', 'Refused'])
    assert.equal(await course(passage, 1, 'http://bad.test/b?c'), ['Refused'])
    assert.equal(await course(passage, 2, 'http://bad.test:81/'), ['NetworkError', 'Refused'])
    assert.equal(await course(passage, 2, 'https://good.test/'), [200, 200])
  })
  test('R-448: failures one after the other, unless they have a time to come in', async () => {
    const bad = [true, false, true, true]
    const network = scripted((_, n) => (bad[n] === true ? unreachable : responded(200)))
    const inARow = circuitBreaker({ failures: 2 }).around(network.passage)
    assert.equal(await course(inARow, 5), ['NetworkError', 200, 'NetworkError', 'NetworkError', 'Refused'])

    const clock = steppedClock()
    const again = scripted((_, n) => (bad[n] === true ? unreachable : responded(200)))
    const within = circuitBreaker({ failures: 2, within: '1s', clock }).around(again.passage)
    assert.equal(await course(within, 2), ['NetworkError', 200])
    await clock.pass(1000)
    assert.equal(await course(within, 1), ['NetworkError'], 'the first is forgotten')
    await clock.pass(999)
    assert.equal(await course(within, 2), ['NetworkError', 'Refused'])
  })
  table<readonly [name: string, outcome: Outcome, opens: boolean]>(
    test,
    [
      ['NetworkError', unreachable, true],
      ['TimedOut', error('TimedOut'), true],
      ['500', responded(500), true],
      ['503', responded(503), true],
      ['Aborted', error('Aborted'), false],
      ['429', responded(429), false],
      ['404', responded(404), false],
      ['200', responded(200), false],
    ],
    async (_, outcome, opens) => {
      const passage = circuitBreaker({ failures: 1 }).around(scripted(() => outcome).passage)
      const [, second] = await course(passage, 2)
      assert.is(second === 'Refused', opens)
    },
  )
  test('what counts can be said; where that throws, the response is let go', async () => {
    const network = scripted(() => responded(429))
    const on = (outcome: Outcome): boolean => word(outcome) === 429
    assert.equal(await course(circuitBreaker({ failures: 1, on }).around(network.passage), 2), [
      429,
      'Refused',
    ])
    const content = contentOf('…')
    const policy = circuitBreaker({
      failures: 1,
      on: () => {
        throw new Error('oops')
      },
    })
    assert.is(word(await send(policy, scripted(() => responded(200, [], content.body)))), 'Defect')
    assert.ok(content.isCancelled())
  })
  test('a retry around it does not ask again what is refused', async () => {
    const clock = steppedClock()
    const network = scripted(() => unreachable)
    const sent = send([retry({ times: 5, clock }), circuitBreaker({ failures: 2, clock })], network)
    await clock.pass(60_000)
    assert.is(word(await sent), 'Refused')
    assert.is(network.sent.length, 2)
  })
  table(
    test,
    [[{ failures: 0 }], [{ failures: 1.5 }], [{ failures: 1, halfOpen: 0 }], [{ failures: 1, open: 'x' }]] as const,
    (bad) => assert.throws(() => circuitBreaker(bad), RangeError),
  )
})

/**
 * What a breaker remembers, told slowly: everything that ever happened. Calls know in which of its states they were let through.
 */
interface Model {
  now: number
  /** Where the states change, and into what. */
  state: 'closed' | 'open' | 'half-open'
  changes: number
  opened: number
  /** What came in this state, with its time. */
  log: Array<readonly [time: number, good: boolean]>
  trying: number
  /** Calls that were let through and have not come back. */
  calls: Array<{ readonly change: number; readonly id: number }>
  ids: number
}

interface Real {
  readonly clock: SteppedClock
  readonly passage: Passage
  readonly network: ReturnType<typeof held>
  readonly calls: Map<number, Promise<Outcome>>
}

const rules = { failures: 2, open: 1000, halfOpen: 2 } as const
type Within = number | undefined

const change = (model: Model, state: Model['state']): void => {
  model.state = state
  model.changes++
  model.log = []
  model.trying = 0
  if (state === 'open') model.opened = model.now
}

class Begin implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true
  async run(model: Model, real: Real): Promise<void> {
    if (model.state === 'open' && model.now - model.opened >= rules.open) change(model, 'half-open')
    const isLet = model.state === 'closed' || (model.state === 'half-open' && model.trying === 0)
    const before = real.network.sent.length
    const call = real.passage(requestTo())()
    await settled()
    assert.is(real.network.sent.length - before, isLet ? 1 : 0, this.toString())
    if (!isLet) return assert.is(word(await call), 'Refused')
    if (model.state === 'half-open') model.trying = 1
    real.calls.set(model.ids, call)
    model.calls.push({ change: model.changes, id: model.ids++ })
  }
  toString = (): string => 'begin'
}

class End implements fc.AsyncCommand<Model, Real> {
  readonly which: number
  readonly how: 'good' | 'bad' | 'aborted'
  readonly within: Within
  constructor(which: number, how: 'good' | 'bad' | 'aborted', within: Within) {
    this.which = which
    this.how = how
    this.within = within
  }
  check = ({ calls }: Readonly<Model>): boolean => calls.length > 0
  async run(model: Model, real: Real): Promise<void> {
    const [call] = model.calls.splice(this.which % model.calls.length, 1)
    if (call === undefined) return
    const outcomes = { good: responded(200), bad: responded(500), aborted: error('Aborted') }
    real.network.answer(call.id, outcomes[this.how])
    await real.calls.get(call.id)
    if (call.change !== model.changes) return
    model.trying = 0
    if (this.how !== 'aborted') model.log.push([model.now, this.how === 'good'])
    if (model.state === 'half-open') {
      if (this.how === 'bad') change(model, 'open')
      else if (model.log.length >= rules.halfOpen) change(model, 'closed')
    } else if (this.how === 'bad') {
      const since = model.log.findLastIndex(([, good]) => good)
      const counted = model.log.filter(([time, good], i) =>
        this.within === undefined ? i > since : !good && model.now - time < this.within,
      )
      if (counted.length >= rules.failures) change(model, 'open')
    }
  }
  toString = (): string => `end ${this.which} ${this.how}`
}

class Wait implements fc.AsyncCommand<Model, Real> {
  readonly milliseconds: number
  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
  }
  check = (): boolean => true
  async run(model: Model, { clock }: Real): Promise<void> {
    model.now += this.milliseconds
    await clock.pass(this.milliseconds)
  }
  toString = (): string => `wait ${this.milliseconds}`
}

describe('circuitBreaker: against a model', (test) => {
  for (const within of [undefined, 400])
    test(`R-448: law: lets through what the model lets through, within ${within}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.commands<Model, Real>(
            [
              fc.constant(new Begin()),
              fc
                .tuple(fc.nat({ max: 5 }), fc.constantFrom('good', 'bad', 'bad', 'aborted'))
                .map(([which, how]) => new End(which, how as End['how'], within)),
              fc.constantFrom(100, 300, 500, 1000).map((time) => new Wait(time)),
            ] as Array<fc.Arbitrary<fc.AsyncCommand<Model, Real>>>,
            { maxCommands: 60, size: 'max' },
          ),
          async (commands) => {
            await fc.asyncModelRun(() => {
              const clock = steppedClock()
              const network = held()
              const policy = circuitBreaker({
                ...rules,
                ...(within === undefined ? {} : { within }),
                clock,
              })
              const model: Model = {
                now: clock.now(),
                state: 'closed',
                changes: 0,
                opened: 0,
                log: [],
                trying: 0,
                calls: [],
                ids: 0,
              }
              const real = { clock, network, passage: policy.around(network.passage), calls: new Map() }
              return { model, real }
            }, commands)
          },
        ),
        { numRuns: 100 },
      ))
})
