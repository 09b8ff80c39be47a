/** JSON representations: whole values, and streams of values. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Representation, Receivable } from './representation.ts'
import { makeRepresentation, toCodec, makeReceivable } from './representation.ts'
import type { Source } from './multi.ts'

/**
 * `application/json`, validated and encoded by a codec.
 *
 * Members that the codec does not declare are removed when reading and when writing. Malformed JSON, and a value that
 * the codec rejects, result in 400.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = json(t.type({ title: t.string }))
 * const echo = pipe(
 *   path('/'),
 *   post(),
 *   body(Book),
 *   produces(Book),
 *   handle((input) => input.body),
 * )
 * const request = inMemory(routes({ echo }))
 * const send = (sent: string) =>
 *   request('http://localhost/', { method: 'POST', body: Buffer.from(sent) })
 *
 * assert.equal(await (await send('{"title":"Emma","admin":true}')).text(), '{"title":"Emma"}')
 * assert.equal((await send('{"title":1}')).status, 400)
 * ```
 */
export const json = <C extends AnyCodec>(codec: C): Representation<C['_A'], 'application/json'> =>
  makeRepresentation('application/json', { _tag: 'Json', codec: toCodec(codec) })

/**
 * `application/json` as a string that already is JSON. It is sent, and passed to the handler, without parsing or
 * validation.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, json, path, produces, rawJson, routes, string } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const sentAs = async (representation: typeof rawJson) => {
 *   const list = pipe(
 *     path('/'),
 *     get(),
 *     produces(representation),
 *     handle(() => '[1, 2]'),
 *   )
 *   return (await inMemory(routes({ list }))('http://localhost/')).text()
 * }
 *
 * assert.equal(await sentAs(rawJson), '[1, 2]')
 * assert.equal(await sentAs(json(string)), '"[1, 2]"')
 * ```
 */
export const rawJson: Representation<string, 'application/json'> = makeRepresentation(
  'application/json',
  {
    _tag: 'RawJson',
  },
)

/**
 * `application/json`, written element by element from a source; for responses only.
 *
 * The body is one array, or one value per line if {@link multi} sets `encodeAsArray: false`. Each element is encoded
 * by the codec, without undeclared members. Clients read the elements as an `AsyncIterable`.
 *
 * An error before the first byte results in an error response. A later one destroys the connection, so that a
 * truncated body never appears complete.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, jsonStream, ndjson, path, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string })
 * async function* found() {
 *   yield { title: 'Emma', shelf: 3 }
 *   yield { title: 'Persuasion', shelf: 4 }
 * }
 * const books = pipe(
 *   path('/books'),
 *   get(),
 *   produces(jsonStream(Book), ndjson(Book)),
 *   handle(() => found()),
 * )
 * const send = inMemory(routes({ books }))
 * const sentAs = async (accept: string) =>
 *   (await send('http://localhost/books', { headers: { Accept: accept } })).text()
 *
 * assert.equal(await sentAs('application/json'), '[{"title":"Emma"},{"title":"Persuasion"}]')
 * assert.equal(await sentAs('application/x-ndjson'), '{"title":"Emma"}\n{"title":"Persuasion"}\n')
 * ```
 */
export const jsonStream = <C extends AnyCodec>(
  codec: C,
): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, 'application/json'> =>
  makeReceivable('application/json', { _tag: 'JsonStream', codec: toCodec(codec), isArray: true })

/** `application/x-ndjson`: like {@link jsonStream}, with one JSON value per line. */
export const ndjson = <C extends AnyCodec>(
  codec: C,
): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, 'application/x-ndjson'> =>
  makeReceivable('application/x-ndjson', {
    _tag: 'JsonStream',
    codec: toCodec(codec),
    isArray: false,
  })
