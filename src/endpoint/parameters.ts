/**
 * What an operation reads from the head of a request. Each combinator takes a record of codecs, adds up when said again,
 * and refuses the request with 400 when a value is missing or refused; all refusals are reported together.
 *
 * A container of parameters is a combinator kept in a constant: `const paging = query({ page: withDefault(int, 1) })`.
 */
import type { ParameterCodec } from '../codec/codec.ts'
import type { Endpoint, Group, Step } from './endpoint.ts'
import { define, withParameters } from './endpoint.ts'
import type { Add, AddTo } from './mistaken.ts'

/** Codecs by the name of their parameter. */
export interface ParameterCodecs {
  readonly [name: string]: ParameterCodec
}

const group =
  <G extends Group>(name: G) =>
  <P extends ParameterCodecs>(codecs: P): AddTo<G, P> =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, G, P>> =>
    define(withParameters(definition, name, Object.entries(codecs)))

/** Parameters of the query: `?page=2&tag=a&tag=b`. Without `optional`, `withDefault` or a collection they are required. */
export const query: <P extends ParameterCodecs>(codecs: P) => AddTo<'query', P> = group('query')

/** Header fields. The case of a name does not matter; a name in camel case is looked up with hyphens: `userAgent` is `User-Agent`. */
export const header: <P extends ParameterCodecs>(codecs: P) => AddTo<'header', P> = group('header')

/** Cookies of the request (RFC 6265). */
export const cookie: <P extends ParameterCodecs>(codecs: P) => AddTo<'cookie', P> = group('cookie')

/** Parameters of path segments: `/cars;colour=red`. A name is looked for from the last segment backwards. */
export const matrix: <P extends ParameterCodecs>(codecs: P) => AddTo<'matrix', P> = group('matrix')

/** All query parameters, declared or not, under the key `queryMap`: from names to values in order of appearance. */
export const queryMap: Step<{ readonly queryMap: { readonly _A: QueryMap } }> = ({ definition }) =>
  define({ ...definition, queryMap: true })

/** From names to values, in order of appearance. */
export type QueryMap = ReadonlyMap<string, ReadonlyArray<string>>
