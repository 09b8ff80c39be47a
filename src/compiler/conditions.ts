/**
 * Evaluates conditions declared on routes, filters, mappers and providers. Parts that a condition excludes are removed from the
 * tree before it is compiled. Therefore, these parts are not verified and do not conflict with other routes.
 */
import type { AppliedCondition, Condition, Conditional } from '../endpoint/condition.ts'
import type { Configuration } from './settings/resolve-expressions.ts'
import { isSecret, mask } from './settings/setting.ts'
import type { Settings } from './settings/settings.ts'
import type { AnyEntityProvider } from '../endpoint/interceptor.ts'
import type { AnyNode, Wrapper } from '../endpoint/routes.ts'
import type { SingleMapper, SingleFilter } from '../endpoint/tree/tree-scope.ts'
import { singleFilters, singleMappers } from '../endpoint/tree/tree-scope.ts'
import { join } from '../endpoint/definition/path-template.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'

/** Whether the profile and properties of an application fulfill a condition. */
export const isFulfilled = (condition: Condition, configuration: Configuration): boolean => {
  switch (condition._tag) {
    case 'Profile':
      return condition.names.includes(configuration.profile)
    case 'Property': {
      const text = configuration.property(condition.name)
      if (text === undefined) return condition.ifMissing
      return condition.value === undefined ? text !== 'false' : text === condition.value
    }
    case 'Not':
      return !isFulfilled(condition.condition, configuration)
    case 'AllOf':
      return condition.conditions.every((part) => isFulfilled(part, configuration))
    case 'AnyOf':
      return condition.conditions.some((part) => isFulfilled(part, configuration))
  }
}

/** Returns whether a condition includes the route, filter, mapper or provider on which it is declared. */
export type ConditionCheck = (condition: AppliedCondition) => boolean

/**
 * Creates a function that evaluates conditions. If `fw.rest.build-time-condition-aware` is `false`, the function returns `true`
 * for all `when` conditions without evaluating them.
 */
export const conditionCheck =
  (configuration: Configuration, settings: Settings): ConditionCheck =>
  ({ _tag, condition }) =>
    _tag === 'DisabledWhen'
      ? !isFulfilled(condition, configuration)
      : !settings[awareSetting] || isFulfilled(condition, configuration)

/** Formats a condition and the current values that it tests, such as `when profile dev (the profile is prod)`. */
export const formatCondition = (
  { _tag, condition }: AppliedCondition,
  configuration: Configuration,
  settings: Settings,
): string => {
  const actualValues =
    _tag === 'When' && !settings[awareSetting]
      ? [`not evaluated because ${awareSetting} is false`]
      : new Set(testsIn(condition).map((test) => actualValue(test, configuration)))
  return `${_tag === 'When' ? 'when' : 'disabled when'} ${formatTerms(condition)} (${[...actualValues].join(', ')})`
}

const awareSetting = 'fw.rest.build-time-condition-aware'

const formatTerms = (condition: Condition): string => {
  switch (condition._tag) {
    case 'Profile':
      return `profile ${condition.names.join(' or ')}`
    case 'Property': {
      const { name, value, ifMissing } = condition
      const term =
        value === undefined
          ? `${name} is set to a value other than "false"`
          : `${name} is ${quoteValue(name, value)}`
      return ifMissing ? `${term} or is not set` : term
    }
    case 'Not':
      return `not (${formatTerms(condition.condition)})`
    case 'AllOf':
      return joinTerms(condition.conditions, 'and')
    case 'AnyOf':
      return joinTerms(condition.conditions, 'or')
  }
}

const joinTerms = (conditions: ReadonlyArray<Condition>, word: string): string =>
  conditions.map((part) => `(${formatTerms(part)})`).join(` ${word} `)

/** A condition that tests a profile or a property. */
type ConditionTest = Extract<Condition, { readonly _tag: 'Profile' | 'Property' }>

/** Returns the tests in a condition. */
const testsIn = (condition: Condition): ReadonlyArray<ConditionTest> => {
  switch (condition._tag) {
    case 'Profile':
    case 'Property':
      return [condition]
    case 'Not':
      return testsIn(condition.condition)
    case 'AllOf':
    case 'AnyOf':
      return condition.conditions.flatMap(testsIn)
  }
}

/** Returns a phrase for the actual value of a profile or property, such as `the profile is prod`. */
const actualValue = (test: ConditionTest, { profile, property }: Configuration): string => {
  if (test._tag === 'Profile') return `the profile is ${profile}`
  const text = property(test.name)
  return `${test.name} is ${text === undefined ? 'not set' : quoteValue(test.name, text)}`
}

const quoteValue = (name: string, text: string): string =>
  isSecret(name) ? mask : JSON.stringify(text)

/** Removes excluded parts from a tree. */
export const includedRoutes = (api: AnyNode, allows: ConditionCheck): AnyNode =>
  isAllowed(api, allows) ? prune(api, allows) : emptyTree

/** Whether a condition in a tree tests for a profile. */
export const testsProfile = (api: AnyNode, profile: string): boolean => {
  let isTested = false
  includedRoutes(api, ({ condition }) => {
    isTested ||= testsIn(condition).some(
      (test) => test._tag === 'Profile' && test.names.includes(profile),
    )
    return true
  })
  return isTested
}

const emptyTree: AnyNode = Object.freeze({ _tag: 'Routes', children: new Map(), wrappers: [] })

const isAllowed = (node: AnyNode, allows: ConditionCheck): boolean =>
  conditionsOf(node).every(allows)

const prune = (node: AnyNode, allows: ConditionCheck): AnyNode =>
  node._tag === 'Endpoint'
    ? node
    : {
        ...node,
        children: new Map(
          [...node.children]
            .filter(([, child]) => isAllowed(child, allows))
            .map(([key, child]) => [key, prune(child, allows)]),
        ),
        wrappers: node.wrappers.map((wrap) => pruneWrapper(wrap, allows)),
      }

const pruneWrapper = (wrap: Wrapper, allows: ConditionCheck): Wrapper => {
  const isIncluded = (part: Conditional): boolean => ownConditions(part).every(allows)
  switch (wrap._tag) {
    case 'Filters':
      return { ...wrap, filters: wrap.filters.flatMap(singleFilters).filter(isIncluded) }
    case 'Mappers':
      return { ...wrap, mappers: wrap.mappers.flatMap(singleMappers).filter(isIncluded) }
    case 'EntityProviders':
      return { ...wrap, providers: wrap.providers.filter(isIncluded) }
    default:
      return wrap
  }
}

/** A single filter, mapper or provider. Unlike a group of filters or mappers, it can have conditions. */
export type ConditionalPart = SingleFilter | SingleMapper | AnyEntityProvider

/** Returns the filters, mappers and providers in a wrapper. Groups are flattened, because a group cannot have conditions. */
const partsOf = (wrap: Wrapper): ReadonlyArray<ConditionalPart> => {
  switch (wrap._tag) {
    case 'Filters':
      return wrap.filters.flatMap(singleFilters)
    case 'Mappers':
      return wrap.mappers.flatMap(singleMappers)
    case 'EntityProviders':
      return wrap.providers
    default:
      return []
  }
}

/** Returns the conditions declared on a filter, mapper or provider. */
const ownConditions = ({ conditions = [] }: Conditional): ReadonlyArray<AppliedCondition> =>
  conditions

/**
 * Returns the conditions declared on an endpoint or tree. The conditions of its filters, mappers and providers are not included.
 */
const conditionsOf = (node: AnyNode): ReadonlyArray<AppliedCondition> =>
  node._tag === 'Endpoint'
    ? node.definition.attributes.conditions
    : node.wrappers.flatMap((wrap) =>
        wrap._tag === 'Attributes' ? ownConditions(wrap.changes) : [],
      )

/** An operation, filter, mapper or provider that is excluded by a condition. */
export interface ExcludedRoute {
  /** A description such as `GET /debug  (debug)` or `a request filter of books`. */
  readonly title: string
  /** The conditions that exclude the operation, filter, mapper or provider. */
  readonly conditions: ReadonlyArray<AppliedCondition>
}

/**
 * Returns the operations that are excluded from a tree. Also returns the filters, mappers and providers that are excluded from its
 * remaining subtrees.
 */
export const excludedRoutes = (
  api: AnyNode,
  path: string,
  allows: ConditionCheck,
): ReadonlyArray<ExcludedRoute> => collectExcluded(api, { keys: [], path, excludedBy: [] }, allows)

/** The position of a node in a tree. */
interface Position {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  /** The conditions that exclude the enclosing subtree. Empty if the subtree is included. */
  readonly excludedBy: ReadonlyArray<AppliedCondition>
}

const collectExcluded = (
  node: AnyNode,
  position: Position,
  allows: ConditionCheck,
): ReadonlyArray<ExcludedRoute> => {
  const { keys } = position
  const excludedBy =
    position.excludedBy.length > 0
      ? position.excludedBy
      : conditionsOf(node).filter((condition) => !allows(condition))
  if (node._tag === 'Endpoint') {
    const { method, template } = node.definition
    const full = join(position.path, template) || '/'
    const title = operationTitle({ method, template: full, name: keys.join('.') })
    return excludedBy.length === 0 ? [] : [{ title, conditions: excludedBy }]
  }
  const path = node.wrappers.reduce(
    (prefix, wrapper) => (wrapper._tag === 'Prefix' ? join(prefix, wrapper.path) : prefix),
    position.path,
  )
  return [
    ...(excludedBy.length > 0
      ? []
      : node.wrappers.flatMap(partsOf).flatMap(excludedPart(keys, allows))),
    ...[...node.children].flatMap(([key, child]) =>
      collectExcluded(child, { keys: [...keys, key], path, excludedBy }, allows),
    ),
  ]
}

const excludedPart =
  (keys: ReadonlyArray<string>, allows: ConditionCheck) =>
  (part: ConditionalPart): ReadonlyArray<ExcludedRoute> => {
    const conditions = ownConditions(part).filter((condition) => !allows(condition))
    const tree = keys.length === 0 ? 'the root' : keys.join('.')
    return conditions.length === 0 ? [] : [{ title: `${titles[part._tag]} of ${tree}`, conditions }]
  }

const titles: Readonly<Record<ConditionalPart['_tag'], string>> = {
  PreMatchingFilter: 'a pre-matching filter',
  RequestFilter: 'a request filter',
  ResponseFilter: 'a response filter',
  MapError: 'an error mapper',
  Unwrap: 'an unwrapping mapper',
  Reader: 'a reader',
  Writer: 'a writer',
  ReaderInterceptor: 'a reader interceptor',
  WriterInterceptor: 'a writer interceptor',
}
