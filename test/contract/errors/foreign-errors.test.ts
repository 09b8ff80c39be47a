/** Thrown values that resemble an `HttpError`, such as errors of an HTTP client, are internal errors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { NotFound, get, handle, path, produces, reply, routes, text } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'

/** Members of the errors that HTTP clients throw. */
const responseMembers = {
  status: 404,
  statusCode: 404,
  headers: { 'X-Hidden': 'hidden' },
  body: 'hidden',
}

/** Members of an `HttpError` without its tag. */
const httpErrorMembers = Object.fromEntries(
  Object.entries(new NotFound('hidden')).filter(([name]) => name !== '_tag'),
)

type Row = readonly [title: string, create: () => unknown]

const rows: ReadonlyArray<Row> = [
  ['an error with a status', () => Object.assign(new Error('hidden'), responseMembers)],
  [
    'an error with a response',
    () => Object.assign(new Error('hidden'), { response: responseMembers }),
  ],
  [
    'an error with the members of HttpError',
    () => Object.assign(new Error('hidden'), httpErrorMembers),
  ],
  [
    'an error with a reply',
    () => Object.assign(new Error('hidden'), { reply: reply(404, 'hidden') }),
  ],
  ['a response of fetch', () => new Response('hidden', { status: 404 })],
  ['an error whose cause has a status', () => new Error('hidden', { cause: responseMembers })],
  ['an object like HttpError', () => ({ _tag: 'HttpError', ...responseMembers })],
  ['an object like a reply', () => JSON.parse(JSON.stringify(reply(404, 'hidden')))],
  ['a DOMException', () => new DOMException('hidden', 'NotFoundError')],
]

const factories = new Map(rows.map(([title, create]) => [title, create]))
const log = createRecorder()

const api = routes({
  thrown: pipe(
    path('/thrown/{title}'),
    get(),
    produces(text),
    handle(({ path: { title } }): string => {
      throw factories.get(title)?.()
    }),
  ),
  rejected: pipe(
    path('/rejected/{title}'),
    get(),
    produces(text),
    handle(({ path: { title } }) => Promise.reject<string>(factories.get(title)?.())),
  ),
})

valueContract(
  'errors that resemble HttpError return 500',
  api,
  (test, call) =>
    table<Row>(test, rows, async (title) => {
      for (const kind of ['thrown', 'rejected']) {
        log.lines.length = 0
        const response = await sendRequest(call, `GET /${kind}/${encodeURIComponent(title)}`)
        assert.is(response.status, 500)
        assert.is(response.headers.get('x-hidden'), null)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        assert.not.match(await response.text(), /hidden|"status":404/)
        assert.is(log.linesAt('error').length, 1)
      }
    }),
  { logger: log.logger },
)
