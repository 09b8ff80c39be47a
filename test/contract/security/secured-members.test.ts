/** `secureField` in shared events, dynamic parts, changed responses, log lines, custom writers and ETags. */
import { inspect } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  broadcaster,
  event,
  fails,
  formDataPart,
  get,
  handle,
  json,
  list,
  mapError,
  multipartOutput,
  path,
  produces,
  query,
  reply,
  responseFilter,
  routes,
  secureField,
  secureSerialization,
  sse,
  withEtag,
  withFilter,
  withHeader,
  withInterceptor,
  withMapper,
  withWriter,
  writer,
  writerInterceptor,
  entity,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { createRecorder } from '../../support/recorder.ts'
import { canary, plain, headerAuthentication } from '../../support/secrets.ts'

const User = t.type({ name: t.string, secret: secureField('chief')(t.string) })
const Loose = t.type({ name: t.string })
const user = { name: plain, secret: canary }

const publishTwice = async <C extends t.Mixed>(codec: C, value: t.TypeOf<C>) => {
  const news = broadcaster(codec, { replay: 10 })
  await news.publish(event('named', value, { id: 'a' }))
  await news.publish(value)
  return news
}
const users = await publishTwice(User, user)

const userOperation = (name: `/${string}`) =>
  pipe(
    path(name),
    get(),
    produces(json(User)),
    handle(() => user),
  )

class MappedError extends Error {}

const csv = writer({
  mediaType: 'text/csv',
  of: User,
  write: ({ name, secret }) => `${name},${secret}`,
})

/** An id that is not kept, so that all kept events are sent. */
const replayed = { 'Last-Event-ID': '0' }

const tree = pipe(
  routes({
    broadcast: pipe(
      path('/broadcast'),
      get(),
      produces(sse(User)),
      handle(async function* (_, context) {
        for await (const update of users.subscribe(context)) {
          yield update
          return
        }
      }),
    ),
    parts: pipe(
      path('/parts'),
      get(),
      produces(multipartOutput),
      handle(() => [
        formDataPart('a', user, json(User)),
        formDataPart('b', [user], json(list(User))),
      ]),
    ),
    scalarPart: pipe(
      path('/parts/scalar'),
      get(),
      produces(multipartOutput),
      handle(() => [
        formDataPart('a', plain, json(t.string)),
        formDataPart('b', canary, json(secureField('chief')(t.string))),
      ]),
    ),
    changedStatus: pipe(
      routes({ operation: userOperation('/changed/status') }),
      withFilter(responseFilter((response) => ({ ...response, status: 299 }))),
    ),
    changedEntity: pipe(
      routes({ operation: userOperation('/changed/entity') }),
      withFilter(
        responseFilter((response) => ({
          ...response,
          status: 299,
          entity: { ...(response.entity as object), undeclared: canary },
        })),
      ),
    ),
    changedWithInterceptor: pipe(
      routes({ operation: userOperation('/changed/interceptor') }),
      withFilter(responseFilter((response) => ({ ...response, status: 299 }))),
      withInterceptor(writerInterceptor((_, proceed) => proceed())),
    ),
    changedMapped: pipe(
      routes({
        operation: pipe(
          path('/changed/mapped'),
          get(),
          handle(() => {
            throw new MappedError()
          }),
        ),
      }),
      withMapper(mapError(MappedError, { fails: { 409: json(User) } }, () => reply(409, user))),
      withFilter(responseFilter((response) => ({ ...response, status: 499 }))),
    ),
    intercepted: pipe(
      routes({ operation: userOperation('/intercepted') }),
      withFilter(responseFilter(withHeader('X-Filtered', 'yes'))),
      withInterceptor(
        writerInterceptor(({ entity: value }, proceed) =>
          proceed({ entity: { ...(value as object) } }),
        ),
      ),
    ),
  }),
  withFilter(headerAuthentication),
)

valueContract('secureField in uncommon responses', tree, (test, call) => {
  table(
    test,
    [
      ['a broadcast event', '/broadcast'],
      ['parts with an object and a list', '/parts'],
      ['a part with a secured string', '/parts/scalar'],
      ['a status changed by a response filter', '/changed/status'],
      ['a status and an entity changed by a response filter', '/changed/entity'],
      ['a changed status with an interceptor', '/changed/interceptor'],
      ['a changed status of a mapped error', '/changed/mapped'],
      ['an entity changed by an interceptor', '/intercepted'],
    ] as const,
    async (_, target) => {
      for (const [caller, isVisible] of [
        ['ann', false],
        ['ann chief', true],
        ['', false],
        ['ann chief', true],
      ] as const) {
        const identity: Record<string, string> = caller === '' ? {} : { 'X-User': caller }
        const response = await sendRequest(call, `GET ${target}`, {
          headers: { ...identity, ...replayed },
        })
        const responseBody = await response.text()
        assert.ok(responseBody.includes(plain), `${response.status} ${responseBody}`)
        assert.is(responseBody.includes(canary), isVisible, `${caller}: ${responseBody}`)
      }
    },
  )
})

const { lines, logger } = createRecorder()
valueContract(
  'an undeclared Left with a secured member',
  routes({
    operation: pipe(
      path('/'),
      get(),
      fails(409, json(User)),
      fails(410, json(Loose)),
      handle(() => E.left({ ...user, name: 1 } as never)),
    ),
  }),
  (test, call) =>
    test('is not written to the log', async () => {
      const before = lines.length
      const response = await sendRequest(call, 'GET /')
      assert.is(response.status, 500)
      assert.not.match(await response.text(), canary)
      assert.ok(lines.length > before)
      assert.not.ok(lines.some((line) => inspect(line, { depth: 9 }).includes(canary)))
    }),
  { logger },
)

valueContract(
  'a custom writer with secureSerialization(false)',
  pipe(
    routes({
      operation: pipe(
        path('/'),
        get(),
        produces(entity(User)),
        handle(() => user),
      ),
    }),
    withWriter(csv),
    secureSerialization(false),
  ),
  (test, call) =>
    test('receives all members', async () => {
      const response = await sendRequest(call, 'GET /', { headers: { Accept: 'text/csv' } })
      assert.is(await response.text(), `${plain},${canary}`)
    }),
)

valueContract(
  'ETag and Content-Length of a body with a secured member',
  pipe(
    routes({
      operation: pipe(
        path('/'),
        get(),
        query({ secret: t.string }),
        produces(withEtag('strong')(json(User))),
        handle((input) => ({ name: plain, secret: input.query.secret })),
      ),
    }),
    withFilter(headerAuthentication),
  ),
  (test, call) => {
    const validatorsOf = async (line: string, caller?: string, etag?: string) => {
      const identity: Record<string, string> = caller === undefined ? {} : { 'X-User': caller }
      const condition: Record<string, string> = etag === undefined ? {} : { 'If-None-Match': etag }
      const response = await sendRequest(call, line, { headers: { ...identity, ...condition } })
      const values = ['etag', 'content-length'].map((name) => response.headers.get(name))
      return [response.status, ...values] as const
    }
    test('do not depend on hidden values for an anonymous caller', async () => {
      for (const method of ['GET', 'HEAD'])
        assert.equal(
          await validatorsOf(`${method} /?secret=a`),
          await validatorsOf(`${method} /?secret=bb`),
        )
    })
    test('depend on the value for a permitted caller', async () => {
      const [a, b] = [
        await validatorsOf('GET /?secret=a', 'ann chief'),
        await validatorsOf('GET /?secret=bb', 'ann chief'),
      ]
      assert.is.not(a[1], b[1])
    })
    test('the ETag of the full body does not match for a caller without the role', async () => {
      const [, whole] = await validatorsOf('GET /?secret=a', 'ann chief')
      assert.is((await validatorsOf('GET /?secret=a', 'ann chief', whole ?? ''))[0], 304)
      assert.is((await validatorsOf('GET /?secret=a', 'ann', whole ?? ''))[0], 200)
    })
  },
)
