/** Writers, which encode entities as response bodies for the operations in a tree. */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import type { AnyCodec } from '../codec/codec.ts'
import type { ValueOf } from './definition/slot-types.ts'
import type { Headers } from '../http/headers.ts'
import type { MediaType } from '../http/media-type.ts'
import type { ResponseContext } from './context.ts'
import type { Awaitable, EntityProvider, EntityProviderOptions, EntityScope } from './entity.ts'
import { parseMediaTypes, toEntityScope } from './entity.ts'
import { defaultOrder } from './filter.ts'

/** A response body that is being written. */
export interface Writing {
  readonly entity: unknown
  /** Media type of the response. */
  readonly mediaType: string
  /** Codec that encodes the value, or `undefined` for a format without a codec, such as text. */
  readonly codec: AnyCodec | undefined
  readonly status: number
  /** Headers that the response already has, as alternating names and values. */
  readonly headers: Headers
  /**
   * Adds a header to this response. An added `Content-Type` replaces the existing value. Framing headers such as
   * `Content-Length` are ignored.
   *
   * Throws a `TypeError` for an invalid name or value, and an `Error` if the response head has already been sent.
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
 * Creates a writer, which encodes response bodies in one or more media types for operations that declare
 * `entity(codec)`. Apply the writer to a tree with `withWriter`.
 *
 * If the `of` option is a codec, `write` receives unencoded values of that codec. Otherwise, `write` receives values
 * that the codec of the entity has already encoded. Undeclared members have been removed from these values. `write`
 * returns bytes or a string, and can add headers. Strings are sent in UTF-8.
 *
 * In content negotiation, the media types of writers take precedence over the built-in media types. If multiple
 * writers match, the same rules as for `reader` select one. An error thrown by `write` results in a 500 response, unless it is
 * an `HttpError`. Throws a `TypeError` if a media type is invalid or has a weight (`qs`). Use `as` to set weights.
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
export function writer<C extends AnyCodec | AnySchema>(
  options: Pick<EntityProviderOptions, 'mediaType'> & {
    readonly of: C
    readonly write: (value: ValueOf<C>, writing: Writing) => Awaitable<string | Uint8Array>
  },
): Writer
export function writer(
  options: EntityProviderOptions & {
    readonly write: (value: unknown, writing: Writing) => Awaitable<string | Uint8Array>
  },
): Writer
export function writer(options: {
  readonly mediaType: EntityProviderOptions['mediaType']
  readonly of?: EntityProviderOptions['of'] | AnyCodec | AnySchema
  readonly write: (value: never, writing: Writing) => unknown
}): Writer {
  return Object.freeze({
    _tag: 'Writer',
    ...defaultOrder,
    runtime: undefined,
    mediaTypes: parseMediaTypes(options.mediaType),
    scope: toEntityScope(options.of),
    // the scope excludes entities with other codecs
    run: options.write as Writer['run'],
  })
}
