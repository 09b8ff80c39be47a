/**
 * Selects the operation for a request (steps 3 and 4 of the pipeline). Requests are guaranteed to be rejected in this order:
 *
 * ```text
 * method        501 if neither standard nor declared in the tree
 * path          400 malformed percent-encoding, 404 no match
 * method        405 with Allow; HEAD and OPTIONS are handled automatically if not declared
 * Content-Type  415 with Accept; 400 if it is missing and the method is QUERY
 * Accept        400 malformed, 406
 * later steps   415 unsupported content coding; 404 or 400 for parameters; 400 or 413 for the body
 * ```
 *
 * Each check depends on the previous checks and is cheaper than the following ones. A path group that supports the method takes
 * precedence over a better match that does not. After a group has been selected, no other group is tried. A 415 therefore always
 * refers to the selected group.
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { standardMethods } from '../../http/method.ts'
import * as Grammar from '../../http/grammar.ts'
import type { AcceptLanguage } from '../../http/accept-language.ts'
import * as Language from '../../http/accept-language.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import * as Status from '../../http/status.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { offerOf } from '../../body/body-plan.ts'
import { responsePlan } from '../../body/create-body-plans.ts'
import type { Plan } from '../../compiler/plan.ts'
import * as Failures from '../../http/failure.ts'
import type { Exchange } from '../exchange.ts'
import type { PathCapture, MatchedPath, PathMatcher } from './path-matcher.ts'

/** The selected operation and the declared body that matches the request. */
export interface NegotiatedOperation<P> {
  readonly operation: P
  /** The index of the declared body in the plan. `0` if the plan has no bodies. */
  readonly bodyIndex: number
  /** The media type of the request body, or `undefined` if the request has no `Content-Type`. */
  readonly contentType: MediaType.MediaType | undefined
}

/** Selects an operation and a declared body based on the `Content-Type` and `Accept` headers. */
export type Negotiate<P> = (
  headers: Headers.RequestHeaders,
) => { readonly _tag: 'Chosen'; readonly choice: NegotiatedOperation<P> } | RequestFailure

/**
 * Returns a function that selects one of `operations`. The operations must be in tree order. Headers that do not affect the
 * selection are not read.
 */
export const operationNegotiator = <P extends { readonly plan: Plan }>(
  operations: ReadonlyArray<P>,
): Negotiate<P> => {
  const byContentType = Headers.memoizeHeader((contentType): Negotiate<P> => {
    const accepting = acceptingOperations(operations, contentType)
    return 'failure' in accepting ? () => accepting.failure : byAccept(accepting.choices)
  })
  return operations.every(({ plan }) => plan.bodies.length === 0)
    ? byContentType(undefined)
    : (headers) => byContentType(Headers.first(headers, 'content-type'))(headers)
}

/** Defers the call to `create` until the first request, so that startup time does not depend on the number of endpoints. */
export const lazyNegotiation = <P>(create: () => Negotiate<P>): Negotiate<P> => {
  let negotiate: Negotiate<P> | undefined
  return (headers) => (negotiate ??= create())(headers)
}

type Decision<P> = ReturnType<Negotiate<P>>

const chosen = <P>(choice: NegotiatedOperation<P>): Decision<P> => ({ _tag: 'Chosen', choice })

/**
 * Returns the operations that accept a `Content-Type`. If the header is missing, the request body is assumed to match the first
 * declared body of each operation, except with QUERY: the media type is a part of the query (RFC 10008, 2.1).
 */
const acceptingOperations = <P extends { readonly plan: Plan }>(
  operations: ReadonlyArray<P>,
  contentType: string | undefined,
):
  | { readonly choices: ReadonlyArray<NegotiatedOperation<P>> }
  | { readonly failure: RequestFailure } => {
  if (contentType === undefined) {
    const assuming = operations.filter(
      ({ plan: { method, bodies } }) => method !== 'QUERY' || bodies.length === 0,
    )
    return assuming.length === 0
      ? { failure: { _tag: 'MissingContentType', supported: supportedBy(operations) } }
      : {
          choices: assuming.map((operation) => ({
            operation,
            bodyIndex: 0,
            contentType: undefined,
          })),
        }
  }
  const requestType = O.toUndefined(MediaType.parse(Grammar.trim(contentType)))
  const ranked = operations.flatMap((operation) => {
    const { bodies } = operation.plan
    if (bodies.length === 0)
      return [{ operation, bodyIndex: 0, contentType: requestType, specificity: 0 }]
    const matching = bodies.flatMap(({ mediaType }, bodyIndex) =>
      requestType !== undefined &&
      !MediaType.isRange(requestType) &&
      MediaType.includes(mediaType, requestType)
        ? [
            {
              operation,
              bodyIndex,
              contentType: requestType,
              specificity: MediaType.specificity(mediaType),
            },
          ]
        : [],
    )
    return matching.toSorted((a, b) => b.specificity - a.specificity).slice(0, 1)
  })
  if (ranked.length === 0)
    return {
      failure: unsupported(
        operations,
        requestType === undefined ? malformedDetail(contentType) : undefined,
      ),
    }
  const best = Math.max(...ranked.map(({ specificity }) => specificity))
  return { choices: ranked.filter(({ specificity }) => specificity === best) }
}

const unsupported = (
  operations: ReadonlyArray<{ readonly plan: Plan }>,
  malformed: string | undefined,
): RequestFailure => ({
  _tag: 'UnsupportedMediaType',
  detail: malformed ?? 'The operation does not support this media type.',
  supported: supportedBy(operations),
})

const supportedBy = (operations: ReadonlyArray<{ readonly plan: Plan }>): ReadonlyArray<string> =>
  mediaTypeNames(operations.flatMap(({ plan }) => plan.bodies))

const malformedDetail = (contentType: string): string =>
  unquotedBoundary.test(contentType)
    ? 'Malformed Content-Type header. Quote the boundary, because it contains characters that are not allowed in a token.'
    : 'Malformed Content-Type header.'

/** A boundary with a delimiter that only a quoted string may contain (RFC 9110, 5.6.2). */
const unquotedBoundary = /;\s*boundary=[^\s";]*[()<>@,:\\/[\]?={}]/i

const mediaTypeNames = (
  bodies: ReadonlyArray<Pick<BodyPlan, 'mediaType'>>,
): ReadonlyArray<string> => [...new Set(bodies.map(({ mediaType }) => MediaType.format(mediaType)))]

/** Returns a function that selects the operation whose representation the client prefers. */
const byAccept = <P extends { readonly plan: Plan }>(
  choices: ReadonlyArray<NegotiatedOperation<P>>,
): Negotiate<P> => {
  const offers = choices.flatMap((choice) => {
    const { plan } = choice.operation
    const errors = plan.offers.length === 0 ? [] : errorTypes(plan)
    return plan.offers.map((offer) => ({ ...offerOf(offer), errors, result: chosen(choice) }))
  })
  // an operation without representations accepts any `Accept`
  const withoutOffers = choices.find(({ operation }) => operation.plan.offers.length === 0)
  const notAcceptable: RequestFailure = { _tag: 'NotAcceptable', available: mediaTypeNames(offers) }
  const fallback = withoutOffers === undefined ? notAcceptable : chosen(withoutOffers)
  if (offers.length === 0) return () => fallback
  const decide = (header: string | undefined, languages: AcceptLanguage): Decision<P> => {
    const accept = header === undefined ? O.some(Accept.anything) : Accept.parse(header)
    if (O.isNone(accept)) return { _tag: 'MalformedRequest', detail: 'Malformed Accept header.' }
    const index = O.toUndefined(Accept.choose(accept.value, offers, languages))
    if (index !== undefined) return offers[index]?.result ?? fallback
    if (withoutOffers !== undefined) return fallback
    return chooseDisregarding(accept.value, offers, languages)?.result ?? fallback
  }
  return byPreferences(offers, decide)
}

/**
 * Returns the offer to send if `accept` lists only types of error responses of its operation. Returns `undefined` if no operation has
 * such error responses, or if the client excludes all its offers.
 *
 * Clients that OpenAPI Generator creates list a single type in `Accept`: the first JSON type of all responses. If the operation sends
 * text or bytes, this is the type of an error. A server may disregard `Accept` (RFC 9110, 12.5.1).
 */
const chooseDisregarding = <
  A extends Accept.Offer & { readonly errors: ReadonlyArray<MediaType.MediaType> },
>(
  accept: Accept.Accept,
  offers: ReadonlyArray<A>,
  languages: AcceptLanguage,
): A | undefined => {
  const remaining = offers.filter(({ errors }) => Accept.namesOnly(accept, errors))
  const index = Accept.choose(Accept.disregard(accept), remaining, languages)
  return O.isNone(index) ? undefined : remaining[index.value]
}

/** Returns the media types of the error responses of an operation. */
const errorTypes = ({
  responses,
  chain: { early, request, preMatching, mappers, entities },
}: Plan): ReadonlyArray<MediaType.MediaType> => {
  const declaring = [
    ...preMatching,
    ...[...early, ...request].map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  const declared = declaring.flatMap((filter) => filter.responses)
  const types = [...responses.values(), ...declared.map(responsePlan(entities))]
    .filter(({ failure, status }) => failure || !Status.isSuccess(status))
    .flatMap(({ alternatives }) => alternatives.map(({ mediaType }) => mediaType))
  return [problemType, ...types.filter((type) => !MediaType.isRange(type))]
}

/** The media type of the errors that the framework detects (RFC 9457). */
const problemType: MediaType.MediaType = {
  type: 'application',
  subtype: 'problem+json',
  parameters: [],
}

interface Translatable {
  readonly language?: string | undefined
}

/** Whether the language distinguishes at least two representations. */
export const differInLanguage = (alternatives: ReadonlyArray<Translatable>): boolean =>
  alternatives.some(({ language }) => language !== alternatives[0]?.language)

/**
 * Returns a memoized function of the `Accept` header and the preferred languages. `Accept-Language` is read only if the
 * alternatives differ in language.
 */
export const byPreferences = <B>(
  alternatives: ReadonlyArray<Translatable>,
  decide: (accept: string | undefined, languages: AcceptLanguage) => B,
): ((headers: Headers.RequestHeaders) => B) => {
  if (!differInLanguage(alternatives)) {
    const decideByAccept = Headers.memoizeHeader((accept) => decide(accept, []))
    return (headers) => decideByAccept(Headers.combined(headers, 'accept'))
  }
  const byBoth = Headers.memoizeHeaders((accept, languages) =>
    decide(accept, Language.parse(languages)),
  )
  return (headers) =>
    byBoth(Headers.combined(headers, 'accept'), Headers.combined(headers, 'accept-language'))
}

/** The operations in a path group, by method. */
export type OperationsByMethod<P> = ReadonlyMap<string, Negotiate<P>>

/**
 * The result of {@link selectOperation}: a selected operation, the methods to list in the response to an OPTIONS request, or a
 * failure.
 */
export type Selection<P> =
  | {
      readonly _tag: 'Selected'
      readonly choice: NegotiatedOperation<P>
      readonly captures: ReadonlyArray<PathCapture>
    }
  /** An OPTIONS request for a path without a declared OPTIONS operation. */
  | {
      readonly _tag: 'Options'
      readonly allow: ReadonlyArray<string>
      /** The media types that QUERY supports, if the resource supports QUERY. */
      readonly queryTypes?: ReadonlyArray<string>
    }
  | RequestFailure

/** Returns the standard methods and the declared methods. Any other method results in a 501 response. */
export const knownMethods = (declared: Iterable<string>): ReadonlySet<string> =>
  new Set([...standardMethods, ...declared])

type Request = Pick<Exchange, 'method' | 'path' | 'headers'>

/** Finds the operations in a program by path and method. */
export interface OperationSelector<P> {
  readonly matcher: PathMatcher<OperationsByMethod<P>>
  readonly methods: ReadonlySet<string>
}

/**
 * Selects the operation for a request, or returns a failure. If no operation is selected and the server does not recognize the
 * method, the failure is `MethodNotImplemented`.
 */
export const selectOperation = <P>(
  selector: OperationSelector<P>,
  request: Request,
): Selection<P> => {
  const selection = selectIn(selector.matcher, request)
  return selection._tag === 'Selected' || selector.methods.has(request.method)
    ? selection
    : { _tag: 'MethodNotImplemented' }
}

const selectIn = <P>(
  matcher: PathMatcher<OperationsByMethod<P>>,
  request: Request,
): Selection<P> => {
  const exact = matcher.findExact(request.path)
  const operations = exact === undefined ? undefined : operationsFor(exact, request.method)
  if (operations !== undefined) return selectionOf(operations, request, [])
  const match = matcher.match(request.path)
  if (match === undefined)
    return { _tag: 'MalformedRequest', detail: 'Malformed percent-encoding in the path.' }
  if (match.matches.length === 0) return Failures.notFound
  for (const { value: group, captures } of match.matches) {
    const negotiate = operationsFor(group, request.method)
    if (negotiate !== undefined) return selectionOf(negotiate, request, captures)
  }
  const _tag = request.method === 'OPTIONS' ? 'Options' : 'MethodNotAllowed'
  const allow = allowed(match.matches)
  return allow.includes('QUERY')
    ? { _tag, allow, queryTypes: queryTypes(match.matches) }
    : { _tag, allow }
}

/** Whether a path matches the template of at least one operation, regardless of its method. */
export const matchesPath = <P>(
  { matcher }: Pick<OperationSelector<P>, 'matcher'>,
  path: string,
): boolean =>
  matcher.findExact(path) !== undefined || (matcher.match(path)?.matches.length ?? 0) > 0

/** Returns the negotiator for a method. GET operations handle HEAD if HEAD is not declared (RFC 9110, 9.3.2). */
const operationsFor = <P>(group: OperationsByMethod<P>, method: string): Negotiate<P> | undefined =>
  group.get(method) ?? (method === 'HEAD' ? group.get('GET') : undefined)

const selectionOf = <P>(
  operations: Negotiate<P>,
  { headers }: Request,
  captures: ReadonlyArray<PathCapture>,
): Selection<P> => {
  const result = operations(headers)
  return result._tag === 'Chosen' ? { _tag: 'Selected', choice: result.choice, captures } : result
}

/** Returns the methods that at least one of the matches supports (RFC 9110, 10.2.1). */
const allowed = <P>(
  matches: ReadonlyArray<MatchedPath<OperationsByMethod<P>>>,
): ReadonlyArray<string> => {
  const declared = new Set(matches.flatMap(({ value: group }) => [...group.keys()]))
  const derived = declared.has('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS']
  return [...new Set([...declared, ...derived])]
}

/** Returns the media types that QUERY supports, which the rejection of a QUERY request without `Content-Type` lists. */
const queryTypes = <P>(
  matches: ReadonlyArray<MatchedPath<OperationsByMethod<P>>>,
): ReadonlyArray<string> => [
  ...new Set(
    matches.flatMap(({ value: group }) => {
      const result = group.get('QUERY')?.(Headers.empty)
      return result?._tag === 'MissingContentType' ? result.supported : []
    }),
  ),
]
