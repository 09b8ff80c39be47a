/** Parameter containers: pipe steps that are stored in constants and shared by operations. */
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  cookie,
  form,
  get,
  handle,
  header,
  int,
  list,
  matrix,
  optional,
  path,
  post,
  produces,
  query,
  rawJson,
  routes,
  string,
  withDefault,
} from '../../../src/index.ts'
import {
  responseTo,
  sendRequest,
  validationErrorsOf,
  inputAsJson,
} from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const paging = query({ page: withDefault(int, 1), size: optional(int) })
const client = flow(header({ xClient: string }), cookie({ session: optional(string) }))
const listing = flow(paging, client, matrix({ shelf: optional(string) }), query({ tag: list(int) }))

const books = pipe(path('/books'), paging)

/** A container with parameters of every kind: the codecs of path variables, and a step for all others. */
const variables = { id: int }
const every = flow(
  form({ f: list(int) }),
  query({ q: int }),
  header({ xH: int }),
  cookie({ c: int }),
  matrix({ m: int }),
)

const api = routes({
  paged: pipe(path('/paged'), get(), paging, produces(rawJson), handle(inputAsJson)),
  nested: pipe(path('/nested'), get(), listing, produces(rawJson), handle(inputAsJson)),
  inherited: pipe(books, get(), query({ title: string }), produces(rawJson), handle(inputAsJson)),
  empty: pipe(path('/empty'), get(), query({}), produces(rawJson), handle(inputAsJson)),
  every: pipe(
    path('/every/{id}', variables),
    post(),
    every,
    produces(rawJson),
    handle(inputAsJson),
  ),
  everyAgain: pipe(
    path('/again/{id}', variables),
    post(),
    every,
    produces(rawJson),
    handle(inputAsJson),
  ),
})

const allValues = {
  query: { page: 2, size: 10, tag: [1, 2] },
  header: { xClient: 'test' },
  cookie: { session: 's' },
  matrix: { shelf: 'a' },
}
const defaultValues = {
  query: { page: 1, tag: [] },
  header: { xClient: 'test' },
  cookie: {},
  matrix: {},
}

valueContract('parameter containers', api, (test, call) => {
  table(
    test,
    [
      ['a container of query parameters', '/paged?page=2', { query: { page: 2 } }],
      [
        'nested containers of several kinds',
        '/nested;shelf=a?page=2&size=10&tag=1&tag=2',
        allValues,
      ],
      ['a container of a resource', '/books?page=3&title=a', { query: { page: 3, title: 'a' } }],
      ['an empty container', '/empty?page=2', {}],
      ['missing optional parameters, defaults and lists', '/nested', defaultValues],
    ] as const,
    async (name, target, input) => {
      const headers = {
        'x-client': 'test',
        ...(target.includes('shelf') ? { cookie: 'session=s' } : {}),
      }
      assert.equal(await responseTo(call, `GET ${target}`, { headers }), [200, input], name)
    },
  )

  for (const target of ['every', 'again'])
    test(`a container of all kinds of parameters: ${target}`, async () => {
      const init = {
        headers: { 'x-h': '4', cookie: 'c=5' },
        body: new URLSearchParams([
          ['f', '6'],
          ['f', '7'],
        ]),
      }
      assert.equal(await responseTo(call, `POST /${target}/1;m=2?q=3`, init), [
        200,
        {
          path: { id: 1 },
          matrix: { m: 2 },
          query: { q: 3 },
          header: { xH: 4 },
          cookie: { c: 5 },
          form: { f: [6, 7] },
        },
      ])
    })

  test('a missing required parameter returns 400', async () => {
    const response = await sendRequest(call, 'GET /nested')
    assert.is(response.status, 400)
    assert.equal(await validationErrorsOf(response), [
      ['header', 'x-client', 'is required and must be a string'],
    ])
  })

  test('all invalid parameters of a container are reported', async () => {
    const response = await sendRequest(call, 'GET /nested?page=x&size=y&tag=z')
    assert.equal(
      (await validationErrorsOf(response)).map(([place, name]) => `${place} ${name}`),
      ['query page', 'query size', 'query tag', 'header x-client'],
    )
  })
})
