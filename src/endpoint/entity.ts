/** Entities: values of which the declaration says what they are, and what stands around the operation how they travel. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Representation } from './representation.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../http/media-type.ts'
import type { FilterOrder } from './filter.ts'
import { makeRepresentation, toCodec } from './representation.ts'

/**
 * A value by its codec, in every media type that a reader or writer around the operation has for it, and in the built-in ones:
 * JSON for everything but octets; text, before JSON, for strings, numbers, booleans and literals; octets for a codec of
 * `Uint8Array` alone; XML where `withXml` of `espalier/xml` asks for it. `as` narrows it to one media type or to a range; a
 * tree in which nobody reads or writes that is refused when it is compiled.
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
 *   (await inMemory(tree)(new Request('http://localhost/'))).headers.get('Content-Type')
 *
 * assert.equal(await typeOf(api()), 'application/json')
 * assert.equal(await typeOf(pipe(api(), withWriter(html))), 'text/html;charset=UTF-8')
 * assert.throws(() => inMemory(api(as('text/html')(entity(Book)))), /nothing writes Book as text\/html/)
 * ```
 */
export const entity = <C extends AnyCodec>(codec: C): Representation<C['_A']> =>
  entityRepresentation(codec)

/** Where a provider is used; on both sides unless it is said. */
export type Runtime = 'server' | 'client'

export interface EntityProvider extends FilterOrder {
  /** The only side that uses it; `undefined` for both. */
  readonly runtime: Runtime | undefined
}

/** The entities that a reader or writer is for. */
export type EntityScope =
  /** Those declared with this very codec. */
  | { readonly _tag: 'Codec'; readonly codec: AnyCodec }
  /** Those whose codec has this name. */
  | { readonly _tag: 'Name'; readonly name: string }
  | { readonly _tag: 'Guard'; readonly is: (codec: AnyCodec) => boolean }
  | { readonly _tag: 'Any' }

/** What a reader or writer says of itself, beside its function. */
export interface EntityProviderOptions {
  /** One media type or range, or several: `text/csv`, `text/*`. */
  readonly mediaType: string | readonly [string, ...string[]]
  /** The name of a codec, or a question to codecs; every entity when it is left out. */
  readonly of?: string | ((codec: AnyCodec) => boolean)
}

/** Now, as a promise or as a `Task`. */
export type Awaitable<A> = A | Promise<A> | (() => Promise<A>)

/** The scope that is meant. */
export const toEntityScope = (of: EntityProviderOptions['of'] | AnyCodec): EntityScope => {
  switch (typeof of) {
    case 'undefined':
      return { _tag: 'Any' }
    case 'string':
      return { _tag: 'Name', name: of }
    case 'function':
      return { _tag: 'Guard', is: of }
    default:
      return { _tag: 'Codec', codec: of }
  }
}

/** The media types of a provider; throws a `TypeError` for what is none, and for one with a weight. */
export const parseMediaTypes = (
  texts: EntityProviderOptions['mediaType'],
): ReadonlyArray<MediaType.MediaType> =>
  Object.freeze(
    (typeof texts === 'string' ? [texts] : texts).map((text) => {
      const parsed = MediaType.parse(text)
      if (O.isNone(parsed)) throw new TypeError(`not a media type: ${JSON.stringify(text)}`)
      if (parsed.value.parameters.some(([name]) => name === 'q' || name === 'qs'))
        throw new TypeError(`a weight is said with as(…), and not here: ${JSON.stringify(text)}`)
      return parsed.value
    }),
  )

/**
 * Restricts a reader, a writer or an interceptor to servers or to clients. A server keeps those of clients in the tree and
 * does not use them.
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
 * const { headers } = await inMemory(api)(new Request('http://localhost/'))
 *
 * assert.deepEqual([headers.get('X-Server'), headers.get('X-Client')], ['yes', null])
 * ```
 */
export const onlyOn =
  (runtime: Runtime) =>
  <P extends EntityProvider>(provider: P): P =>
    Object.freeze({ ...provider, runtime })

/** An entity, whose codec decides which readers and writers there are for it. */
export const entityRepresentation = <C extends AnyCodec>(codec: C): Representation<C['_A']> =>
  makeRepresentation('*/*', { _tag: 'Entity', codec: toCodec(codec) })
