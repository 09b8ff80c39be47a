/** Readers: from the octets of a request to the value of an entity, for all operations of a tree. */
import type { AnyCodec } from '../codec/codec.ts'
import type { MediaType } from '../http/media-type.ts'
import type { Context } from './context.ts'
import type { Awaitable, EntityProvider, EntityProviderOptions, EntityScope } from './entity.ts'
import { parseMediaTypes, toEntityScope } from './entity.ts'
import { defaultOrder } from './filter.ts'

/** A content that is being read. */
export interface Reading {
  readonly data: Uint8Array
  /** As the request states it; the one that is assumed when it states none. */
  readonly mediaType: string
  /** The codec of the value; `undefined` for a content without one, such as text. */
  readonly codec: AnyCodec | undefined
  readonly context: Context
}

export interface Reader extends EntityProvider {
  readonly _tag: 'Reader'
  readonly mediaTypes: ReadonlyArray<MediaType>
  readonly scope: EntityScope
  readonly run: (octets: Uint8Array, reading: Reading) => unknown
}

/**
 * Reads entities of one media type or several: the bodies that are declared with `entity(codec)` in the tree it is put
 * around, with `withReader`. With a codec as `of`, it gives values of that codec, which are not decoded again. Without one,
 * or with the name of a codec or a question to codecs, it gives what JSON would have given, and the codec of the entity
 * decodes that.
 *
 * What it throws refuses the request with 400; an `HttpError` is answered as it is. Of several readers the one of the nearest
 * tree reads; on one tree, the one for that codec before names, questions and every codec, in this order; then the one with the
 * narrower media type, with the smaller priority, and the first given. Throws a `TypeError` for a malformed media type, and for
 * one with a weight (`qs`): it is said with `as`.
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
 *   read: (octets) => {
 *     const [x, y] = new TextDecoder().decode(octets).split(' ').map(Number)
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
 * const call = inMemory(pipe(routes({ add }), withReader(pair)))
 * const send = (type: string, content: string) =>
 *   call(new Request('http://localhost/', { method: 'POST', body: new Blob([content], { type }) }))
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
    readonly read: (octets: Uint8Array, reading: Reading) => Awaitable<C['_A']>
  },
): Reader
export function reader(
  own: EntityProviderOptions & {
    readonly read: (octets: Uint8Array, reading: Reading) => unknown
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
