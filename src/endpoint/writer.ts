/** Writers: encode response bodies for all entities of a tree. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Headers } from '../http/headers.ts'
import type { MediaType } from '../http/media-type.ts'
import type { ResponseContext } from './context.ts'
import type { Awaitable, EntityProvider, EntityProviderOptions, EntityScope } from './entity.ts'
import { parseMediaTypes, toEntityScope } from './entity.ts'
import { defaultOrder } from './filter.ts'

/** A body that is being written. */
export interface Writing {
  readonly entity: unknown
  /** Media type of the response. */
  readonly mediaType: string
  /** Codec of the value; `undefined` for formats without one, such as text. */
  readonly codec: AnyCodec | undefined
  readonly status: number
  /** Other headers of the response, as alternating names and values. */
  readonly headers: Headers
  /**
   * Adds a header to this response. A `Content-Type` replaces the present one; framing headers such as
   * `Content-Length` are ignored.
   *
   * Throws a `TypeError` for an invalid name or value, and an `Error` after the head is sent.
   */
  readonly addHeader: (name: string, value: string) => void
  readonly context: ResponseContext
}

/** A writer, created by {@link writer}. */
export interface Writer extends EntityProvider {
  readonly _tag: 'Writer'
  readonly mediaTypes: ReadonlyArray<MediaType>
  readonly scope: EntityScope
  readonly run: (value: unknown, writing: Writing) => unknown
}

/**
 * Creates a writer: encodes bodies as one or more media types for operations that declare `entity(codec)`. Apply it to
 * a tree with `withWriter`.
 *
 * With a codec as `of`, `write` receives values of that codec. Otherwise it receives what the codec of the entity
 * encodes, without undeclared members. It returns bytes, or a string, which is sent in UTF-8, and may add headers.
 *
 * `Accept` negotiates the media types of writers before the built-in ones. If several writers match, the rules of
 * {@link reader} select one. An error that `write` throws results in 500, unless it is an `HttpError`. Throws a
 * `TypeError` for an invalid media type, and for one with a weight (`qs`), which belongs to `as`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { entity, get, handle, path, produces, routes, withWriter, writer } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Point = t.type({ x: t.number, y: t.number })
 * const csv = writer({
 *   mediaType: 'text/csv',
 *   of: Point,
 *   write: ({ x, y }, { addHeader }) => {
 *     addHeader('Content-Disposition', 'attachment')
 *     return `${x},${y}\r\n`
 *   },
 * })
 * const origin = pipe(
 *   path('/origin'),
 *   get(),
 *   produces(entity(Point)),
 *   handle(() => ({ x: 0, y: 0 })),
 * )
 * const send = inMemory(pipe(routes({ origin }), withWriter(csv)))
 * const request = (accept: string) =>
 *   send('http://localhost/origin', { headers: { Accept: accept } })
 *
 * assert.equal(await (await request('text/csv')).text(), '0,0\r\n')
 * assert.equal((await request('text/csv')).headers.get('Content-Disposition'), 'attachment')
 * assert.equal(await (await request('application/json')).text(), '{"x":0,"y":0}')
 * ```
 */
export function writer<C extends AnyCodec>(
  own: Pick<EntityProviderOptions, 'mediaType'> & {
    readonly of: C
    readonly write: (value: C['_A'], writing: Writing) => Awaitable<string | Uint8Array>
  },
): Writer
export function writer(
  own: EntityProviderOptions & {
    readonly write: (value: unknown, writing: Writing) => Awaitable<string | Uint8Array>
  },
): Writer
export function writer(own: {
  readonly mediaType: EntityProviderOptions['mediaType']
  readonly of?: EntityProviderOptions['of'] | AnyCodec
  readonly write: (value: never, writing: Writing) => unknown
}): Writer {
  return Object.freeze({
    _tag: 'Writer',
    ...defaultOrder,
    runtime: undefined,
    mediaTypes: parseMediaTypes(own.mediaType),
    scope: toEntityScope(own.of),
    // the scope excludes entities with other codecs
    run: own.write as Writer['run'],
  })
}
