/** Standard Schemas as codecs of responses, request bodies and parameters. */
import type {
  StandardResult,
  StandardSchema,
} from '../../../src/codec/standard-schema/schema-types.ts'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  fails,
  formDataPart,
  get,
  handle,
  json,
  jsonStream,
  multipartOutput,
  ndjson,
  path,
  post,
  produces,
  query,
  reply,
  routes,
  sse,
  fromStandardSchema,
  text,
} from '../../../src/index.ts'
import { hal } from '../../../src/hal.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

interface User {
  readonly name: string
}

/** Strips undeclared members like zod, and repeats the input in messages like valibot and arktype. */
const validate = (value: unknown): StandardResult<User> =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? { value: { name: value.name } }
    : {
        issues: [
          { message: `expected a user but received ${JSON.stringify(value)}`, path: ['name'] },
        ],
      }
const schema: StandardSchema<User, User> = {
  '~standard': { version: 1, vendor: 'handmade', validate },
}
const role: StandardSchema<string, string> = {
  '~standard': {
    version: 1,
    vendor: 'handmade',
    validate: (value) =>
      value === 'admin'
        ? { value }
        : { issues: [{ message: `must be "admin" (was ${JSON.stringify(value)})` }] },
  },
}
const User = fromStandardSchema(schema)
const user: User & { readonly passwordHash: string } = { name: 'ann', passwordHash: 'hunter2' }
const broken = { passwordHash: 'hunter2' } as unknown as User

const api = routes({
  json: pipe(
    path('/json'),
    get(),
    produces(json(User)),
    handle(() => user),
  ),
  list: pipe(
    path('/list'),
    get(),
    produces(json(t.array(User))),
    handle(() => [user]),
  ),
  nested: pipe(
    path('/nested'),
    get(),
    produces(json(t.type({ user: User }))),
    handle(() => ({ user })),
  ),
  hal: pipe(
    path('/hal'),
    get(),
    produces(hal(t.type({ user: User }))),
    handle(() => ({ user })),
  ),
  ndjson: pipe(
    path('/ndjson'),
    get(),
    produces(ndjson(User)),
    handle(() => [user]),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(jsonStream(User)),
    handle(() => [user]),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(User)),
    handle(() => [user]),
  ),
  parts: pipe(
    path('/parts'),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('user', user, json(User))]),
  ),
  failure: pipe(
    path('/failure'),
    get(),
    produces(text),
    fails(409, json(User)),
    handle(() => reply(409, user)),
  ),
  broken: pipe(
    path('/broken'),
    get(),
    produces(json(User)),
    handle(() => broken),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(json(User)),
    produces(json(User)),
    handle((input) => input.body),
  ),
  role: pipe(
    path('/role'),
    get(),
    query({ role: fromStandardSchema(role) }),
    produces(text),
    handle(() => ''),
  ),
})

valueContract('Standard Schema codecs', api, (test, call) => {
  table(
    test,
    [
      ['/json'],
      ['/list'],
      ['/nested'],
      ['/hal'],
      ['/ndjson'],
      ['/stream'],
      ['/events'],
      ['/parts'],
      ['/failure'],
    ] as const,
    async (target) => {
      const sent = await (await sendRequest(call, `GET ${target}`)).text()
      assert.match(sent, /"name":"ann"/)
      assert.not.match(sent, /passwordHash|hunter2/)
    },
  )
  test('an invalid response value returns 500', async () => {
    const response = await sendRequest(call, 'GET /broken')
    assert.is(response.status, 500)
    assert.not.match(await response.text(), /hunter2/)
  })
  test('undeclared members of a request body are stripped', async () => {
    const response = await sendRequest(call, 'POST /echo', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(user),
    })
    assert.equal(await response.json(), { name: 'ann' })
  })
  table(
    test,
    [
      [
        'an invalid body',
        'POST /echo',
        '{"name":["hunter2"]}',
        { in: 'body', pointer: '#/name' },
        'is invalid',
      ],
      [
        'a missing member',
        'POST /echo',
        '{"nick":"hunter2"}',
        { in: 'body', pointer: '#/name' },
        'is required',
      ],
      [
        'an invalid parameter',
        'GET /role?role=hunter2',
        undefined,
        { in: 'query', name: 'role' },
        'is invalid',
      ],
    ] as const,
    async (_, line, content, location, detail) => {
      const response = await sendRequest(
        call,
        line,
        content === undefined
          ? {}
          : { body: content, headers: { 'Content-Type': 'application/json' } },
      )
      assert.is(response.status, 400)
      const problem = await response.text()
      assert.not.match(problem, /hunter2/)
      assert.equal((JSON.parse(problem) as { readonly errors: unknown }).errors, [
        { ...location, detail },
      ])
    },
  )
})

const compileWith = (codec: t.Mixed): (() => unknown) => {
  const list = pipe(
    path('/list'),
    get(),
    produces(json(t.array(t.type({ codec })))),
    handle(() => []),
  )
  return () => inMemory(routes({ list }))
}

describe('Standard Schema codec that keeps undeclared members', (test) => {
  const anything: StandardSchema<unknown, unknown> = {
    '~standard': { version: 1, vendor: 'handmade', validate: (value) => ({ value }) },
  }
  test('a response with the codec is a configuration error', () => {
    assert.throws(
      compileWith(fromStandardSchema(anything)),
      /FW-RESP-001[^]*the handmade schema keeps/,
    )
  })
  test('a codec with an encode function is accepted', () => {
    compileWith(fromStandardSchema(anything, (value) => value))()
  })
})
