/** Writers: from the value of an entity to the octets of a response, for all operations of a tree. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Headers } from '../http/headers.ts'
import type { MediaType } from '../http/media-type.ts'
import type { ResponseContext } from './context.ts'
import type { Awaitable, EntityProvider, EntityProviderOptions, EntityScope } from './entity.ts'
import { parseMediaTypes, toEntityScope } from './entity.ts'
import { defaultOrder } from './filter.ts'

/** A content that is being written. */
export interface Writing {
  readonly entity: unknown
  /** What `Content-Type` will say. */
  readonly mediaType: string
  /** The codec of the value; `undefined` for a content without one, such as text. */
  readonly codec: AnyCodec | undefined
  readonly status: number
  /** The other fields of the response, names and values in turn. */
  readonly headers: Headers
  /**
   * Adds a field to this response; a `Content-Type` replaces the one there is, and fields that frame the message, such as
   * `Content-Length`, are not sent. Throws a `TypeError` for a name or value that cannot be sent, and an `Error` once the head
   * has been sent.
   */
  readonly addHeader: (name: string, value: string) => void
  readonly context: ResponseContext
}

export interface Writer extends EntityProvider {
  readonly _tag: 'Writer'
  readonly mediaTypes: ReadonlyArray<MediaType>
  readonly scope: EntityScope
  readonly run: (value: unknown, writing: Writing) => unknown
}

/**
 * Writes entities as one media type or several: the contents that are declared with `entity(codec)` in the tree it is put
 * around, with `withWriter`. With a codec as `of`, it is given values of that codec. Without one, or with the name of a codec
 * or a question to codecs, it is given what the codec of the entity encodes: what JSON would have, without members that are
 * not declared. It gives octets, or a string, which is sent in UTF-8; it may add header fields.
 *
 * Its media types are offered to `Accept` before the built-in ones. Of several writers that can write what was chosen, the
 * same one writes as of readers one would read. What it throws is a defect, answered with 500, unless it is an `HttpError`.
 * Throws a `TypeError` for a malformed media type, and for one with a weight (`qs`): it is said with `as`.
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
 * const call = inMemory(pipe(routes({ origin }), withWriter(csv)))
 * const ask = (accept: string) =>
 *   call(new Request('http://localhost/origin', { headers: { Accept: accept } }))
 *
 * assert.equal(await (await ask('text/csv')).text(), '0,0\r\n')
 * assert.equal((await ask('text/csv')).headers.get('Content-Disposition'), 'attachment')
 * assert.equal(await (await ask('application/json')).text(), '{"x":0,"y":0}')
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
    // an entity that was declared with another codec never comes here: its scope says so
    run: own.write as Writer['run'],
  })
}
