/** Log lines of errors, with and without mappers: level, message and members. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'

class Failed extends Error {}

const failed = new Failed('logged')
const conflict = new Conflict('logged')
const internal = new Error('logged')

const throwingOperation = (name: string, error: Error) =>
  pipe(
    path(`/${name}`),
    get(),
    handle(() => {
      throw error
    }),
  )

const operations = routes({
  failed: throwingOperation('failed', failed),
  conflict: throwingOperation('conflict', conflict),
  internal: throwingOperation('internal', internal),
  note: pipe(
    path('/notes/{id}', { id: int }),
    post(),
    query({ n: int }),
    body(json(t.type({ note: t.string }))),
    handle(() => undefined),
  ),
})

const unmappedLog = createRecorder()
const filteredLog = createRecorder()
const mappedLog = createRecorder()

/** Level, message and members of each line, without the members `id` and `category`. */
const logged = ({ lines }: typeof unmappedLog): ReadonlyArray<unknown> =>
  lines.map(({ level, members: { id: _id, category: _category, ...rest }, message }) => [
    level,
    message.replace(/[\da-f]{8}-[\da-f-]+/, 'ID'),
    rest,
  ])

const note = { headers: { 'Content-Type': 'application/json' } }
const inputRejected = (error: object) => [
  'debug',
  'Invalid input for POST /notes/1',
  { failure: { _tag: 'InvalidInput', errors: [error], more: false } },
]

type Row = readonly [line: string, lines: ReadonlyArray<unknown>, init?: RequestInit]

const unmapped: ReadonlyArray<Row> = [
  ['GET /nothing', []],
  ['PUT /failed', []],
  ['GET /conflict', [['debug', 'GET /conflict failed with 409', { err: conflict }]]],
  [
    'GET /internal',
    [['error', 'HTTP request to /internal failed, error ID: ID', { err: internal }]],
  ],
  [
    'POST /notes/1?n=x',
    [inputRejected({ in: 'query', name: 'n', detail: 'must be an integer' })],
    { ...note, body: '{"note":"a"}' },
  ],
  [
    'POST /notes/1?n=1',
    [inputRejected({ in: 'body', pointer: '#', detail: 'malformed JSON at line 1, column 2' })],
    { ...note, body: '{' },
  ],
]

contract(
  'log of errors without mappers',
  operations,
  (test, call) => {
    table<Row>(test, unmapped, async (line, lines, init) => {
      unmappedLog.lines.length = 0
      await sendRequest(call, line, init)
      assert.equal(logged(unmappedLog), lines)
    })
  },
  { logger: unmappedLog.logger, 'fw.log.level': 'debug' },
)

contract(
  'log of errors with a response filter',
  pipe(operations, withFilter(responseFilter(() => undefined))),
  (test, call) => {
    table<Row>(test, unmapped, async (line, lines, init) => {
      filteredLog.lines.length = 0
      await sendRequest(call, line, init)
      assert.equal(logged(filteredLog), lines)
    })
  },
  { logger: filteredLog.logger, 'fw.log.level': 'debug' },
)

const order: string[] = []

contract(
  'log of mapped errors',
  pipe(
    operations,
    withMapper(
      mapError(Failed, () => {
        order.push(...mappedLog.lines.map(({ message }) => message), 'mapped')
        return reply(409)
      }),
      mapError(Conflict, () => {
        throw internal
      }),
    ),
  ),
  (test, call) => {
    test('a mapped error is logged at debug level before the mapper runs', async () => {
      mappedLog.lines.length = 0
      order.length = 0
      await sendRequest(call, 'GET /failed')
      assert.equal(logged(mappedLog), [
        ['debug', 'Mapping an error to a response', { err: failed }],
      ])
      assert.equal(order, ['Mapping an error to a response', 'mapped'])
    })
    test('an error thrown by a mapper is logged at error level', async () => {
      mappedLog.lines.length = 0
      await sendRequest(call, 'GET /conflict')
      assert.equal(logged(mappedLog), [
        ['debug', 'Mapping an error to a response', { err: conflict }],
        ['error', 'HTTP request to /conflict failed, error ID: ID', { err: internal }],
      ])
    })
    test('the log line has the id of the problem document', async () => {
      mappedLog.lines.length = 0
      const { instance } = (await (await sendRequest(call, 'GET /internal')).json()) as {
        instance: string
      }
      const [line] = mappedLog.linesAt('error')
      assert.is(`urn:uuid:${String(line?.members.id)}`, instance)
    })
  },
  { logger: mappedLog.logger, 'fw.log.level': 'debug' },
)
