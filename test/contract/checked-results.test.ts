/** Results that are not what was declared, where `fw.rest.check-results` asks for it. */
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
} from '../../src/index.ts'
import type { Answer } from '../support/ask.ts'
import { answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { recorder } from '../support/recorder.ts'

const Note = t.type({ pages: between(1, 100)(int) })
const log = recorder()

const operations = routes({
  good: pipe(
    path('/good'),
    get(),
    produces(json(Note)),
    handle(() => ({ pages: 7, undeclared: true })),
  ),
  bad: pipe(
    path('/bad'),
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

type Row = readonly [line: string, checked: Answer, unchecked: Answer]

const rows: ReadonlyArray<Row> = [
  ['GET /good', [200, { pages: 7 }], [200, { pages: 7 }]],
  ['GET /bad', [500, undefined], [200, { pages: 700 }]],
  ['GET /scalar', [500, undefined], [200, 700]],
  ['GET /failing', [500, undefined], [404, { pages: 700 }]],
  ['GET /text', [200, 'text'], [200, 'text']],
]

contract(
  'results are checked',
  operations,
  (test, call) => {
    table<Row>(test, rows, async (line, [status, content]) => {
      log.lines.length = 0
      const [sent, said] = await answerTo(call, line)
      assert.is(sent, status)
      if (content !== undefined) return assert.equal(said, content)
      assert.not.match(JSON.stringify(said), /\b700\b/) // an instance's UUID may well hold 700
      const [told] = log.told('error')
      const { err } = told?.members ?? {}
      assert.match(err instanceof TypeError ? err.message : '', 'must be')
    })
  },
  { 'fw.rest.check-results': true, logger: log.logger },
)

contract('results are not checked unless it is said', operations, (test, call) => {
  table<Row>(test, rows, async (line, _, unchecked) => {
    assert.equal(await answerTo(call, line), unchecked)
  })
})

contract(
  'what a result should have been is an error like others',
  pipe(operations, withMapper(mapError(TypeError, ({ message }) => reply(599, message)))),
  (test, call) => {
    test('and may be mapped', async () => {
      const [status, said] = await answerTo(call, 'GET /scalar')
      assert.is(status, 599)
      assert.match(String(said), /the value sent as text\/plain/)
    })
  },
  { 'fw.rest.check-results': true },
)
