/** What a client is told whose content nobody takes, and in which order its request is looked at. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  handle,
  json,
  patch,
  path,
  post,
  produces,
  put,
  routes,
  text,
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Item = t.type({ name: t.string })
const items = pipe(path('/items'), produces(text))

const done = (): string => 'done'

const api = routes({
  post: pipe(items, post(), body(json(Item), text), handle(done)),
  patch: pipe(items, patch(), body(json(Item)), handle(done)),
  put: pipe(items, put(), body(json(Item)), handle(done)),
})

const type = 'application/json'

contract('refused content types', api, (test, call) => {
  table(
    test,
    [
      ['POST is told what it could send', 'POST', [type, 'text/plain'], 'accept-post'],
      ['PATCH is told', 'PATCH', [type], 'accept-patch'],
      ['PUT is told', 'PUT', [type], 'accept'],
    ] as const,
    async (_, method, types, field) => {
      const response = await ask(call, `${method} /items`, {
        headers: { 'content-type': 'image/png' },
        body: 'a',
      })
      const fields = ['accept', 'accept-post', 'accept-patch'].map((name) => [
        name,
        response.headers.get(name),
      ])
      assert.is(response.status, 415)
      assert.equal(
        fields.filter(([, value]) => value !== null),
        [...new Set(['accept', field])].map((name) => [name, types.join(', ')]),
      )
      const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
      assert.equal([title, supported], ['Unsupported Media Type', types])
    },
  )

  table(
    test,
    [
      ['the path is asked first', 'DELETE /missing', 'image/png', 'image/png', 404],
      ['then the method', 'DELETE /items', 'image/png', 'image/png', 405],
      ['then Content-Type', 'PUT /items', 'image/png', 'image/png', 415],
      ['then Accept', 'PUT /items', type, 'image/png', 406],
      ['then the content', 'PUT /items', type, 'text/plain', 400],
    ] as const,
    async (_, line, contentType, accept, expected) => {
      const response = await ask(call, line, {
        headers: { 'content-type': contentType, accept },
        body: '{}',
      })
      assert.is(response.status, expected)
    },
  )
})
