/** Readers: decode request bodies for all entities of a tree. */
import type { AnyCodec } from '../codec/codec.ts'
import type { MediaType } from '../http/media-type.ts'
import type { Context } from './context.ts'
import type { Awaitable, EntityProvider, EntityProviderOptions, EntityScope } from './entity.ts'
import { parseMediaTypes, toEntityScope } from './entity.ts'
import { defaultOrder } from './filter.ts'

/** A body that is being read. */
export interface Reading {
  readonly data: Uint8Array
  /** Media type of the request, or the assumed one if the request has none. */
  readonly mediaType: string
  /** Codec of the value; `undefined` for formats without one, such as text. */
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
 * Creates a reader: decodes bodies of one or more media types for operations that declare `entity(codec)`. Apply it to
 * a tree with `withReader`.
 *
 * With a codec as `of`, `read` returns a value of that codec, which is not validated again. Otherwise it returns the
 * value that JSON would have, and the codec of the entity decodes it. The body is complete and within its size limit.
 *
 * An error that `read` throws results in 400, unless it is an `HttpError`. If several readers match, these rules
 * select one, in this order:
 *
 * - the innermost tree
 * - a codec as `of`, before names and predicates, before none
 * - the more specific media type
 * - the smaller priority
 * - the first one that was applied
 *
 * Throws a `TypeError` for an invalid media type, and for one with a weight (`qs`), which belongs to `as`.
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
export function reader<C extends AnyCodec>(
  own: Pick<EntityProviderOptions, 'mediaType'> & {
    readonly of: C
    readonly read: (data: Uint8Array, reading: Reading) => Awaitable<C['_A']>
  },
): Reader
export function reader(
  own: EntityProviderOptions & {
    readonly read: (data: Uint8Array, reading: Reading) => unknown
  },
): Reader
export function reader(own: {
  readonly mediaType: EntityProviderOptions['mediaType']
  readonly of?: EntityProviderOptions['of'] | AnyCodec
  readonly read: Reader['run']
}): Reader {
  return Object.freeze({
    _tag: 'Reader',
    ...defaultOrder,
    runtime: undefined,
    mediaTypes: parseMediaTypes(own.mediaType),
    scope: toEntityScope(own.of),
    run: own.read,
  })
}
