/** Creates path items from operations. */
import type { Operation, PathItem, Reference, ResponseObject } from './openapi-document.ts'
import { mergeOperations } from './merge-operations.ts'
import type { DescribedOperation } from './operation/operation.ts'

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
