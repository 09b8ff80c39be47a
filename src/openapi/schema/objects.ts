/** Describes objects and records. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { children, members } from '../../codec/codec-structure.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import {
  declaredCodecs,
  isMemberOf,
  literalKeys,
} from '../../codec/structure/undeclared-members.ts'
import { memberPosition } from '../../codec/schema/position.ts'
import { annotated, anything, nothing } from './combine-schemas.ts'
import { patternOf } from './dates.ts'
import {
  acceptsMissing,
  areHiding,
  encodesUndefined,
  requiredRoles,
  restrictionsOfMember,
} from './members.ts'
import type { Position, Walk } from './walk.ts'

/** Describes objects. `isPartial` is whether all members can be missing, as in `t.partial`. */
export const objectSchema = (
  walk: Walk,
  props: Readonly<Record<string, Codec>>,
  isPartial: boolean,
  position: Position,
): JsonSchema => {
  const canBeMissing = position.direction === 'input' ? acceptsMissing : encodesUndefined
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const key of Object.keys(props).filter(isMemberOf(props))) {
    const codec = props[key]
    if (codec === undefined) continue
    const isRequired = !isPartial && !canBeMissing(codec)
    const restrictions = restrictionsOfMember(key, codec, position)
    if (!areHiding(restrictions, position)) {
      const roles = requiredRoles(restrictions, position)
      properties[key] = memberSchema(walk, key, codec, roles, position)
      if (isRequired && roles.length === 0) required.push(key)
    } else if (position.direction === 'input') {
      // a hidden member is ignored, so that it is always missing
      if (isRequired) return nothing
      if (position.rejectsUndeclared) properties[key] = { readOnly: true }
    }
  }
  return closed(walk, position, {
    type: 'object',
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  })
}

/** Adds the keywords that reject undeclared members. Members that a sibling declares are not undeclared. */
const closed = (walk: Walk, position: Position, schema: JsonSchema): JsonSchema => {
  if (!position.rejectsUndeclared) return schema
  const keys = position.siblings.flatMap((sibling) => declaredKeys(walk, sibling, position))
  if (keys.some(({ _tag }) => _tag === 'Any')) return schema
  const names = keys.flatMap((key) => (key._tag === 'Listed' ? key.keys : []))
  const patterns = keys.flatMap((key) => (key._tag === 'Pattern' ? [key.pattern] : []))
  const properties = { ...fromNames(names), ...schema.properties }
  const patternProperties = { ...fromNames(patterns), ...schema.patternProperties }
  return {
    ...schema,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(Object.keys(patternProperties).length === 0 ? {} : { patternProperties }),
    additionalProperties: false,
  }
}

const fromNames = (names: ReadonlyArray<string>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(names.map((name) => [name, anything]))

/** Returns the keys that a codec declares, according to the rules of `declaredCodecs`. */
const declaredKeys = (walk: Walk, codec: Codec, position: Position): ReadonlyArray<Keys> => {
  const props = members(codec)
  if (props !== undefined)
    return [{ _tag: 'Listed', keys: Object.keys(props).filter(isMemberOf(props)) }]
  if (isKnown(codec) && codec._tag === 'DictionaryType')
    return [recordKeys(walk, codec.domain, position)]
  const inner = children(codec)
  const isOpen = collections.has(codec._tag ?? '') || inner.length === 0
  if (!isOpen) return inner.flatMap((part) => declaredKeys(walk, part, position))
  return declaredCodecs('')(codec).length === 0 ? [] : [{ _tag: 'Any' }]
}

const collections = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType', 'TupleType'])

const memberSchema = (
  walk: Walk,
  key: string,
  codec: Codec,
  roles: ReadonlyArray<ReadonlyArray<string>>,
  position: Position,
): JsonSchema => {
  const schema = walk.schemaOf(codec, memberPosition(position, key))
  return roles.length === 0
    ? schema
    : annotated(schema, { description: describeRoles(schema.description, roles) })
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
): JsonSchema => {
  const keys = literalKeys(domain)
  if (keys !== undefined) {
    const props = Object.fromEntries(keys.map((key) => [key, codomain]))
    return objectSchema(walk, props, false, position)
  }
  const value = walk.schemaOf(codomain, memberPosition(position))
  // as in io-ts, such a record accepts arrays
  const type = codomain._tag === 'AnyType' ? ['object', 'array'] : 'object'
  const names = recordKeys(walk, domain, position)
  switch (names._tag) {
    case 'Any':
      return { type, ...(Object.keys(value).length === 0 ? {} : { additionalProperties: value }) }
    case 'Listed':
      return closed(walk, position, {
        type,
        properties: Object.fromEntries(names.keys.map((key) => [key, value])),
      })
    case 'Pattern':
      return closed(walk, position, { type, patternProperties: { [names.pattern]: value } })
  }
}

/** The keys that a record declares. */
type Keys =
  | { readonly _tag: 'Any' }
  | { readonly _tag: 'Listed'; readonly keys: ReadonlyArray<string> }
  | { readonly _tag: 'Pattern'; readonly pattern: string }

const recordKeys = (walk: Walk, domain: Codec, position: Position): Keys => {
  const schema = walk.bodyOf(domain, { ...position, direction: 'input', isText: false })
  const listed = 'const' in schema ? [schema.const] : schema.enum
  if (listed !== undefined)
    return { _tag: 'Listed', keys: listed.filter((key) => typeof key === 'string') }
  const { minLength = 0, maxLength } = schema
  const pattern = patternOf(schema)
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
