/** Operations that return a value, one factory for each kind of response. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { AnyRepresentation } from '../../../src/endpoint/representation.ts'
import { hal } from '../../../src/hal.ts'
import type { Filter } from '../../../src/index.ts'
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
} from '../../../src/index.ts'
import { shapeOf } from '../../../src/compiler/links/entity.ts'
import { customSerialization, lossless, omitEmpty } from '../../../src/json.ts'
import type { Shape } from '../../support/secrets.ts'
import { ambiguous, shapes } from '../../support/secrets.ts'

type Path = `/${string}`

/** An operation whose handler returns values of the representation. */
const operation = (at: Path, representation: AnyRepresentation, run: () => unknown) =>
  pipe(path(at), get(), produces(representation), handle(run as () => never))

class MappedError extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('mapped error')
    this.value = value
  }
}

/** An operation that throws an error, which is mapped to a 409. The operation itself declares a 410. */
const mapped = ({ codec, value }: Shape, at: Path) =>
  pipe(
    routes({
      operation: pipe(
        path(at),
        get(),
        fails(410, text),
        handle(() => {
          throw new MappedError(value)
        }),
      ),
    }),
    withMapper(
      mapError(MappedError, { fails: { 409: json(codec) } }, (error) => reply(409, error.value)),
    ),
  )

async function* streamOf(...values: ReadonlyArray<unknown>) {
  for (const value of values) yield value
}

const twice = (value: unknown) => () => streamOf(value, event('named', value))

/** Returns a shallow copy. Instances of classes are returned unchanged. */
const shallowCopy = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...value]
  if (value instanceof Set) return new Set(value)
  const isPlain = Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? { ...(value as object) } : value
}

const withStatus = (status: number) => responseFilter((response) => ({ ...response, status }))
const withStatusAndCopy = (status: number) =>
  responseFilter((response) => ({ ...response, status, entity: shallowCopy(response.entity) }))

const filtered = (filter: Filter<unknown, unknown, never>, inner: ReturnType<typeof operation>) =>
  pipe(routes({ operation: inner }), withFilter(filter))

/** The context of a client that reconnects with an event id that is not kept. */
const reconnectContext = {
  request: { headerValues: () => ['0'] },
  application: { stopping: new AbortController().signal },
}

/** The events that a broadcaster keeps, which are shared by all subscribers. */
const keptEvents = ({ codec, value }: Shape) => {
  const news = broadcaster(codec, { replay: 2 })
  const published = Promise.all([news.publish(value), news.publish(event('named', value))])
  return async function* () {
    await published
    let remaining = 2
    for await (const update of news.subscribe(reconnectContext)) {
      yield update
      if (--remaining === 0) return
    }
  }
}

const pretty = customSerialization(() => (encoded) => JSON.stringify(encoded, null, 2))

/** Writes any value as JSON. */
const anyWriter = writer({
  mediaType: 'application/x-any',
  write: (value) => JSON.stringify(value, (_, member: unknown) => member),
})

/** The kind that supports only objects and collections of objects. */
const halKind = 'hal'

type OperationFactory = (shape: Shape, at: Path) => unknown

export const operationFactories: Readonly<Record<string, OperationFactory>> = {
  json: ({ codec, value }, at) => operation(at, json(codec), () => value),
  reply: ({ codec, value }, at) => operation(at, json(codec), () => ok(value)),
  promise: ({ codec, value }, at) => operation(at, json(codec), async () => value),
  taskEither: ({ codec, value }, at) => operation(at, json(codec), () => TE.right(value)),
  'another media type': ({ codec, value }, at) =>
    operation(at, as('application/vnd.x+json')(json(codec)), () => value),
  etag: ({ codec, value }, at) => operation(at, withEtag('strong')(json(codec)), () => value),
  jsonStream: ({ codec, value }, at) =>
    operation(at, jsonStream(codec), () => streamOf(value, value)),
  ndjson: ({ codec, value }, at) => operation(at, ndjson(codec), () => streamOf(value, value)),
  sse: ({ codec, value }, at) => operation(at, sse(codec), twice(value)),
  'events of JSON': ({ codec, value }, at) => operation(at, sse(json(codec)), twice(value)),
  broadcast: (shape, at) => operation(at, sse(shape.codec), keptEvents(shape)),
  'broadcast of JSON': (shape, at) => operation(at, sse(json(shape.codec)), keptEvents(shape)),
  'lossless broadcast': (shape, at) => lossless(operation(at, sse(shape.codec), keptEvents(shape))),
  multipart: ({ codec, value }, at) =>
    operation(at, multipartOutput({ one: json(codec) }), () => ({ one: value })),
  'dynamic part': ({ codec, value }, at) =>
    operation(at, multipartOutput, () => [formDataPart('one', value, json(codec))]),
  entity: ({ codec, value }, at) => operation(at, entity(codec), () => value),
  writer: ({ codec, value }, at) =>
    pipe(routes({ operation: operation(at, entity(codec), () => value) }), withWriter(anyWriter)),
  interceptor: ({ codec, value }, at) =>
    pipe(
      routes({ operation: operation(at, json(codec), () => value) }),
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
  'response of a filter': ({ codec, value }, at) =>
    pipe(
      routes({ operation: operation(at, text, () => '') }),
      withFilter(requestFilter({ fails: { 409: json(codec) } }, () => reply(409, value))),
    ),
  'another status': ({ codec, value }, at) =>
    filtered(
      withStatus(299),
      operation(at, json(codec), () => value),
    ),
  'another status and entity': ({ codec, value }, at) =>
    filtered(
      withStatusAndCopy(299),
      operation(at, json(codec), () => value),
    ),
  'mapped error with another status and entity': (shape, at) =>
    pipe(mapped(shape, at), withFilter(withStatusAndCopy(499))),
  'mapped error with a status of the operation': (shape, at) =>
    pipe(mapped(shape, at), withFilter(withStatus(410))),
  'replacement of an error': ({ codec, value }, at) =>
    filtered(
      responseFilter((response) => ({ ...response, status: 200, entity: value })),
      operation(at, json(codec), () => {
        throw new NotFound()
      }),
    ),
  lossless: ({ codec, value }, at) => lossless(operation(at, json(codec), () => value)),
  'lossless NDJSON': ({ codec, value }, at) =>
    lossless(operation(at, ndjson(codec), () => streamOf(value, value))),
  'lossless events': ({ codec, value }, at) => lossless(operation(at, sse(codec), twice(value))),
  'custom serializer': ({ codec, value }, at) => pretty(operation(at, json(codec), () => value)),
  'custom serializer of a stream': ({ codec, value }, at) =>
    pretty(
      operation(at, jsonStream(codec), () =>
        multi(streamOf(value, value), { encodeAsArray: false }),
      ),
    ),
  'custom serializer of events': ({ codec, value }, at) =>
    operation(at, sse(pretty(json(codec))), twice(value)),
  'custom serializer that omits members': ({ codec, value }, at) =>
    customSerialization(omitEmpty)(operation(at, json(codec), () => value)),
  [halKind]: ({ codec, value }, at) => operation(at, hal(codec), () => value),
}

/** The shapes that a kind of response supports. */
export const shapesOf = (kind: string): ReadonlyArray<Shape> =>
  [...shapes, ...ambiguous].filter(({ codec }) => kind !== halKind || shapeOf(codec) !== undefined)
