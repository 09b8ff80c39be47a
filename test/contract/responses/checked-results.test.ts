/** `fw.rest.check-results`: handler results are validated against the declared codecs. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  between,
  fails,
  get,
  handle,
  int,
  json,
  mapError,
  path,
  produces,
  reply,
  routes,
  text,
  withMapper,
} from '../../../src/index.ts'
import type { StatusAndBody } from '../../support/send-request.ts'
import { responseTo } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'

const Note = t.type({ pages: between(1, 100)(int) })
const log = createRecorder()

const operations = routes({
  valid: pipe(
    path('/valid'),
    get(),
    produces(json(Note)),
    handle(() => ({ pages: 7, undeclared: true })),
  ),
  invalid: pipe(
    path('/invalid'),
    get(),
    produces(json(Note)),
    handle(() => ({ pages: 700 })),
  ),
  scalar: pipe(
    path('/scalar'),
    get(),
    produces(between(1, 100)(int)),
    handle(() => 700),
  ),
  failing: pipe(
    path('/failing'),
    get(),
    fails(404, json(Note)),
    handle(() => reply(404, { pages: 700 })),
  ),
  text: pipe(
    path('/text'),
    get(),
    produces(text),
    handle(() => 'text'),
  ),
})

type Row = readonly [name: string, line: string, checked: StatusAndBody, unchecked: StatusAndBody]

const rows: ReadonlyArray<Row> = [
  ['a valid object', 'GET /valid', [200, { pages: 7 }], [200, { pages: 7 }]],
  ['an invalid object', 'GET /invalid', [500, undefined], [200, { pages: 700 }]],
  ['an invalid scalar', 'GET /scalar', [500, undefined], [200, 700]],
  ['an invalid declared failure', 'GET /failing', [500, undefined], [404, { pages: 700 }]],
  ['text', 'GET /text', [200, 'text'], [200, 'text']],
]

valueContract(
  'fw.rest.check-results',
  operations,
  (test, call) => {
    for (const [name, line, [status, responseBody]] of rows)
      test(`${name} with checks returns ${status}`, async () => {
        log.lines.length = 0
        const [sent, received] = await responseTo(call, line)
        assert.is(sent, status)
        if (responseBody !== undefined) return assert.equal(received, responseBody)
        assert.not.match(JSON.stringify(received), /\b700\b/) // `\b`, because the UUID of `instance` may contain 700
        const [logged] = log.linesAt('error')
        const { err } = logged?.members ?? {}
        assert.match(err instanceof TypeError ? err.message : '', 'expected ')
      })
  },
  { 'fw.rest.check-results': true, logger: log.logger },
)

valueContract('fw.rest.check-results by default', operations, (test, call) => {
  for (const [name, line, , unchecked] of rows)
    test(`${name} without checks returns ${unchecked[0]}`, async () =>
      assert.equal(await responseTo(call, line), unchecked))
})

valueContract(
  'a failed check with an error mapper',
  pipe(operations, withMapper(mapError(TypeError, ({ message }) => reply(599, message)))),
  (test, call) => {
    test('is mapped as a TypeError', async () => {
      const [status, received] = await responseTo(call, 'GET /scalar')
      assert.is(status, 599)
      assert.match(String(received), /invalid value sent as text\/plain/)
    })
  },
  { 'fw.rest.check-results': true },
)
