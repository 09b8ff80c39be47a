/**
 * Entities: values whose formats are determined by the readers and writers in scope. This file contains the types
 * that `reader.ts`, `writer.ts` and `interceptor.ts` share.
 *
 * @see https://jakarta.ee/specifications/restful-ws/3.1/jakarta-restful-ws-spec-3.1.html section 4.2
 */
import type { AnySchema } from '../codec/standard-schema/schema-types.ts'
import type { AnyCodec, RejectedForCodec } from '../codec/codec.ts'
import type { FromCodec } from './representation.ts'
import { isStandardSchema } from '../codec/standard-schema/standard-schema.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../http/media-type.ts'
import type { FilterOrder } from './filter.ts'
import { makeFromCodec, toCodec } from './representation.ts'

/**
 * Creates a representation that supports the media types of all readers and writers in scope, in addition to the
 * built-in formats.
 *
 * | type of the value | built-in formats, in order of preference |
 * |---|---|
 * | `Uint8Array` | bytes |
 * | strings, numbers, booleans and literals | text, JSON |
 * | any other type | JSON, and XML if `withXml` from `espalier/xml` is applied |
 *
 * `as` restricts the representation to one media type or range. A media type that no reader or writer supports is a
 * configuration error (`FW-MEDIA-002`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { as, entity, get, handle, path, produces, routes, withWriter, writer } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string }, 'Book')
 * const html = writer({ mediaType: 'text/html', of: Book, write: ({ title }) => `<h1>${title}</h1>` })
 * const api = (book = entity(Book)) =>
 *   routes({ get: pipe(path('/'), get(), produces(book), handle(() => ({ title: 'Emma' }))) })
 * const typeOf = async (tree: ReturnType<typeof api>) =>
 *   (await inMemory(tree)('http://localhost/')).headers.get('Content-Type')
 *
 * assert.equal(await typeOf(api()), 'application/json')
 * assert.equal(await typeOf(pipe(api(), withWriter(html))), 'text/html;charset=UTF-8')
 * assert.throws(() => inMemory(api(as('text/html')(entity(Book)))), /no writer for Book as text\/html/)
 * ```
 */
export const entity: FromCodec<string> = (codec: AnyCodec | AnySchema | RejectedForCodec) =>
  makeFromCodec('*/*', { _tag: 'Entity', codec: toCodec(codec) })

/** The side of a connection on which a reader, writer or interceptor is used. */
export type Runtime = 'server' | 'client'

/** Properties shared by readers, writers and interceptors. */
export interface EntityProvider extends FilterOrder {
  /** The only side on which the reader, writer or interceptor is used. If `undefined`, it is used on both sides. */
  readonly runtime: Runtime | undefined
}

/** The entities that a reader or writer supports. */
export type EntityScope =
  /** Entities with this codec. */
  | { readonly _tag: 'Codec'; readonly codec: AnyCodec }
  /** Entities whose codec has this name. */
  | { readonly _tag: 'Name'; readonly name: string }
  | { readonly _tag: 'Guard'; readonly is: (codec: AnyCodec) => boolean }
  | { readonly _tag: 'Any' }

/** Options shared by readers and writers. */
export interface EntityProviderOptions {
  /** One or more media types or ranges, such as `text/csv` or `text/*`. */
  readonly mediaType: string | readonly [string, ...string[]]
  /** Supported entities, specified as a codec name or a predicate for codecs. Default: all entities. */
  readonly of?: string | ((codec: AnyCodec) => boolean)
}

/** A value, or a promise or `Task` that resolves to the value. */
export type Awaitable<A> = A | Promise<A> | (() => Promise<A>)

/** Converts the `of` option to an entity scope. */
export const toEntityScope = (
  of: EntityProviderOptions['of'] | AnyCodec | AnySchema,
): EntityScope => {
  if (of === undefined) return { _tag: 'Any' }
  if (typeof of === 'string') return { _tag: 'Name', name: of }
  // schemas of some libraries are functions
  return typeof of === 'function' && !isStandardSchema(of)
    ? { _tag: 'Guard', is: of }
    : { _tag: 'Codec', codec: toCodec(of) }
}

/**
 * Parses the media types of a reader or writer. Throws a `TypeError` if a media type is invalid or has a weight (`q`
 * or `qs`).
 */
export const parseMediaTypes = (
  texts: EntityProviderOptions['mediaType'],
): ReadonlyArray<MediaType.MediaType> =>
  Object.freeze(
    (typeof texts === 'string' ? [texts] : texts).map((text) => {
      const parsed = MediaType.parse(text)
      if (O.isNone(parsed)) throw new TypeError(`invalid media type: ${JSON.stringify(text)}`)
      if (parsed.value.parameters.some(([name]) => name === 'q' || name === 'qs'))
        throw new TypeError(`unsupported weight (q) in ${JSON.stringify(text)}: use as(…) instead`)
      return parsed.value
    }),
  )

/**
 * Restricts a reader, writer or interceptor to servers or to clients. By default, it is used on both.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, onlyOn, path, produces, routes, text, withInterceptor, writerInterceptor } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const marked = (name: string) =>
 *   writerInterceptor((writing, proceed) => {
 *     writing.addHeader(name, 'yes')
 *     return proceed()
 *   })
 * const hello = pipe(
 *   path('/'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const api = pipe(
 *   routes({ hello }),
 *   withInterceptor(onlyOn('server')(marked('X-Server')), onlyOn('client')(marked('X-Client'))),
 * )
 * const { headers } = await inMemory(api)('http://localhost/')
 *
 * assert.deepEqual([headers.get('X-Server'), headers.get('X-Client')], ['yes', null])
 * ```
 */
export const onlyOn =
  (runtime: Runtime) =>
  <P extends EntityProvider>(provider: P): P =>
    Object.freeze({ ...provider, runtime })
