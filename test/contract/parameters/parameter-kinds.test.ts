/** The kinds of parameters: where each is located in a request, and how its name is matched. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  cookie,
  encoded,
  form,
  formMap,
  get,
  handle,
  header,
  int,
  list,
  matrix,
  path,
  post,
  produces,
  query,
  queryMap,
  rawJson,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { responseTo, testRequests, inputAsJson } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const producesJson = produces(rawJson)
const encodedValue = { value: encoded(string) }

const api = routes({
  everything: pipe(
    path('/params/{p}', { p: int }),
    post(),
    query({ q: string }),
    header({ xMyHeader: string }),
    cookie({ c: string }),
    matrix({ m: string }),
    form({ f: string }),
    producesJson,
    handle(inputAsJson),
  ),
  headers: pipe(
    path('/headers'),
    get(),
    header({
      userAgent: list(string),
      'X-Raw': list(string),
      xA1b: list(string),
      ETag: list(string),
    }),
    producesJson,
    handle(inputAsJson),
  ),
  cookies: pipe(
    path('/cookies'),
    get(),
    cookie({ a: list(string) }),
    producesJson,
    handle(inputAsJson),
  ),
  matrix: pipe(
    path('/matrix/{x}'),
    get(),
    matrix({ a: list(string) }),
    producesJson,
    handle(inputAsJson),
  ),
  query: pipe(
    path('/query'),
    get(),
    query({ a: list(string), 'b[c]': list(string) }),
    producesJson,
    handle(inputAsJson),
  ),
  map: pipe(path('/map'), get(), queryMap, query({ a: int }), producesJson, handle(inputAsJson)),
  raw: pipe(
    path('/raw/{value}', encodedValue),
    post(),
    query(encodedValue),
    matrix(encodedValue),
    form(encodedValue),
    producesJson,
    handle(inputAsJson),
  ),
  formMap: pipe(path('/form-map'), post(), body(formMap), producesJson, handle(inputAsJson)),
  context: pipe(
    path('/context'),
    get(),
    query({ amount: string }),
    produces(text),
    handle((input, { request }) => `${input.query.amount} ${request.header('X-Currency')}`),
  ),
})

const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' }

const queryOf = (...a: ReadonlyArray<string>) => ({ query: { a, 'b[c]': [] } })

contract('kinds of parameters', api, (test, call) => {
  test('parameters of every kind are read from one request', async () =>
    assert.equal(
      await responseTo(call, 'POST /params/1;m=matrix?q=query', {
        headers: { ...urlEncoded, 'X-My-Header': 'header', cookie: 'c=cookie' },
        body: 'f=form',
      }),
      [
        200,
        {
          path: { p: 1 },
          query: { q: 'query' },
          header: { xMyHeader: 'header' },
          cookie: { c: 'cookie' },
          matrix: { m: 'matrix' },
          form: { f: 'form' },
        },
      ],
    ))

  test('a parameter is read only from its own location', async () => {
    const [status, responseBody] = await responseTo(
      call,
      'POST /params/1;q=1;c=1;f=1?p=2&m=2&c=2&f=2',
      {
        headers: { ...urlEncoded, q: '3', cookie: 'xMyHeader=4' },
        body: 'q=5&c=5&m=5',
      },
    )
    assert.is(status, 400)
    assert.equal(
      (responseBody as { readonly errors: ReadonlyArray<Record<string, string>> }).errors.map(
        (error) => `${error['in']} ${error['name']}`,
      ),
      ['query q', 'header x-my-header', 'cookie c', 'matrix m'],
    )
  })

  const noValues = { userAgent: [], 'X-Raw': [], xA1b: [], ETag: [] }
  table(
    test,
    [
      [
        'a camel-case name matches a header with hyphens',
        'User-Agent',
        { ...noValues, userAgent: ['v'] },
      ],
      ['a digit does not begin a word', 'X-A1b', { ...noValues, xA1b: ['v'] }],
      ['a name with hyphens is used verbatim', 'x-raw', { ...noValues, 'X-Raw': ['v'] }],
      ['a name with consecutive capitals is used verbatim', 'etag', { ...noValues, ETag: ['v'] }],
      ['a camel-case name does not match a header without hyphens', 'UserAgent', noValues],
    ] as const,
    async (_, name, values) =>
      assert.equal(await responseTo(call, 'GET /headers', { headers: { [name]: 'v' } }), [
        200,
        { header: values },
      ]),
  )

  table(
    test,
    [
      ['a cookie', 'a=1', ['1']],
      ['a cookie among others', 'b=2; a=1; c=3', ['1']],
      ['a cookie value with an equals sign', 'a=1=2', ['1=2']],
      ['a quoted cookie value keeps its quotation marks', 'a="1"', ['"1"']],
      ['a percent-encoded cookie value', 'a=%C3%A4', ['ä']],
      ['two cookies with the same name', 'a=1; a=2', ['1', '2']],
      ['a cookie name in another case', 'A=1', []],
    ] as const,
    async (_, field, a) =>
      assert.equal(await responseTo(call, 'GET /cookies', { headers: { cookie: field } }), [
        200,
        { cookie: { a } },
      ]),
  )

  testRequests(test, call, [
    ['two values of a query parameter', 'GET /query?a=1&b=2&a=3', queryOf('1', '3')],
    ['a query parameter without a value', 'GET /query?a', queryOf('')],
    ['a query parameter with an empty value', 'GET /query?a=', queryOf('')],
    ['a query value with an equals sign', 'GET /query?a=1=2', queryOf('1=2')],
    [
      'a percent-encoded query value with plus signs for spaces',
      'GET /query?a=1+2%2B3%26',
      queryOf('1 2+3&'),
    ],
    ['a percent-encoded query name', 'GET /query?%61=1', queryOf('1')],
    ['a query name in another case', 'GET /query?A=1', queryOf()],
    ['a query name with brackets', 'GET /query?b[c]=1', { query: { a: [], 'b[c]': ['1'] } }],
    ['a query value with a question mark', 'GET /query?a=?', queryOf('?')],
    ['empty pairs are ignored', 'GET /query?&a=1&&', queryOf('1')],
    [
      'an invalid escape in an undeclared parameter is ignored',
      'GET /query?z=%FF&a=1',
      queryOf('1'),
    ],
    ['a semicolon does not separate query parameters', 'GET /query?a=1;a=2', queryOf('1;a=2')],
    ['a matrix parameter', 'GET /matrix/x;a=1', { matrix: { a: ['1'] }, path: { x: 'x' } }],
    [
      'a matrix parameter with a plus sign',
      'GET /matrix/x;a=1+2',
      { matrix: { a: ['1+2'] }, path: { x: 'x' } },
    ],
    ['the context gives access to headers', 'GET /context?amount=5', '5 undefined'],
    [
      'queryMap contains all query parameters',
      'GET /map?a=1&b=2&b=3&c',
      { query: { a: 1 }, queryMap: { a: ['1'], b: ['2', '3'], c: [''] } },
    ],
    [
      'queryMap decodes names and values',
      'GET /map?a=1&%62=%26+',
      { query: { a: 1 }, queryMap: { a: ['1'], b: ['& '] } },
    ],
    ['queryMap with an invalid escape', 'GET /map?a=1&b=%FF', 400],
  ])

  test('encoded returns the raw values', async () =>
    assert.equal(
      await responseTo(call, 'POST /raw/%61+%2F;value=%61+%2F?value=%61+%2F', {
        headers: urlEncoded,
        body: 'value=%61+%2F',
      }),
      [
        200,
        Object.fromEntries(
          ['path', 'query', 'matrix', 'form'].map((kind) => [kind, { value: '%61+%2F' }]),
        ),
      ],
    ))

  test('formMap contains all fields of a form', async () =>
    assert.equal(
      await responseTo(call, 'POST /form-map', { headers: urlEncoded, body: 'a=1&b=2&a=%C3%A4+3' }),
      [200, { body: { a: ['1', 'ä 3'], b: ['2'] } }],
    ))
})
