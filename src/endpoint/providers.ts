/** Look-up of the readers, writers and error mappers that apply to the current operation. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AnyCodec } from '../codec/codec.ts'
import type { AnySchema, SchemaOutput } from '../codec/standard-schema/schema-types.ts'
import type { CommonContext } from './context.ts'
import type { HttpError } from './http-error.ts'
import type { ValueOf } from './definition/slot-types.ts'
import type { AnyReply } from './reply.ts'

/** An entity written as bytes. */
export interface WrittenEntity {
  /** Media type of the data, including the charset of text. */
  readonly mediaType: string
  /** The headers that the writer added, as alternating names and values. */
  readonly headers: ReadonlyArray<string>
  readonly data: Uint8Array
}

/** Functions that find the readers, writers and error mappers in scope. Interceptors do not run. */
export interface Providers {
  /**
   * Returns a function that reads an entity in the given media type, as for a request body declared with
   * `entity(codec)`. Returns `undefined` if neither a reader nor a built-in format supports the entity.
   *
   * Data that is rejected results in a `Left`: a `BadRequest` with the validation errors, or the error that the reader
   * throws.
   */
  readonly reader: FindReader
  /**
   * Returns a function that writes an entity in the given media type, as for a response declared with `entity(codec)`.
   * Members that are hidden from the caller are omitted. Returns `undefined` if neither a writer nor a built-in format
   * supports the entity.
   */
  readonly writer: <C extends AnyCodec | AnySchema>(
    codec: C,
    mediaType: string,
  ) => ((value: ValueOf<C>) => Task<WrittenEntity>) | undefined
  /**
   * Returns a task that maps an error to a reply, or `undefined` if no mapper handles the error or a cause to which
   * `unwrap` leads.
   */
  readonly mapper: (error: unknown) => Task<AnyReply> | undefined
}

/** Finds a function that reads an entity. */
export interface FindReader {
  <C extends AnyCodec>(
    codec: C,
    mediaType: string,
  ): ((data: Uint8Array) => TaskEither<HttpError, C['_A']>) | undefined
  <S extends AnySchema>(
    schema: S,
    mediaType: string,
  ): ((data: Uint8Array) => TaskEither<HttpError, SchemaOutput<S>>) | undefined
}

/** Key of the context property that contains the providers. */
export const providersKey: unique symbol = Symbol.for('espalier.providers')

/**
 * Returns the readers, writers and error mappers that apply to the current operation or, if no operation matched, to
 * the root of the tree.
 *
 * Use it to process entities that are not the body of the request or response, such as a message of a queue, and to map
 * errors of individual elements. `reader` and `writer` throw a `TypeError` if the media type is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, json, list, mapError, path, post, produces, providersOf, reply, routes, withMapper } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * class OutOfStock extends Error {}
 * const order = (book: number) => {
 *   if (book === 13) throw new OutOfStock()
 *   return 201
 * }
 * // responds with the status of each order
 * const orderAll = pipe(
 *   path('/orders'),
 *   post(),
 *   body(json(list(int))),
 *   produces(json(list(int))),
 *   handle(({ body }, context) =>
 *     Promise.all(
 *       body.map(async (book) => {
 *         try {
 *           return order(book)
 *         } catch (error) {
 *           const mapped = await providersOf(context).mapper(error)?.()
 *           return mapped?.status ?? 500
 *         }
 *       }),
 *     ),
 *   ),
 * )
 * const api = pipe(routes({ orderAll }), withMapper(mapError(OutOfStock, () => reply(409))))
 * const headers = { 'Content-Type': 'application/json' }
 * const init = { method: 'POST', headers, body: '[7,13]' }
 *
 * assert.deepEqual(await (await inMemory(api)('http://localhost/orders', init)).json(), [201, 409])
 * ```
 */
export const providersOf = (context: CommonContext): Providers =>
  hasProviders(context) ? context[providersKey] : noProviders

const hasProviders = (context: object): context is { readonly [providersKey]: Providers } =>
  providersKey in context

const noProviders: Providers = Object.freeze({
  reader: () => undefined,
  writer: () => undefined,
  mapper: () => undefined,
})
