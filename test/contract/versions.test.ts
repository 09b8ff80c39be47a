/** Versions of an interface side by side, in each of the ways in which services tell them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  get,
  handle,
  int,
  json,
  path,
  post,
  prefix,
  preMatching,
  produces,
  rewrite,
  routes,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const One = t.type({ name: string })
const Two = t.type({ names: t.array(string), year: int })
const one = { name: 'Emma' }
const two = { names: ['Emma'], year: 1815 }
const first = as('application/vnd.book.v1+json')
const second = as('application/vnd.book.v2+json')

const books = path('/books')
const byPath = routes({
  one: pipe(
    routes({
      read: pipe(
        books,
        get(),
        produces(json(One)),
        handle(() => one),
      ),
    }),
    prefix('/v1'),
  ),
  two: pipe(
    routes({
      read: pipe(
        books,
        get(),
        produces(json(Two)),
        handle(() => two),
      ),
    }),
    prefix('/v2'),
  ),
})
const byMediaType = routes({
  readTwo: pipe(
    books,
    get(),
    produces(second(json(Two))),
    handle(() => two),
  ),
  readOne: pipe(
    books,
    get(),
    produces(first(json(One))),
    handle(() => one),
  ),
  writeOne: pipe(
    books,
    post(),
    body(first(json(One))),
    produces(text),
    handle((input) => input.body.name),
  ),
  writeTwo: pipe(
    books,
    post(),
    body(second(json(Two))),
    produces(text),
    handle((input) => String(input.body.year)),
  ),
})

/** A version that a field or the query names is one of the path, before anything is matched. */
const byWord = withFilter(
  preMatching(({ request }) => {
    const [field] = request.headerLines('x-version')
    const version = field ?? /^version=(\d)$/.exec(request.query ?? '')?.[1]
    return version === undefined ? undefined : rewrite({ target: `/v${version}${request.path}` })
  }),
)

const api = pipe(routes({ byPath, byMediaType }), byWord)

contract('versions', api, (test, call) =>
  table<readonly [name: string, line: string, fields: Record<string, string>, content: string]>(
    test,
    [
      ['in the path: 1', 'GET /v1/books', {}, JSON.stringify(one)],
      ['in the path: 2', 'GET /v2/books', {}, JSON.stringify(two)],
      ['in Accept: 1', 'GET /books', { Accept: first(text).mediaType }, JSON.stringify(one)],
      ['in Accept: 2', 'GET /books', { Accept: second(text).mediaType }, JSON.stringify(two)],
      ['none asked for: the first that is declared', 'GET /books', {}, JSON.stringify(two)],
      ['in Content-Type: 1', 'POST /books', { 'Content-Type': first(text).mediaType }, 'Emma'],
      ['in Content-Type: 2', 'POST /books', { 'Content-Type': second(text).mediaType }, '1815'],
      ['in a field of its own', 'GET /books', { 'X-Version': '1' }, JSON.stringify(one)],
      ['in the query', 'GET /books?version=2', {}, JSON.stringify(two)],
    ],
    async (_, line, headers, content) => {
      const sent = JSON.stringify({ ...one, ...two })
      const init = line.startsWith('POST') ? { headers, body: sent } : { headers }
      const response = await ask(call, line, init)
      assert.equal([response.status, await response.text()], [200, content])
    },
  ),
)
