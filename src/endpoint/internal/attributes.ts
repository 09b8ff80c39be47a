/** What is said of an operation beside its contract: see `mark.ts`. */
import type { Codec } from '../../codec/codec.ts'
import type { View } from '../../codec/visibility/restricted-member.ts'
import type { Inclusion } from '../condition.ts'
import type { XmlMarks } from '../../xml/context/xml-format.ts'
import type { JsonRules } from './json-rules.ts'
import { mergeJsonRules } from './json-rules.ts'

export interface Attributes {
  /** What filters can be bound to. */
  readonly names: ReadonlyArray<string>
  readonly execution: Execution | undefined
  /** What the execution was said of. */
  readonly executionScope: 'tree' | 'resource' | 'operation' | undefined
  /** Whether it counts as blocking where no execution is said. */
  readonly transactional: boolean
  readonly access: Access | undefined
  /** Whether responses are compressed; left to their media type where nothing is said. */
  readonly compression: 'compressed' | 'uncompressed' | undefined
  /** When it is there, the outermost first: all of them have to allow it. */
  readonly conditions: ReadonlyArray<Inclusion>
  readonly limits: Limits
  /** What was said of XML. */
  readonly xml: XmlMarks | undefined
  /** How JSON is read and written; as the settings say where nothing is said. */
  readonly json: JsonRules | undefined
  /** What makes it a target of links. */
  readonly link: LinkAttribute | undefined
  /** Which links its responses carry; none where nothing is said. */
  readonly linkMode: LinkMode | undefined
  /** Which members are written; all where nothing is said. */
  readonly view: View | undefined
  /** Whether restrictions by roles hold; they do where nothing is said. */
  readonly secure: boolean | undefined
  /** Whether it is answered also while the server refuses what it has no time for. */
  readonly critical: boolean
}

/** Octets, and milliseconds for `time`, where they are not what the settings say. */
export interface Limits {
  readonly bodySize?: number
  readonly parsedBodySize?: number
  readonly formAttributeSize?: number
  readonly fileSize?: number
  readonly time?: number
}

/** What links to an operation say. */
export interface LinkAttribute {
  readonly relation: string | undefined
  readonly title?: string
  readonly type?: string
  /** Whose links they are: a codec, or the name of one. */
  readonly entity: Codec | string | undefined
}

/** Links of an entity in general, or of the one that is sent. */
export type LinkMode = 'type' | 'instance'

/** Where handlers run: on the event loop, or on a worker. */
export type Execution = 'blocking' | 'nonBlocking'

/** An operation of which nothing was said. */
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

/** What a mark adds. */
export type AttributeChanges = Partial<Attributes>

/** What marks say that stand `inside` others. */
export const mergeAttributes = (outside: Attributes, inside: AttributeChanges): Attributes => ({
  names: inside.names === undefined ? outside.names : [...outside.names, ...inside.names],
  execution: inside.execution ?? outside.execution,
  executionScope: inside.executionScope ?? outside.executionScope,
  transactional: inside.transactional === true || outside.transactional,
  access: inside.access ?? outside.access,
  compression: inside.compression ?? outside.compression,
  conditions: appended(outside.conditions, inside.conditions),
  limits: inside.limits === undefined ? outside.limits : { ...outside.limits, ...inside.limits },
  xml: inside.xml === undefined ? outside.xml : mergeXml(outside.xml, inside.xml),
  json: mergeJsonRules(outside.json, inside.json),
  link: inside.link ?? outside.link,
  linkMode: inside.linkMode ?? outside.linkMode,
  view: inside.view ?? outside.view,
  secure: inside.secure ?? outside.secure,
  critical: inside.critical === true || outside.critical,
})

const mergeXml = (outside: XmlMarks | undefined, inside: XmlMarks): XmlMarks => ({
  options: appended(outside?.options ?? [], inside.options),
  context: inside.context ?? outside?.context,
  entity: inside.entity ?? outside?.entity,
})

const appended = <A>(outside: ReadonlyArray<A>, inside: ReadonlyArray<A> = []): ReadonlyArray<A> =>
  inside.length === 0 ? outside : [...outside, ...inside]

/** Whether handlers run on a worker: the nearest execution that was said wins, and what is transactional says it last. */
export const isBlocking = ({ execution, transactional }: Attributes): boolean =>
  execution === undefined ? transactional : execution === 'blocking'

/** Who may call an operation. */
export type Access =
  | { readonly _tag: 'PermitAll' }
  | { readonly _tag: 'DenyAll' }
  | { readonly _tag: 'Authenticated' }
  /** Any of these roles; each may be an expression such as `${role.admin:admin}`, resolved at the start. */
  | { readonly _tag: 'Roles'; readonly roles: ReadonlyArray<string> }
