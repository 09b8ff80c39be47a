/**
 * Visibility of an operation: adds its view and role restrictions to its chain, and verifies that they can be enforced.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec/codec.ts'
import { opaqueRestrictionsIn, restrictionsIn } from '../codec/visibility/restrictions.ts'
import { isRestrictedOutsideObject, hiddenRequiredMembers } from '../codec/visibility/visibility.ts'
import type { Attributes } from '../endpoint/internal/attributes.ts'
import { defaultAttributes } from '../endpoint/internal/attributes.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { PropertyLookup, CheckedRoute } from './access.ts'
import { resolveRoles } from './access.ts'
import { codecsOf } from './nested-representations.ts'
import type { FilterChain } from './filter-chain.ts'
import { parseDeclaredType } from '../body/declared-type.ts'
import { receivedRepresentations, sentRepresentations } from './operation-representations.ts'
import { entityOffers } from '../body/entity/entity-plan.ts'
import type { Route } from './flatten.ts'
import type { ConfigurationErrorCode, Mistake } from '../endpoint/internal/configuration-error.ts'
import type { VisibilityRules } from '../body/visibility.ts'
import { inputVisibility, defaultVisibility } from '../body/visibility.ts'
import { routeTitle } from './verify/verify-route.ts'

/** Adds visibility rules to routes, and to the chain of requests that match no operation. */
export interface VisibilityPass {
  readonly route: (found: CheckedRoute) => CheckedRoute
  readonly root: (chain: FilterChain) => FilterChain
}

export const visibilityPass = (property: PropertyLookup): VisibilityPass => {
  const resolved = resolving(property)
  return {
    route: ({ route, errors: mistakes }) => {
      const chain = projectedBy(route.chain, route.attributes, resolved)
      return { route: { ...route, chain }, errors: [...mistakes, ...verify(route, property)] }
    },
    root: (chain) => projectedBy(chain, defaultAttributes, resolved),
  }
}

const projectedBy = (
  chain: FilterChain,
  { view, secure = true }: Attributes,
  resolved: VisibilityRules['rolesOf'],
): FilterChain => ({
  ...chain,
  entities: { ...chain.entities, visibility: { view, secure, rolesOf: resolved } },
})

/** Resolves roles. Invalid expressions are configuration errors, so they are ignored here. */
const resolving = (property: PropertyLookup): VisibilityRules['rolesOf'] => {
  const known = new WeakMap<ReadonlyArray<string>, ReadonlyArray<string>>()
  return (roles) => {
    const before = known.get(roles)
    if (before !== undefined) return before
    const found = roles.flatMap((role) => E.getOrElse(none)(resolveRoles(role, property)))
    known.set(roles, found)
    return found
  }
}

const none = (): ReadonlyArray<string> => []

const verify = (route: Route, property: PropertyLookup): ReadonlyArray<Mistake> => {
  const wrong =
    (code: ConfigurationErrorCode) =>
    (remedy: string): Mistake => ({ code, concerns: [routeTitle(route)], remedy })
  const sent = sentRepresentations(route)
  const read = receivedRepresentations(route)
  const sentCodecs = sent.flatMap(({ format }) => codecsOf(format))
  const codecs = distinct([...sentCodecs, ...read.flatMap(({ format }) => codecsOf(format))])
  const opaque = distinct(sentCodecs.flatMap(opaqueRestrictionsIn)).map(opaqueRemedy)
  if (codecs.every((codec) => restrictionsIn(codec).length === 0))
    return opaque.map(wrong('FW-FIELD-004'))
  const unresolved = codecs
    .flatMap(restrictionsIn)
    .flatMap((one) => (one._tag === 'Roles' ? one.roles : []))
    .flatMap((role) => E.match(only, none)(resolveRoles(role, property)))
  return [
    ...distinct(unresolved).map(wrong('FW-ACCESS-001')),
    ...distinct([...sent, ...read].flatMap(alone)).map(wrong('FW-FIELD-001')),
    ...read.flatMap(required).map(wrong('FW-FIELD-002')),
    ...distinct(sent.flatMap(given(route))).map(wrong('FW-FIELD-003')),
    ...opaque.map(wrong('FW-FIELD-004')),
  ]
}

const only = (text: string): ReadonlyArray<string> => [text]

const distinct = <A>(some: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(some)]

const opaqueRemedy = ({ name }: Codec): string =>
  `declare the structure of ${name} with io-ts codecs, or encode its restricted members with unrestricted(…)`

/** Only members of objects can be restricted; text has no members. */
const alone = ({ format, mediaType }: AnyRepresentation): ReadonlyArray<string> =>
  codecsOf(format)
    .filter((codec) =>
      format._tag === 'Text' ? restrictionsIn(codec).length > 0 : isRestrictedOutsideObject(codec),
    )
    .map(
      ({ name }) =>
        `restrict a member of an object: ${name} as ${mediaType} is restricted outside of an object`,
    )

const required = ({ format, view, mediaType }: AnyRepresentation): ReadonlyArray<string> =>
  view === undefined
    ? []
    : codecsOf(format)
        .flatMap((codec) =>
          hiddenRequiredMembers(codec, inputVisibility(codec, { ...defaultVisibility, view })),
        )
        .map(
          (name) =>
            `${name} is required, but the view ${view.name} of ${mediaType} excludes it: make it optional, or give it a default`,
        )

/** Finds writers of a codec, which receive unfiltered values. */
const given =
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
            `the writer of ${codec.name} would receive its secured fields: declare it for the name ${JSON.stringify(codec.name)}, or declare secureSerialization(false)`,
          ]
        : [],
    )
  }
