/** Refusals of the engine as errors, for mappers and response filters, and the order in which they are met. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  BadRequest,
  ContentTooLarge,
  HttpError,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  UnsupportedMediaType,
  body,
  handle,
  int,
  json,
  mapError,
  path,
  post,
  produces,
  query,
  reply,
  responseFilter,
  routes,
  text,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const Note = t.type({ note: t.string })
const notes = routes({
  add: pipe(
    path('/notes/{id}', { id: int }),
    post(),
    query({ n: int }),
    body(json(Note)),
    produces(text),
    handle(() => 'added'),
  ),
})

type Row = readonly [line: string, name: string, told: unknown, init?: RequestInit]

const typed = { 'Content-Type': 'application/json' }
const note = '{"note":"a"}'

/** What a mapper can tell of each refusal. */
const rows: ReadonlyArray<Row> = [
  ['GET /nothing', 'NotFound', []],
  ['GET /%ff', 'BadRequest', 'Malformed percent-escape in the path.'],
  ['PUT /notes/1', 'MethodNotAllowed', ['POST', 'OPTIONS']],
  [
    'POST /notes/1?n=1',
    'UnsupportedMediaType',
    ['application/json'],
    { body: 'a', headers: { 'Content-Type': 'text/plain' } },
  ],
  [
    'POST /notes/1?n=1',
    'NotAcceptable',
    ['text/plain'],
    { body: note, headers: { ...typed, Accept: 'image/png' } },
  ],
  ['POST /notes/one?n=1', 'NotFound', ['path id'], { body: note, headers: typed }],
  ['POST /notes/1?n=x', 'BadRequest', ['query n'], { body: note, headers: typed }],
  ['POST /notes/1?n=1', 'BadRequest', ['body #/note'], { body: '{"note":1}', headers: typed }],
  [
    'POST /notes/1?n=1',
    'ContentTooLarge',
    'Size limit of 64 bytes exceeded (fw.http.limits.max-body-size).',
    { body: JSON.stringify({ note: 'a'.repeat(64) }), headers: typed },
  ],
]

const facts = (error: HttpError): unknown =>
  error instanceof MethodNotAllowed
    ? error.allow
    : error instanceof NotAcceptable || error instanceof UnsupportedMediaType
      ? error.supported
      : (error instanceof BadRequest && error.faults.length === 0) ||
          error instanceof ContentTooLarge
        ? error.detail
        : error.faults.map((fault) => `${fault.in} ${fault.name ?? fault.pointer}`)

const small = { 'fw.http.limits.max-body-size': 64 }
const noted = { fails: { 499: json(t.unknown) } }

const mapped = pipe(
  notes,
  withMapper(
    mapError(HttpError, noted, (error) => reply(499, [error.name, error.status, facts(error)])),
  ),
)

const statusOf: Readonly<Record<string, number>> = {
  NotFound: 404,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  ContentTooLarge: 413,
  UnsupportedMediaType: 415,
}

contract(
  'a mapper of HttpError sees every refusal, with what it knows',
  mapped,
  (test, call) => {
    for (const [line, name, told, init] of rows)
      test(`${line}: ${name} ${JSON.stringify(told)}`, async () => {
        const response = await ask(call, line, init)
        assert.is(response.status, 499)
        assert.equal(await response.json(), [name, statusOf[name], told])
      })
  },
  small,
)

const failures: unknown[] = []
const watched = pipe(
  notes,
  withMapper(mapError(RangeError, () => reply(499))),
  withFilter(responseFilter((_reply, _context, failure) => void failures.push(failure))),
)

const plainly = inMemory(notes, small)

/** All but what differs from one request or door to the next. */
const answerOf = async (response: Response): Promise<unknown> => [
  response.status,
  [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  (await response.text()).replace(/urn:uuid:[\w-]+/, ''),
]

contract(
  'a refusal that no mapper knows is answered as without mappers',
  watched,
  (test, call) => {
    for (const [line, name, told, init] of rows)
      test(`${line}: ${name} ${JSON.stringify(told)}`, async () => {
        failures.length = 0
        assert.equal(
          await answerOf(await ask(call, line, init)),
          await answerOf(await ask(plainly, line, init)),
        )
        assert.is(failures.length, 1)
        const [failure] = failures
        assert.instance(failure, HttpError)
        assert.equal([(failure as Error).name, facts(failure as HttpError)], [name, told])
      })
  },
  small,
)

const narrow = pipe(
  routes({
    all: pipe(notes, withMapper(mapError(HttpError, () => reply(499, 'around a part')))),
  }),
  withMapper(mapError(NotFound, () => reply(404, 'around everything'))),
)

contract('where the mapper stands', narrow, (test, call) => {
  test('a path that leads nowhere is a matter of the whole tree', async () => {
    const response = await ask(call, 'GET /nothing')
    assert.equal([response.status, await response.text()], [404, 'around everything'])
  })
  test('and so is a method', async () => {
    assert.is((await ask(call, 'PUT /notes/1')).status, 405)
  })
  test('what an operation refuses is a matter of the part', async () => {
    const response = await ask(call, 'POST /notes/1?n=x', { body: note, headers: typed })
    assert.equal([response.status, await response.text()], [499, 'around a part'])
  })
})
