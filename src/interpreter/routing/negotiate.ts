/**
 * Chooses among the operations that a site has for one method: by what the request carries (415), then by what the client
 * accepts (406). Both fields are looked up in memories, so nothing is parsed for a client that says what others said.
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

/** An operation, which of the alternatives of its body was sent, and as what. */
export interface NegotiatedOperation<P> {
  readonly operation: P
  /** The position among the plan's bodies; 0 also when there are none. */
  readonly bodyIndex: number
  /** The media type that the request states, where an operation has a body. */
  readonly contentType: MediaType.MediaType | undefined
}

export type Negotiate<P> = (
  headers: Headers.Headers,
) => { readonly _tag: 'Chosen'; readonly choice: NegotiatedOperation<P> } | RequestFailure

/** Prepares the choice among operations, in the order of the tree. A field that can decide nothing is not looked up. */
export const operationNegotiator = <P extends { readonly plan: Plan }>(
  operations: ReadonlyArray<P>,
): Negotiate<P> => {
  const byContentType = memoizeHeader((contentType): Negotiate<P> => {
    const carried = carriers(operations, contentType)
    return 'failure' in carried ? () => carried.failure : byAccept(carried.choices)
  })
  return operations.every(({ plan }) => plan.bodies.length === 0)
    ? byContentType(undefined)
    : (headers) => byContentType(Headers.first(headers, 'content-type'))(headers)
}

type Outcome<P> = ReturnType<Negotiate<P>>

const chosen = <P>(choice: NegotiatedOperation<P>): Outcome<P> => ({ _tag: 'Chosen', choice })

/** The operations that can read what is carried. Without a `Content-Type`, each operation's first alternative is assumed. */
const carriers = <P extends { readonly plan: Plan }>(
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
    const fitting = bodies.flatMap(({ mediaType }, bodyIndex) =>
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
    return fitting.toSorted((a, b) => b.specificity - a.specificity).slice(0, 1)
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
  detail: malformed ? 'Content-Type is malformed.' : 'The operation does not take this media type.',
  supported: names(operations.flatMap(({ plan }) => plan.bodies)),
})

const names = (contents: ReadonlyArray<Pick<BodyPlan, 'mediaType'>>): ReadonlyArray<string> => [
  ...new Set(contents.map(({ mediaType }) => MediaType.format(mediaType))),
]

/** Among operations that can read the request, the one that produces what the client likes best. */
const byAccept = <P extends { readonly plan: Plan }>(
  choices: ReadonlyArray<NegotiatedOperation<P>>,
): Negotiate<P> => {
  const offers = choices.flatMap((choice) =>
    choice.operation.plan.offers.map((offer) => ({ ...offerOf(offer), result: chosen(choice) })),
  )
  // an operation that produces nothing has nothing to negotiate
  const silent = choices.find(({ operation }) => operation.plan.offers.length === 0)
  const notAcceptable: RequestFailure = { _tag: 'NotAcceptable', available: names(offers) }
  const otherwise = silent === undefined ? notAcceptable : chosen(silent)
  if (offers.length === 0) return () => otherwise
  const byField = memoizeHeader((header): Outcome<P> => {
    const accept = header === undefined ? O.some(Accept.anything) : Accept.parse(header)
    if (O.isNone(accept)) return { _tag: 'MalformedRequest', detail: 'Accept is malformed.' }
    const index = O.toUndefined(Accept.choose(accept.value, offers))
    const offer = index === undefined ? undefined : offers[index]
    if (offer === undefined) return otherwise
    return !offer.isTypedLater && O.isNone(Accept.concrete(accept.value, offer.mediaType))
      ? otherwise
      : offer.result
  })
  return (headers) => byField(Headers.combined(headers, 'accept'))
}
