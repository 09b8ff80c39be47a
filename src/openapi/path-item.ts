/**
 * Creates path items from operations. OpenAPI has only one operation for each method of a path. Operations that differ in the media
 * types that they read or write are merged.
 */
import type {
  Operation,
  ParameterObject,
  PathItem,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from './openapi-document.ts'
import type { DescribedOperation } from './operation/operation.ts'
import { isEqual, uniteContents, uniteResponses, uniteSchemas } from './operation/unite-content.ts'
import { present } from './schema/present.ts'

/** An operation and its method. */
export interface MethodOperation {
  readonly method: string
  readonly operation: DescribedOperation
}

/** Replaces a response by a reference to a component, if it is one. */
export type ReferenceTo = (response: ResponseObject) => ResponseObject | Reference

/** Creates the path item for operations with the same path. Operations with the same method are merged. */
export const pathItem = (
  operations: ReadonlyArray<MethodOperation>,
  version: '3.1' | '3.2',
  referenceTo: ReferenceTo,
): PathItem => {
  const byMethod = new Map<string, DescribedOperation>()
  for (const { method, operation } of operations) {
    const earlier = byMethod.get(method)
    byMethod.set(method, earlier === undefined ? operation : mergeOperations(earlier, operation))
  }
  const fixed = version === '3.2' ? [...fixedMethods, 'QUERY'] : fixedMethods
  const entries = [...byMethod].map(
    ([method, operation]) => [method, withReferences(operation, referenceTo)] as const,
  )
  const additional = entries.filter(([method]) => !fixed.includes(method))
  return {
    ...Object.fromEntries(
      entries
        .filter(([method]) => fixed.includes(method))
        .map(([method, operation]) => [method.toLowerCase(), operation]),
    ),
    ...(additional.length === 0
      ? {}
      : {
          [version === '3.2' ? 'additionalOperations' : 'x-additional-operations']:
            Object.fromEntries(additional),
        }),
  }
}

/** The methods for which path items of OpenAPI 3.1 have members. */
const fixedMethods: ReadonlyArray<string> = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
]

const withReferences = (operation: DescribedOperation, referenceTo: ReferenceTo): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      referenceTo(response),
    ]),
  ),
})

/** Merges an operation into another one, whose operation id, summary and description apply to both. */
const mergeOperations = (
  first: DescribedOperation,
  other: DescribedOperation,
): DescribedOperation => {
  const {
    'x-operation-ids': ids = [first.operationId],
    deprecated,
    'x-sunset': sunset,
    'x-successor': successor,
    ...described
  } = first
  const parameters = mergeParameters(first.parameters ?? [], other.parameters ?? [])
  const matrix = uniteLists(
    first['x-matrix-parameters'] ?? [],
    other['x-matrix-parameters'] ?? [],
    (a, b) => a.name === b.name,
  )
  const tags = [...new Set([...(first.tags ?? []), ...(other.tags ?? [])])]
  const deprecation =
    deprecated === true && other.deprecated === true
      ? { deprecated, 'x-sunset': sunset, 'x-successor': successor }
      : {}
  return {
    ...described,
    ...present({
      tags,
      ...deprecation,
      parameters,
      'x-matrix-parameters': matrix,
      requestBody: mergeBodies(first.requestBody, other.requestBody),
    }),
    responses: mergeResponses(first.responses, other.responses),
    security: uniteLists(first.security ?? [], other.security ?? [], isEqual),
    'x-operation-ids': [...ids, other.operationId],
  }
}

/** A parameter that only one of the operations requires is optional. */
const mergeParameters = (
  first: ReadonlyArray<ParameterObject>,
  others: ReadonlyArray<ParameterObject>,
): ReadonlyArray<ParameterObject> =>
  uniteLists(first, others, isSameParameter).map((parameter) =>
    mergeParameter(
      parameter,
      first.includes(parameter)
        ? others.find((other) => isSameParameter(parameter, other))
        : undefined,
    ),
  )

const isSameParameter = (a: ParameterObject, b: ParameterObject): boolean =>
  a.name === b.name && a.in === b.in

const mergeParameter = (
  parameter: ParameterObject,
  other: ParameterObject | undefined,
): ParameterObject => {
  if (parameter.in === 'path') return parameter
  const { required = false, ...optional } = parameter
  return {
    ...optional,
    ...(required && other?.required === true ? { required } : {}),
    ...(parameter.schema === undefined || other?.schema === undefined
      ? {}
      : { schema: uniteSchemas(parameter.schema, other.schema) }),
  }
}

const mergeBodies = (
  first: RequestBodyObject | undefined,
  other: RequestBodyObject | undefined,
): RequestBodyObject | undefined => {
  const bodies = [first, other].filter((body) => body !== undefined)
  if (bodies.length === 0) return undefined
  const isRequired = first?.required === true && other?.required === true
  return {
    content: uniteContents(bodies.map(({ content }) => content)),
    ...(isRequired ? { required: true } : {}),
  }
}

const mergeResponses = (
  first: Readonly<Record<string, ResponseObject>>,
  others: Readonly<Record<string, ResponseObject>>,
): Readonly<Record<string, ResponseObject>> => {
  const merged = { ...first }
  for (const [status, response] of Object.entries(others)) {
    const earlier = merged[status]
    merged[status] =
      earlier === undefined
        ? response
        : uniteResponses(earlier, response, (a, b) => (a === b ? a : `${a}\n\n${b}`))
  }
  return merged
}

/** Returns the values of both lists. The first one takes precedence. */
const uniteLists = <A>(
  first: ReadonlyArray<A>,
  others: ReadonlyArray<A>,
  isSame: (a: A, b: A) => boolean,
): ReadonlyArray<A> => [
  ...first,
  ...others.filter((value) => !first.some((known) => isSame(known, value))),
]
