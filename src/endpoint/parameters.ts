/**
 * What an operation reads from the head of a request. Each combinator takes a record of codecs, adds up when said again,
 * and refuses the request with 400 when a value is missing or refused; all refusals are reported together.
 *
 * A container of parameters is a combinator kept in a constant: `const paging = query({ page: withDefault(int, 1) })`.
 */
import type { ParameterCodec } from '../codec/codec.ts'
import type { Endpoint, ParameterGroup, Step } from './endpoint.ts'
import { makeEndpoint, addParameters } from './endpoint.ts'
import type { Add, AddTo } from './internal/declaration-errors.ts'

/** Codecs by the name of their parameter. */
export interface ParameterCodecs {
  readonly [name: string]: ParameterCodec
}

const group =
  <G extends ParameterGroup>(name: G) =>
  <P extends ParameterCodecs>(codecs: P): AddTo<G, P> =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, G, P>> =>
    makeEndpoint(addParameters(definition, name, Object.entries(codecs)))

/**
 * Parameters of the query: `?page=2&tag=a&tag=b`. Without `optional`, `withDefault` or a collection they are required.
 * Of a single value that is given twice the first counts (`fw.rest.duplicate-scalar`); without a text (`?page=`) only a
 * string is there.
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
 * const call = inMemory(routes({ nextPage }))
 *
 * assert.equal(await (await call(new Request('http://localhost/next?page=7'))).text(), '8')
 * assert.equal(await (await call(new Request('http://localhost/next'))).text(), '2')
 * assert.equal((await call(new Request('http://localhost/next?page=one'))).status, 400)
 * ```
 */
export const query: <P extends ParameterCodecs>(codecs: P) => AddTo<'query', P> = group('query')

/**
 * Header fields. The case of a name does not matter; a name in camel case is looked up with hyphens: `userAgent` is
 * `User-Agent`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, header, path, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const whoAsks = pipe(
 *   path('/'),
 *   get(),
 *   header({ userAgent: string }),
 *   produces(text),
 *   handle(({ header: { userAgent } }) => userAgent),
 * )
 * const call = inMemory(routes({ whoAsks }))
 * const headers = { 'user-agent': 'curl/8' }
 *
 * assert.equal(await (await call(new Request('http://localhost/', { headers }))).text(), 'curl/8')
 * assert.equal((await call(new Request('http://localhost/'))).status, 400)
 * ```
 */
export const header: <P extends ParameterCodecs>(codecs: P) => AddTo<'header', P> = group('header')

/**
 * Cookies of the request (RFC 6265, 5.4). Their values are percent-decoded; the case of a name matters.
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
 * const call = inMemory(routes({ greet }))
 * const sent = (field: string) => new Request('http://localhost/', { headers: { Cookie: field } })
 *
 * assert.equal(await (await call(sent('a=b; name=Ada%20L.'))).text(), 'Ada L.')
 * assert.equal(await (await call(sent('Name=Ada'))).text(), 'stranger')
 * ```
 */
export const cookie: <P extends ParameterCodecs>(codecs: P) => AddTo<'cookie', P> = group('cookie')

/**
 * Parameters of path segments: `/cars;colour=red`. They take no part in matching. A name is looked for from the last
 * segment backwards.
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
 * const call = inMemory(routes({ cars }))
 *
 * assert.equal(await (await call(new Request('http://localhost/cars;colour=red'))).text(), 'red')
 * assert.equal((await call(new Request('http://localhost/cars?colour=red'))).status, 400)
 * ```
 */
export const matrix: <P extends ParameterCodecs>(codecs: P) => AddTo<'matrix', P> = group('matrix')

/**
 * All query parameters, declared or not, under the key `queryMap`: from names to values in order of appearance.
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
 * const call = inMemory(routes({ echo }))
 *
 * assert.equal(await (await call(new Request('http://localhost/?b=1&a&b=2'))).text(), 'b,1,2 a,')
 * ```
 */
export const queryMap: Step<{ readonly queryMap: { readonly _A: QueryMap } }> = ({ definition }) =>
  makeEndpoint({ ...definition, queryMap: true })

/** From names to values, in order of appearance. */
export type QueryMap = ReadonlyMap<string, ReadonlyArray<string>>

/** `userAgent` is `user-agent`; a name that is written with hyphens or capitals throughout stays what it is. */
export const headerName = (key: string): string =>
  (/^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(key)
    ? key.replaceAll(/[A-Z]/g, '-$&')
    : key
  ).toLowerCase()
