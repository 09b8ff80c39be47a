/** Readers decode bodies to entities. A server reads request bodies, and a client reads response bodies. */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import type { AnyCodec } from '../codec/codec.ts'
import type { ValueOf } from './definition/slot-types.ts'
import type { MediaType } from '../http/media-type.ts'
import type { Context } from './context.ts'
import type { Awaitable, EntityProvider, EntityProviderOptions, EntityScope } from './entity.ts'
import { parseMediaTypes, toEntityScope } from './entity.ts'
import { defaultOrder } from './filter.ts'

/** A body that is being read. */
export interface Reading {
  readonly data: Uint8Array
  /** Media type of the body, or the assumed media type if the message has no `Content-Type` header. */
  readonly mediaType: string
  /** Codec that decodes the value, or `undefined` for a format without a codec, such as text. */
  readonly codec: AnyCodec | undefined
  readonly context: Context
}

/** A reader, created by {@link reader}. */
export interface Reader extends EntityProvider {
  readonly _tag: 'Reader'
  readonly mediaTypes: ReadonlyArray<MediaType>
  readonly scope: EntityScope
  readonly run: (data: Uint8Array, reading: Reading) => unknown
}

/**
 * Creates a reader, which decodes bodies in one or more media types for operations that declare `entity(codec)`. Apply
 * the reader to a tree with `withReader`. On a server, it decodes request bodies. On a client, it decodes response
 * bodies.
 *
 * If the `of` option is a codec, `read` returns a decoded value, which is not validated again. Otherwise, `read`
 * returns a plain value such as parsed JSON, and the codec of the entity decodes it. When `read` is called, the body
 * is complete and within the size limit.
 *
 * On a server, an error thrown by `read` results in a 400 response, unless it is an `HttpError`. If multiple readers match, these
 * rules select one, in this order:
 *
 * - the reader on the innermost tree
 * - a reader whose `of` option is a codec, then one with a codec name, then one with a predicate, then one without an
 *   `of` option
 * - the reader with the more specific media type
 * - the reader with the smaller `priority`
 * - the reader that was applied last or, if the readers were applied by the same `withReader`, the reader that was
 *   passed first
 *
 * Throws a `TypeError` if a media type is invalid or has a weight (`qs`). Use `as` to set weights.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, entity, handle, path, post, produces, reader, routes, text, withReader } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Point = t.type({ x: t.number, y: t.number })
 * const pair = reader({
 *   mediaType: 'text/x-pair',
 *   read: (data) => {
 *     const [x, y] = new TextDecoder().decode(data).split(' ').map(Number)
 *     return { x, y }
 *   },
 * })
 * const add = pipe(
 *   path('/'),
 *   post(),
 *   body(entity(Point)),
 *   produces(text),
 *   handle(({ body: { x, y } }) => `${x + y}`),
 * )
 * const request = inMemory(pipe(routes({ add }), withReader(pair)))
 * const send = (type: string, content: string) =>
 *   request('http://localhost/', { method: 'POST', body: new Blob([content], { type }) })
 *
 * assert.equal(await (await send('text/x-pair', '1 2')).text(), '3')
 * assert.equal(await (await send('application/json', '{"x":1,"y":2}')).text(), '3')
 * assert.equal((await send('text/x-pair', '1')).status, 400)
 * assert.equal((await send('text/csv', '1')).status, 415)
 * ```
 */
export function reader<C extends AnyCodec | AnySchema>(
  options: Pick<EntityProviderOptions, 'mediaType'> & {
    readonly of: C
    readonly read: (data: Uint8Array, reading: Reading) => Awaitable<ValueOf<C>>
  },
): Reader
export function reader(
  options: EntityProviderOptions & {
    readonly read: (data: Uint8Array, reading: Reading) => unknown
  },
): Reader
export function reader(options: {
  readonly mediaType: EntityProviderOptions['mediaType']
  readonly of?: EntityProviderOptions['of'] | AnyCodec | AnySchema
  readonly read: Reader['run']
}): Reader {
  return Object.freeze({
    _tag: 'Reader',
    ...defaultOrder,
    runtime: undefined,
    mediaTypes: parseMediaTypes(options.mediaType),
    scope: toEntityScope(options.of),
    run: options.read,
  })
}
