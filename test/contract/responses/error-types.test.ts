/** `Accept` headers that list only types of error responses, as clients send that OpenAPI Generator creates. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  byteStream,
  bytes,
  fails,
  form,
  get,
  handle,
  html,
  inLanguage,
  json,
  jsonStream,
  mapError,
  path,
  post,
  produces,
  reply,
  requestFilter,
  responds,
  routes,
  string,
  text,
  textStream,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import { hal } from '../../../src/hal.ts'
import { xml } from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Book = t.type({ id: t.number }, 'book')
const book = { id: 1 }
const Missing = t.type({ reason: t.string })
const one = (): string => 'one'
const missing = { reason: 'none' }

class Locked extends Error {}

const api = routes({
  text: pipe(path('/text'), get(), produces(text), handle(one)),
  html: pipe(path('/html'), get(), produces(html, text), handle(one)),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(bytes),
    handle(() => new Uint8Array([1])),
  ),
  application: pipe(
    path('/application'),
    get(),
    produces(as('application/*')(bytes)),
    handle(() => new Uint8Array([1])),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(byteStream),
    handle(() => [new Uint8Array([1])]),
  ),
  lines: pipe(
    path('/lines'),
    get(),
    produces(jsonStream(Book)),
    handle(() => [book]),
  ),
  texts: pipe(
    path('/texts'),
    get(),
    produces(textStream),
    handle(() => ['one']),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    form({ title: string }),
    produces(text),
    handle(({ form: { title } }) => title),
  ),
  xml: pipe(
    path('/xml'),
    get(),
    produces(xml(Book)),
    handle(() => book),
  ),
  hal: pipe(
    path('/hal'),
    get(),
    produces(hal(Book)),
    handle(() => book),
  ),
  failing: pipe(
    path('/failing'),
    get(),
    produces(text),
    fails(404, json(Missing)),
    handle(() => reply(404, missing)),
  ),
  found: pipe(path('/found'), get(), produces(text), fails(404, json(Missing)), handle(one)),
  accepted: pipe(
    path('/accepted'),
    get(),
    responds(202, text),
    handle(() => reply(202, 'one')),
  ),
  filtered: pipe(
    routes({ at: pipe(path('/filtered'), get(), produces(text), handle(one)) }),
    withFilter(requestFilter({ fails: { 403: as('text/x-denied')(text) } }, () => undefined)),
  ),
  mapped: pipe(
    routes({ at: pipe(path('/mapped'), get(), produces(text), handle(one)) }),
    withMapper(mapError(Locked, { fails: { 423: json(Missing) } }, () => reply(423, missing))),
  ),
  translated: pipe(
    path('/translated'),
    get(),
    produces(inLanguage('en')(text), inLanguage('de')(text)),
    handle((_, { response }) => response.language ?? ''),
  ),
  splitText: pipe(path('/split'), get(), produces(text), handle(one)),
  splitHtml: pipe(path('/split'), get(), produces(html), handle(one)),
})

const problem = 'application/problem+json'
const plain = 'text/plain;charset=UTF-8'

valueContract('an Accept header with only error types', api, (test, call) => {
  const send = (target: string, accept: string, headers = {}): Promise<Response> =>
    sendRequest(call, target.includes(' ') ? target : `GET ${target}`, {
      headers: { accept, ...headers },
    })

  table(
    test,
    [
      ['text', '/text', problem, plain],
      ['the first of several types', '/html', problem, 'text/html;charset=UTF-8'],
      ['a type that is not excluded', '/html', `${problem}, text/html;q=0`, plain],
      ['a weight', '/text', `${problem};q=0.1`, plain],
      ['bytes', '/bytes', problem, 'application/octet-stream'],
      ['a range that includes the type', '/application', problem, 'application/octet-stream'],
      ['a stream of bytes', '/stream', problem, 'application/octet-stream'],
      ['a stream of text', '/texts', problem, plain],
      ['a stream of JSON', '/lines', problem, 'application/json'],
      ['XML', '/xml', problem, 'application/xml'],
      ['HAL', '/hal', problem, 'application/hal+json'],
      ['the type of a declared failure', '/found', 'application/json', plain],
      ['both types', '/found', `application/json, ${problem}`, plain],
      ['the type of a filter', '/filtered', 'text/x-denied', plain],
      ['the type of a mapper', '/mapped', 'application/json', plain],
      ['the first of several operations', '/split', problem, plain],
    ] as const,
    async (_, target, accept, type) => {
      const { status, headers } = await send(target, accept)
      assert.equal([status, headers.get('content-type')], [200, type])
    },
  )

  test('a form is processed', async () => {
    const options = { headers: { accept: problem }, body: new URLSearchParams({ title: 'one' }) }
    const response = await sendRequest(call, 'POST /upload', options)
    assert.equal([response.status, await response.text()], [200, 'one'])
  })

  test('a declared failure is sent in its type', async () => {
    const response = await send('/failing', problem)
    assert.equal([response.status, await response.json()], [404, missing])
  })

  test('another success status is sent', async () =>
    assert.is((await send('/accepted', problem)).status, 202))

  test('Accept-Language selects the representation', async () => {
    const { headers } = await send('/translated', problem, { 'accept-language': 'de' })
    assert.is(headers.get('content-language'), 'de')
  })

  test('HEAD is processed like GET', async () =>
    assert.is((await send('HEAD /text', problem)).status, 200))

  table(
    test,
    [
      ['another type', '/text', 'image/png'],
      ['an error type and another type', '/text', `${problem}, image/png`],
      ['an error type of another operation', '/text', 'application/json'],
      ['a range', '/text', 'application/*'],
      ['excluded types', '/text', `${problem}, text/plain;q=0`],
      ['all types excluded', '/text', `${problem}, */*;q=0`],
      ['an excluded error type', '/text', `${problem};q=0`],
    ] as const,
    async (_, target, accept) => assert.is((await send(target, accept)).status, 406),
  )
})
