import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import type { Passage } from '../../../src/client/exchange.ts'
import { circuitBreaker } from '../../../src/client/policy/circuit-breaker.ts'
import type { SendResult } from '../../../src/client/policy/policy.ts'
import { manualTransport, requestTo, responseOf, statusOrTag } from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import type { FakeClock } from '../fake-clock.ts'
import { flushPromises, fakeClock } from '../fake-clock.ts'

const aborted: SendResult = E.left({
  _tag: 'Aborted',
  message: '',
  operation: '',
  cause: undefined,
})

/** A simple model of a circuit breaker, which keeps all results of the current state instead of a summary. */
interface Model {
  now: number
  /** The current state. `changes` counts its transitions. */
  state: 'closed' | 'open' | 'half-open'
  changes: number
  opened: number
  /** Times and results of the requests in the current state. */
  log: Array<readonly [time: number, good: boolean]>
  trials: number
  /** Admitted calls that have not completed, with the value of `changes` at their start. */
  calls: Array<{ readonly change: number; readonly id: number }>
  ids: number
}

interface Real {
  readonly clock: FakeClock
  readonly passage: Passage
  readonly network: ReturnType<typeof manualTransport>
  readonly calls: Map<number, Promise<SendResult>>
}

type Command = fc.AsyncCommand<Model, Real>

const rules = { failures: 2, open: 1000, halfOpen: 2 } as const
type Within = number | undefined

const change = (model: Model, state: Model['state']): void => {
  model.state = state
  model.changes++
  model.log = []
  model.trials = 0
  if (state === 'open') model.opened = model.now
}

class Begin implements fc.AsyncCommand<Model, Real> {
  check = (): boolean => true
  async run(model: Model, real: Real): Promise<void> {
    if (model.state === 'open' && model.now - model.opened >= rules.open) change(model, 'half-open')
    const isAdmitted =
      model.state === 'closed' || (model.state === 'half-open' && model.trials === 0)
    const before = real.network.sent.length
    const call = real.passage(requestTo())()
    await flushPromises()
    assert.is(real.network.sent.length - before, isAdmitted ? 1 : 0, this.toString())
    if (!isAdmitted) return assert.is(statusOrTag(await call), 'Rejected')
    if (model.state === 'half-open') model.trials = 1
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
    const results = { good: responseOf(200), bad: responseOf(500), aborted }
    real.network.respond(call.id, results[this.how])
    await real.calls.get(call.id)
    if (call.change !== model.changes) return
    model.trials = 0
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
    await clock.advance(this.milliseconds)
  }
  toString = (): string => `wait ${this.milliseconds}`
}

describe('circuitBreaker: comparison with a model', (test) => {
  for (const within of [undefined, 400])
    test(`a circuit breaker with within: ${within} admits the same requests as the model`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.commands(
            [
              fc.constant<Command>(new Begin()),
              fc
                .tuple(
                  fc.nat({ max: 5 }),
                  fc.constantFrom<End['how']>('good', 'bad', 'bad', 'aborted'),
                )
                .map(([which, how]): Command => new End(which, how, within)),
              fc.constantFrom(100, 300, 500, 1000).map((time): Command => new Wait(time)),
            ],
            { maxCommands: 60, size: 'max' },
          ),
          async (commands) => {
            await fc.asyncModelRun(() => {
              const clock = fakeClock()
              const network = manualTransport()
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
                trials: 0,
                calls: [],
                ids: 0,
              }
              const real: Real = {
                clock,
                network,
                passage: policy.around(network.passage),
                calls: new Map(),
              }
              return { model, real }
            }, commands)
          },
        ),
        { numRuns: 100 },
      ))
})
