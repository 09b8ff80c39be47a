/** Provides the combinator `jsonSeq`, for JSON text sequences (RFC 7464). */
import type { AnyCodec, RejectedForCodec } from '../../codec/codec.ts'
import type { JsonFraming } from '../../codec/json/json-elements.ts'
import { isSpace, splitAt } from '../../codec/json/json-elements.ts'
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import type { StreamFromCodec } from '../../endpoint/representation.ts'
import { makeFromCodec, toCodec } from '../../endpoint/representation.ts'

/**
 * Creates an `application/json-seq` representation, which streams JSON values. A record separator precedes each value, and a line
 * feed follows it. A receiver therefore detects truncated values, which it cannot in `ndjson`.
 *
 * The codec validates each element of a request body and encodes each element of a response. A malformed or invalid element of a
 * request body results in an error with status 400 while the handler reads the stream.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, path, post, produces, routes } from 'espalier'
 * import { jsonSeq } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* doubled(numbers: AsyncIterable<number>) {
 *   for await (const number of numbers) yield 2 * number
 * }
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(jsonSeq(int)),
 *   produces(jsonSeq(int)),
 *   handle((input) => doubled(input.body)),
 * )
 * const response = await inMemory(routes({ double }))('http://localhost/double', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json-seq' },
 *   body: '\x1e1\n\x1e2\n',
 * })
 *
 * assert.equal(await response.text(), '\x1e2\n\x1e4\n')
 * ```
 *
 * @see https://www.rfc-editor.org/rfc/rfc7464
 */
export const jsonSeq: StreamFromCodec<'application/json-seq'> = (
  codec: AnyCodec | AnySchema | RejectedForCodec,
) =>
  makeFromCodec('application/json-seq', {
    _tag: 'JsonStream',
    codec: toCodec(codec),
    framing: sequence,
  })

const recordSeparator = 0x1e

const splitRecords = splitAt(recordSeparator)

const sequence: JsonFraming = {
  isArray: false,
  prefix: '\x1e',
  suffix: '\n',
  split: (maxBytes, toError) => {
    const { take, end } = splitRecords(maxBytes, toError)
    let isStarted = false
    const malformed = (detail: string): Error => toError({ _tag: 'Malformed', detail })
    const complete = (element: Uint8Array): Uint8Array => {
      if (isComplete(element)) return element
      throw malformed('truncated element')
    }
    return {
      *take(bytes) {
        if (!isStarted && bytes.length > 0) {
          if (bytes[0] !== recordSeparator) throw malformed('expected a record separator')
          isStarted = true
        }
        for (const element of take(bytes)) yield complete(element)
      },
      *end() {
        for (const element of end()) yield complete(element)
      },
    }
  },
}

/**
 * Whether an element is complete. A truncated number or literal can be valid JSON, so whitespace must follow it (RFC 7464, 2.4). The JSON
 * parser rejects all other truncated values.
 */
const isComplete = (element: Uint8Array): boolean =>
  isSpace(element.at(-1)) || closingBytes.has(element.at(-1) ?? 0)

/** The last bytes of strings, objects and arrays. */
const closingBytes: ReadonlySet<number> = new Set(Array.from('"}]', (text) => text.charCodeAt(0)))
