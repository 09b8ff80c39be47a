/** How many parameters a request may have, and how large a field of a form may be. */
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
} from '../../src/index.ts'
import { ask, faultsOf, says } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const many = { a: list(string) }
const read = pipe(path('/read'), produces(text))

const api = routes({
  query: pipe(read, get('/query'), query(many), handle(says('read'))),
  map: pipe(read, get('/map'), queryMap, handle(says('read'))),
  matrix: pipe(read, get('/matrix'), matrix(many), handle(says('read'))),
  cookie: pipe(read, get('/cookie'), cookie(many), handle(says('read'))),
  none: pipe(read, get('/none'), handle(says('read'))),
  form: pipe(path('/form'), post(), form(many), produces(text), handle(says('read'))),
  fields: pipe(path('/fields'), post(), body(formMap), produces(text), handle(says('read'))),
})

const repeated = (count: number, pair: string, separator: string): string =>
  Array.from({ length: count }, () => pair).join(separator)
const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `n${index}=1`).join('; ')

const urlEncoded = (content: string): RequestInit => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: content,
})

contract(
  'numbers of parameters',
  api,
  (test, call) => {
    table(
      test,
      [
        ['as many as are allowed in a query', `GET /read/query?${repeated(3, 'a=1', '&')}`],
        ['of a query as a map', `GET /read/map?${repeated(3, 'a=1', '&')}`],
        ['of matrix parameters', `GET /read/matrix;${repeated(3, 'a=1', ';')}`],
        ['of what nobody reads any number', `GET /read/none?${repeated(9, 'a=1', '&')}`],
      ] as const,
      async (_, line) => assert.is((await ask(call, line)).status, 200),
    )

    const excess = 'must have at most 3 parameters (fw.http.limits.max-parameters)'
    table(
      test,
      [
        ['more in a query', 'query', `GET /read/query?${repeated(4, 'a=1', '&')}`],
        ['declared or not', 'query', `GET /read/query?${repeated(4, 'b', '&')}`],
        ['more for a map', 'query', `GET /read/map?${repeated(4, 'a=1', '&')}`],
        ['more matrix parameters', 'matrix', `GET /read/matrix;${repeated(4, 'a=1', ';')}`],
      ] as const,
      async (_, place, line) => {
        const response = await ask(call, line)
        assert.is(response.status, 400)
        assert.equal(await faultsOf(response), [[place, undefined, excess]])
      },
    )

    test('more cookies', async () => {
      const response = await ask(call, 'GET /read/cookie', { headers: { cookie: names(4) } })
      assert.is(response.status, 400)
      assert.equal(await faultsOf(response), [['cookie', undefined, excess]])
    })

    table(
      test,
      [
        ['as many fields as are allowed', '/form', 3, 200],
        ['of a form as a map', '/fields', 3, 200],
        ['more fields', '/form', 4, 413],
        ['more for a map', '/fields', 4, 413],
      ] as const,
      async (_, target, count, status) => {
        const response = await ask(call, `POST ${target}`, urlEncoded(repeated(count, 'a=1', '&')))
        const content = await response.text()
        assert.is(response.status, status)
        if (status === 413) assert.match(content, 'fw.http.limits.max-parameters')
      },
    )
  },
  { 'fw.http.limits.max-parameters': 3 },
)

contract(
  'sizes of fields',
  api,
  (test, call) => {
    table(
      test,
      [
        ['as large as is allowed', '/form', 'a=12345678', 200],
        ['larger', '/form', 'a=123456789', 413],
        ['an escape is an octet', '/form', `a=${'%41'.repeat(8)}`, 200],
        ['each of them', '/form', `a=${'%41'.repeat(9)}`, 413],
        ['a letter may be several', '/form', 'a=ääää', 200],
        ['and too many', '/form', 'a=äääää', 413],
        ['each field by itself', '/form', 'a=12345678&a=12345678', 200],
        ['also one that is not declared', '/form', 'b=123456789', 413],
        ['of a form as a map', '/fields', 'a=123456789', 413],
      ] as const,
      async (_, target, content, status) =>
        assert.is((await ask(call, `POST ${target}`, urlEncoded(content))).status, status),
    )

    test('the refusal names the field and the setting', async () => {
      const response = await ask(call, 'POST /form', urlEncoded('a=1&b%26=123456789'))
      const { title, detail } = (await response.json()) as Readonly<Record<string, unknown>>
      assert.is(title, 'Content Too Large')
      assert.is(
        detail,
        'The form field "b&" has more than 8 bytes (fw.http.limits.max-form-attribute-size).',
      )
    })
  },
  { 'fw.http.limits.max-form-attribute-size': 8 },
)
