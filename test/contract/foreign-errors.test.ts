/** Errors that look like answers and are none, such as those that the client of another service throws. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { NotFound, get, handle, path, produces, reply, routes, text } from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { recorder } from '../support/recorder.ts'

/** What a client says of an answer with an error: its status, its fields, its content. */
const said = { status: 404, statusCode: 404, headers: { 'X-Hidden': 'hidden' }, body: 'hidden' }

/** What an error with a status has, but for what makes it one. */
const alike = Object.fromEntries(
  Object.entries(new NotFound('hidden')).filter(([name]) => name !== '_tag'),
)

type Row = readonly [title: string, make: () => unknown]

const rows: ReadonlyArray<Row> = [
  ['an error with a status', () => Object.assign(new Error('hidden'), said)],
  ['one with a response', () => Object.assign(new Error('hidden'), { response: said })],
  ['one in every way but its kind', () => Object.assign(new Error('hidden'), alike)],
  ['one with a reply', () => Object.assign(new Error('hidden'), { reply: reply(404, 'hidden') })],
  ['a response of fetch', () => new Response('hidden', { status: 404 })],
  ['an error whose cause has a status', () => new Error('hidden', { cause: said })],
  ['an object in the form of an error', () => ({ _tag: 'HttpError', ...said })],
  ['an object in the form of a reply', () => JSON.parse(JSON.stringify(reply(404, 'hidden')))],
  ['an error of the platform', () => new DOMException('hidden', 'NotFoundError')],
]

const makes = new Map(rows.map(([title, make]) => [title, make]))
const log = recorder()

const api = routes({
  thrown: pipe(
    path('/thrown/{title}'),
    get(),
    produces(text),
    handle(({ path: { title } }): string => {
      throw makes.get(title)?.()
    }),
  ),
  rejected: pipe(
    path('/rejected/{title}'),
    get(),
    produces(text),
    handle(({ path: { title } }) => Promise.reject<string>(makes.get(title)?.())),
  ),
})

contract(
  'what another service answered is no answer of this one',
  api,
  (test, call) =>
    table<Row>(test, rows, async (title) => {
      for (const way of ['thrown', 'rejected']) {
        log.lines.length = 0
        const response = await ask(call, `GET /${way}/${encodeURIComponent(title)}`)
        assert.is(response.status, 500)
        assert.is(response.headers.get('x-hidden'), null)
        assert.is(response.headers.get('content-type'), 'application/problem+json')
        assert.not.match(await response.text(), /hidden|"status":404/)
        assert.is(log.told('error').length, 1)
      }
    }),
  { logger: log.logger },
)
