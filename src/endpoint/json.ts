/** JSON representations. */
import type { AnyCodec } from '../codec/codec.ts'
import type { Representation, Receivable } from './representation.ts'
import { makeRepresentation, toCodec, makeReceivable } from './representation.ts'
import type { Source } from './multi.ts'

/**
 * `application/json` by a codec. Members that the codec does not declare are dropped, both ways. A request that is no
 * JSON, or that the codec refuses, is answered with 400.
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
 * const call = inMemory(routes({ echo }))
 * const send = (sent: string) =>
 *   call(new Request('http://localhost/', { method: 'POST', body: Buffer.from(sent) }))
 *
 * assert.equal(await (await send('{"title":"Emma","admin":true}')).text(), '{"title":"Emma"}')
 * assert.equal((await send('{"title":1}')).status, 400)
 * ```
 */
export const json = <C extends AnyCodec>(codec: C): Representation<C['_A'], 'application/json'> =>
  makeRepresentation('application/json', { _tag: 'Json', codec: toCodec(codec) })

/**
 * `application/json` for text that is JSON already; it is sent, or handed to the handler, as it is and not checked.
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
 *   return (await inMemory(routes({ list }))(new Request('http://localhost/'))).text()
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
 * `application/json`, element by element: one array, `[]` when there is none, or one value a line where a `multi` says
 * `encodeAsArray: false`. Elements are written by the codec, without what it does not declare. A server can send it and not receive it; a client reads
 * element by element.
 *
 * What fails before the first octet, a source that throws or an element that cannot be written, is answered like any other
 * error; what fails later cuts the connection, so that nothing passes for whole that is not.
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
 * const call = inMemory(routes({ books }))
 * const sentAs = async (accept: string) =>
 *   (await call(new Request('http://localhost/books', { headers: { Accept: accept } }))).text()
 *
 * assert.equal(await sentAs('application/json'), '[{"title":"Emma"},{"title":"Persuasion"}]')
 * assert.equal(await sentAs('application/x-ndjson'), '{"title":"Emma"}\n{"title":"Persuasion"}\n')
 * ```
 */
export const jsonStream = <C extends AnyCodec>(
  codec: C,
): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, 'application/json'> =>
  makeReceivable('application/json', { _tag: 'JsonStream', codec: toCodec(codec), isArray: true })

/** `application/x-ndjson`: as {@link jsonStream}, but always one JSON value a line. */
export const ndjson = <C extends AnyCodec>(
  codec: C,
): Receivable<Source<C['_A']>, AsyncIterable<C['_A']>, 'application/x-ndjson'> =>
  makeReceivable('application/x-ndjson', {
    _tag: 'JsonStream',
    codec: toCodec(codec),
    isArray: false,
  })
