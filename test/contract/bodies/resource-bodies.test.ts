/** Request bodies that a resource declares, and that its operations inherit, replace or remove. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  del,
  form,
  handle,
  int,
  json,
  patch,
  path,
  post,
  produces,
  put,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { clientContract, right } from '../../support/clients.ts'
import { table } from '../../support/describe.ts'
import { responseTo } from '../../support/send-request.ts'

const Book = t.type({ title: t.string, pages: int })
const Changes = t.partial({ title: t.string, pages: int })
const books = pipe(path('/books'), body(json(Book)), produces(text))

const api = routes({
  inherits: pipe(
    books,
    post(),
    handle((input) => `${input.body.title} ${input.body.pages}`),
  ),
  replaces: pipe(
    books,
    patch(),
    body(json(Changes)),
    handle((input) => Object.keys(input.body).join()),
  ),
  removes: pipe(
    books,
    del(),
    body(),
    handle((input) => JSON.stringify(input)),
  ),
  hasForm: pipe(
    books,
    put(),
    body(),
    form({ title: string }),
    handle((input) => input.form.title),
  ),
})

contract('bodies of a resource', api, (test, call) => {
  const send = (method: string, content: string, type = 'application/json') =>
    responseTo(call, `${method} /books`, { headers: { 'Content-Type': type }, body: content })
  const type = 'application/x-www-form-urlencoded'

  table<readonly [name: string, response: () => Promise<unknown>, expected: unknown]>(
    test,
    [
      ['inherited', () => send('POST', '{"title":"Emma","pages":474}'), [200, 'Emma 474']],
      ['replaced', () => send('PATCH', '{"pages":474}'), [200, 'pages']],
      ['replaced by a form', () => send('PUT', 'title=Emma', type), [200, 'Emma']],
      ['removed', () => responseTo(call, 'DELETE /books'), [200, {}]],
    ],
    async (_, response, expected) => assert.equal(await response(), expected),
  )

  test('an inherited body is required', async () =>
    assert.is((await send('POST', '{"pages":474}'))[0], 400))
  test('a replaced representation results in 415', async () =>
    assert.is((await send('PUT', '{"title":"Emma","pages":474}'))[0], 415))
})

clientContract('a client of a resource with a body', api, (test, createClient) => {
  test('sends the body of each operation', async () => {
    const { inherits, replaces, removes, hasForm } = createClient()
    assert.equal(
      [
        (await right(inherits({ body: { title: 'Emma', pages: 474 } }))).body,
        (await right(replaces({ body: { pages: 474 } }))).body,
        (await right(removes())).body,
        (await right(hasForm({ form: { title: 'Emma' } }))).body,
      ],
      ['Emma 474', 'pages', '{}', 'Emma'],
    )
  })
})
