/** What an operation answers. Everything that a handler returns has to be declared here. */
import * as CacheControl from '../http/cache-control.ts'
import type { Endpoint, Keep, Response } from './endpoint.ts'
import { define, redefine } from './endpoint.ts'
import type { Add, Override } from './mistaken.ts'
import type { Nothing, Representable } from './representation.ts'
import { represented } from './representation.ts'

type Content<M extends ReadonlyArray<Representable>> = M extends readonly [] ? Nothing : M[number]

/**
 * The content of a successful response: alternatives, of which `Accept` selects one; when none is acceptable, 406. The
 * handler may return the bare value. An operation overrides what its resource says; `produces()` takes it away.
 */
export const produces =
  <M extends ReadonlyArray<Representable>>(...alternatives: M) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Override<S, 'produces', Content<M>>> =>
    define({ ...definition, produces: alternatives.map(represented) })

const response =
  (failure: boolean) =>
  (status: number, alternatives: ReadonlyArray<Representable>): Response =>
    Object.freeze({
      status,
      failure,
      representations: Object.freeze(alternatives.map(represented)),
    })

const success = response(false)
const refusal = response(true)

/** A further answer, which the handler returns as a reply: `responds(201, json(Book))`, `responds(204)`. */
export const responds =
  <St extends number, M extends ReadonlyArray<Representable>>(status: St, ...alternatives: M) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'responds', Record<St, Content<M>>>> =>
    define({ ...definition, responses: [...definition.responses, success(status, alternatives)] })

/** A failure: the handler returns it as a reply, or its content as a `Left`. Clients know it by its type. */
export const fails =
  <St extends number, M extends ReadonlyArray<Representable>>(status: St, ...alternatives: M) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Add<S, 'fails', Record<St, Content<M>>>> =>
    define({ ...definition, responses: [...definition.responses, refusal(status, alternatives)] })

/** The status of what is produced, where it is not 200. */
export const status =
  <St extends number>(code: St) =>
  <S>({ definition }: Endpoint<S>): Endpoint<Override<S, 'status', St>> =>
    define({ ...definition, status: code })

/** A header field of every response that the handler returns. Not added when it throws. */
export const responseHeader = (name: string, value: string): Keep => {
  const field = Object.freeze([name, value] as const)
  return (endpoint) => redefine(endpoint, ({ headers }) => ({ headers: [...headers, field] }))
}

/**
 * The `Cache-Control` of successful responses and of 304 (RFC 9111, 5.2.2), replacing what the resource says. Durations are
 * in seconds.
 */
export const cache = (directives: CacheControl.CacheControl): Keep => {
  const cacheControl = CacheControl.format(directives)
  return (endpoint) => redefine(endpoint, () => ({ cacheControl }))
}

/** `Cache-Control: no-cache`, for the whole response or for some of its fields. */
export const noCache = (...fields: ReadonlyArray<string>): Keep =>
  cache({ noCache: fields.length === 0 ? true : fields })
