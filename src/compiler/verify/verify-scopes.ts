/** Verifies the prefix and the filters in each scope of a tree, and the responses declared by filters and mappers. */
import type { PreMatchingFilter } from '../../endpoint/filter.ts'
import type { AnyNode, Wrapper } from '../../endpoint/routes.ts'
import type { DeclaredResponse } from '../../endpoint/endpoint.ts'
import { charsetErrors } from '../../body/charset.ts'
import type { ReportError } from '../../body/verify-declarations.ts'
import { verifyRepresentations, verifyResponses } from '../../body/verify-declarations.ts'
import { concernsEndpoint } from '../../body/entity-plan.ts'
import type {
  ConfigurationErrorCode,
  ConfigurationIssue,
} from '../../endpoint/definition/configuration-error.ts'
import type { Attributes } from '../../endpoint/definition/attributes.ts'
import type { SingleFilter } from '../../endpoint/tree/tree-scope.ts'
import { rootScope, nestedScope } from '../../endpoint/tree/tree-scope.ts'
import { prefixErrors } from '../../endpoint/tree/prefix-variables.ts'
import { verifySent } from './verify-route.ts'

/** Returns the configuration errors in the scopes of a tree, including its subtrees. */
export const verifyScopes = (
  node: AnyNode,
  keys: ReadonlyArray<string> = [],
): ReadonlyArray<ConfigurationIssue> => {
  if (node._tag === 'Endpoint') return []
  const { layers, mappers, attributes } = nestedScope(rootScope('/'), node.wrappers)
  const filters = layers.flatMap((layer) => (layer._tag === 'Filter' ? [layer.filter] : []))
  const declaring = [
    ...filters.filter((filter) => filter._tag !== 'ResponseFilter'),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  // mappers created by the same call to `mapTagged` share one declaration
  const responses = [...new Set(declaring.map((declared) => declared.responses))].flat()
  return [
    ...[
      ...filters.flatMap((filter) => boundPreMatchingFilter(filter, attributes.names)),
      ...filters.flatMap(missingRequirement),
      ...responses.flatMap(responseErrors),
      ...node.wrappers.flatMap(invalidPrefix),
    ].map(([code, remedy]) => ({
      code,
      concerns: [`of ${keys.length === 0 ? 'the root' : keys.join('.')}`],
      remedy,
    })),
    ...[...node.children].flatMap(([key, child]) => verifyScopes(child, [...keys, key])),
  ]
}

type ScopeError = readonly [code: ConfigurationErrorCode, remedy: string]

/**
 * Finds a pre-matching filter that is bound to operations. Such a filter would never run, because no operation has been selected
 * when pre-matching filters run.
 */
const boundPreMatchingFilter = (
  filter: SingleFilter,
  names: Attributes['names'],
): ReadonlyArray<ScopeError> =>
  filter._tag === 'PreMatchingFilter' && !concernsEndpoint(filter, undefined, names)
    ? [
        [
          'FW-FILTER-002',
          `${describeFilter(filter)} runs before routing: remove onlyFor and onlyWhere${filter.coversPaths === true ? ', and apply it to a subtree instead' : ''}`,
        ],
      ]
    : []

/** Returns the name of a pre-matching filter for error messages: its own name, or that of its function. */
export const describeFilter = ({ name, run }: PreMatchingFilter): string =>
  name ?? (run.name === '' ? 'a pre-matching filter' : run.name)

/** Returns the errors in the variables of a prefix. */
const invalidPrefix = (wrapper: Wrapper): ReadonlyArray<ScopeError> =>
  wrapper._tag === 'Prefix'
    ? prefixErrors(wrapper).map((remedy) => ['FW-PARAM-001', remedy] as const)
    : []

/** Returns an error for a filter with a missing requirement, such as an optional package that is not installed. */
const missingRequirement = (filter: SingleFilter): ReadonlyArray<ScopeError> => {
  const remedy = filter._tag === 'RequestFilter' ? filter.requirement?.missing() : undefined
  return remedy === undefined ? [] : [['FW-FILTER-003', remedy]]
}

/** Returns the configuration errors in a declared response. */
const responseErrors = (response: DeclaredResponse): ReadonlyArray<ScopeError> => {
  const errors: ScopeError[] = []
  const report: ReportError = (code, remedy) => void errors.push([code, remedy])
  const { representations } = response
  verifyResponses([response], report)
  verifyRepresentations(representations, report)
  charsetErrors(representations).forEach((remedy) => report('FW-MEDIA-001', remedy))
  verifySent(representations, report)
  return errors
}

/**
 * Finds trees declared as both `blocking` and `nonBlocking`. Returns the path of each such tree, as keys joined by dots. The
 * root is represented by an empty string.
 */
export const conflictingExecutionModes = (
  node: AnyNode,
  keys: ReadonlyArray<string> = [],
): ReadonlyArray<string> => {
  if (node._tag === 'Endpoint') return []
  const modes = node.wrappers.flatMap((wrap) =>
    wrap._tag === 'Attributes' ? [wrap.changes.execution] : [],
  )
  const conflict =
    modes.includes('blocking') && modes.includes('nonBlocking') ? [keys.join('.')] : []
  return [
    ...conflict,
    ...[...node.children].flatMap(([key, child]) =>
      conflictingExecutionModes(child, [...keys, key]),
    ),
  ]
}
