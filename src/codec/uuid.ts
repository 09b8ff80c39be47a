/**
 * UUIDs of any version and variant, including the nil and max UUID.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-4
 */
import type * as t from 'io-ts'
import { fromString } from './from-string.ts'

const form = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const parse = (text: string): string | undefined => {
  const lower = text.toLowerCase()
  return form.test(lower) ? lower : undefined
}

/**
 * A UUID in text form. It is case-insensitive and converted to lower case, so equal UUIDs are equal strings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { uuid } from 'espalier'
 *
 * const id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
 *
 * assert.deepEqual(uuid.decode(id.toUpperCase()), E.right(id))
 * assert.ok(E.isLeft(uuid.decode(`{${id}}`)))
 * assert.ok(E.isLeft(uuid.decode(id.replaceAll('-', ''))))
 * ```
 */
export const uuid: t.Type<string, string> = fromString(
  'uuid',
  parse,
  (value) => value.toLowerCase(),
  (value): value is string => typeof value === 'string' && parse(value) !== undefined,
)
