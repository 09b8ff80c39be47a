/**
 * Selects one of the operations of a path group for a method: by `Content-Type` (415), then by `Accept` (406).
 *
 * Decisions are memoized by header value, so a header that was seen before is not parsed again.
 */
import * as O from 'fp-ts/lib/Option.js'
import * as Accept from '../../http/accept.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as Grammar from '../../http/grammar.ts'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { offerOf } from '../../body/body-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'

/** The selected operation, and the body that the request has. */
export interface NegotiatedOperation<P> {
  readonly operation: P
  /** The index into the bodies of the plan; 0 if there are none. */
  readonly bodyIndex: number
  /** The media type of the request body; `undefined` without a `Content-Type`. */
  readonly contentType: MediaType.MediaType | undefined
}

export type Negotiate<P> = (
  headers: Headers.Headers,
) => { readonly _tag: 'Chosen'; readonly choice: NegotiatedOperation<P> } | RequestFailure

/** Returns a function that selects one of the operations, which are in the order of the tree. Irrelevant headers are not read. */
export const operationNegotiator = <P extends { readonly plan: Plan }>(
  operations: ReadonlyArray<P>,
): Negotiate<P> => {
  const byContentType = memoizeHeader((contentType): Negotiate<P> => {
    const accepting = acceptingOperations(operations, contentType)
    return 'failure' in accepting ? () => accepting.failure : byAccept(accepting.choices)
  })
  return operations.every(({ plan }) => plan.bodies.length === 0)
    ? byContentType(undefined)
    : (headers) => byContentType(Headers.first(headers, 'content-type'))(headers)
}

type Decision<P> = ReturnType<Negotiate<P>>

const chosen = <P>(choice: NegotiatedOperation<P>): Decision<P> => ({ _tag: 'Chosen', choice })

/** Returns the operations that accept a `Content-Type`. Without one, the first body of each operation is assumed. */
const acceptingOperations = <P extends { readonly plan: Plan }>(
  operations: ReadonlyArray<P>,
  contentType: string | undefined,
):
  | { readonly choices: ReadonlyArray<NegotiatedOperation<P>> }
  | { readonly failure: RequestFailure } => {
  if (contentType === undefined)
    return {
      choices: operations.map((operation) => ({ operation, bodyIndex: 0, contentType: undefined })),
    }
  const stated = O.toUndefined(MediaType.parse(Grammar.trim(contentType)))
  const ranked = operations.flatMap((operation) => {
    const { bodies } = operation.plan
    if (bodies.length === 0)
      return [{ operation, bodyIndex: 0, contentType: stated, specificity: 0 }]
    const matching = bodies.flatMap(({ mediaType }, bodyIndex) =>
      stated !== undefined && !MediaType.isRange(stated) && MediaType.includes(mediaType, stated)
        ? [
            {
              operation,
              bodyIndex,
              contentType: stated,
              specificity: MediaType.specificity(mediaType),
            },
          ]
        : [],
    )
    return matching.toSorted((a, b) => b.specificity - a.specificity).slice(0, 1)
  })
  if (ranked.length === 0) return { failure: unsupported(operations, stated === undefined) }
  const best = Math.max(...ranked.map(({ specificity }) => specificity))
  return { choices: ranked.filter(({ specificity }) => specificity === best) }
}

const unsupported = (
  operations: ReadonlyArray<{ readonly plan: Plan }>,
  malformed: boolean,
): RequestFailure => ({
  _tag: 'UnsupportedMediaType',
  detail: malformed
    ? 'Malformed Content-Type header.'
    : 'The operation does not support this media type.',
  supported: names(operations.flatMap(({ plan }) => plan.bodies)),
})

const names = (contents: ReadonlyArray<Pick<BodyPlan, 'mediaType'>>): ReadonlyArray<string> => [
  ...new Set(contents.map(({ mediaType }) => MediaType.format(mediaType))),
]

/** Selects the operation with the most preferred representation. */
const byAccept = <P extends { readonly plan: Plan }>(
  choices: ReadonlyArray<NegotiatedOperation<P>>,
): Negotiate<P> => {
  const offers = choices.flatMap((choice) =>
    choice.operation.plan.offers.map((offer) => ({ ...offerOf(offer), result: chosen(choice) })),
  )
  // an operation without representations accepts any `Accept`
  const withoutOffers = choices.find(({ operation }) => operation.plan.offers.length === 0)
  const notAcceptable: RequestFailure = { _tag: 'NotAcceptable', available: names(offers) }
  const fallback = withoutOffers === undefined ? notAcceptable : chosen(withoutOffers)
  if (offers.length === 0) return () => fallback
  const decide = memoizeHeader((header): Decision<P> => {
    const accept = header === undefined ? O.some(Accept.anything) : Accept.parse(header)
    if (O.isNone(accept)) return { _tag: 'MalformedRequest', detail: 'Malformed Accept header.' }
    const index = O.toUndefined(Accept.choose(accept.value, offers))
    const offer = index === undefined ? undefined : offers[index]
    if (offer === undefined) return fallback
    return !offer.isTypedLater && O.isNone(Accept.concrete(accept.value, offer.mediaType))
      ? fallback
      : offer.result
  })
  return (headers) => decide(Headers.combined(headers, 'accept'))
}
