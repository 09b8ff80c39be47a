/** Describes objects and records. */
import type { JsonSchema } from '../../codec/json-schema.ts'
import type {
  Member,
  ObjectSchema,
  RecordSchema,
  Schema,
  UndeclaredMembers,
} from '../../codec/schema/schema.ts'
import type { DeclaredKeys } from '../../codec/structure/undeclared-members.ts'
import { annotated, anything, nothing } from './combine-schemas.ts'
import { patternOf } from './scalars.ts'
import type { Fold } from './fold.ts'
import { mayBeMissing, requiredRoles } from './fold.ts'
import { present } from './present.ts'

/** Describes objects. */
export const objectSchema = (fold: Fold, { members, undeclared }: ObjectSchema): JsonSchema => {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const member of members.filter(({ key }) => key !== '__proto__')) {
    const { key, schema, hidden } = member
    const isRequired = member.required && !mayBeMissing(schema, fold)
    if (!hidden) {
      const roles = requiredRoles(member, fold)
      properties[key] = memberSchema(fold, member, roles)
      if (isRequired && roles.length === 0) required.push(key)
    } else if (fold.direction === 'input') {
      // a hidden member is ignored, so that it is always missing
      if (isRequired) return nothing
      if (!undeclared.areDropped) properties[key] = { readOnly: true }
    }
  }
  return closed(fold, undeclared, {
    type: 'object',
    ...present({ properties, required }),
  })
}

/** Adds the keywords that reject undeclared members. */
const closed = (
  fold: Fold,
  { areDropped, accepted }: UndeclaredMembers,
  schema: JsonSchema,
): JsonSchema => {
  const keys = accepted.map((declared) =>
    declared._tag === 'Domain' ? keysOf(fold, declared.domain) : declared,
  )
  if (areDropped || keys.some(({ _tag }) => _tag === 'Any')) return schema
  const names = keys.flatMap((key) => (key._tag === 'Listed' ? key.keys : []))
  const patterns = keys.flatMap((key) => (key._tag === 'Pattern' ? [key.pattern] : []))
  const properties = { ...fromNames(names), ...schema.properties }
  const patternProperties = { ...fromNames(patterns), ...schema.patternProperties }
  return {
    ...schema,
    ...present({ properties, patternProperties }),
    additionalProperties: false,
  }
}

const fromNames = (names: ReadonlyArray<string>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(names.map((name) => [name, anything]))

const memberSchema = (
  fold: Fold,
  { schema }: Member,
  roles: ReadonlyArray<ReadonlyArray<string>>,
): JsonSchema => {
  const described = fold.describe(schema)
  return roles.length === 0
    ? described
    : annotated(described, { description: describeRoles(described.description, roles) })
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
  fold: Fold,
  { domain, codomain, undeclared, acceptsArrays }: RecordSchema,
): JsonSchema => {
  const value = fold.describe(codomain)
  const type = acceptsArrays ? ['object', 'array'] : 'object'
  const keys = keysOf(fold, domain)
  switch (keys._tag) {
    case 'Any':
      return { type, ...present({ additionalProperties: value }) }
    case 'Listed':
      return closed(fold, undeclared, {
        type,
        properties: Object.fromEntries(keys.keys.map((key) => [key, value])),
      })
    case 'Pattern':
      return closed(fold, undeclared, { type, patternProperties: { [keys.pattern]: value } })
  }
}

/** Declared keys as JSON Schema can describe them. */
type DescribedKeys =
  | Exclude<DeclaredKeys<Schema>, { readonly _tag: 'Domain' }>
  | { readonly _tag: 'Pattern'; readonly pattern: string }

/** Returns the keys of a record. */
const keysOf = (fold: Fold, domain: Schema): DescribedKeys => {
  const schema = fold.describeKeys(domain)
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
