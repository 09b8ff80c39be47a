/** Responses with status 415, and the order in which a request is rejected. */
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
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Item = t.type({ name: t.string })
const items = pipe(path('/items'), produces(text))

const done = (): string => 'done'

const api = routes({
  post: pipe(items, post(), body(json(Item), text), handle(done)),
  patch: pipe(items, patch(), body(json(Item)), handle(done)),
  put: pipe(items, put(), body(json(Item)), handle(done)),
})

const type = 'application/json'

valueContract('unsupported content types', api, (test, call) => {
  table(
    test,
    [
      ['POST: Accept and Accept-Post', 'POST', [type, 'text/plain'], 'accept-post'],
      ['PATCH: Accept and Accept-Patch', 'PATCH', [type], 'accept-patch'],
      ['PUT: Accept', 'PUT', [type], 'accept'],
    ] as const,
    async (_, method, types, header) => {
      const response = await sendRequest(call, `${method} /items`, {
        headers: { 'content-type': 'image/png' },
        body: 'a',
      })
      const headers = ['accept', 'accept-post', 'accept-patch'].map((name) => [
        name,
        response.headers.get(name),
      ])
      assert.is(response.status, 415)
      assert.equal(
        headers.filter(([, value]) => value !== null),
        [...new Set(['accept', header])].map((name) => [name, types.join(', ')]),
      )
      const { title, supported } = (await response.json()) as Readonly<Record<string, unknown>>
      assert.equal([title, supported], ['Unsupported Media Type', types])
    },
  )

  table(
    test,
    [
      ['an unknown path comes first', 'DELETE /missing', 'image/png', 'image/png', 404],
      ['an unsupported method comes second', 'DELETE /items', 'image/png', 'image/png', 405],
      ['Content-Type comes third', 'PUT /items', 'image/png', 'image/png', 415],
      ['Accept comes fourth', 'PUT /items', type, 'image/png', 406],
      ['the body comes last', 'PUT /items', type, 'text/plain', 400],
    ] as const,
    async (_, line, contentType, accept, expected) => {
      const response = await sendRequest(call, line, {
        headers: { 'content-type': contentType, accept },
        body: '{}',
      })
      assert.is(response.status, expected)
    },
  )
})
