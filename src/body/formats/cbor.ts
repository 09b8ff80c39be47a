/**
 * Provides the combinator `cbor` (RFC 8949), and enforces limits on received CBOR bodies.
 *
 * The data model is the same as for JSON: maps have string keys, and tags are rejected. In addition, byte strings are read and
 * written as `Uint8Array`.
 */
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import type { DecodeOptions } from 'cborg'
import { Tokenizer, Type, decode, encode } from 'cborg'
import * as E from 'fp-ts/lib/Either.js'
import type { AnyCodec, RejectedForCodec } from '../../codec/codec.ts'
import type { DataBounds, FromCodec } from '../../endpoint/representation.ts'
import { makeFromCodec, toCodec } from '../../endpoint/representation.ts'

/**
 * Represents a body as `application/cbor`. The codec validates received values and encodes sent values.
 *
 * Members that the codec does not declare are removed when a body is read or written. If the setting
 * `fw.rest.jsonlib.fail-on-unknown-properties` is `true`, requests with such members are rejected with status 400.
 *
 * A request body results in status 400 if it is malformed, contains a repeated key or a tag, or is rejected by the codec. The
 * limits for JSON also apply to CBOR: `fw.http.limits.max-json-depth` and `fw.http.limits.max-json-keys`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { decode } from 'cborg'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, path, produces, routes } from 'espalier'
 * import { cbor } from 'espalier/cbor'
 * import { inMemory } from 'espalier/testing'
 *
 * const getBook = pipe(
 *   path('/book'),
 *   get(),
 *   produces(cbor(t.type({ title: t.string, pages: t.number }))),
 *   handle(() => ({ title: 'Emma', pages: 474 })),
 * )
 * const response = await inMemory(routes({ getBook }))('http://localhost/book')
 *
 * assert.deepEqual(decode(new Uint8Array(await response.arrayBuffer())), { title: 'Emma', pages: 474 })
 * ```
 */
export const cbor: FromCodec<'application/cbor'> = (
  codec: AnyCodec | AnySchema | RejectedForCodec,
) =>
  makeFromCodec('application/cbor', {
    _tag: 'Data',
    codec: toCodec(codec),
    isTextual: false,
    parse,
    serialize: (value) => encode(value, { ignoreUndefinedProperties: true }),
  })

const options: DecodeOptions = { rejectDuplicateMapKeys: true, allowUndefined: false }

const parse = (bytes: Uint8Array, bounds: DataBounds): E.Either<string, unknown> => {
  try {
    return E.right(decode(bytes, { ...options, tokenizer: new BoundedTokenizer(bytes, bounds) }))
  } catch (error) {
    return E.left(error instanceof LimitError ? error.message : 'malformed CBOR')
  }
}

class LimitError extends Error {}

/** A tokenizer that enforces the limits. Arrays and maps that exceed a limit are rejected before memory is allocated for them. */
class BoundedTokenizer extends Tokenizer {
  readonly #bounds: DataBounds
  /** The number of items that are still expected in each open array or map. `Infinity` if the length is indefinite. */
  readonly #open: number[] = []
  /** For each open map, the number of keys and values that have been read. For each open array, `undefined`. */
  readonly #items: (number | undefined)[] = []

  constructor(bytes: Uint8Array, bounds: DataBounds) {
    super(bytes, options)
    this.#bounds = bounds
  }

  override next(): ReturnType<Tokenizer['next']> {
    const token = super.next()
    if (Type.equals(token.type, Type.break)) this.#close()
    else {
      this.#count()
      if (Type.equals(token.type, Type.array)) this.#enter(token.value, undefined)
      else if (Type.equals(token.type, Type.map)) this.#enter(token.value * 2, 0)
    }
    while (this.#open.at(-1) === 0) this.#close()
    return token
  }

  #enter(length: number, items: number | undefined): void {
    if (this.#open.length >= this.#bounds.depth)
      throw new LimitError(`nested more than ${this.#bounds.depth} levels deep`)
    this.#open.push(length)
    this.#items.push(items)
  }

  #close(): void {
    this.#open.pop()
    this.#items.pop()
  }

  /**
   * Records that an item of the innermost open array or map has been read. Throws a `LimitError` if the map has too many members.
   */
  #count(): void {
    const top = this.#open.length - 1
    if (top < 0) return
    const read = this.#items[top]
    if (read !== undefined) {
      if (read >= 2 * this.#bounds.keys)
        throw new LimitError(`an object with more than ${this.#bounds.keys} members`)
      this.#items[top] = read + 1
    }
    this.#open[top] = (this.#open[top] ?? 0) - 1
  }
}
