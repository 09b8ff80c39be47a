/**
 * Merges operations with the same path and method, which differ in the media types that they read or write. OpenAPI has only one
 * operation for each method of a path.
 */
import type { ParameterObject, RequestBodyObject, ResponseObject } from './openapi-document.ts'
import type { DescribedOperation } from './operation/operation.ts'
import { isEqual, uniteContents, uniteResponses, uniteSchemas } from './operation/unite-content.ts'
import { present } from './schema/present.ts'

/** Merges an operation into another one, whose operation id, summary and description apply to both. */
export const mergeOperations = (
  first: DescribedOperation,
  other: DescribedOperation,
): DescribedOperation => {
  const { 'x-operation-ids': ids = [first.operationId], deprecated: _, ...described } = first
  const parameters = mergeParameters(first.parameters ?? [], other.parameters ?? [])
  const matrix = [
    ...(first['x-matrix-parameters'] ?? []),
    ...(other['x-matrix-parameters'] ?? []).filter(
      ({ name }) => first['x-matrix-parameters']?.some((known) => known.name === name) !== true,
    ),
  ]
  const tags = [...new Set([...(first.tags ?? []), ...(other.tags ?? [])])]
  const isDeprecated = first.deprecated === true && other.deprecated === true
  return {
    ...described,
    ...present({
      tags,
      deprecated: isDeprecated ? true : undefined,
      parameters,
      'x-matrix-parameters': matrix,
      requestBody: mergeBodies(first.requestBody, other.requestBody),
    }),
    responses: mergeResponses(first.responses, other.responses),
    security: mergeLists(first.security ?? [], other.security ?? []),
    'x-operation-ids': [...ids, other.operationId],
  }
}

/** A parameter that only one of the operations requires is optional. */
const mergeParameters = (
  first: ReadonlyArray<ParameterObject>,
  others: ReadonlyArray<ParameterObject>,
): ReadonlyArray<ParameterObject> => {
  return [
    ...first.map((parameter) => mergeParameter(parameter, findIn(others, parameter))),
    ...others
      .filter((parameter) => findIn(first, parameter) === undefined)
      .map((parameter) => mergeParameter(parameter, undefined)),
  ]
}

const findIn = (
  list: ReadonlyArray<ParameterObject>,
  parameter: ParameterObject,
): ParameterObject | undefined =>
  list.find(({ name, in: location }) => name === parameter.name && location === parameter.in)

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

const mergeLists = <A>(first: ReadonlyArray<A>, others: ReadonlyArray<A>): ReadonlyArray<A> =>
  isEqual(first, others)
    ? first
    : [...first, ...others.filter((value) => !first.some((known) => isEqual(known, value)))]
