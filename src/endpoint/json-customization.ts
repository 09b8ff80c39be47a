/**
 * Combinators that customize how JSON is read and written. They apply to trees, resources, operations and individual
 * representations.
 */
import type { JsonLibrary } from '../codec/json/json-library.ts'
import { platformJson } from '../codec/json/json-library.ts'
import { lossless as losslessLibrary } from '../codec/json/lossless.ts'
import type { Deserialization, JsonRules, Serialization } from './definition/json-rules.ts'
import { mergeJsonRules } from './definition/json-rules.ts'
import type { AttributeTarget } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { combinatorFactory } from './internal/combinator.ts'
import type { AnyRepresentation } from './representation.ts'
import { isRepresentation } from './representation.ts'
import { isPlainObject } from '../http/platform-value.ts'

/** A combinator that customizes how JSON is read and written. The result has the same type as the argument. */
export type JsonStep = <X extends AttributeTarget | AnyRepresentation>(of: X) => X

const jsonStep =
  (json: JsonRules): JsonStep =>
  <X extends AttributeTarget | AnyRepresentation>(of: X): X =>
    // changes only members that the type does not describe
    (isRepresentation(of)
      ? Object.freeze({ ...of, json: mergeJsonRules(of.json, json) })
      : setAttributes({ json })(of)) as X

/**
 * Sets the library that reads and writes JSON in a tree, a resource, an operation or a representation. The innermost
 * library applies. Default: the library specified by the setting `fw.rest.json-library`.
 *
 * The library is used for `json`, `hal`, `jsonStream`, `ndjson`, event data and form parts, but not for problem
 * documents created by the framework. The limits `fw.http.limits.max-json-depth` and `fw.http.limits.max-json-keys`
 * still apply. An error thrown by `parse` results in a 400 response, unless it is an `HttpError`. An error thrown by `stringify`
 * results in a 500 response.
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
export const jsonLibrary: (library: JsonLibrary) => JsonStep = combinatorFactory(
  'jsonLibrary',
  (library: JsonLibrary) => jsonStep({ library }),
)

/**
 * Reads and writes JSON numbers without loss of precision.
 *
 * The codecs `bigint` and `decimal` write JSON numbers of any size, and also accept strings. Codecs for the type
 * `number` receive the nearest double, and reject numbers beyond 1.8e308. Codecs that accept any value, such as
 * `jsonValue` or `t.unknown`, decode a number as a `number` if JavaScript writes it with the same digits. Otherwise,
 * they decode it as a `JsonNumber`.
 *
 * If JavaScript writes all numbers in a JSON text with the same digits, the text is parsed with `JSON.parse`. Any other
 * text is parsed with the package `lossless-json`. JSON is always written with this package, which is loaded on first
 * use. Lossless parsing and writing are slower than `JSON.parse` and `JSON.stringify`.
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

/**
 * Reads and writes JSON with `JSON.parse` and `JSON.stringify`. Use this combinator inside a scope that uses another
 * library.
 */
export const standardJson: JsonStep = jsonLibrary(platformJson)

/**
 * Specifies a custom function for writing JSON in a tree, a resource, an operation or a representation. If multiple
 * functions are specified, the innermost one applies.
 *
 * `f` is called once for each codec, and returns a function that writes the values of that codec. The returned function
 * receives an encoded value, from which hidden members have been removed, and returns JSON text. It is used for `json`,
 * `hal`, `jsonStream`, `ndjson`, event data and form parts. It also writes declared failures and replies from mappers,
 * but not problem documents created by the framework. If the function throws an error or does not return a string, the
 * response is 500.
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
export const customSerialization: (f: Serialization) => JsonStep = combinatorFactory(
  'customSerialization',
  (f: Serialization) => jsonStep({ serialization: f }),
)

/**
 * Specifies a custom function for reading JSON in a tree, a resource, an operation or a representation. If multiple
 * functions are specified, the innermost one applies.
 *
 * `f` is called once for each codec, and returns a function that parses JSON text for that codec. The text is a
 * request body or a form part. The codec decodes the parsed value. The limits for JSON still apply. An error thrown
 * by the function results in a 400 response, unless it is an `HttpError`. Mappers for `BadRequest` can read the error from the
 * property `cause`.
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
export const customDeserialization: (f: Deserialization) => JsonStep = combinatorFactory(
  'customDeserialization',
  (f: Deserialization) => jsonStep({ deserialization: f }),
)

/**
 * A serialization that omits `null` members of objects at any depth. Array elements are kept. Pass it to
 * {@link customSerialization}.
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
 * A serialization that omits members of objects at any depth if they are `null`, an empty string, an empty array or
 * an empty object. Array elements are kept. An object whose members are all omitted is written as `{}`. Pass the
 * serialization to {@link customSerialization}.
 */
export const omitEmpty: Serialization = (_codec, stringify) => (encoded) =>
  stringify(omitMembers(isEmpty, encoded))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.values(value).every((member) => member === undefined))

/**
 * Whether a value is a plain object: an object that is not an instance of a class and has no `toJSON` method. The
 * members of plain objects are written one by one.
 */
const isPlain = (value: unknown): value is object => isPlainObject(value) && !('toJSON' in value)

const omitMembers = (leaves: (value: unknown) => boolean, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((element: unknown) => omitMembers(leaves, element))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !leaves(member))
      .map(([key, member]) => [key, omitMembers(leaves, member)]),
  )
}
