/** Members that only some see, on every way to the wire: of the rules. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import {
  as,
  broadcaster,
  entity,
  event,
  fails,
  formDataPart,
  get,
  handle,
  json,
  jsonStream,
  mapError,
  multi,
  multipartOutput,
  ndjson,
  NotFound,
  ok,
  path,
  produces,
  reply,
  representation,
  requestFilter,
  responseFilter,
  routes,
  sse,
  text,
  withEtag,
  withFilter,
  withInterceptor,
  withMapper,
  withWriter,
  writer,
  writerInterceptor,
} from '../../src/index.ts'
import { hal } from '../../src/hal.ts'
import { shapeOf } from '../../src/interpreter/links/entity.ts'
import { customSerialization, lossless, omitEmpty } from '../../src/json.ts'
import type { Call } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/doors.ts'
import type { Shape } from '../support/secrets.ts'
import { ambiguous, canary, plain, shapes, trusting } from '../support/secrets.ts'

class Refused extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('refused')
    this.value = value
  }
}

async function* later(...values: ReadonlyArray<unknown>) {
  for (const value of values) yield value
}

/** Another value that is the same. */
const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...value]
  if (value instanceof Set) return new Set(value)
  const isPlain = Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? { ...(value as object) } : value
}

/** Somebody who comes back and has seen nothing that is known. */
const returning = {
  request: { headerLines: () => ['0'] },
  application: { stopping: new AbortController().signal },
}

/** The events that a broadcaster has kept: for everybody the same. */
const kept = ({ codec, value }: Shape) => {
  const news = broadcaster(codec, { replay: 2 })
  const published = Promise.all([news.publish(value), news.publish(event('named', value))])
  return async function* () {
    await published
    let rest = 2
    for await (const one of news.subscribe(returning)) {
      yield one
      if (--rest === 0) return
    }
  }
}

const pretty = customSerialization(() => (encoded) => JSON.stringify(encoded, null, 2))

/** Writes what it is given, as JSON. */
const anything = writer({
  mediaType: 'application/x-any',
  write: (value) => JSON.stringify(value, (_, one: unknown) => one),
})

/** What an application encodes itself is not seen by the engine as a whole. */
const own = 'its own representation'

/** Objects and collections of objects. */
const inHal = 'hal'

type Path = `/${string}`

/** Operations that answer a value, each on another way. */
const ways: Readonly<Record<string, (shape: Shape, at: Path) => unknown>> = {
  json: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(json(codec)),
      handle(() => value),
    ),
  reply: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(json(codec)),
      handle(() => ok(value)),
    ),
  promise: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(json(codec)),
      handle(async () => value),
    ),
  taskEither: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(json(codec)),
      handle(() => TE.right(value)),
    ),
  'another media type': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(as('application/vnd.x+json')(json(codec))),
      handle(() => value),
    ),
  tagged: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(withEtag('strong')(json(codec))),
      handle(() => value),
    ),
  jsonStream: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(jsonStream(codec)),
      handle(() => later(value, value)),
    ),
  ndjson: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(ndjson(codec)),
      handle(() => later(value, value)),
    ),
  sse: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(sse(codec)),
      handle(() => later(value, event('named', value))),
    ),
  multipart: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(multipartOutput({ one: json(codec) })),
      handle(() => ({ one: value })),
    ),
  entity: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(entity(codec)),
      handle(() => value),
    ),
  writer: ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(entity(codec)),
          handle(() => value),
        ),
      }),
      withWriter(anything),
    ),
  interceptor: ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(json(codec)),
          handle(() => value),
        ),
      }),
      withInterceptor(writerInterceptor((_, proceed) => proceed())),
    ),
  fails: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      fails(409, json(codec)),
      handle(() => E.left(value)),
    ),
  mapped: ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          handle(() => {
            throw new Refused(value)
          }),
        ),
      }),
      withMapper(
        mapError(Refused, { fails: { 409: json(codec) } }, (one) => reply(409, one.value)),
      ),
    ),
  'another status': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(json(codec)),
          handle(() => value),
        ),
      }),
      withFilter(responseFilter((answer) => ({ ...answer, status: 299 }))),
    ),
  'another status and entity': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(json(codec)),
          handle(() => value),
        ),
      }),
      withFilter(
        responseFilter((answer) => ({ ...answer, status: 299, entity: copied(answer.entity) })),
      ),
    ),
  'mapped, with another status and entity': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          fails(410, text),
          handle(() => {
            throw new Refused(value)
          }),
        ),
      }),
      withMapper(
        mapError(Refused, { fails: { 409: json(codec) } }, (one) => reply(409, one.value)),
      ),
      withFilter(
        responseFilter((answer) => ({ ...answer, status: 499, entity: copied(answer.entity) })),
      ),
    ),
  'mapped, with a status of the operation': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          fails(410, text),
          handle(() => {
            throw new Refused(value)
          }),
        ),
      }),
      withMapper(
        mapError(Refused, { fails: { 409: json(codec) } }, (one) => reply(409, one.value)),
      ),
      withFilter(responseFilter((answer) => ({ ...answer, status: 410 }))),
    ),
  'in the place of an error': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(json(codec)),
          handle(() => {
            throw new NotFound()
          }),
        ),
      }),
      withFilter(responseFilter((answer) => ({ ...answer, status: 200, entity: value }))),
    ),
  'answered by a filter': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(text),
          handle(() => ''),
        ),
      }),
      withFilter(requestFilter({ fails: { 409: json(codec) } }, () => reply(409, value))),
    ),
  lossless: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      lossless,
      produces(json(codec)),
      handle(() => value),
    ),
  'lossless lines': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      lossless,
      produces(ndjson(codec)),
      handle(() => later(value, value)),
    ),
  'lossless events': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      lossless,
      produces(sse(codec)),
      handle(() => later(value, event('named', value))),
    ),
  'a function': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      pretty,
      produces(json(codec)),
      handle(() => value),
    ),
  'a function for a stream': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      pretty,
      produces(jsonStream(codec)),
      handle(() => multi(later(value, value), { encodeAsArray: false })),
    ),
  'a function for events': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(sse(pretty(json(codec)))),
      handle(() => later(value, event('named', value))),
    ),
  'a function that omits': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      customSerialization(omitEmpty),
      produces(json(codec)),
      handle(() => value),
    ),
  'events by a representation': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(sse(json(codec))),
      handle(() => later(value, event('named', value))),
    ),
  broadcast: (shape, at) => pipe(path(at), get(), produces(sse(shape.codec)), handle(kept(shape))),
  'broadcast, by a representation': (shape, at) =>
    pipe(path(at), get(), produces(sse(json(shape.codec))), handle(kept(shape))),
  'broadcast, lossless': (shape, at) =>
    pipe(path(at), get(), lossless, produces(sse(shape.codec)), handle(kept(shape))),
  'a part that was given': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(multipartOutput),
      handle(() => [formDataPart('one', value, json(codec))]),
    ),
  [inHal]: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(hal(codec)),
      handle(() => value),
    ),
  [own]: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(
        representation({
          mediaType: 'application/x-own',
          write: (one: unknown) => JSON.stringify(codec.encode(one)),
        }),
      ),
      handle(() => value),
    ),
}

const shapesOf = (way: string): ReadonlyArray<Shape> =>
  way === own
    ? shapes
    : [...shapes, ...ambiguous].filter(({ codec }) => way !== inHal || shapeOf(codec) !== undefined)

const tree = () =>
  pipe(
    routes(
      Object.fromEntries(
        Object.entries(ways).map(([way, make], at) => [
          `way${at}`,
          routes(
            Object.fromEntries(
              shapesOf(way).map((shape, index) => [
                `shape${index}`,
                make(shape, `/${at}/${index}`),
              ]),
            ) as Record<string, never>,
          ),
        ]),
      ),
    ) as unknown as Api,
    withFilter(trusting),
  )

type Api = ReturnType<typeof single>
const single = () =>
  routes({
    one: pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => ''),
    ),
  })

const roles: ReadonlyArray<readonly [who: string, init: RequestInit, sees: boolean]> = [
  ['nobody', {}, false],
  ['somebody', { headers: { 'X-User': 'ann' } }, false],
  ['a reader', { headers: { 'X-User': 'ann reader' } }, false],
  ['a chief', { headers: { 'X-User': 'ann reader chief' } }, true],
  ['nobody, when a chief has asked', {}, false],
]

const contentOf = async (call: Call, target: string, init: RequestInit): Promise<string> => {
  const response = await ask(call, `GET ${target}`, init)
  const content = await response.text()
  assert.ok(response.status < 500, `${response.status} ${content}`)
  return content
}

contract('R-354, R-356, R-357: a secured member', tree, (test, call) => {
  for (const [at, way] of Object.keys(ways).entries())
    for (const [index, { name }] of shapesOf(way).entries())
      test(`${way}: ${name}`, async () => {
        for (const [who, init, sees] of roles) {
          const content = await contentOf(call, `/${at}/${index}`, init)
          assert.ok(content.includes(plain), `${who} sees what is open: ${content}`)
          assert.is(content.includes(canary), sees, `${who}: ${content}`)
        }
      })
})
