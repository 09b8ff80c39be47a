/** How replies pass response filters: each filter sees one, and what those before have added stays. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyFilter, ResponseFilter } from '../../../src/endpoint/filter.ts'
import type { AnyReply } from '../../../src/endpoint/reply.ts'
import { reply, responseFilter, withHeader } from '../../../src/index.ts'
import type { ResponseContext } from '../../../src/endpoint/context.ts'
import { ResponseFilterChain } from '../../../src/interpreter/filters/run-response-filters.ts'
import type { ResponseValue } from '../../../src/interpreter/response/encode-response.ts'
import { describe } from '../../support/describe.ts'

const isResponseFilter = (filter: AnyFilter): filter is ResponseFilter =>
  filter._tag === 'ResponseFilter'

/** A passage through filters that do this, and everything that happens on it. */
const start = (...runs: ReadonlyArray<Parameters<typeof responseFilter>[0]>) => {
  const passage = new ResponseFilterChain(
    runs.map((run) => responseFilter(run)).filter((one) => isResponseFilter(one)),
  )
  const through: ResponseValue[] = []
  const failures: unknown[] = []
  return {
    passage,
    through,
    failures,
    pass: (outcome: ResponseValue, failure?: unknown): void =>
      passage.run(outcome, {
        context: {} as ResponseContext, // no filter here asks it anything
        failure,
        onDone: (one) => void through.push(one),
        onError: (error) => void failures.push(error),
      }),
  }
}

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const adding = (name: string) => (answered: AnyReply) => pipe(answered, withHeader('X-By', name))
const failing = (): never => {
  throw new Error('in a filter')
}
const by = ({ headers }: ResponseValue): ReadonlyArray<string> =>
  headers.filter((_, at) => at % 2 === 1)

describe('ReplyPassage.pass', (test) => {
  test('gives on what no filter sees', () => {
    const { pass, through, passage } = start()
    const sent = reply(200, 'a')
    assert.ok(passage.isDone)
    pass(sent)
    assert.is(through[0], sent)
  })
  test('gives on at once what passes without waiting', () => {
    const { pass, through, passage } = start(adding('a'), () => undefined, adding('b'))
    assert.not.ok(passage.isDone)
    pass(reply(200))
    assert.equal(through.map(by), [['a', 'b']])
    assert.ok(passage.isDone)
  })
  test('waits for what comes later', async () => {
    const { pass, through } = start(
      (answered) => Promise.resolve(adding('a')(answered)),
      adding('b'),
      (answered) => () => Promise.resolve(adding('c')(answered)),
    )
    pass(reply(200))
    assert.equal(through, [])
    await later()
    assert.equal(through.map(by), [['a', 'b', 'c']])
  })
  test('tells filters of the failure', () => {
    const told: unknown[] = []
    const { pass } = start((_reply, _context, failure) => void told.push(failure))
    pass(reply(500), 'failure')
    assert.equal(told, ['failure'])
  })
  test('throws what a filter throws, and shows the next reply to those behind it, with what was added', () => {
    const { pass, through, passage } = start(adding('a'), failing, adding('c'))
    assert.throws(() => pass(pipe(reply(200), withHeader('X-By', 'handler'))), /in a filter/)
    assert.not.ok(passage.isDone)
    pass(reply(500))
    assert.equal(
      through.map((one) => [one.status, by(one)]),
      [[500, ['a', 'c']]],
    )
  })
  test('tells of what fails later', async () => {
    const { pass, through, failures } = start(
      () => Promise.reject('rejected'),
      () => Promise.resolve('no reply' as never),
      adding('c'),
    )
    pass(reply(200))
    await later()
    pass(reply(500))
    await later()
    assert.equal(failures.map(String), [
      'rejected',
      'TypeError: a response filter must return a reply or nothing',
    ])
    pass(reply(500))
    assert.equal(through.map(by), [['c']])
  })
})
