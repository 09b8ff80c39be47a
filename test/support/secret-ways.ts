/** Every way that a value can take to the wire, as operations that answer it. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AnyRepresentation } from '../../src/endpoint/representation.ts'
import { hal } from '../../src/hal.ts'
import type { Filter } from '../../src/index.ts'
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
import { shapeOf } from '../../src/compiler/links/entity.ts'
import { customSerialization, lossless, omitEmpty } from '../../src/json.ts'
import type { Shape } from './secrets.ts'
import { ambiguous, shapes } from './secrets.ts'

type Path = `/${string}`

/** An operation; what it answers is of the representation. */
const answering = (at: Path, by: AnyRepresentation, answer: () => unknown) =>
  pipe(path(at), get(), produces(by), handle(answer as () => never))

class Refused extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('refused')
    this.value = value
  }
}

/** An operation that fails with a value, which is mapped to a 409; it declares a 410 itself. */
const mapped = ({ codec, value }: Shape, at: Path) =>
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
    withMapper(mapError(Refused, { fails: { 409: json(codec) } }, (one) => reply(409, one.value))),
  )

async function* later(...values: ReadonlyArray<unknown>) {
  for (const value of values) yield value
}

const twice = (value: unknown) => () => later(value, event('named', value))

/** Another value that is the same. */
const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...value]
  if (value instanceof Set) return new Set(value)
  const isPlain = Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? { ...(value as object) } : value
}

const restated = (status: number) => responseFilter((answer) => ({ ...answer, status }))
const replaced = (status: number) =>
  responseFilter((answer) => ({ ...answer, status, entity: copied(answer.entity) }))

const behind = (filter: Filter<unknown, unknown, never>, one: ReturnType<typeof answering>) =>
  pipe(routes({ one }), withFilter(filter))

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

/** Objects and collections of objects. */
const inHal = 'hal'

type Way = (shape: Shape, at: Path) => unknown

export const ways: Readonly<Record<string, Way>> = {
  json: ({ codec, value }, at) => answering(at, json(codec), () => value),
  reply: ({ codec, value }, at) => answering(at, json(codec), () => ok(value)),
  promise: ({ codec, value }, at) => answering(at, json(codec), async () => value),
  taskEither: ({ codec, value }, at) => answering(at, json(codec), () => TE.right(value)),
  'another media type': ({ codec, value }, at) =>
    answering(at, as('application/vnd.x+json')(json(codec)), () => value),
  tagged: ({ codec, value }, at) => answering(at, withEtag('strong')(json(codec)), () => value),
  jsonStream: ({ codec, value }, at) => answering(at, jsonStream(codec), () => later(value, value)),
  ndjson: ({ codec, value }, at) => answering(at, ndjson(codec), () => later(value, value)),
  sse: ({ codec, value }, at) => answering(at, sse(codec), twice(value)),
  'events by a representation': ({ codec, value }, at) =>
    answering(at, sse(json(codec)), twice(value)),
  broadcast: (shape, at) => answering(at, sse(shape.codec), kept(shape)),
  'broadcast, by a representation': (shape, at) =>
    answering(at, sse(json(shape.codec)), kept(shape)),
  'broadcast, lossless': (shape, at) => lossless(answering(at, sse(shape.codec), kept(shape))),
  multipart: ({ codec, value }, at) =>
    answering(at, multipartOutput({ one: json(codec) }), () => ({ one: value })),
  'a part that was given': ({ codec, value }, at) =>
    answering(at, multipartOutput, () => [formDataPart('one', value, json(codec))]),
  entity: ({ codec, value }, at) => answering(at, entity(codec), () => value),
  writer: ({ codec, value }, at) =>
    pipe(routes({ one: answering(at, entity(codec), () => value) }), withWriter(anything)),
  interceptor: ({ codec, value }, at) =>
    pipe(
      routes({ one: answering(at, json(codec), () => value) }),
      withInterceptor(writerInterceptor((_, proceed) => proceed())),
    ),
  fails: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      fails(409, json(codec)),
      handle(() => E.left(value)),
    ),
  mapped,
  'answered by a filter': ({ codec, value }, at) =>
    pipe(
      routes({ one: answering(at, text, () => '') }),
      withFilter(requestFilter({ fails: { 409: json(codec) } }, () => reply(409, value))),
    ),
  'another status': ({ codec, value }, at) =>
    behind(
      restated(299),
      answering(at, json(codec), () => value),
    ),
  'another status and entity': ({ codec, value }, at) =>
    behind(
      replaced(299),
      answering(at, json(codec), () => value),
    ),
  'mapped, with another status and entity': (shape, at) =>
    pipe(mapped(shape, at), withFilter(replaced(499))),
  'mapped, with a status of the operation': (shape, at) =>
    pipe(mapped(shape, at), withFilter(restated(410))),
  'in the place of an error': ({ codec, value }, at) =>
    behind(
      responseFilter((answer) => ({ ...answer, status: 200, entity: value })),
      answering(at, json(codec), () => {
        throw new NotFound()
      }),
    ),
  lossless: ({ codec, value }, at) => lossless(answering(at, json(codec), () => value)),
  'lossless lines': ({ codec, value }, at) =>
    lossless(answering(at, ndjson(codec), () => later(value, value))),
  'lossless events': ({ codec, value }, at) => lossless(answering(at, sse(codec), twice(value))),
  'a function': ({ codec, value }, at) => pretty(answering(at, json(codec), () => value)),
  'a function for a stream': ({ codec, value }, at) =>
    pretty(
      answering(at, jsonStream(codec), () => multi(later(value, value), { encodeAsArray: false })),
    ),
  'a function for events': ({ codec, value }, at) =>
    answering(at, sse(pretty(json(codec))), twice(value)),
  'a function that omits': ({ codec, value }, at) =>
    customSerialization(omitEmpty)(answering(at, json(codec), () => value)),
  [inHal]: ({ codec, value }, at) => answering(at, hal(codec), () => value),
}

/** The shapes that a way can be asked for. */
export const shapesOf = (way: string): ReadonlyArray<Shape> =>
  [...shapes, ...ambiguous].filter(({ codec }) => way !== inHal || shapeOf(codec) !== undefined)
