/** Plans the responses that a client accepts for an operation. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan, ResponsePlan } from '../../body/body-plan.ts'
import { concernsEndpoint } from '../../body/entity/entity-providers.ts'
import type { Codec } from '../../codec/codec.ts'
import type { Definition, DeclaredResponse } from '../../endpoint/endpoint.ts'
import type { TreeScope } from '../../endpoint/internal/tree-scope.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import type { OperationInfo } from '../exchange.ts'

/** A declared response. `failure` marks one that is a `Left` of the call. */
export interface ClientResponsePlan extends ResponsePlan {
  /** Whether one of its declarations has no body. */
  readonly mayBeEmpty: boolean
  /** The value of `body` in a response without a body. */
  readonly emptyValue: null | undefined
}

/** Returns the responses that the filters and error mappers of the enclosing scopes declare. */
export const responsesOfScopes = (
  { layers, mappers }: TreeScope,
  info: OperationInfo,
  names: ReadonlyArray<string>,
): ReadonlyArray<DeclaredResponse> => [
  ...layers.flatMap((scope) =>
    scope._tag === 'Filter' &&
    scope.filter._tag !== 'ResponseFilter' &&
    concernsEndpoint(scope.filter, info, names)
      ? scope.filter.responses
      : [],
  ),
  ...mappers.flat().flatMap((mapper) => (mapper._tag === 'MapError' ? mapper.responses : [])),
]

/**
 * Plans all responses by status. The declarations of the operation come first; those of enclosing scopes with the same
 * status add alternatives.
 */
export const planResponses = (
  { method, produces, status, responses }: Definition,
  scopeResponses: ReadonlyArray<DeclaredResponse>,
  contentsOf: (representations: ReadonlyArray<AnyRepresentation>) => ReadonlyArray<BodyPlan>,
): ReadonlyMap<number, ClientResponsePlan> => {
  const hasDefault =
    produces.length > 0 || status !== undefined || responses.every(({ failure }) => failure)
  const defaultResponse: DeclaredResponse = {
    status: status ?? (produces.length === 0 ? 204 : 200),
    failure: false,
    representations: produces,
  }
  const byStatus = new Map<number, ClientResponsePlan>()
  const declared = [...(hasDefault ? [defaultResponse] : []), ...responses, ...scopeResponses]
  for (const response of declared) {
    const previous = byStatus.get(response.status)
    byStatus.set(response.status, {
      status: response.status,
      failure: previous?.failure ?? response.failure,
      alternatives: [...(previous?.alternatives ?? []), ...contentsOf(response.representations)],
      mayBeEmpty: previous?.mayBeEmpty === true || response.representations.length === 0,
      emptyValue: undefined,
    })
  }
  const success = method === 'GET' && hasDefault ? byStatus.get(200) : undefined
  const files = success?.alternatives.filter(({ format }) => format._tag === 'File') ?? []
  // a server answers range requests for files without a declaration
  if (success?.failure === false && files.length > 0 && !byStatus.has(206))
    byStatus.set(206, { ...success, status: 206, alternatives: files, mayBeEmpty: false })
  const noContent = hasDefault && !byStatus.has(204) ? planNoContent(produces) : undefined
  if (noContent !== undefined) byStatus.set(204, noContent)
  return byStatus
}

/** Plans the 204 that a server sends for `undefined` and `null`, if a produced codec accepts one of them. */
const planNoContent = (
  produces: ReadonlyArray<AnyRepresentation>,
): ClientResponsePlan | undefined => {
  const isAccepted = (value: null | undefined): boolean =>
    produces.some(
      ({ format }) =>
        'codec' in format && format.codec !== undefined && accepts(format.codec, value),
    )
  const values = isAccepted(undefined) ? [undefined] : isAccepted(null) ? [null] : []
  return values.length === 0
    ? undefined
    : { status: 204, failure: false, alternatives: [], mayBeEmpty: true, emptyValue: values[0] }
}

/** A custom codec may throw for a value that it does not accept. */
const accepts = (codec: Codec, value: unknown): boolean => {
  try {
    return E.isRight(codec.decode(value))
  } catch {
    return false
  }
}
