/** Says how JSON is read and written: of a tree, a resource, an operation, or of one representation. */
import { lossless as losslessLibrary } from '../codec/json/lossless.ts'
import type { JsonLibrary } from '../codec/json/json-library.ts'
import { standard } from '../codec/json/json-library.ts'
import type { Deserialization, JsonRules, Serialization } from './internal/json-rules.ts'
import { mergeJsonRules } from './internal/json-rules.ts'
import type { AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import type { AnyRepresentation } from './representation.ts'

/** Says something of the JSON of an operation, resource, tree or representation, and leaves no trace in its type. */
export type JsonStep = <X extends AttributeTarget | AnyRepresentation>(of: X) => X

const jsonStep =
  (json: JsonRules): JsonStep =>
  <X extends AttributeTarget | AnyRepresentation>(of: X): X =>
    // what comes out is what went in, with one datum said anew that no type tells of
    (of._tag === 'Representation'
      ? Object.freeze({ ...of, json: mergeJsonRules(of.json, json) })
      : setAttributes({ json })(of)) as X

/**
 * Reads and writes JSON by a library, for all of an operation, resource or tree, or for one representation; the nearest wins, and
 * where none is said the setting `fw.rest.json-library` does. It holds for `json`, `hal`, `jsonStream`, `ndjson`, the data of events and
 * the parts of forms; the problem documents of the framework are not touched.
 *
 * A body is read under the same bounds as otherwise (`fw.http.limits.max-json-depth`, `-keys`). What `parse` throws is answered
 * with 400, unless it is an `HttpError`; what `stringify` throws, with 500.
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
 * Keeps every digit of the numbers of JSON, in and out. `bigint` and `decimal` are JSON numbers then, of any size that they have;
 * a text is read all the same. Codecs that ask for a number get the nearest double, as otherwise, and refuse one beyond 1.8e308.
 * Where anything goes (`jsonValue`, `t.unknown`, records of it), a number is a `number` if JavaScript writes it in the same
 * letters, and a `JsonNumber` if not.
 *
 * It costs time: texts whose numbers a double keeps are read by `JSON.parse` after a look at them, all others by the package
 * `lossless-json`, which also writes. That package is loaded by the first text that needs it.
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

/** Reads and writes JSON as the language does, where something around says otherwise: numbers are doubles. */
export const standardJson: JsonStep = jsonLibrary(standard)

/**
 * Writes JSON by a function of the application's own, for all of an operation, resource or tree, or for one representation; the
 * nearest wins. `f` is given the codec, may choose by it, and is called once for each codec; what it makes is given what the codec
 * encodes to, without members that are not shown, and gives the text. It holds for `json`, `hal`, `jsonStream`, `ndjson`, the JSON data of
 * events and the JSON parts of forms, also of failures and mapped errors that declare one; not for the problem documents of the
 * framework. What it throws, and what is no text, is answered with 500, and nothing of the entity is sent.
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
 * Reads JSON by a function of the application's own, for all of an operation, resource or tree, or for one representation; the
 * nearest wins. `f` is given the codec, may choose by it, and is called once for each codec; what it makes is given the text of a
 * body, or of a part of a form, and gives the value that the codec decodes. The bounds of JSON hold for the text. What it throws is
 * answered with 400, unless it is an `HttpError`; a mapper of `BadRequest` finds it as the `cause`.
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
 * Leaves members out that are `null`, at any depth; elements of arrays stay.
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
 * Leaves members out that are `null`, an empty text, an empty array or an object without members, at any depth; elements of arrays
 * stay. It looks at what would have been written: an object that has lost its members by this stays as `{}`.
 */
export const omitEmpty: Serialization = (_codec, stringify) => (encoded) =>
  stringify(omitMembers(isEmpty, encoded))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.values(value).every((member) => member === undefined))

/** Objects of a class are written as they say themselves. */
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
