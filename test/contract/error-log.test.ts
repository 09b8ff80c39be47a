/** What the log tells of errors, and at which level. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Conflict,
  body,
  get,
  handle,
  int,
  json,
  mapError,
  path,
  post,
  query,
  reply,
  responseFilter,
  routes,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { recorder } from '../support/recorder.ts'

class Failed extends Error {}

const failed = new Failed('for the log')
const conflict = new Conflict('for the log')
const defect = new Error('for the log')

const throwing = (word: string, error: Error) =>
  pipe(
    path(`/${word}`),
    get(),
    handle(() => {
      throw error
    }),
  )

const operations = routes({
  failed: throwing('failed', failed),
  conflict: throwing('conflict', conflict),
  defect: throwing('defect', defect),
  note: pipe(
    path('/notes/{id}', { id: int }),
    post(),
    query({ n: int }),
    body(json(t.type({ note: t.string }))),
    handle(() => undefined),
  ),
})

const plain = recorder()
const around = recorder()
const mapping = recorder()

/** The levels and messages, and what each line tells beside the id. */
const told = ({ lines }: typeof plain): ReadonlyArray<unknown> =>
  lines.map(({ level, members: { id: _id, category: _category, ...rest }, message }) => [
    level,
    message.replace(/[\da-f]{8}-[\da-f-]+/, 'ID'),
    rest,
  ])

const note = { headers: { 'Content-Type': 'application/json' } }
const refused = (fault: object) => [
  'debug',
  'Invalid input of POST /notes/1',
  { failure: { _tag: 'InvalidInput', errors: [fault], more: false } },
]

type Row = readonly [line: string, lines: ReadonlyArray<unknown>, init?: RequestInit]

const unmapped: ReadonlyArray<Row> = [
  ['GET /nothing', []],
  ['PUT /failed', []],
  ['GET /conflict', [['debug', 'GET /conflict failed with 409', { err: conflict }]]],
  ['GET /defect', [['error', 'HTTP Request to /defect failed, error id: ID', { err: defect }]]],
  [
    'POST /notes/1?n=x',
    [refused({ in: 'query', name: 'n', detail: 'must be an integer' })],
    { ...note, body: '{"note":"a"}' },
  ],
  [
    'POST /notes/1?n=1',
    [refused({ in: 'body', pointer: '#', detail: 'malformed JSON at line 1, column 2' })],
    { ...note, body: '{' },
  ],
]

contract(
  'errors without mappers',
  operations,
  (test, call) => {
    table<Row>(test, unmapped, async (line, lines, init) => {
      plain.lines.length = 0
      await ask(call, line, init)
      assert.equal(told(plain), lines)
    })
  },
  { logger: plain.logger, 'fw.log.level': 'debug' },
)

contract(
  'a filter around them changes nothing',
  pipe(operations, withFilter(responseFilter(() => undefined))),
  (test, call) => {
    table<Row>(test, unmapped, async (line, lines, init) => {
      around.lines.length = 0
      await ask(call, line, init)
      assert.equal(told(around), lines)
    })
  },
  { logger: around.logger, 'fw.log.level': 'debug' },
)

const order: string[] = []

contract(
  'an error is told before it is mapped, at DEBUG',
  pipe(
    operations,
    withMapper(
      mapError(Failed, () => {
        order.push(...mapping.lines.map(({ message }) => message), 'mapped')
        return reply(409)
      }),
      mapError(Conflict, () => {
        throw defect
      }),
    ),
  ),
  (test, call) => {
    test('the error itself', async () => {
      mapping.lines.length = 0
      order.length = 0
      await ask(call, 'GET /failed')
      assert.equal(told(mapping), [['debug', 'An error is mapped.', { err: failed }]])
      assert.equal(order, ['An error is mapped.', 'mapped'])
    })
    test('and then what the mapper throws, at ERROR', async () => {
      mapping.lines.length = 0
      await ask(call, 'GET /conflict')
      assert.equal(told(mapping), [
        ['debug', 'An error is mapped.', { err: conflict }],
        ['error', 'HTTP Request to /conflict failed, error id: ID', { err: defect }],
      ])
    })
    test('with the id that the client is told', async () => {
      mapping.lines.length = 0
      const { instance } = (await (await ask(call, 'GET /defect')).json()) as { instance: string }
      const [line] = mapping.told('error')
      assert.is(`urn:uuid:${String(line?.members.id)}`, instance)
    })
  },
  { logger: mapping.logger, 'fw.log.level': 'debug' },
)
