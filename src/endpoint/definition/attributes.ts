/**
 * Attributes: properties of an operation that are not part of the contract. The functions in `tree-scope.ts` set
 * attributes.
 */
import type { Codec } from '../../codec/codec.ts'
import type { View } from '../../codec/structure/restricted-member.ts'
import type { AppliedCondition } from '../condition.ts'
import type { Context } from '../context.ts'
import type { XmlScope } from '../../xml/context/xml-format.ts'
import type { Deprecation } from './deprecation.ts'
import { mergeDeprecation } from './deprecation.ts'
import type { JsonRules } from './json-rules.ts'
import { mergeJsonRules } from './json-rules.ts'
import type { Documentation, DocumentationChanges } from './operation-documentation.ts'
import { mergeDocumentation } from './operation-documentation.ts'
import type { Idempotency } from './idempotency.ts'
import type { Rate, Store } from './store.ts'

/** The attributes of an operation. A member that is `undefined` has the default value. */
export interface Attributes {
  /** Names by which `onlyFor` selects the operation. */
  readonly names: ReadonlyArray<string>
  readonly execution: Execution | undefined
  /** The kind of value to which `execution` was applied. */
  readonly executionScope: 'tree' | 'resource' | 'operation' | undefined
  /** Whether the operation runs on a worker if `execution` is `undefined`. */
  readonly transactional: boolean
  readonly access: Access | undefined
  /** Whether responses are compressed. By default, this depends on the media type. */
  readonly compression: 'compressed' | 'uncompressed' | undefined
  /** Conditions under which the operation is included in the application, outermost first. All conditions must hold. */
  readonly conditions: ReadonlyArray<AppliedCondition>
  readonly limits: Limits
  /**
   * Limits on the number of requests, outermost first. All of them apply. An empty list exempts the operation from the limits of
   * enclosing scopes.
   */
  readonly rateLimits: ReadonlyArray<RateLimit> | undefined
  /** XML options and the XML context. */
  readonly xml: XmlScope | undefined
  /** Rules for reading and writing JSON. By default, the settings apply. */
  readonly json: JsonRules | undefined
  /** The relation and other attributes of the links to the operation. Default: the operation is not a link target. */
  readonly link: LinkAttribute | undefined
  /** The links that responses contain. Default: no links. */
  readonly linkMode: LinkMode | undefined
  /** The view that determines which members are written. Default: all members are written. */
  readonly view: View | undefined
  /** Whether role-based restrictions on members apply. Default: `true`. */
  readonly secure: boolean | undefined
  /** Whether the operation is exempt from load shedding and rate limits. */
  readonly critical: boolean
  /** The state that requests share. Default: a store in memory, which the operations of the tree share. */
  readonly store: Store | undefined
  /** Since when and until when the operation is deprecated. `false` overrides the enclosing scopes. */
  readonly deprecation: Deprecation | false | undefined
  /** How the operation recognizes repeated requests. Default: it does not. `idempotencyOf` considers the method, too. */
  readonly idempotency: Idempotency | false | undefined
  /** What OpenAPI documents contain about the operation in addition to its declarations. */
  readonly documentation: Documentation | undefined
}

/** Limits that override the settings. Sizes are in bytes, and `timeout` is in milliseconds. */
export interface Limits {
  readonly bodySize?: number
  readonly parsedBodySize?: number
  readonly formAttributeSize?: number
  readonly fileSize?: number
  readonly files?: number
  readonly parameters?: number
  readonly parts?: number
  readonly partHeaders?: number
  readonly partHeaderSize?: number
  readonly timeout?: number
}

/** A limit on the number of requests. */
export interface RateLimit {
  /** The name in headers and problem documents. Default: `default`. */
  readonly name: string | undefined
  /** Maximum number of requests in any period of `window` milliseconds. */
  readonly limit: number
  readonly window: number
  readonly rate: Rate
  readonly by: RateLimitKey
  /** Whether responses contain the `RateLimit` and `RateLimit-Policy` headers. */
  readonly headers: boolean
}

/** What a limit counts the requests of: a client address, a principal, or a key. */
export type RateLimitKey = 'address' | 'principal' | ((context: Context) => string | undefined)

/** Returns the rate limits of an operation. Critical operations have none. */
export const rateLimitsOf = ({
  critical,
  rateLimits = [],
}: Pick<Attributes, 'critical' | 'rateLimits'>): ReadonlyArray<RateLimit> =>
  critical ? [] : rateLimits

/** Attributes of the links to an operation. */
export interface LinkAttribute {
  readonly relation: string | undefined
  readonly title?: string
  readonly type?: string
  /** The entity that the links belong to: a codec or the name of a codec. */
  readonly entity: Codec | string | undefined
}

/**
 * The links in a response: only links without path variables (`type`), or all links, with variable values taken from
 * the sent entity (`instance`).
 */
export type LinkMode = 'type' | 'instance'

/** Where handlers run: on a worker (`blocking`) or on the event loop (`nonBlocking`). */
export type Execution = 'blocking' | 'nonBlocking'

/** The default attributes of an operation. */
export const defaultAttributes: Attributes = Object.freeze({
  names: Object.freeze([]),
  execution: undefined,
  executionScope: undefined,
  transactional: false,
  access: undefined,
  compression: undefined,
  conditions: Object.freeze([]),
  limits: Object.freeze({}),
  rateLimits: undefined,
  xml: undefined,
  json: undefined,
  link: undefined,
  linkMode: undefined,
  view: undefined,
  secure: undefined,
  critical: false,
  store: undefined,
  deprecation: undefined,
  idempotency: undefined,
  documentation: undefined,
})

/** Attributes set by a combinator. */
export type AttributeChanges = Partial<Omit<Attributes, 'documentation'>> & {
  readonly documentation?: DocumentationChanges | undefined
}

/** Merges the attributes of a nested scope into the attributes of the enclosing scope. */
export const mergeAttributes = (outer: Attributes, inner: AttributeChanges): Attributes => ({
  names: inner.names === undefined ? outer.names : [...outer.names, ...inner.names],
  execution: inner.execution ?? outer.execution,
  executionScope: inner.executionScope ?? outer.executionScope,
  transactional: inner.transactional === true || outer.transactional,
  access: inner.access ?? outer.access,
  compression: inner.compression ?? outer.compression,
  conditions: concat(outer.conditions, inner.conditions),
  limits: inner.limits === undefined ? outer.limits : { ...outer.limits, ...inner.limits },
  rateLimits: mergeRateLimits(outer.rateLimits, inner.rateLimits),
  xml: inner.xml === undefined ? outer.xml : mergeXml(outer.xml, inner.xml),
  json: mergeJsonRules(outer.json, inner.json),
  link: inner.link ?? outer.link,
  linkMode: inner.linkMode ?? outer.linkMode,
  view: inner.view ?? outer.view,
  secure: inner.secure ?? outer.secure,
  critical: inner.critical === true || outer.critical,
  store: inner.store ?? outer.store,
  deprecation: mergeDeprecation(outer.deprecation, inner.deprecation),
  idempotency: inner.idempotency ?? outer.idempotency,
  documentation: mergeDocumentation(outer.documentation, inner.documentation),
})

const mergeXml = (outer: XmlScope | undefined, inner: XmlScope): XmlScope => ({
  options: concat(outer?.options ?? [], inner.options),
  context: inner.context ?? outer?.context,
  entity: inner.entity ?? outer?.entity,
})

const mergeRateLimits = (
  outer: Attributes['rateLimits'],
  inner: Attributes['rateLimits'],
): Attributes['rateLimits'] =>
  inner === undefined || outer === undefined || inner.length === 0
    ? (inner ?? outer)
    : [...outer, ...inner]

const concat = <A>(outer: ReadonlyArray<A>, inner: ReadonlyArray<A> = []): ReadonlyArray<A> =>
  inner.length === 0 ? outer : [...outer, ...inner]

/** Whether handlers run on a worker. If `execution` is set, it overrides `transactional`. */
export const isBlocking = ({ execution, transactional }: Attributes): boolean =>
  execution === undefined ? transactional : execution === 'blocking'

/** The callers that an operation allows. */
export type Access =
  | { readonly _tag: 'PermitAll' }
  | { readonly _tag: 'DenyAll' }
  | { readonly _tag: 'Authenticated' }
  /** Principals that have at least one of these roles. Roles can contain expressions such as `${role.admin:admin}`. */
  | { readonly _tag: 'Roles'; readonly roles: ReadonlyArray<string> }
