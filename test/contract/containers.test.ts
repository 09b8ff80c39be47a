/** Parameter containers: steps of a pipe that are kept in constants and shared by operations. */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  cookie,
  get,
  handle,
  header,
  int,
  list,
  matrix,
  optional,
  path,
  produces,
  query,
  rawJson,
  routes,
  string,
  withDefault,
} from '../../src/index.ts'
import { answerTo, ask, faultsOf, shown } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const paging = query({ page: withDefault(int, 1), size: optional(int) })
const client = flow(header({ xClient: string }), cookie({ session: optional(string) }))
const listing = flow(paging, client, matrix({ shelf: optional(string) }), query({ tag: list(int) }))

const books = pipe(path('/books'), paging)

const api = routes({
  paged: pipe(path('/paged'), get(), paging, produces(rawJson), handle(shown)),
  nested: pipe(path('/nested'), get(), listing, produces(rawJson), handle(shown)),
  inherited: pipe(books, get(), query({ title: string }), produces(rawJson), handle(shown)),
  empty: pipe(path('/empty'), get(), query({}), produces(rawJson), handle(shown)),
})

const all = {
  query: { page: 2, size: 10, tag: [1, 2] },
  header: { xClient: 'test' },
  cookie: { session: 's' },
  matrix: { shelf: 'a' },
}
const least = { query: { page: 1, tag: [] }, header: { xClient: 'test' }, cookie: {}, matrix: {} }

contract('parameter containers', api, (test, call) => {
  table(
    test,
    [
      ['a container is a step', '/paged?page=2', { query: { page: 2 } }],
      ['of several kinds, nested', '/nested;shelf=a?page=2&size=10&tag=1&tag=2', all],
      [
        'a resource hands its own to its operations',
        '/books?page=3&title=a',
        { query: { page: 3, title: 'a' } },
      ],
      ['without parameters it adds nothing', '/empty?page=2', {}],
      ['what is missing has its default, or is not there, or is empty', '/nested', least],
    ] as const,
    async (name, target, input) => {
      const headers = {
        'x-client': 'test',
        ...(target.includes('shelf') ? { cookie: 'session=s' } : {}),
      }
      assert.equal(await answerTo(call, `GET ${target}`, { headers }), [200, input], name)
    },
  )

  test('what is neither optional nor has a default is required', async () => {
    const response = await ask(call, 'GET /nested')
    assert.is(response.status, 400)
    assert.equal(await faultsOf(response), [['header', 'x-client', 'is required: a string']])
  })

  test('everything that is wrong in a container is told at once', async () => {
    const response = await ask(call, 'GET /nested?page=x&size=y&tag=z')
    assert.equal(
      (await faultsOf(response)).map(([place, name]) => `${place} ${name}`),
      ['query page', 'query size', 'query tag', 'header x-client'],
    )
  })
})
