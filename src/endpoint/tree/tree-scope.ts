/**
 * Scopes of endpoints. The scope of an endpoint contains everything applied to it by the enclosing trees, collected
 * from the root of the tree downwards.
 */
import type { RejectedStep } from '../../codec/codec.ts'
import type { Definition } from '../endpoint.ts'
import { declareOnce, updateDefinition, withConflict } from '../endpoint.ts'
import type { Access, AttributeChanges, Attributes } from '../definition/attributes.ts'
import { mergeAttributes, defaultAttributes } from '../definition/attributes.ts'
import { checkTarget } from '../internal/combinator.ts'
import type { AnyFilter } from '../filter.ts'
import type { AnyEntityProvider } from '../interceptor.ts'
import type { AnyMapper } from '../mapper.ts'
import type { Wrapper } from '../routes.ts'
import { join } from '../definition/path-template.ts'
import type { PrefixVariable } from './prefix-variables.ts'
import { prefixVariables } from './prefix-variables.ts'
import { isObject } from '../../http/platform-value.ts'

/** A value that can have attributes: a tree, or a complete or incomplete endpoint. */
export type AttributeTarget =
  | { readonly _tag: 'Endpoint'; readonly definition: Definition }
  | { readonly _tag: 'Routes'; readonly wrappers: ReadonlyArray<unknown> }

/** A combinator that sets attributes of an endpoint or a tree, and returns a value of the same type. */
export type AttributeStep = <X extends AttributeTarget>(target: X) => X

/**
 * An {@link AttributeStep} that is a constant, such as `authenticated`. It throws a `ConfigurationError` without an argument, as in
 * `authenticated()`. The parameter is optional only for the type error, which then ends in the remedy.
 */
export type ConstantStep<Name extends string> = <
  X extends AttributeTarget | CalledStep<Name> = CalledStep<Name>,
>(
  target?: X,
) => NoInfer<X>

/** The type of the constant step `Name` that is called without an argument. */
export type CalledStep<Name extends string> =
  RejectedStep<`${Name} is a constant: remove the parentheses after ${Name}`>

/**
 * Sets attributes. The attributes of an endpoint are stored in its definition. The attributes of a tree are stored in
 * a wrapper.
 */
export const setAttributes = <Name extends string>(changes: AttributeChanges): ConstantStep<Name> =>
  // changes only members that the type does not describe
  ((target: AttributeTarget) => withAttributes(target, changes)) as ConstantStep<Name>

const withAttributes = (target: AttributeTarget, changes: AttributeChanges): AttributeTarget => {
  checkTarget(['Endpoint', 'Routes'], target)
  return target._tag === 'Endpoint'
    ? updateDefinition(target, (definition) => mergeInto(definition, changes))
    : Object.freeze({
        ...target,
        wrappers: Object.freeze([
          Object.freeze({ _tag: 'Attributes', changes }),
          ...target.wrappers,
        ]),
      })
}

/**
 * Merges attribute changes into a definition. Records a conflict if an attribute is set to different values on the same resource or
 * operation. A definition without a method is a resource.
 */
const mergeInto = (original: Definition, changes: AttributeChanges): Definition => {
  const { attributes: before, method } = original
  const definition = names(before, changes).reduce(
    (current, name) => declareOnce(current, name),
    original,
  )
  const { execution } = changes
  if (execution === undefined)
    return { ...definition, attributes: mergeAttributes(before, changes) }
  const executionScope = method === undefined ? 'resource' : 'operation'
  const attributes = mergeAttributes(before, { ...changes, executionScope })
  const after: Definition = { ...definition, attributes }
  return before.executionScope === executionScope && before.execution !== execution
    ? withConflict(
        after,
        `${executionScope} is declared as both blocking and nonBlocking: keep one`,
      )
    : after
}

/** Attributes with a single value, and their names in messages. */
const singleAttributes = [
  ['access', 'the access rule'],
  ['compression', 'the compression'],
  ['link', 'rel'],
  ['linkMode', 'injectLinks'],
  ['view', 'jsonView'],
  ['secure', 'secureSerialization'],
  ['store', 'withStore'],
  ['idempotency', 'idempotent'],
] as const

/** Returns the names of the attributes and limits that are changed to another value. */
const names = (before: Attributes, changes: AttributeChanges): ReadonlyArray<string> => {
  const attributes = singleAttributes.filter(
    ([key]) => changes[key] !== undefined && !isEqual(before[key], changes[key]),
  )
  const limits = Object.entries(changes.limits ?? {}).filter(
    ([name, limit]) =>
      !Object.entries(before.limits).some(([key, value]) => key === name && value === limit),
  )
  return [...attributes.map(([, name]) => name), ...limits.map(([name]) => `limits({ ${name} })`)]
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other ||
  (isAccess(one) && isAccess(other) && JSON.stringify(one) === JSON.stringify(other))

const isAccess = (value: unknown): value is Access => isObject(value) && '_tag' in value

/** The scope of an endpoint or a tree: everything that the enclosing trees apply to it. */
export interface TreeScope {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  /** The variables in `path` that fill slots, outermost first. */
  readonly variables: ReadonlyArray<PrefixVariable>
  /** Filters, provided values and prefix variables, outermost first. */
  readonly layers: ReadonlyArray<ScopeLayer>
  /**
   * Mappers applied by the enclosing trees, as one list for each tree that has mappers. The list for the innermost tree
   * is first.
   */
  readonly mappers: ReadonlyArray<ReadonlyArray<SingleMapper>>
  /**
   * Readers, writers and interceptors applied by the enclosing trees, as one list for each tree that has such values.
   * The list for the innermost tree is first.
   */
  readonly providers: ReadonlyArray<ReadonlyArray<AnyEntityProvider>>
  readonly attributes: Attributes
}

/** A filter, provided values, or the variables of a prefix. */
export type ScopeLayer =
  | { readonly _tag: 'Filter'; readonly filter: SingleFilter }
  | { readonly _tag: 'Provided'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly _tag: 'Prefix'; readonly variables: ReadonlyArray<PrefixVariable> }

/** A single filter, as opposed to a combination of filters. */
export type SingleFilter = Exclude<AnyFilter, { readonly _tag: 'Filters' }>
/** A single mapper, as opposed to a combination of mappers. */
export type SingleMapper = Exclude<AnyMapper, { readonly _tag: 'Mappers' }>

/** Returns the root scope of a tree that is served under `path`. */
export const rootScope = (path: string): TreeScope => ({
  keys: [],
  path,
  variables: [],
  layers: [],
  mappers: [],
  providers: [],
  attributes: defaultAttributes,
})

/**
 * Returns the scope inside a tree. The mappers applied to the tree form one list, in the order in which they were
 * applied.
 */
export const nestedScope = (scope: TreeScope, wrappers: ReadonlyArray<Wrapper>): TreeScope => {
  const inside = wrappers.reduce(addWrapper, addProviders(scope, wrappers))
  const mappers = wrappers
    .toReversed()
    .flatMap((wrapper) =>
      wrapper._tag === 'Mappers' ? wrapper.mappers.flatMap(singleMappers) : [],
    )
  return mappers.length === 0 ? inside : { ...inside, mappers: [mappers, ...inside.mappers] }
}

/** Adds a list of the readers, writers and interceptors of a tree to the scope. The list starts with the outermost one. */
const addProviders = (scope: TreeScope, wrappers: ReadonlyArray<Wrapper>): TreeScope => {
  const level = wrappers.flatMap((wrapper) =>
    wrapper._tag === 'EntityProviders' ? wrapper.providers : [],
  )
  return level.length === 0 ? scope : { ...scope, providers: [level, ...scope.providers] }
}

const addWrapper = (scope: TreeScope, wrapper: Wrapper): TreeScope => {
  switch (wrapper._tag) {
    case 'Prefix':
      return withPrefix(
        { ...scope, path: join(scope.path, wrapper.path) },
        prefixVariables(wrapper),
      )
    case 'Provide':
      return { ...scope, layers: [...scope.layers, { _tag: 'Provided', values: wrapper.values }] }
    case 'Filters':
      return {
        ...scope,
        layers: [
          ...scope.layers,
          ...wrapper.filters
            .flatMap(singleFilters)
            .map((filter): ScopeLayer => ({ _tag: 'Filter', filter })),
        ],
      }
    case 'Attributes':
      return { ...scope, attributes: mergeAttributes(scope.attributes, wrapper.changes) }
    case 'Mappers':
    case 'EntityProviders':
      return scope
  }
}

const withPrefix = (scope: TreeScope, variables: ReadonlyArray<PrefixVariable>): TreeScope =>
  variables.length === 0
    ? scope
    : {
        ...scope,
        variables: [...scope.variables, ...variables],
        layers: [...scope.layers, { _tag: 'Prefix', variables }],
      }

/** Returns the filters that a filter combines, or the filter itself. */
export const singleFilters = (filter: AnyFilter): ReadonlyArray<SingleFilter> =>
  filter._tag === 'Filters' ? filter.filters.flatMap(singleFilters) : [filter]

/** Returns the mappers that a mapper combines, or the mapper itself. */
export const singleMappers = (mapper: AnyMapper): ReadonlyArray<SingleMapper> =>
  mapper._tag === 'Mappers' ? mapper.mappers.flatMap(singleMappers) : [mapper]
