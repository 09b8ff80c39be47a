/** Schemas of libraries that validate bodies asynchronously. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { Effect, Schema, SchemaGetter } from 'effect'
import * as v from 'valibot'
import { z } from 'zod'
import { cbor } from '../../../src/cbor.ts'
import { promiseClient } from '../../../src/client.ts'
import {
  NotFound,
  body,
  form,
  handle,
  json,
  part,
  path,
  post,
  produces,
  routes,
  text,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { valueContract } from '../../support/contract.ts'
import { describe } from '../../support/describe.ts'
import { responseTo } from '../../support/send-request.ts'

const secret = 'hunter2'
const taken = (name: string): Promise<boolean> => Promise.resolve(name.startsWith('taken'))
const FreeName = z.object({ name: z.string().refine(async (name) => !(await taken(name))) })
const FreeNames = v.arrayAsync(
  v.pipeAsync(
    v.string(),
    v.checkAsync(async (name) => !(await taken(name))),
  ),
)
const FreeEffect = Schema.toStandardSchemaV1(
  Schema.toStandardJSONSchemaV1(
    Schema.Struct({
      name: Schema.String.pipe(
        Schema.decode({
          decode: SchemaGetter.checkEffect((name: string) =>
            Effect.promise(async () => !(await taken(name))),
          ),
          encode: SchemaGetter.passthrough(),
        }),
      ),
    }),
  ),
)
const Failing = v.pipeAsync(
  v.string(),
  v.checkAsync(async (reason) => Promise.reject(new NotFound(reason))),
)

const asynchronous = pipe(
  path('/async'),
  post(),
  body(json(FreeName)),
  produces(json(FreeName)),
  handle((input) => ({ ...input.body, password: secret })),
)

const api = routes({
  asynchronous,
  asynchronousEffect: pipe(
    path('/async-effect'),
    post(),
    body(json(FreeEffect)),
    produces(json(FreeEffect)),
    handle((input) => ({ ...input.body, password: secret })),
  ),
  asynchronousList: pipe(
    path('/async-list'),
    post(),
    body(json(FreeNames), cbor(FreeNames)),
    produces(text),
    handle((input) => input.body.join(' ')),
  ),
  asynchronousPart: pipe(
    path('/async-part'),
    post(),
    form({ user: part(json(FreeName)) }),
    produces(text),
    handle((input) => input.form.user.name),
  ),
  failing: pipe(
    path('/failing'),
    post(),
    body(json(Failing)),
    produces(text),
    handle((input) => input.body),
  ),
})

const asJson = (value: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})
const sendNames = (call: InMemoryCall, names: ReadonlyArray<string>) =>
  responseTo(call, 'POST /async-list', asJson(names))
const sendUser = (call: InMemoryCall, name: string) => {
  const sent = new FormData()
  sent.set('user', JSON.stringify({ name }))
  return responseTo(call, 'POST /async-part', { body: sent })
}

valueContract('asynchronous schemas in bodies', api, (test, call) => {
  for (const line of ['POST /async', 'POST /async-effect']) {
    test(`${line}: an asynchronous schema accepts a body and strips undeclared members`, async () => {
      assert.equal(await responseTo(call, line, asJson({ name: 'ann', password: secret })), [
        200,
        { name: 'ann' },
      ])
    })
    test(`${line}: an asynchronous schema rejects a body`, async () => {
      const [status, problem] = await responseTo(call, line, asJson({ name: 'taken' }))
      assert.is(status, 400)
      assert.match(JSON.stringify(problem), '"#/name"')
    })
  }
  test('an asynchronous list reports all invalid elements', async () => {
    assert.equal(await sendNames(call, ['ann', 'bob']), [200, 'ann bob'])
    const [status, problem] = await sendNames(call, ['taken1', 'bob', 'taken2'])
    assert.is(status, 400)
    assert.match(JSON.stringify(problem), '"#/0"')
    assert.match(JSON.stringify(problem), '"#/2"')
  })
  test('an asynchronous schema decodes a body of more than 64 KB', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `a name of some length ${index}`)
    assert.ok(JSON.stringify(names).length < 64 * 1024)
    const more = [...names, ...names]
    assert.equal(await sendNames(call, more), [200, more.join(' ')])
    assert.is((await sendNames(call, [...more, 'taken']))[0], 400)
  })
  test('an asynchronous schema decodes a part of a form', async () => {
    assert.equal(await sendUser(call, 'ann'), [200, 'ann'])
    assert.is((await sendUser(call, 'taken'))[0], 400)
  })
  test('an HttpError with which the promise of a schema is rejected determines the response', async () => {
    assert.is((await responseTo(call, 'POST /failing', asJson('a')))[0], 404)
  })
})

describe('asynchronous schemas and the client', (test) => {
  test('a client validates a response asynchronously', async () => {
    const { asynchronous: send } = promiseClient(api, {
      baseUrl: 'http://localhost',
      fetch: inMemory(api),
    })
    const { body: received } = await send({ body: { name: 'ann' } })
    assert.equal(received, { name: 'ann' })
  })
})
