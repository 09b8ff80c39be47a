/** Order in which a request is rejected: each request is valid up to one step and invalid from there on. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, int, json, path, post, produces, query, routes } from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'

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

const valid = {
  path: '/items/1',
  method: 'POST',
  type: 'application/json',
  accept: 'application/json',
  query: '?page=1',
  body: '{"name":"a"}',
}
const invalid = {
  path: '/nothing',
  method: 'PUT',
  type: 'text/plain',
  accept: 'image/png',
  query: '?page=x',
  body: '{}',
}

contract('order of rejections', api, (test, call) => {
  const steps = ['path', 'method', 'type', 'accept', 'query', 'body'] as const
  const statuses = [404, 405, 415, 406, 400, 400, 200]
  statuses.forEach((status, validSteps) => {
    const request = Object.fromEntries(
      steps.map((step, index) => [step, index < validSteps ? valid[step] : invalid[step]]),
    ) as typeof valid
    test(`${status} if the request is valid before the step: ${steps[validSteps] ?? 'none'}`, async () => {
      const response = await call(
        new Request(`${base}${request.path}${request.query}`, {
          method: request.method,
          headers: { 'content-type': request.type, accept: request.accept },
          body: request.body,
        }),
      )
      assert.is(response.status, status)
    })
  })

  test('an invalid path parameter returns 404 and also lists invalid query parameters', async () => {
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
