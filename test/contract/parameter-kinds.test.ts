/** The six kinds of parameters: where each is found in a request, and by what name. */
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
} from '../../src/index.ts'
import { answerTo, answers, shown } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const answer = produces(rawJson)
const one = { value: encoded(string) }

const api = routes({
  everything: pipe(
    path('/params/{p}', { p: int }),
    post(),
    query({ q: string }),
    header({ xMyHeader: string }),
    cookie({ c: string }),
    matrix({ m: string }),
    form({ f: string }),
    answer,
    handle(shown),
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
    answer,
    handle(shown),
  ),
  cookies: pipe(path('/cookies'), get(), cookie({ a: list(string) }), answer, handle(shown)),
  matrix: pipe(path('/matrix/{x}'), get(), matrix({ a: list(string) }), answer, handle(shown)),
  query: pipe(
    path('/query'),
    get(),
    query({ a: list(string), 'b[c]': list(string) }),
    answer,
    handle(shown),
  ),
  map: pipe(path('/map'), get(), queryMap, query({ a: int }), answer, handle(shown)),
  raw: pipe(
    path('/raw/{value}', one),
    post(),
    query(one),
    matrix(one),
    form(one),
    answer,
    handle(shown),
  ),
  fields: pipe(path('/fields'), post(), body(formMap), answer, handle(shown)),
  context: pipe(
    path('/context'),
    get(),
    query({ amount: string }),
    produces(text),
    handle((input, { request }) => `${input.query.amount} ${request.header('X-Currency')}`),
  ),
})

const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' }

const found = (...a: ReadonlyArray<string>) => ({ query: { a, 'b[c]': [] } })

contract('kinds of parameters', api, (test, call) => {
  test('one call binds every kind', async () =>
    assert.equal(
      await answerTo(call, 'POST /params/1;m=matrix?q=query', {
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

  test('each is looked for in its own place', async () => {
    const [status, content] = await answerTo(call, 'POST /params/1;q=1;c=1;f=1?p=2&m=2&c=2&f=2', {
      headers: { ...urlEncoded, q: '3', cookie: 'xMyHeader=4' },
      body: 'q=5&c=5&m=5',
    })
    assert.is(status, 400)
    assert.equal(
      (content as { readonly errors: ReadonlyArray<Record<string, string>> }).errors.map(
        (fault) => `${fault['in']} ${fault['name']}`,
      ),
      ['query q', 'header x-my-header', 'cookie c', 'matrix m'],
    )
  })

  const none = { userAgent: [], 'X-Raw': [], xA1b: [], ETag: [] }
  table(
    test,
    [
      ['a name in camel case has hyphens', 'User-Agent', { ...none, userAgent: ['v'] }],
      ['digits belong to a word', 'X-A1b', { ...none, xA1b: ['v'] }],
      ['a name with hyphens is taken as it is', 'x-raw', { ...none, 'X-Raw': ['v'] }],
      ['and so is one with capitals in a row', 'etag', { ...none, ETag: ['v'] }],
      ['a name is not also looked for without them', 'UserAgent', none],
    ] as const,
    async (_, name, values) =>
      assert.equal(await answerTo(call, 'GET /headers', { headers: { [name]: 'v' } }), [
        200,
        { header: values },
      ]),
  )

  table(
    test,
    [
      ['a cookie', 'a=1', ['1']],
      ['among others', 'b=2; a=1; c=3', ['1']],
      ['with an equals sign in it', 'a=1=2', ['1=2']],
      ['with its quotation marks', 'a="1"', ['"1"']],
      ['percent-decoded', 'a=%C3%A4', ['ä']],
      ['twice', 'a=1; a=2', ['1', '2']],
      ['its name is case-sensitive', 'A=1', []],
    ] as const,
    async (_, field, a) =>
      assert.equal(await answerTo(call, 'GET /cookies', { headers: { cookie: field } }), [
        200,
        { cookie: { a } },
      ]),
  )

  answers(test, call, [
    ['a query', 'GET /query?a=1&b=2&a=3', found('1', '3')],
    ['without a value', 'GET /query?a', found('')],
    ['with an empty one', 'GET /query?a=', found('')],
    ['with an equals sign in it', 'GET /query?a=1=2', found('1=2')],
    ['percent-decoded, with pluses for blanks', 'GET /query?a=1+2%2B3%26', found('1 2+3&')],
    ['its name too', 'GET /query?%61=1', found('1')],
    ['its name is case-sensitive', 'GET /query?A=1', found()],
    ['brackets belong to it', 'GET /query?b[c]=1', { query: { a: [], 'b[c]': ['1'] } }],
    ['a question mark belongs to it', 'GET /query?a=?', found('?')],
    ['empty pairs do not', 'GET /query?&a=1&&', found('1')],
    ['an escape elsewhere is not decoded', 'GET /query?z=%FF&a=1', found('1')],
    ['a semicolon does not split', 'GET /query?a=1;a=2', found('1;a=2')],
    ['a matrix parameter', 'GET /matrix/x;a=1', { matrix: { a: ['1'] }, path: { x: 'x' } }],
    ['a plus there is a plus', 'GET /matrix/x;a=1+2', { matrix: { a: ['1+2'] }, path: { x: 'x' } }],
    ['the context has what only the request knows', 'GET /context?amount=5', '5 undefined'],
    [
      'all of the query as a map',
      'GET /map?a=1&b=2&b=3&c',
      { query: { a: 1 }, queryMap: { a: ['1'], b: ['2', '3'], c: [''] } },
    ],
    ['decoded', 'GET /map?a=1&%62=%26+', { query: { a: 1 }, queryMap: { a: ['1'], b: ['& '] } }],
    ['which has to be possible', 'GET /map?a=1&b=%FF', 400],
  ])

  test('as it was received', async () =>
    assert.equal(
      await answerTo(call, 'POST /raw/%61+%2F;value=%61+%2F?value=%61+%2F', {
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

  test('all fields of a form as its body', async () =>
    assert.equal(
      await answerTo(call, 'POST /fields', { headers: urlEncoded, body: 'a=1&b=2&a=%C3%A4+3' }),
      [200, { body: { a: ['1', 'ä 3'], b: ['2'] } }],
    ))
})
