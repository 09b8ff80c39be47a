/** Limits of parameters: `fw.http.limits.max-parameters` and `fw.http.limits.max-form-attribute-size`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  cookie,
  form,
  formMap,
  get,
  handle,
  list,
  matrix,
  path,
  post,
  produces,
  query,
  queryMap,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { sendRequest, validationErrorsOf, returns } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const many = { a: list(string) }
const read = pipe(path('/read'), produces(text))

const api = routes({
  query: pipe(read, get('/query'), query(many), handle(returns('read'))),
  map: pipe(read, get('/map'), queryMap, handle(returns('read'))),
  matrix: pipe(read, get('/matrix'), matrix(many), handle(returns('read'))),
  cookie: pipe(read, get('/cookie'), cookie(many), handle(returns('read'))),
  none: pipe(read, get('/none'), handle(returns('read'))),
  form: pipe(path('/form'), post(), form(many), produces(text), handle(returns('read'))),
  formMap: pipe(path('/form-map'), post(), body(formMap), produces(text), handle(returns('read'))),
})

const repeated = (count: number, pair: string, separator: string): string =>
  Array.from({ length: count }, () => pair).join(separator)
const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `n${index}=1`).join('; ')

const urlEncoded = (requestBody: string): RequestInit => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: requestBody,
})

contract(
  'fw.http.limits.max-parameters',
  api,
  (test, call) => {
    table(
      test,
      [
        ['the maximum number of query parameters', `GET /read/query?${repeated(3, 'a=1', '&')}`],
        [
          'the maximum number of parameters in a query map',
          `GET /read/map?${repeated(3, 'a=1', '&')}`,
        ],
        ['the maximum number of matrix parameters', `GET /read/matrix;${repeated(3, 'a=1', ';')}`],
        ['any number of unread query parameters', `GET /read/none?${repeated(9, 'a=1', '&')}`],
      ] as const,
      async (_, line) => assert.is((await sendRequest(call, line)).status, 200),
    )

    const excess = 'must have at most 3 parameters (fw.http.limits.max-parameters)'
    table(
      test,
      [
        ['too many query parameters', 'query', `GET /read/query?${repeated(4, 'a=1', '&')}`],
        [
          'too many undeclared query parameters',
          'query',
          `GET /read/query?${repeated(4, 'b', '&')}`,
        ],
        [
          'too many parameters for a query map',
          'query',
          `GET /read/map?${repeated(4, 'a=1', '&')}`,
        ],
        ['too many matrix parameters', 'matrix', `GET /read/matrix;${repeated(4, 'a=1', ';')}`],
      ] as const,
      async (_, place, line) => {
        const response = await sendRequest(call, line)
        assert.is(response.status, 400)
        assert.equal(await validationErrorsOf(response), [[place, undefined, excess]])
      },
    )

    test('too many cookies return 400', async () => {
      const response = await sendRequest(call, 'GET /read/cookie', {
        headers: { cookie: names(4) },
      })
      assert.is(response.status, 400)
      assert.equal(await validationErrorsOf(response), [['cookie', undefined, excess]])
    })

    table(
      test,
      [
        ['the maximum number of form fields', '/form', 3, 200],
        ['the maximum number of fields in a form map', '/form-map', 3, 200],
        ['too many form fields', '/form', 4, 413],
        ['too many fields for a form map', '/form-map', 4, 413],
      ] as const,
      async (_, target, count, status) => {
        const response = await sendRequest(
          call,
          `POST ${target}`,
          urlEncoded(repeated(count, 'a=1', '&')),
        )
        const responseBody = await response.text()
        assert.is(response.status, status)
        if (status === 413) assert.match(responseBody, 'fw.http.limits.max-parameters')
      },
    )
  },
  { 'fw.http.limits.max-parameters': 3 },
)

contract(
  'fw.http.limits.max-form-attribute-size',
  api,
  (test, call) => {
    table(
      test,
      [
        ['the maximum size', '/form', 'a=12345678', 200],
        ['one byte above the maximum', '/form', 'a=123456789', 413],
        ['escapes of the maximum size', '/form', `a=${'%41'.repeat(8)}`, 200],
        ['escapes above the maximum', '/form', `a=${'%41'.repeat(9)}`, 413],
        ['multi-byte characters of the maximum size', '/form', 'a=ääää', 200],
        ['multi-byte characters above the maximum', '/form', 'a=äääää', 413],
        ['two fields of the maximum size', '/form', 'a=12345678&a=12345678', 200],
        ['an undeclared field above the maximum', '/form', 'b=123456789', 413],
        ['a field of a form map above the maximum', '/form-map', 'a=123456789', 413],
      ] as const,
      async (_, target, requestBody, status) =>
        assert.is(
          (await sendRequest(call, `POST ${target}`, urlEncoded(requestBody))).status,
          status,
        ),
    )

    test('the problem document names the field and the setting', async () => {
      const response = await sendRequest(call, 'POST /form', urlEncoded('a=1&b%26=123456789'))
      const { title, detail } = (await response.json()) as Readonly<Record<string, unknown>>
      assert.is(title, 'Content Too Large')
      assert.is(
        detail,
        'The form field "b&" is larger than 8 bytes (fw.http.limits.max-form-attribute-size).',
      )
    })
  },
  { 'fw.http.limits.max-form-attribute-size': 8 },
)
