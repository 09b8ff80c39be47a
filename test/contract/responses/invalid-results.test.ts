/** The log explains results of handlers that cannot be encoded, and results that `fw.rest.check-results` rejects. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { hal } from '../../../src/hal.ts'
import type { AnyRepresentation, Representation } from '../../../src/endpoint/representation.ts'
import {
  fails,
  get,
  handle,
  int,
  json,
  jsonStream,
  multipartOutput,
  ndjson,
  optional,
  path,
  produces,
  reply,
  routes,
  sse,
  string,
} from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'
import { isError } from '../../../src/http/platform-value.ts'

/** A codec whose `encode` calls a method of the value, as codecs for dates do. */
const date = new t.Type<Date, string>(
  'date',
  (value): value is Date => value instanceof Date,
  (value, context) => t.failure(value, context),
  (value) => value.toISOString(),
)
const Loan = t.type({ due: t.type({ at: date }), days: int }, 'Loan')

const secret = 'secret of the caller'
const invalid = JSON.parse(JSON.stringify({ due: { at: secret }, days: 1 }))
const encodable = { due: { at: new Date(0) }, days: 1.5 }

const operation = (representation: AnyRepresentation, result: unknown, name: string) =>
  pipe(
    path(`/${name}`),
    get(),
    produces(representation as Representation<t.TypeOf<typeof Loan>>),
    handle(() => result as t.TypeOf<typeof Loan>),
  )

const throwing = new t.Type<string, string>('throwing', t.string.is, t.string.validate, () => {
  throw new TypeError('reason of the codec')
})

class Outdated extends TypeError {}

const outdated = new t.Type<string, string>('outdated', t.string.is, t.string.validate, () => {
  throw new Outdated('reason of the application')
})

/** A codec that does not check its values. */
const unchecked = new t.Type<Date, string>(
  'unchecked',
  (value): value is Date => value !== null,
  (value, context) => t.failure(value, context),
  (value) => value.toISOString(),
)

const Dated = t.type({ k: t.literal('date'), at: date })
const Due = t.type({ due: date, k: t.literal('due') })

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

/** A result with a member that cannot be read. */
const lazy = Object.defineProperty({ days: 1 }, 'due', {
  enumerable: true,
  get: () => {
    throw new TypeError('the relation is not loaded')
  },
})

const api = routes({
  json: operation(json(Loan), invalid, 'json'),
  xml: operation(xml(Loan), invalid, 'xml'),
  hal: operation(hal(Loan), invalid, 'hal'),
  stream: operation(jsonStream(Loan), [encodable, invalid], 'stream'),
  sse: operation(sse(Loan), [invalid], 'sse'),
  valid: operation(json(t.array(throwing)), ['a valid value'], 'valid'),
  subclass: operation(json(outdated), 'a valid value', 'subclass'),
  unchecked: operation(
    json(t.type({ items: t.array(t.type({ at: unchecked, note: optional(string) })) })),
    { items: [{ at: new Date(0), note: 'a' }, { at: secret }] },
    'unchecked',
  ),
  invalidDate: operation(json(t.record(t.string, date)), { 'a/b': new Date(NaN) }, 'invalidDate'),
  bigint: operation(json(t.type({ a: t.unknown })), { a: { b: 1n } }, 'bigint'),
  cycle: operation(json(t.type({ a: t.unknown })), { a: cyclic }, 'cycle'),
  tagged: operation(json(t.array(t.union([Due, Dated]))), [{ k: 'date', at: secret }], 'tagged'),
  getter: operation(json(Loan), lazy, 'getter'),
  ndjson: operation(ndjson(Loan), [invalid], 'ndjson'),
  declared: pipe(
    path('/declared'),
    get(),
    fails(409, json(Loan)),
    handle(() => reply(409, invalid)),
  ),
  parts: operation(multipartOutput({ loan: json(Loan) }), { loan: invalid }, 'parts'),
  encodable: operation(json(Loan), encodable, 'encodable'),
})

const log = createRecorder()

/** Returns the messages of the logged errors after a request. */
const errorsAfter = async (call: InMemoryCall, name: string): Promise<ReadonlyArray<string>> => {
  log.lines.length = 0
  const body = await sendRequest(call, `GET /${name}`)
    .then((response) => response.text())
    .catch(() => '')
  assert.not.match(body, secret)
  return log.linesAt('error').map(({ members }) => {
    const { err } = members
    assert.ok(isError(err))
    return err.message
  })
}

for (const [title, settings] of [
  ['generated', {}],
  ['interpreted', { 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': false }],
] as const)
  valueContract(
    `results that cannot be encoded, with ${title} codecs`,
    api,
    (test, call) => {
      for (const [name, pattern] of [
        ['json', /value sent as application\/json: expected date at #\/due\/at, got string$/],
        ['xml', /value sent as application\/xml[^:]*: expected date at #\/due\/at, got string$/],
        ['hal', /HAL entity: expected date at #\/due\/at, got string$/],
        ['stream', /stream element: expected date at #\/due\/at, got string$/],
        ['sse', /event data: expected date at #\/due\/at, got string$/],
        ['ndjson', /stream element: expected date at #\/due\/at, got string$/],
        ['declared', /value sent as application\/json: expected date at #\/due\/at, got string$/],
        ['parts', /value sent as application\/json: expected date at #\/due\/at, got string$/],
        ['tagged', /value sent as application\/json: expected date at #\/0\/at, got string$/],
        ['valid', /value sent as application\/json: throwing at #\/0 cannot be encoded$/],
        ['unchecked', /: unchecked at #\/items\/1\/at cannot be encoded$/],
        ['invalidDate', /: date at #\/a~1b cannot be encoded$/],
        ['bigint', /: unknown at #\/a cannot be encoded$/],
        ['cycle', /: unknown at #\/a cannot be encoded$/],
        ['subclass', /^reason of the application$/],
        ['getter', /^the relation is not loaded$/],
      ] as const)
        test(`the log names the pointer and the expectation: ${name}`, async () => {
          const [message = ''] = await errorsAfter(call, name)
          assert.ok(pattern.test(message), message)
          assert.not.match(message, secret)
        })
      test('the error of a codec is the cause, unless the part is invalid', async () => {
        for (const [name, reason] of [
          ['valid', 'reason of the codec'],
          ['json', 'undefined'],
        ] as const) {
          await errorsAfter(call, name)
          const err = log.linesAt('error')[0]?.members['err']
          assert.ok(isError(err))
          assert.is(isError(err.cause) ? err.cause.message : String(err.cause), reason)
        }
      })
      test('a result that can be encoded is sent', async () => {
        assert.is((await sendRequest(call, 'GET /encodable')).status, 200)
      })
    },
    { logger: log.logger, ...settings },
  )

valueContract(
  'results that do not satisfy their codec, with fw.rest.check-results',
  api,
  (test, call) => {
    for (const [name, pattern] of [
      ['json', 'expected date at #/due/at, got string'],
      ['hal', 'expected date at #/due/at, got string'],
      ['stream', 'expected int at #/days, got number'],
      ['encodable', 'expected int at #/days, got number'],
    ] as const)
      test(`the log names the pointer and the expectation: ${name}`, async () => {
        const [message = ''] = await errorsAfter(call, name)
        assert.ok(message.endsWith(pattern), message)
      })
  },
  { logger: log.logger, 'fw.rest.check-results': true },
)
