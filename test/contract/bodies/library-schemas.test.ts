/** Schemas of zod, valibot, arktype and effect in bodies, without `fromStandardSchema`. */
import { type } from 'arktype'
import { Effect, Schema } from 'effect'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { z } from 'zod'
import { cbor } from '../../../src/cbor.ts'
import { promiseClient } from '../../../src/client.ts'
import type { StandardSchema } from '../../../src/index.ts'
import {
  as,
  body,
  entity,
  fails,
  get,
  handle,
  json,
  jsonStream,
  list,
  ndjson,
  path,
  post,
  problemWith,
  produces,
  reader,
  reply,
  routes,
  sse,
  text,
  withReader,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { valueContract } from '../../support/contract.ts'
import { describe, table } from '../../support/describe.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'

const secret = 'hunter2'
const zod = z.object({ name: z.string(), age: z.int().default(1) })
const valibot = v.object({ name: v.string(), age: v.optional(v.number(), 1) })
const arktype = type({ name: 'string', age: 'number = 1' })
const effect = Schema.toStandardSchemaV1(
  Schema.Struct({
    name: Schema.String,
    age: Schema.Number.pipe(Schema.withDecodingDefault(Effect.succeed(1))),
  }),
)
const user: { name: string; age: number; password: string } = {
  name: 'Ann',
  age: 2,
  password: secret,
}
const broken = { password: secret } as unknown as z.output<typeof zod>

const CsvUser = z.object({ name: z.string() })
const csv = { mediaType: 'text/csv', of: CsvUser } as const

const api = routes({
  zod: pipe(
    path('/zod'),
    post(),
    body(json(zod)),
    produces(json(zod)),
    handle((input) => ({ ...input.body, password: secret })),
  ),
  valibot: pipe(
    path('/valibot'),
    post(),
    body(json(valibot)),
    produces(json(valibot)),
    handle((input) => ({ ...input.body, password: secret })),
  ),
  arktype: pipe(
    path('/arktype'),
    post(),
    body(json(arktype)),
    produces(json(arktype)),
    handle((input) => ({ ...input.body, password: secret })),
  ),
  effect: pipe(
    path('/effect'),
    post(),
    body(json(effect)),
    produces(json(effect)),
    handle((input) => ({ ...input.body, password: secret })),
  ),
  broken: pipe(
    path('/broken'),
    get(),
    produces(json(zod)),
    handle(() => broken),
  ),
  list: pipe(
    path('/list'),
    get(),
    produces(json(list(valibot))),
    handle(() => [user]),
  ),
  cbor: pipe(
    path('/cbor'),
    get(),
    produces(cbor(zod)),
    handle(() => user),
  ),
  stream: pipe(
    path('/stream'),
    get(),
    produces(jsonStream(arktype), ndjson(zod)),
    handle(() => [user]),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(zod)),
    handle(() => [user]),
  ),
  vendor: pipe(
    path('/vendor'),
    get(),
    produces(as('application/vnd.user+json')(json(zod))),
    handle(() => user),
  ),
  failure: pipe(
    path('/failure'),
    get(),
    produces(text),
    fails(409, json(zod)),
    fails(410, problemWith(valibot)),
    handle(() => reply(409, user)),
  ),
  entity: pipe(
    routes({
      echo: pipe(
        path('/entity'),
        post(),
        body(entity(CsvUser)),
        produces(entity(CsvUser)),
        handle((input) => input.body),
      ),
    }),
    withReader(reader({ ...csv, read: (data) => ({ name: new TextDecoder().decode(data) }) })),
    withWriter(writer({ ...csv, write: ({ name }) => name })),
  ),
  scalar: pipe(
    path('/scalar'),
    post(),
    body(z.coerce.number()),
    produces(z.string().max(5)),
    handle((input) => String(2 * input.body)),
  ),
})

const asJson = (value: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

valueContract('schemas of libraries in bodies', api, (test, call) => {
  table(test, [['/zod'], ['/valibot'], ['/arktype'], ['/effect']] as const, async (target) => {
    assert.equal(
      await responseTo(call, `POST ${target}`, asJson({ name: 'Ann', password: secret })),
      [200, { name: 'Ann', age: 1 }],
    )
    const [status, problem] = await responseTo(call, `POST ${target}`, asJson({ name: [secret] }))
    assert.is(status, 400)
    assert.match(JSON.stringify(problem), '"#/name"')
    assert.not.match(JSON.stringify(problem), secret)
  })
  table(
    test,
    [['/list'], ['/cbor'], ['/stream'], ['/events'], ['/vendor'], ['/failure']] as const,
    async (target) => {
      const sent = await (await sendRequest(call, `GET ${target}`)).text()
      assert.match(sent, 'Ann')
      assert.not.match(sent, secret)
    },
  )
  test('a result that the schema rejects returns 500', async () => {
    const [status, problem] = await responseTo(call, 'GET /broken')
    assert.is(status, 500)
    assert.not.match(JSON.stringify(problem), secret)
  })
  test('readers and writers for a schema are used', async () => {
    const headers = { 'Content-Type': 'text/csv', Accept: 'text/csv' }
    assert.equal(await responseTo(call, 'POST /entity', { headers, body: 'Ann' }), [200, 'Ann'])
  })
  test('schemas of single values read and write text', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    assert.equal(await responseTo(call, 'POST /scalar', { headers, body: '21' }), [200, 42])
    assert.equal((await responseTo(call, 'POST /scalar', { headers, body: 'x' }))[0], 400)
    assert.equal((await responseTo(call, 'POST /scalar', { headers, body: '123456' }))[0], 500)
  })
})

describe('schemas of libraries and the client', (test) => {
  const Day = z.object({ day: z.iso.date().transform((day) => day.slice(0, 4)), note: z.string() })
  const days = pipe(
    path('/days/{id}', { id: z.coerce.number() }),
    post(),
    body(json(Day)),
    produces(json(z.object({ year: z.string(), id: z.number() }))),
    handle(({ path: { id }, body: { day } }) => ({ year: day, id, password: secret })),
  )
  const tree = routes({ days })
  test('a client sends inputs and receives outputs', async () => {
    let sent = ''
    const { days: send } = promiseClient(tree, {
      baseUrl: 'http://localhost',
      fetch: async (url, init) => {
        const request = new Request(url, init)
        sent = await request.clone().text()
        return inMemory(tree)(request)
      },
    })
    const input = { day: '2024-02-29', note: '', password: secret }
    const { body: received } = await send({ path: { id: 7 }, body: input })
    assert.equal(received, { year: '2024', id: 7 })
    assert.is(sent, '{"day":"2024-02-29","note":""}')
  })
})

const producing = (schema: StandardSchema<unknown, unknown>) => () => {
  const operation = pipe(
    path('/'),
    get(),
    produces(json(schema)),
    handle(() => ({})),
  )
  return inMemory(routes({ operation }))
}

describe('configuration errors of bodies with schemas', (test) => {
  table(
    test,
    [
      [
        'undeclared members are kept and there is no JSON Schema',
        v.looseObject({ name: v.string(), age: v.number() }),
        /FW-RESP-001[^]*the valibot schema keeps undeclared members/,
      ],
      [
        'an asynchronous schema without JSON Schema',
        v.objectAsync({ name: v.string() }),
        /FW-RESP-001[^]*the valibot schema has no JSON Schema/,
      ],
      [
        'outputs of another type',
        z.object({ a: z.stringbool() }),
        /FW-RESP-001[^]*the output of the zod schema is not an input/,
      ],
    ] as ReadonlyArray<[string, StandardSchema<unknown, unknown>, RegExp]>,
    (_, schema, message) => assert.throws(producing(schema), message),
  )
  test('an object schema as text is rejected', () => {
    const operation = pipe(
      path('/'),
      post(),
      // @ts-expect-error wrap the schema in json(…)
      body(z.object({ a: z.string() })),
      handle(() => undefined),
    )
    assert.throws(
      () => inMemory(routes({ operation })),
      /FW-MEDIA-003[^]*zod is not a single value/,
    )
  })
})
