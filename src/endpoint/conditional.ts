/** A combinator that evaluates the preconditions of a request before the handler runs. */
import { isRead } from '../http/method.ts'
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../http/headers.ts'
import type { Context } from './context.ts'
import type {
  AnyHandler,
  DeclaredPreconditions,
  DeclaredResponse,
  UnhandledEndpoint,
} from './endpoint.ts'
import { makeEndpoint, withConflict } from './endpoint.ts'
import { checkOptions, combinator } from './internal/combinator.ts'
import type { Added, Fails, Responds } from './internal/declaration-errors.ts'
import type { Input } from './internal/handler-types.ts'
import type { ResourceState } from './preconditions.ts'
import { evaluatePreconditions, validatorsOf, withValidators } from './preconditions.ts'
import type { Nothing } from './representation.ts'
import { reply } from './reply.ts'

/** A function that computes a value from the input of the handler. The result can also be a `Promise` or a `Task`. */
type Compute<S, A> = (input: Input<S>, context: Context) => A | Promise<A> | (() => Promise<A>)

/** Functions that compute the validators of a resource. They return `undefined` if there is no validator. */
export type ValidatorFunctions<S> =
  | { readonly etag: ComputeEtag<S>; readonly lastModified?: ComputeDate<S> }
  | { readonly etag?: ComputeEtag<S>; readonly lastModified: ComputeDate<S> }

type ComputeEtag<S> = Compute<S, ResourceState['etag']>
type ComputeDate<S> = Compute<S, ResourceState['lastModified']>

/** A function that returns the current state of a resource, or `undefined` if the resource does not exist. */
export type StateFunction<S> = Compute<S, ResourceState | undefined>

/** The declarations `S` together with the responses that `conditional` adds: 412 and, for GET, HEAD and QUERY, 304. */
export type WithPreconditions<S> = S extends { readonly method: infer M }
  ? [M] extends ['GET' | 'HEAD' | 'QUERY']
    ? S &
        Added<S, 'responds', 304, Responds<Record<304, Nothing>>> &
        Added<S, 'fails', 412, Fails<Record<412, Nothing>>>
    : S & Added<S, 'fails', 412, Fails<Record<412, Nothing>>>
  : S & { readonly declarationError: Record<Misplaced, never> }

type Misplaced = 'conditional must follow the method, such as get()'
const misplaced: Misplaced = 'conditional must follow the method, such as get()'

/**
 * Evaluates the preconditions of a request before the handler runs (RFC 9110, 13.2.2), and declares the responses 412
 * and, for GET, HEAD and QUERY, 304.
 *
 * The functions compute the validators of the resource from the input and the context. They run when the input has been
 * validated. If a precondition fails, the handler does not run, and the response is a 304 without a body, or a problem document with
 * status 412, which is an `HttpError` for mappers. Both have the current validators. Otherwise, successful responses to GET, HEAD and QUERY contain the validators as `ETag` and
 * `Last-Modified` headers, unless the reply sets them.
 *
 * If all functions return `undefined`, the resource does not exist. In this case, `If-Match` results in a 412 response.
 * GET, HEAD and QUERY requests are passed to the handler, which can respond with 404 (RFC 9110, 13.2.1). To read the state
 * once, or to distinguish a resource without validators (`{}`), pass one function that returns the state.
 *
 * Apply `conditional` after the method, and after the declarations whose input the functions read. `run` of the
 * endpoint calls only the handler. If the resource can change while the handler runs, compare the version again when
 * you store the change. A strong ETag identifies one representation. If the operation has several, include
 * `context.response.contentType` and `context.response.language` in the ETag. In a GET request, they describe the response that
 * contains the ETag. Other methods must compute an ETag that GET has sent, and `If-Match` never matches a weak ETag. See
 * {@link evaluatePreconditions} for compression, and for the headers of 304 responses.
 *
 * The functions are part of the endpoint. A page that imports a contract also imports them, so contracts that are shared with
 * pages should use {@link evaluatePreconditions} in the handlers instead.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, conditional, get, handle, path, produces, put, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * let note = { text: 'buy milk', version: 1 }
 * const resource = pipe(path('/note'), produces(text))
 * const version = { etag: () => `v${note.version}` }
 * const getNote = pipe(
 *   resource,
 *   get(),
 *   conditional(version),
 *   handle(() => note.text),
 * )
 * const replaceNote = pipe(
 *   resource,
 *   put(),
 *   body(text),
 *   conditional(version),
 *   handle((input) => {
 *     note = { text: input.body, version: note.version + 1 }
 *     return note.text
 *   }),
 * )
 * const send = inMemory(routes({ getNote, replaceNote }))
 * const request = (method: string, headers: Record<string, string>) =>
 *   send('http://localhost/note', { method, headers, ...(method === 'PUT' ? { body: 'buy tea' } : {}) })
 *
 * assert.equal((await request('GET', {})).headers.get('ETag'), '"v1"')
 * assert.equal((await request('GET', { 'If-None-Match': '"v1"' })).status, 304)
 * assert.equal((await request('PUT', { 'If-Match': '"v1"' })).status, 200)
 * const outdated = await request('PUT', { 'If-Match': '"v1"' })
 * assert.deepEqual([outdated.status, outdated.headers.get('ETag')], [412, '"v2"'])
 * ```
 */
export const conditional = combinator(
  'conditional',
  'Endpoint',
  <S>(validators: ValidatorFunctions<NoInfer<S>> | StateFunction<NoInfer<S>>) =>
    ({ definition }: UnhandledEndpoint<S>): UnhandledEndpoint<WithPreconditions<S>> => {
      const { method, responses } = definition
      return makeEndpoint({
        ...(method === undefined ? withConflict(definition, misplaced) : definition),
        responses: [
          ...responses,
          ...(isRead(method) ? [withoutBody(304, false)] : []),
          withoutBody(412, true),
        ],
        preconditions:
          typeof validators === 'function'
            ? Object.freeze({ compute: [untyped(validators)], evaluate: evaluateResult })
            : Object.freeze({ compute: validatorFunctions(validators), evaluate: evaluateResults }),
      })
    },
)

const withoutBody = (status: number, failure: boolean): DeclaredResponse =>
  Object.freeze({ status, failure, representations: [] })

const validatorFunctions = <S>(validators: ValidatorFunctions<S>): ReadonlyArray<AnyHandler> => {
  const { etag, lastModified } = checkOptions<ValidatorFunctions<S>>(
    'conditional',
    ['etag', 'lastModified'],
    validators,
  )
  if (etag === undefined && lastModified === undefined)
    throw new TypeError('conditional requires an etag function or a lastModified function')
  return [untyped(etag ?? unavailable), untyped(lastModified ?? unavailable)]
}

const unavailable = (): undefined => undefined

/** Returns a function without the types of its input, which have been checked against the endpoint. */
const untyped = <S, A>(compute: Compute<S, A>): AnyHandler => compute as AnyHandler

// the signature of `conditional` guarantees the types of the results
const evaluateResult: DeclaredPreconditions['evaluate'] = ([state], context) =>
  evaluate(state as ResourceState | undefined, context)

const evaluateResults: DeclaredPreconditions['evaluate'] = ([etag, lastModified], context) =>
  evaluate(
    etag === undefined && lastModified === undefined
      ? undefined
      : ({ etag, lastModified } as ResourceState),
    context,
  )

const evaluate = (
  state: ResourceState | undefined,
  context: Pick<Context, 'request'>,
): ReturnType<DeclaredPreconditions['evaluate']> => {
  const isReading = isRead(context.request.method)
  // without a representation, a response to GET is not successful, so preconditions do not apply (RFC 9110, 13.2.1)
  if (state === undefined && isReading) return E.right(identity)
  const failed = evaluatePreconditions(context, state)
  if (O.isSome(failed)) return E.left(failed.value)
  return E.right(state === undefined || !isReading ? identity : addValidators(state))
}

/** Returns a function that adds validators to headers, except for those that the headers already contain. */
const addValidators =
  (state: ResourceState) =>
  (headers: Headers.Headers): Headers.Headers => {
    const { headers: validators } = withValidators(reply(200), validatorsOf(state))
    return [...headers, ...validators.filter((_, index) => isMissing(headers, validators, index))]
  }

const isMissing = (headers: Headers.Headers, validators: Headers.Headers, index: number): boolean =>
  Headers.first(headers, (validators[index - (index % 2)] ?? '').toLowerCase()) === undefined
