/** The order in which a request is refused: each request of the walk is right up to one step and wrong from there on. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, int, json, path, post, produces, query, routes } from '../../src/index.ts'
import { base, contract } from '../support/contract.ts'

const Item = t.type({ name: t.string })

const api = routes({
  create: pipe(
    path('/items/{id}', { id: int }),
    post(),
    query({ page: int }),
    body(json(Item)),
    produces(json(Item)),
    handle(({ body: item }) => item),
  ),
})

const right = {
  path: '/items/1',
  method: 'POST',
  type: 'application/json',
  accept: 'application/json',
  query: '?page=1',
  content: '{"name":"a"}',
}
const wrong = {
  path: '/nothing',
  method: 'PUT',
  type: 'text/plain',
  accept: 'image/png',
  query: '?page=x',
  content: '{}',
}

contract('the order of refusals', api, (test, call) => {
  const steps = ['path', 'method', 'type', 'accept', 'query', 'content'] as const
  const statuses = [404, 405, 415, 406, 400, 400, 200]
  statuses.forEach((status, passed) => {
    const sent = Object.fromEntries(
      steps.map((step, index) => [step, index < passed ? right[step] : wrong[step]]),
    ) as typeof right
    test(`${status} when everything is right before ${steps[passed] ?? 'the end'}`, async () => {
      const response = await call(
        new Request(`${base}${sent.path}${sent.query}`, {
          method: sent.method,
          headers: { 'content-type': sent.type, accept: sent.accept },
          body: sent.content,
        }),
      )
      assert.is(response.status, status)
    })
  })

  test('404 for a path variable comes with what is wrong in the query', async () => {
    const response = await call(
      new Request(`${base}/items/x?page=y`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }),
    )
    assert.is(response.status, 404)
    const { errors } = (await response.json()) as {
      errors: ReadonlyArray<{ in: string; name: string }>
    }
    assert.equal(
      errors.map((error) => [error.in, error.name]),
      [
        ['path', 'id'],
        ['query', 'page'],
      ],
    )
  })
})
