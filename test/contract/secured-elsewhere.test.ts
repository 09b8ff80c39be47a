/** Secured members off the beaten tracks: what is shared, changed or made while requests are answered. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { recorder } from '../support/recorder.ts'
import { canary, plain, trusting } from '../support/secrets.ts'

const User = t.type({ name: t.string, secret: secureField('chief')(t.string) })
const Loose = t.type({ name: t.string })
const user = { name: plain, secret: canary }

const published = async <C extends t.Mixed>(codec: C, value: t.TypeOf<C>) => {
  const news = broadcaster(codec, { replay: 10 })
  await news.publish(event('named', value, { id: 'a' }))
  await news.publish(value)
  return news
}
const users = await published(User, user)

const answering = (name: `/${string}`) =>
  pipe(
    path(name),
    get(),
    produces(json(User)),
    handle(() => user),
  )

class Lost extends Error {}

const csv = writer({ mediaType: 'text/csv', of: User, write: (one) => `${one.name},${one.secret}` })

/** What was meant for nobody and was asked for again is sent from the beginning. */
const replayed = { 'Last-Event-ID': '0' }

const tree = pipe(
  routes({
    broadcast: pipe(
      path('/broadcast'),
      get(),
      produces(sse(User)),
      handle(async function* (_, context) {
        for await (const one of users.subscribe(context)) {
          yield one
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
    alone: pipe(
      path('/parts/alone'),
      get(),
      produces(multipartOutput),
      handle(() => [
        formDataPart('a', plain, json(t.string)),
        formDataPart('b', canary, json(secureField('chief')(t.string))),
      ]),
    ),
    restated: pipe(
      routes({ it: answering('/restated') }),
      withFilter(responseFilter((one) => ({ ...one, status: 299 }))),
    ),
    restatedLarger: pipe(
      routes({ it: answering('/restated/larger') }),
      withFilter(
        responseFilter((one) => ({
          ...one,
          status: 299,
          entity: { ...(one.entity as object), more: canary },
        })),
      ),
    ),
    restatedThrough: pipe(
      routes({ it: answering('/restated/through') }),
      withFilter(responseFilter((one) => ({ ...one, status: 299 }))),
      withInterceptor(writerInterceptor((_, proceed) => proceed())),
    ),
    restatedMapped: pipe(
      routes({
        it: pipe(
          path('/restated/mapped'),
          get(),
          handle(() => {
            throw new Lost()
          }),
        ),
      }),
      withMapper(mapError(Lost, { fails: { 409: json(User) } }, () => reply(409, user))),
      withFilter(responseFilter((one) => ({ ...one, status: 499 }))),
    ),
    changed: pipe(
      routes({ it: answering('/changed') }),
      withFilter(responseFilter(withHeader('X-Seen', 'yes'))),
      withInterceptor(
        writerInterceptor(({ entity: one }, proceed) =>
          proceed({ entity: { ...(one as object) } }),
        ),
      ),
    ),
  }),
  withFilter(trusting),
)

contract('a secured member elsewhere', tree, (test, call) => {
  table(
    test,
    [
      '/broadcast',
      '/parts',
      '/parts/alone',
      '/restated',
      '/restated/larger',
      '/restated/through',
      '/restated/mapped',
      '/changed',
    ].map((target): [string] => [target]),
    async (target) => {
      for (const [who, sees] of [
        ['ann', false],
        ['ann chief', true],
        ['', false],
        ['ann chief', true],
      ] as const) {
        const identity: Record<string, string> = who === '' ? {} : { 'X-User': who }
        const response = await ask(call, `GET ${target}`, { headers: { ...identity, ...replayed } })
        const content = await response.text()
        assert.ok(content.includes(plain), `${response.status} ${content}`)
        assert.is(content.includes(canary), sees, `${who}: ${content}`)
      }
    },
  )
})

const { lines, logger } = recorder()
contract(
  'an error that nobody declared, of an operation with secured members',
  routes({
    it: pipe(
      path('/'),
      get(),
      fails(409, json(User)),
      fails(410, json(Loose)),
      handle(() => E.left({ ...user, name: 1 } as never)),
    ),
  }),
  (test, call) =>
    test('is not told to the log', async () => {
      const before = lines.length
      const response = await ask(call, 'GET /')
      assert.is(response.status, 500)
      assert.not.match(await response.text(), canary)
      assert.ok(lines.length > before)
      assert.not.ok(lines.some((one) => inspect(one, { depth: 9 }).includes(canary)))
    }),
  { logger },
)

contract(
  'a writer for a codec, where nothing is secured',
  pipe(
    routes({
      it: pipe(
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
    test('is given whole values', async () => {
      const response = await ask(call, 'GET /', { headers: { Accept: 'text/csv' } })
      assert.is(await response.text(), `${plain},${canary}`)
    }),
)

contract(
  'what is told of a content',
  pipe(
    routes({
      it: pipe(
        path('/'),
        get(),
        query({ secret: t.string }),
        produces(withEtag('strong')(json(User))),
        handle((input) => ({ name: plain, secret: input.query.secret })),
      ),
    }),
    withFilter(trusting),
  ),
  (test, call) => {
    const told = async (line: string, who?: string, tag?: string) => {
      const identity: Record<string, string> = who === undefined ? {} : { 'X-User': who }
      const condition: Record<string, string> = tag === undefined ? {} : { 'If-None-Match': tag }
      const response = await ask(call, line, { headers: { ...identity, ...condition } })
      const fields = ['etag', 'content-length'].map((name) => response.headers.get(name))
      return [response.status, ...fields] as const
    }
    test('is the same for nobody, whatever is hidden', async () => {
      for (const method of ['GET', 'HEAD'])
        assert.equal(await told(`${method} /?secret=a`), await told(`${method} /?secret=bb`))
    })
    test('and not for those who see it', async () => {
      const [a, b] = [
        await told('GET /?secret=a', 'ann chief'),
        await told('GET /?secret=bb', 'ann chief'),
      ]
      assert.is.not(a[1], b[1])
    })
    test('is not confirmed to those who see less', async () => {
      const [, whole] = await told('GET /?secret=a', 'ann chief')
      assert.is((await told('GET /?secret=a', 'ann chief', whole ?? ''))[0], 304)
      assert.is((await told('GET /?secret=a', 'ann', whole ?? ''))[0], 200)
    })
  },
)
