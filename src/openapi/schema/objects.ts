/** Describes objects and records. */
import type { Codec } from '../../codec/codec.ts'
import { literalKeys } from '../../codec/generated/read-schema.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { isMemberOf } from '../../codec/structure/undeclared-members.ts'
import { restrictionsIn } from '../../codec/visibility/restrictions.ts'
import { annotated } from './combine-schemas.ts'
import {
  acceptsMissing,
  areHiding,
  encodesUndefined,
  memberPosition,
  requiredRoles,
  restrictionsOfMember,
} from './members.ts'
import type { Position, Walk } from './walk.ts'

/** The members that one object codec declares. An intersection of objects has several of them. */
export interface Declarations {
  readonly props: Readonly<Record<string, Codec>>
  /** Whether the members can be missing, as in `t.partial`. */
  readonly isPartial: boolean
}

interface Member {
  readonly key: string
  readonly codecs: ReadonlyArray<Codec>
  readonly isRequired: boolean
}

/** Describes several codecs for the same value. */
type Intersect = (codecs: ReadonlyArray<Codec>, position: Position) => JsonSchema

/** Describes objects with the members of several declarations. `intersect` describes members that are declared more than once. */
export const objectSchema = (
  walk: Walk,
  declarations: ReadonlyArray<Declarations>,
  position: Position,
  intersect: Intersect,
): JsonSchema => {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const { key, codecs, isRequired } of membersOf(declarations, position.direction)) {
    const schema = memberSchema(walk, key, codecs, position, intersect)
    if (schema !== undefined) properties[key] = schema.schema
    if (isRequired && schema?.isAlwaysVisible === true) required.push(key)
  }
  return {
    type: 'object',
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...closure(position),
  }
}

/** The keywords that reject undeclared members. */
const closure = ({ rejectsUndeclared, isOpen }: Position): JsonSchema =>
  rejectsUndeclared && !isOpen ? { additionalProperties: false } : {}

const membersOf = (
  declarations: ReadonlyArray<Declarations>,
  direction: Position['direction'],
): ReadonlyArray<Member> => {
  const canBeMissing = direction === 'input' ? acceptsMissing : encodesUndefined
  const byKey = new Map<string, Member>()
  for (const { props, isPartial } of declarations)
    for (const key of Object.keys(props).filter(isMemberOf(props))) {
      const codec = props[key]
      if (codec === undefined) continue
      const earlier = byKey.get(key)
      byKey.set(key, {
        key,
        codecs: [...(earlier?.codecs ?? []), codec],
        isRequired: earlier?.isRequired === true || (!isPartial && !canBeMissing(codec)),
      })
    }
  return [...byKey.values()]
}

interface MemberSchema {
  readonly schema: JsonSchema
  /** Whether no restriction can hide the member. */
  readonly isAlwaysVisible: boolean
}

const memberSchema = (
  walk: Walk,
  key: string,
  codecs: ReadonlyArray<Codec>,
  position: Position,
  intersect: Intersect,
): MemberSchema | undefined => {
  const restrictions = codecs.flatMap((codec) => restrictionsOfMember(key, codec, position))
  if (areHiding(restrictions, position))
    // a hidden member of a received object is ignored
    return position.rejectsUndeclared
      ? { schema: { readOnly: true }, isAlwaysVisible: false }
      : undefined
  const [only, ...others] = codecs
  const at = memberPosition(position, key)
  const schema =
    only !== undefined && others.length === 0 ? walk.schemaOf(only, at) : intersect(codecs, at)
  const roles = requiredRoles(restrictions, position)
  return roles.length === 0
    ? { schema, isAlwaysVisible: true }
    : {
        schema: annotated(schema, { description: describeRoles(schema.description, roles) }),
        isAlwaysVisible: false,
      }
}

const describeRoles = (
  description: string | undefined,
  roles: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const lists = roles.map((names) => (names.length === 0 ? 'no role' : names.join(' or ')))
  return [
    ...(description === undefined ? [] : [description]),
    `Only visible to: ${[...new Set(lists)].join('; and to: ')}.`,
  ].join(' ')
}

/** Describes a record. Keys that the domain does not accept are undeclared members. */
export const recordSchema = (
  walk: Walk,
  domain: Codec,
  codomain: Codec,
  position: Position,
  intersect: Intersect,
): JsonSchema => {
  const keys = literalKeys(domain)
  if (keys !== undefined) {
    const props = Object.fromEntries(keys.map((key) => [key, codomain]))
    return objectSchema(walk, [{ props, isPartial: false }], position, intersect)
  }
  const value = walk.schemaOf(codomain, memberPosition(position))
  // as in io-ts, such a record accepts arrays
  const type = codomain._tag === 'AnyType' ? ['object', 'array'] : 'object'
  const names = keysOf(walk.bodyOf(domain, { ...position, direction: 'input', isOpen: false }))
  switch (names._tag) {
    case 'Any':
      return { type, ...(Object.keys(value).length === 0 ? {} : { additionalProperties: value }) }
    case 'Listed':
      return {
        type,
        properties: Object.fromEntries(names.keys.map((key) => [key, value])),
        ...closure(position),
      }
    case 'Pattern':
      return { type, patternProperties: { [names.pattern]: value }, ...closure(position) }
  }
}

/** The keys that a record declares. */
type Keys =
  | { readonly _tag: 'Any' }
  | { readonly _tag: 'Listed'; readonly keys: ReadonlyArray<string> }
  | { readonly _tag: 'Pattern'; readonly pattern: string }

const keysOf = (schema: JsonSchema): Keys => {
  const listed = 'const' in schema ? [schema.const] : schema.enum
  if (listed !== undefined)
    return { _tag: 'Listed', keys: listed.filter((key) => typeof key === 'string') }
  const { minLength = 0, maxLength, pattern } = schema
  const conditions = [
    ...(pattern === undefined ? [] : [pattern]),
    ...(minLength === 0 && maxLength === undefined
      ? []
      : [`^[\\s\\S]{${minLength},${maxLength ?? ''}}$`]),
  ]
  const [only, ...others] = conditions
  if (only === undefined) return { _tag: 'Any' }
  return {
    _tag: 'Pattern',
    pattern:
      others.length === 0
        ? only
        : `^${conditions.map((condition) => `(?=${fromStart(condition)})`).join('')}`,
  }
}

/** Returns an expression for use in a lookahead at the start of the text. */
const fromStart = (pattern: string): string =>
  pattern.startsWith('^') && !pattern.includes('|') ? pattern.slice(1) : `[\\s\\S]*?(?:${pattern})`

/** Whether a codec contains restrictions, so that related codecs must not require its restricted members. */
export const isRestrictive = (codec: Codec): boolean => restrictionsIn(codec).length > 0
