/**
 * Combinators that declare the parameters of an operation. Parameters are read from the request target and the
 * headers.
 *
 * Each combinator accepts a record of codecs, and can be used multiple times. If values are missing or invalid, the
 * response is 400, with one validation error for each such value. To reuse a group of parameters, assign the
 * combinator to a constant: `const paging = query({ page: withDefault(int, 1) })`.
 */
import type { AnySchema, SchemaInput, SchemaOfText } from '../codec/standard-schema/schema-types.ts'
import type {
  CodecOfText,
  ParameterCodec,
  RejectedArgument,
  RejectedCodec,
  RecordOnly,
} from '../codec/codec.ts'
import type { Step } from './endpoint.ts'
import { makeEndpoint, addParameters } from './endpoint.ts'
import { checkRecord, checkTarget, combinator } from './internal/combinator.ts'
import type { AddParameters, ParametersIn } from './internal/declaration-errors.ts'

/** Codecs and schemas by parameter name that accept text. */
export interface TextCodecs {
  readonly [name: string]: CodecOfText | SchemaOfText
}

/** Checks that the schemas in a record accept text. The error message ends in the remedy. */
export type Textual<P> = {
  readonly [K in keyof P]: P[K] extends AnySchema
    ? AcceptsText<SchemaInput<P[K]>>
    : P[K] extends { readonly schema: infer S extends AnySchema }
      ? AcceptsText<SchemaInput<S>>
      : unknown
}

type AcceptsText<I> = [TextIn<I>] extends [never]
  ? TextlessSchema<'the schema does not accept text: convert it, as in z.coerce.number()'>
  : unknown

/** The texts and lists of texts in a union. */
type TextIn<I> = string extends I
  ? I
  : I extends string
    ? I
    : I extends ReadonlyArray<infer E>
      ? TextIn<E>
      : never

/** A type that no schema has. The error message ends in `Remedy`. */
interface TextlessSchema<Remedy extends string> {
  readonly text: Remedy
}

// TypeScript selects the second signatures for schemas of which it must inspect the inputs, so that the check does not slow down other
// declarations.

/** The type of {@link query} and the other combinators for parameters. The error message for a codec or a list ends in `Remedy`. */
export interface DeclareParameters<G extends keyof ParametersIn<unknown>, Remedy extends string> {
  <P extends TextCodecs>(codecs: P): AddParameters<G, P>
  <P extends ParameterRecord<Remedy>>(
    codecs: P & Textual<P>,
    other?: RejectedArgument<'merge the records'>,
  ): AddParameters<G, P>
}

/** Codecs by parameter name. */
export interface ParameterCodecs {
  readonly [name: string]:
    | ParameterCodec
    | AnySchema
    | RejectedCodec<'use a codec of a single value or a list, such as int or between(1, 9)(int)'>
}

/** A record of codecs. The error message for a codec or a list ends in `Remedy`. */
export type ParameterRecord<Remedy extends string> = RecordOnly<Remedy> & ParameterCodecs

const group = <G extends keyof ParametersIn<unknown>, Remedy extends string>(
  name: G,
  remedy: Remedy,
): DeclareParameters<G, Remedy> =>
  combinator(name, 'Endpoint', <P>(codecs: ParameterCodecs): AddParameters<G, P> => {
    checkRecord(name, codecs, remedy)
    return ({ definition }) => makeEndpoint(addParameters(definition, name, Object.entries(codecs)))
  })

/**
 * Declares query parameters, as in `?page=2&tag=a&tag=b`.
 *
 * A parameter is required unless its codec is `optional`, has a default (`withDefault`) or is a collection. If a
 * single-valued parameter occurs multiple times, the first value is used (see `fw.rest.duplicate-scalar`). An empty
 * value (`?page=`) counts as missing, except for strings.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, query, routes, withDefault } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const nextPage = pipe(
 *   path('/next'),
 *   get(),
 *   query({ page: withDefault(int, 1) }),
 *   produces(int),
 *   handle(({ query: { page } }) => page + 1),
 * )
 * const send = inMemory(routes({ nextPage }))
 *
 * assert.equal(await (await send('http://localhost/next?page=7')).text(), '8')
 * assert.equal(await (await send('http://localhost/next')).text(), '2')
 * assert.equal((await send('http://localhost/next?page=one')).status, 400)
 * ```
 */
export const query = group('query', 'pass a record of codecs: query({ page: int })')

/**
 * Declares request headers. Header names are case-insensitive. Names in camel case are converted: `userAgent` reads the
 * `User-Agent` header. If a header occurs multiple times, `combined(codec)` decodes the combined value, a collection decodes
 * each value, and any other codec decodes the first value.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, header, path, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const userAgentOf = pipe(
 *   path('/'),
 *   get(),
 *   header({ userAgent: string }),
 *   produces(text),
 *   handle(({ header: { userAgent } }) => userAgent),
 * )
 * const send = inMemory(routes({ userAgentOf }))
 * const headers = { 'user-agent': 'curl/8' }
 *
 * assert.equal(await (await send('http://localhost/', { headers })).text(), 'curl/8')
 * assert.equal((await send('http://localhost/')).status, 400)
 * ```
 */
export const header = group('header', 'pass a record of codecs: header({ userAgent: string })')

/**
 * Declares cookies (RFC 6265, 5.4). Cookie names are case-sensitive, and values are percent-decoded.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { cookie, get, handle, optional, path, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const greet = pipe(
 *   path('/'),
 *   get(),
 *   cookie({ name: optional(string) }),
 *   produces(text),
 *   handle(({ cookie: { name = 'stranger' } }) => name),
 * )
 * const send = inMemory(routes({ greet }))
 * const sent = (field: string) => new Request('http://localhost/', { headers: { Cookie: field } })
 *
 * assert.equal(await (await send(sent('a=b; name=Ada%20L.'))).text(), 'Ada L.')
 * assert.equal(await (await send(sent('Name=Ada'))).text(), 'stranger')
 * ```
 */
export const cookie = group('cookie', 'pass a record of codecs: cookie({ session: string })')

/**
 * Declares matrix parameters, which belong to path segments, as in `/cars;colour=red`. Matrix parameters do not
 * affect routing. If multiple segments have a parameter with the same name, the value in the last of these segments is
 * used.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, matrix, path, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const cars = pipe(
 *   path('/cars'),
 *   get(),
 *   matrix({ colour: string }),
 *   produces(text),
 *   handle(({ matrix: { colour } }) => colour),
 * )
 * const send = inMemory(routes({ cars }))
 *
 * assert.equal(await (await send('http://localhost/cars;colour=red')).text(), 'red')
 * assert.equal((await send('http://localhost/cars?colour=red')).status, 400)
 * ```
 */
export const matrix = group('matrix', 'pass a record of codecs: matrix({ colour: string })')

/**
 * Adds `queryMap` to the handler input: a map of all query parameters, including undeclared ones.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, queryMap, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const echo = pipe(
 *   path('/'),
 *   get(),
 *   queryMap,
 *   produces(text),
 *   handle((input) => [...input.queryMap].join(' ')),
 * )
 * const send = inMemory(routes({ echo }))
 *
 * assert.equal(await (await send('http://localhost/?b=1&a&b=2')).text(), 'b,1,2 a,')
 * ```
 */
export const queryMap: Step<{ readonly queryMap: { readonly _A: QueryMap } }> = (endpoint) => {
  checkTarget(['Endpoint'], endpoint)
  return makeEndpoint({ ...endpoint.definition, queryMap: true })
}

/** Values by parameter name. Both the names and the values are in order of appearance. */
export type QueryMap = ReadonlyMap<string, ReadonlyArray<string>>
