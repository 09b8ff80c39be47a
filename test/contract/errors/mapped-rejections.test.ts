/** Rejections by the framework, as `HttpError` instances that mappers and response filters receive. */
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
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'

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

type Row = readonly [line: string, name: string, details: unknown, init?: RequestInit]

const jsonHeaders = { 'Content-Type': 'application/json' }
const note = '{"note":"a"}'

/** The class of each error, and its details as returned by `detailsOf`. */
const rows: ReadonlyArray<Row> = [
  ['GET /nothing', 'NotFound', []],
  ['GET /%ff', 'BadRequest', 'Malformed percent-encoding in the path.'],
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
    { body: note, headers: { ...jsonHeaders, Accept: 'image/png' } },
  ],
  ['POST /notes/one?n=1', 'NotFound', ['path id'], { body: note, headers: jsonHeaders }],
  ['POST /notes/1?n=x', 'BadRequest', ['query n'], { body: note, headers: jsonHeaders }],
  [
    'POST /notes/1?n=1',
    'BadRequest',
    ['body #/note'],
    { body: '{"note":1}', headers: jsonHeaders },
  ],
  [
    'POST /notes/1?n=1',
    'ContentTooLarge',
    'Size limit of 64 bytes exceeded (fw.http.limits.max-body-size).',
    { body: JSON.stringify({ note: 'a'.repeat(64) }), headers: jsonHeaders },
  ],
]

const detailsOf = (error: HttpError): unknown =>
  error instanceof MethodNotAllowed
    ? error.allow
    : error instanceof NotAcceptable || error instanceof UnsupportedMediaType
      ? error.supported
      : (error instanceof BadRequest && error.errors.length === 0) ||
          error instanceof ContentTooLarge
        ? error.detail
        : error.errors.map(({ in: location, name, pointer }) => `${location} ${name ?? pointer}`)

const settings = { 'fw.http.limits.max-body-size': 64 }
const options = { fails: { 499: json(t.unknown) } }

const mapped = pipe(
  notes,
  withMapper(
    mapError(HttpError, options, (error) =>
      reply(499, [error.name, error.status, detailsOf(error)]),
    ),
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

valueContract(
  'a mapper of HttpError receives every rejection with its details',
  mapped,
  (test, call) => {
    for (const [line, name, details, init] of rows)
      test(`${line}: ${name} ${JSON.stringify(details)}`, async () => {
        const response = await sendRequest(call, line, init)
        assert.is(response.status, 499)
        assert.equal(await response.json(), [name, statusOf[name], details])
      })
  },
  settings,
)

const failures: unknown[] = []
const unmapped = pipe(
  notes,
  withMapper(mapError(RangeError, () => reply(499))),
  withFilter(responseFilter((_reply, _context, failure) => void failures.push(failure))),
)

const callUnmapped = inMemory(notes, settings)

/** Status, headers and body, without the parts that differ between requests. */
const comparable = async (response: Response): Promise<unknown> => [
  response.status,
  [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  (await response.text()).replace(/urn:uuid:[\w-]+/, ''),
]

valueContract(
  'an unmapped rejection is sent as without mappers',
  unmapped,
  (test, call) => {
    for (const [line, name, details, init] of rows)
      test(`${line}: ${name} ${JSON.stringify(details)}`, async () => {
        failures.length = 0
        assert.equal(
          await comparable(await sendRequest(call, line, init)),
          await comparable(await sendRequest(callUnmapped, line, init)),
        )
        assert.is(failures.length, 1)
        const [failure] = failures
        assert.instance(failure, HttpError)
        assert.equal([(failure as Error).name, detailsOf(failure as HttpError)], [name, details])
      })
  },
  settings,
)

const nested = pipe(
  routes({
    all: pipe(notes, withMapper(mapError(HttpError, () => reply(499, 'mapper of the subtree')))),
  }),
  withMapper(mapError(NotFound, () => reply(404, 'mapper of the root'))),
)

valueContract('scope of mappers of rejections', nested, (test, call) => {
  test('an unknown path is mapped by the mapper of the root', async () => {
    const response = await sendRequest(call, 'GET /nothing')
    assert.equal([response.status, await response.text()], [404, 'mapper of the root'])
  })
  test('an unsupported method is not mapped by the mapper of a subtree', async () => {
    assert.is((await sendRequest(call, 'PUT /notes/1')).status, 405)
  })
  test('invalid input is mapped by the mapper of the subtree', async () => {
    const response = await sendRequest(call, 'POST /notes/1?n=x', {
      body: note,
      headers: jsonHeaders,
    })
    assert.equal([response.status, await response.text()], [499, 'mapper of the subtree'])
  })
})
