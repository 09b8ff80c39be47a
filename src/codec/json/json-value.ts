/** Codecs for arbitrary JSON values. */
import * as t from 'io-ts'
import type { JsonNumber } from '../json-number.ts'
import { isJsonNumber } from '../json-number.ts'
import { isPlainObject } from '../../http/platform-value.ts'

/** Any JSON value. Parsing JSON returns {@link JsonNumber} values only if `lossless` is used. */
export type JsonValue = null | boolean | number | string | JsonNumber | JsonStructure

export type JsonStructure = JsonObject | JsonArray

export interface JsonObject {
  readonly [name: string]: JsonValue
}

export type JsonArray = ReadonlyArray<JsonValue>

/** A codec for JSON values. Values are decoded and encoded unchanged. */
export class JsonType<A extends JsonValue> extends t.Type<A> {
  readonly _tag = 'JsonType' as const
  constructor(name: string, is: t.Is<A>) {
    super(
      name,
      is,
      (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
      t.identity,
    )
  }
}

/** Whether a value is a JSON value. The depth of the recursion is bounded, because the parser limits the nesting depth. */
const isValue = (value: unknown): value is JsonValue => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || isArray(value) || isObject(value) || isJsonNumber(value)
    default:
      return false
  }
}

const isArray = (value: unknown): value is JsonArray =>
  t.UnknownArray.is(value) && value.every(isValue)

/** Whether a value is a JSON object. Class instances are excluded, because they can define their own JSON form. */
const isObject = (value: unknown): value is JsonObject =>
  isPlainObject(value) && Object.values(value).every(isValue)

/**
 * A codec for any JSON value. With `lossless`, numbers keep all their digits.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, json, path, post, produces, routes } from 'espalier'
 * import { jsonValue, lossless } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const echo = pipe(
 *   path('/echo'),
 *   post(),
 *   lossless,
 *   body(json(jsonValue)),
 *   produces(json(jsonValue)),
 *   handle((input) => input.body),
 * )
 * const sent = new Request('http://localhost/echo', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json' },
 *   body: '{"total": 12.50, "id": 9007199254740993}',
 * })
 * const response = await inMemory(routes({ echo }))(sent)
 *
 * assert.equal(await response.text(), '{"total":12.50,"id":9007199254740993}')
 * ```
 */
export const jsonValue: JsonType<JsonValue> = new JsonType('JSON value', isValue)

/** A codec for any JSON object. */
export const jsonObject: JsonType<JsonObject> = new JsonType('JSON object', isObject)

/** A codec for any JSON array. */
export const jsonArray: JsonType<JsonArray> = new JsonType('JSON array', isArray)

/** A codec for any JSON object or array. */
export const jsonStructure: JsonType<JsonStructure> = new JsonType(
  'JSON object or array',
  (value): value is JsonStructure => isArray(value) || isObject(value),
)
