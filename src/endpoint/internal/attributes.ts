/** Attributes: properties of an operation besides its contract. See `set-attributes.ts`. */
import type { Codec } from '../../codec/codec.ts'
import type { View } from '../../codec/visibility/restricted-member.ts'
import type { Inclusion } from '../condition.ts'
import type { XmlScope } from '../../xml/context/xml-format.ts'
import type { JsonRules } from './json-rules.ts'
import { mergeJsonRules } from './json-rules.ts'

/** The attributes of an operation. `undefined` stands for the default. */
export interface Attributes {
  /** Names that filters select with `onlyFor`. */
  readonly names: ReadonlyArray<string>
  readonly execution: Execution | undefined
  /** Where `execution` is set. */
  readonly executionScope: 'tree' | 'resource' | 'operation' | undefined
  /** Whether the operation is blocking if `execution` is undefined. */
  readonly transactional: boolean
  readonly access: Access | undefined
  /** Whether responses are compressed. Default: depends on their media type. */
  readonly compression: 'compressed' | 'uncompressed' | undefined
  /** Conditions of its existence, outermost first. All must hold. */
  readonly conditions: ReadonlyArray<Inclusion>
  readonly limits: Limits
  /** XML options. */
  readonly xml: XmlScope | undefined
  /** JSON customization. Default: the settings. */
  readonly json: JsonRules | undefined
  /** Relation and attributes of links to the operation. Default: not a link target. */
  readonly link: LinkAttribute | undefined
  /** The links of its responses. Default: none. */
  readonly linkMode: LinkMode | undefined
  /** The view of written members. Default: all members. */
  readonly view: View | undefined
  /** Whether role restrictions of members apply. Default: `true`. */
  readonly secure: boolean | undefined
  /** Whether the operation is exempt from load shedding. */
  readonly critical: boolean
}

/** Limits that override the settings: sizes in bytes, `time` in milliseconds. */
export interface Limits {
  readonly bodySize?: number
  readonly parsedBodySize?: number
  readonly formAttributeSize?: number
  readonly fileSize?: number
  readonly time?: number
}

/** Attributes of links to an operation. */
export interface LinkAttribute {
  readonly relation: string | undefined
  readonly title?: string
  readonly type?: string
  /** The entity that the links belong to: a codec, or the name of one. */
  readonly entity: Codec | string | undefined
}

/** Links of an entity type, or of the entity that is sent. */
export type LinkMode = 'type' | 'instance'

/** Whether handlers run on a worker or on the event loop. */
export type Execution = 'blocking' | 'nonBlocking'

/** The attributes of an operation without declarations. */
export const defaultAttributes: Attributes = Object.freeze({
  names: Object.freeze([]),
  execution: undefined,
  executionScope: undefined,
  transactional: false,
  access: undefined,
  compression: undefined,
  conditions: Object.freeze([]),
  limits: Object.freeze({}),
  xml: undefined,
  json: undefined,
  link: undefined,
  linkMode: undefined,
  view: undefined,
  secure: undefined,
  critical: false,
})

/** Attributes that a combinator sets. */
export type AttributeChanges = Partial<Attributes>

/** Merges the attributes of a nested scope into those of the enclosing one. */
export const mergeAttributes = (outer: Attributes, inner: AttributeChanges): Attributes => ({
  names: inner.names === undefined ? outer.names : [...outer.names, ...inner.names],
  execution: inner.execution ?? outer.execution,
  executionScope: inner.executionScope ?? outer.executionScope,
  transactional: inner.transactional === true || outer.transactional,
  access: inner.access ?? outer.access,
  compression: inner.compression ?? outer.compression,
  conditions: appended(outer.conditions, inner.conditions),
  limits: inner.limits === undefined ? outer.limits : { ...outer.limits, ...inner.limits },
  xml: inner.xml === undefined ? outer.xml : mergeXml(outer.xml, inner.xml),
  json: mergeJsonRules(outer.json, inner.json),
  link: inner.link ?? outer.link,
  linkMode: inner.linkMode ?? outer.linkMode,
  view: inner.view ?? outer.view,
  secure: inner.secure ?? outer.secure,
  critical: inner.critical === true || outer.critical,
})

const mergeXml = (outer: XmlScope | undefined, inner: XmlScope): XmlScope => ({
  options: appended(outer?.options ?? [], inner.options),
  context: inner.context ?? outer?.context,
  entity: inner.entity ?? outer?.entity,
})

const appended = <A>(outer: ReadonlyArray<A>, inner: ReadonlyArray<A> = []): ReadonlyArray<A> =>
  inner.length === 0 ? outer : [...outer, ...inner]

/** Whether handlers run on a worker. An explicit execution overrides `transactional`. */
export const isBlocking = ({ execution, transactional }: Attributes): boolean =>
  execution === undefined ? transactional : execution === 'blocking'

/** The callers that an operation allows. */
export type Access =
  | { readonly _tag: 'PermitAll' }
  | { readonly _tag: 'DenyAll' }
  | { readonly _tag: 'Authenticated' }
  /** Principals with one of these roles, which may contain expressions such as `${role.admin:admin}`. */
  | { readonly _tag: 'Roles'; readonly roles: ReadonlyArray<string> }
