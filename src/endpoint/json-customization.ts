/** Customization of how JSON is read and written, for trees, resources, operations and single representations. */
import { lossless as losslessLibrary } from '../codec/json/lossless.ts'
import type { JsonLibrary } from '../codec/json/json-library.ts'
import { platformJson } from '../codec/json/json-library.ts'
import type { Deserialization, JsonRules, Serialization } from './internal/json-rules.ts'
import { mergeJsonRules } from './internal/json-rules.ts'
import type { AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { AnyRepresentation } from './representation.ts'

/** A combinator that customizes JSON and does not change the type. */
export type JsonStep = <X extends AttributeTarget | AnyRepresentation>(of: X) => X

const jsonStep =
  (json: JsonRules): JsonStep =>
  <X extends AttributeTarget | AnyRepresentation>(of: X): X =>
    // only data that no type mentions changes
    (of._tag === 'Representation'
      ? Object.freeze({ ...of, json: mergeJsonRules(of.json, json) })
      : setAttributes({ json })(of)) as X

/**
 * Reads and writes JSON with a library, for a tree, a resource, an operation or a representation. The innermost value
 * applies. Default: the setting `fw.rest.json-library`.
 *
 * It applies to `json`, `hal`, `jsonStream`, `ndjson`, event data and form parts, but not to problem documents of the
 * framework. The limits `fw.http.limits.max-json-depth` and `fw.http.limits.max-json-keys` still apply. An error that
 * `parse` throws results in 400, unless it is an `HttpError`; one that `stringify` throws results in 500.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, json, path, produces, routes, string } from 'espalier'
 * import { jsonLibrary } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const ascii = jsonLibrary({
 *   name: 'ascii',
 *   parse: JSON.parse,
 *   stringify: (value) =>
 *     JSON.stringify(value).replace(
 *       /[^\x00-\x7f]/g,
 *       (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
 *     ),
 * })
 * const name = pipe(
 *   path('/name'),
 *   get(),
 *   produces(ascii(json(string))),
 *   handle(() => 'Brontë'),
 * )
 * const response = await inMemory(routes({ name }))('http://localhost/name')
 *
 * assert.equal(await response.text(), '"Bront\\u00eb"')
 * ```
 */
export const jsonLibrary = (library: JsonLibrary): JsonStep => jsonStep({ library })

/**
 * Reads and writes JSON numbers without loss of precision.
 *
 * `bigint` and `decimal` become JSON numbers of any size; they still accept strings. Codecs of `number` get the
 * nearest double, and reject numbers beyond 1.8e308. Where a codec accepts any value (`jsonValue`, `t.unknown`,
 * records of it), a number becomes a `number` if JavaScript writes it with the same digits, otherwise a `JsonNumber`.
 *
 * Texts whose numbers fit doubles are checked and then parsed by `JSON.parse`. All others are parsed by the package
 * `lossless-json`, which also writes; it is loaded on first use. This takes more time than plain JSON.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { bigint, body, decimal, handle, json, path, post, produces, routes } from 'espalier'
 * import { lossless } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const Price = t.type({ id: bigint, amount: decimal })
 * const echo = pipe(
 *   path('/echo'),
 *   post(),
 *   body(json(Price)),
 *   produces(json(Price)),
 *   handle((input) => input.body),
 * )
 * const text = '{"id":9007199254740993,"amount":12.50}'
 * const sent = new Request('http://localhost/echo', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json' },
 *   body: text,
 * })
 *
 * assert.equal(await (await inMemory(pipe(routes({ echo }), lossless))(sent)).text(), text)
 * ```
 */
export const lossless: JsonStep = jsonLibrary(losslessLibrary)

/** Reads and writes JSON with `JSON.parse` and `JSON.stringify`, inside a scope with another library. */
export const standardJson: JsonStep = jsonLibrary(platformJson)

/**
 * Writes JSON with a custom function, for a tree, a resource, an operation or a representation. The innermost value
 * applies.
 *
 * `f` is called once per codec and returns the function that writes its values. That function receives the encoded
 * value, without hidden members, and returns JSON text. It applies to `json`, `hal`, `jsonStream`, `ndjson`, event
 * data and form parts, including declared failures and mapped errors, but not to problem documents of the framework.
 * An error, or a result that is not a string, results in 500.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, json, path, produces, routes } from 'espalier'
 * import { customSerialization } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const pretty = customSerialization(() => (encoded) => JSON.stringify(encoded, null, 2))
 * const book = pipe(
 *   path('/book'),
 *   get(),
 *   pretty,
 *   produces(json(t.type({ title: t.string }))),
 *   handle(() => ({ title: 'Emma' })),
 * )
 * const response = await inMemory(routes({ book }))('http://localhost/book')
 *
 * assert.equal(await response.text(), '{\n  "title": "Emma"\n}')
 * ```
 */
export const customSerialization = (f: Serialization): JsonStep => jsonStep({ serialization: f })

/**
 * Reads JSON with a custom function, for a tree, a resource, an operation or a representation. The innermost value
 * applies.
 *
 * `f` is called once per codec and returns the function that parses its texts: a body or a form part. The codec
 * decodes the result. The limits of JSON still apply. An error results in 400, unless it is an `HttpError`; mappers of
 * `BadRequest` find it as `cause`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, json, path, post, produces, routes, text } from 'espalier'
 * import { customDeserialization } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const commented = customDeserialization(
 *   (_codec, parse) => (sent) => parse(sent.replace(/^\s*\/\/.*$/gm, '')),
 * )
 * const count = pipe(
 *   path('/count'),
 *   post(),
 *   body(commented(json(int))),
 *   produces(text),
 *   handle((input) => String(input.body + 1)),
 * )
 * const sent = new Request('http://localhost/count', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json' },
 *   body: '// as of today\n41',
 * })
 *
 * assert.equal(await (await inMemory(routes({ count }))(sent)).text(), '42')
 * ```
 */
export const customDeserialization = (f: Deserialization): JsonStep =>
  jsonStep({ deserialization: f })

/**
 * A serialization that omits members that are `null`, at any depth. Array elements are kept.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, json, path, produces, routes } from 'espalier'
 * import { customSerialization, omitNull } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string, subtitle: t.union([t.string, t.null]) })
 * const book = pipe(
 *   path('/book'),
 *   get(),
 *   customSerialization(omitNull),
 *   produces(json(Book)),
 *   handle(() => ({ title: 'Emma', subtitle: null })),
 * )
 * const response = await inMemory(routes({ book }))('http://localhost/book')
 *
 * assert.equal(await response.text(), '{"title":"Emma"}')
 * ```
 */
export const omitNull: Serialization = (_codec, stringify) => (encoded) =>
  stringify(omitMembers((value) => value === null, encoded))

/**
 * A serialization that omits members that are `null`, an empty string, an empty array or an empty object, at any
 * depth. Array elements are kept. An object that becomes empty by this is written as `{}`.
 */
export const omitEmpty: Serialization = (_codec, stringify) => (encoded) =>
  stringify(omitMembers(isEmpty, encoded))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.values(value).every((member) => member === undefined))

/** Whether a value is an object without a class and without `toJSON`, whose members are written one by one. */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
}

const omitMembers = (leaves: (value: unknown) => boolean, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((element: unknown) => omitMembers(leaves, element))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !leaves(member))
      .map(([key, member]) => [key, omitMembers(leaves, member)]),
  )
}
