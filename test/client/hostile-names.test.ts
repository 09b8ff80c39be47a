/** Names that plain objects inherit, in responses of a service: as headers, as members of problem documents and as error tags. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import { fails, get, json, path, problem, produces, routes } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

const names = Object.getOwnPropertyNames(Object.prototype)

const api = routes({
  get: pipe(
    path('/a'),
    get(),
    produces(json(t.record(t.string, t.string))),
    fails(404, problem),
    fails(409, json(t.type({ _tag: t.literal('Taken') }))),
  ),
})

const callWith = (response: () => Response) =>
  client(api, { baseUrl: 'http://localhost', fetch: async () => response() }).get({})()

const respond =
  (code: number, body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, {
      status: code,
      headers: new Headers([
        ['Content-Type', code === 404 ? 'application/problem+json' : 'application/json'],
        ...Object.entries(headers),
      ]),
    })

describe('names in responses that plain objects inherit', (test) => {
  for (const name of names) {
    test(`${name} as a header`, async () => {
      const sent = Object.fromEntries([[name, 'a']])
      const result = await callWith(respond(200, '{}', sent))
      assert.ok(E.isRight(result))
      assert.is(result.right.headers.get(name), 'a')
      const without = await callWith(respond(200, '{}'))
      assert.ok(E.isRight(without))
      assert.is(without.right.headers.get(name), null)
    })
    test(`${name} as a member`, async () => {
      const result = await callWith(respond(200, `{"${name}":"a"}`))
      if (name === '__proto__') return assert.ok(E.isLeft(result))
      assert.ok(E.isRight(result))
      assert.equal(Object.entries(result.right.body), [[name, 'a']])
    })
    test(`${name} as a member of a problem document`, async () => {
      const declared = await callWith(respond(404, `{"title":"a","${name}":"b"}`))
      assert.ok(E.isLeft(declared))
      const undeclared = await callWith(respond(500, `{"title":"a","${name}":"b"}`))
      assert.ok(E.isLeft(undeclared))
      assert.is(Object.getPrototypeOf(undeclared.left), Object.prototype)
    })
    test(`${name} as an error tag`, async () => {
      const result = await callWith(respond(409, `{"_tag":"${name}"}`))
      assert.ok(E.isLeft(result))
      assert.ok('_tag' in result.left && result.left._tag !== name)
    })
  }
})
