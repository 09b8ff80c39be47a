/**
 * Adds the visibility rules of an operation to its filter chain, and verifies that its view and role restrictions can be
 * enforced.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { opaqueRestrictionsIn, restrictionsIn } from '../codec/visibility/restrictions.ts'
import { isRestrictedOutsideObject, hiddenRequiredMembers } from '../codec/visibility/visibility.ts'
import type { Attributes } from '../endpoint/definition/attributes.ts'
import { defaultAttributes } from '../endpoint/definition/attributes.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { PropertyLookup, CheckedRoute } from './access.ts'
import { resolveRoles } from './access.ts'
import {
  codecsOf,
  receivedRepresentations,
  sentRepresentations,
} from './operation-representations.ts'
import type { FilterChain } from './filter-chain.ts'
import { parseDeclaredType } from '../body/charset.ts'
import { entityOffers } from '../body/entity-plan.ts'
import type { Route } from './flatten.ts'
import { routeIssue } from './flatten.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import type { VisibilityRules } from '../body/body-plan.ts'
import { inputVisibility, defaultVisibility } from '../body/body-plan.ts'

/** Adds visibility rules to routes, and to the filter chain for requests that match no operation. */
export interface VisibilityPass {
  readonly route: (checked: CheckedRoute) => CheckedRoute
  readonly root: (chain: FilterChain) => FilterChain
}

/** Creates a pass that uses `property` to resolve the expressions in role names. */
export const visibilityPass = (property: PropertyLookup): VisibilityPass => {
  const rolesOf = roleResolver(property)
  return {
    route: ({ route, errors }) => {
      const chain = withVisibility(route.chain, route.attributes, rolesOf)
      return { route: { ...route, chain }, errors: [...errors, ...verify(route, property)] }
    },
    root: (chain) => withVisibility(chain, defaultAttributes, rolesOf),
  }
}

const withVisibility = (
  chain: FilterChain,
  { view, secure = true }: Attributes,
  rolesOf: VisibilityRules['rolesOf'],
): FilterChain => ({
  ...chain,
  entities: { ...chain.entities, visibility: { view, secure, rolesOf } },
})

/**
 * Creates a memoized function that resolves the expressions in role names. Invalid expressions are ignored, because `verify`
 * reports them.
 */
const roleResolver = (property: PropertyLookup): VisibilityRules['rolesOf'] => {
  const cache = new WeakMap<ReadonlyArray<string>, ReadonlyArray<string>>()
  return (roles) => {
    const cached = cache.get(roles)
    if (cached !== undefined) return cached
    const resolved = roles.flatMap((role) => E.getOrElse(none)(resolveRoles(role, property)))
    cache.set(roles, resolved)
    return resolved
  }
}

const none = (): ReadonlyArray<string> => []

const verify = (route: Route, property: PropertyLookup): ReadonlyArray<ConfigurationIssue> => {
  const sent = sentRepresentations(route)
  const received = receivedRepresentations(route)
  const sentCodecs = sent.flatMap(({ format }) => codecsOf(format))
  const codecs = distinct([...sentCodecs, ...received.flatMap(({ format }) => codecsOf(format))])
  const opaque = distinct(sentCodecs.flatMap(opaqueRestrictionsIn)).map(opaqueRemedy)
  if (codecs.every((codec) => restrictionsIn(codec).length === 0))
    return opaque.map(routeIssue(route, 'FW-FIELD-004'))
  const unresolved = codecs
    .flatMap(restrictionsIn)
    .flatMap((restriction) => (restriction._tag === 'Roles' ? restriction.roles : []))
    .flatMap((role) => E.match(toList, none)(resolveRoles(role, property)))
  return [
    ...distinct(unresolved).map(routeIssue(route, 'FW-ACCESS-001')),
    ...distinct([...sent, ...received].flatMap(unrestrictable)).map(
      routeIssue(route, 'FW-FIELD-001'),
    ),
    ...received.flatMap(hiddenRequired).map(routeIssue(route, 'FW-FIELD-002')),
    ...distinct(sent.flatMap(unfilteredWriters(route))).map(routeIssue(route, 'FW-FIELD-003')),
    ...opaque.map(routeIssue(route, 'FW-FIELD-004')),
  ]
}

const toList = (text: string): ReadonlyArray<string> => [text]

const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

const opaqueRemedy = ({ name }: Codec): string =>
  `declare the structure of ${name} with io-ts codecs, or encode its restricted members with unrestricted(…)`

/**
 * Returns an error message for each codec with a restriction that does not apply to an object member. In text formats, no
 * restrictions are allowed, because text has no members.
 */
const unrestrictable = ({ format, mediaType }: AnyRepresentation): ReadonlyArray<string> =>
  codecsOf(format)
    .filter((codec) =>
      format._tag === 'Text' ? restrictionsIn(codec).length > 0 : isRestrictedOutsideObject(codec),
    )
    .map(
      ({ name }) =>
        `${name} (${mediaType}) is restricted, but is not a member of an object: restrict a member instead`,
    )

/** Finds required members of request bodies that are excluded by a view. */
const hiddenRequired = ({ format, view, mediaType }: AnyRepresentation): ReadonlyArray<string> =>
  view === undefined
    ? []
    : codecsOf(format)
        .flatMap((codec) =>
          hiddenRequiredMembers(codec, inputVisibility(codec, { ...defaultVisibility, view })),
        )
        .map(
          (name) =>
            `${name} is required, but the view ${view.name} of the ${mediaType} body excludes it: make it optional, or give it a default`,
        )

/**
 * Finds writers that are declared for a codec with role restrictions. Such writers receive complete values, including
 * the restricted members.
 */
const unfilteredWriters =
  ({ chain, attributes }: Route) =>
  ({ format, mediaType }: AnyRepresentation): ReadonlyArray<string> => {
    const declared = parseDeclaredType(mediaType)
    if (format._tag !== 'Entity' || declared === undefined || attributes.secure === false) return []
    const { codec } = format
    const { writers, xml } = chain.entities
    if (!restrictionsIn(codec).some(({ _tag }) => _tag === 'Roles')) return []
    return entityOffers(codec, declared.mediaType, writers, xml).flatMap((offer) =>
      offer.format._tag === 'Provider' && offer.format.by.scope._tag === 'Codec'
        ? [
            `the writer for ${codec.name} would receive restricted members: pass the name ${JSON.stringify(codec.name)} instead of the codec when you declare the writer, or declare secureSerialization(false)`,
          ]
        : [],
    )
  }
