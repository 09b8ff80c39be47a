/** Validation errors of schemas in all kinds of parameters, in forms and bodies, and in the client. */
import { type } from 'arktype'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import * as z from 'zod'
import { client } from '../../../src/client.ts'
import {
  body,
  cookie,
  form,
  get,
  handle,
  header,
  json,
  matrix,
  path,
  post,
  produces,
  query,
  routes,
} from '../../../src/index.ts'
import { valueContract } from '../../support/contract.ts'
import { describe, table } from '../../support/describe.ts'
import { sendRequest } from '../../support/send-request.ts'

const schemas = {
  zod: z.email(),
  valibot: v.pipe(v.string(), v.email()),
  arktype: type('string.email'),
}

const details = {
  zod: 'Invalid email address',
  valibot: 'Invalid email',
  arktype: 'must be an email address',
}

const Users = {
  zod: z.object({ users: z.array(z.object({ email: z.email() })) }),
  valibot: v.object({ users: v.array(v.object({ email: schemas.valibot })) }),
  arktype: type({ users: type({ email: 'string.email' }).array() }),
}

const parameters = pipe(
  path('/parameters'),
  get(),
  query(schemas),
  header(schemas),
  cookie(schemas),
  matrix(schemas),
  handle(() => undefined),
)

const api = routes({
  parameters,
  inPath: pipe(
    path('/path/{zod}/{valibot}/{arktype}', schemas),
    get(),
    handle(() => undefined),
  ),
  form: pipe(
    path('/form'),
    post(),
    form(schemas),
    handle(() => undefined),
  ),
  zod: pipe(
    path('/zod'),
    post(),
    body(json(Users.zod)),
    handle(() => undefined),
  ),
  valibot: pipe(
    path('/valibot'),
    post(),
    body(json(Users.valibot)),
    handle(() => undefined),
  ),
  arktype: pipe(
    path('/arktype'),
    post(),
    body(json(Users.arktype)),
    handle(() => undefined),
  ),
})

const libraries = ['zod', 'valibot', 'arktype'] as const

const libraryRows = libraries.map((name): [name: typeof name] => [name])

const invalid = libraries.map((name) => `${name}=hunter2`)

const sorted = (list: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  list.map((error) => JSON.stringify(error)).toSorted()

valueContract('validation errors of schemas', api, (test, call) => {
  const errorsOf = async (
    line: string,
    options: Parameters<typeof sendRequest>[2] = {},
  ): Promise<unknown> => {
    const response = await sendRequest(call, line, options)
    const problem = await response.text()
    assert.not.match(problem, /hunter2/)
    return (JSON.parse(problem) as { readonly errors: unknown }).errors
  }

  test('the details of parameters are those of the library', async () => {
    const errors = await errorsOf(`GET /parameters;${invalid.join(';')}?${invalid.join('&')}`, {
      headers: {
        zod: 'hunter2',
        valibot: 'hunter2',
        arktype: 'hunter2',
        cookie: invalid.join('; '),
      },
    })
    const expected = ['query', 'header', 'cookie', 'matrix'].flatMap((location) =>
      libraries.map((name) => ({ in: location, name, detail: details[name] })),
    )
    assert.equal(sorted(errors as ReadonlyArray<unknown>), sorted(expected))
  })
  test('the details of path parameters are those of the library', async () =>
    assert.equal(
      await errorsOf('GET /path/hunter2/hunter2/hunter2'),
      libraries.map((name) => ({ in: 'path', name, detail: details[name] })),
    ))
  test('the details of form fields are those of the library', async () =>
    assert.equal(
      await errorsOf('POST /form', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: invalid.join('&'),
      }),
      libraries.map((name) => ({ in: 'form', name, detail: details[name] })),
    ))
  table(test, libraryRows, async (name) =>
    assert.equal(
      await errorsOf(`POST /${name}`, {
        headers: { 'Content-Type': 'application/json' },
        body: '{"users":[{"email":"a@example.com"},{"email":"hunter2"}]}',
      }),
      [{ in: 'body', pointer: '#/users/1/email', detail: details[name] }],
    ),
  )
})

describe('validation errors of schemas in a client', (test) =>
  table(test, libraryRows, async (name) => {
    const users = pipe(
      path('/users'),
      get(),
      produces(json<(typeof Users)['zod']>(Users[name] as never)),
    )
    const calls = client(routes({ users }), {
      baseUrl: 'http://localhost',
      fetch: async () => Response.json({ users: [{ email: 'hunter2' }] }),
    })
    const result = await calls.users()()
    assert.ok(E.isLeft(result) && result.left._tag === 'DecodeError')
    assert.match(result.left.message, details[name])
    assert.not.match(result.left.message, /hunter2/)
    assert.equal(result.left.errors, [
      { in: 'body', pointer: '#/users/0/email', detail: details[name] },
    ])
  }))
