/** Generates JSON values that match a schema. */
import type { Json } from '../../codec/json-schema.ts'
import type { Random } from './random.ts'
import { textsOfPatterns, word } from './sample-text.ts'
import type { Schemas, Shape, SubSchema } from './schema-shape.ts'
import { shapeOf } from './schema-shape.ts'
import { numberOfShape, textOfShape } from './text-of-shape.ts'

/** Options for {@link generateJson}. */
export interface GenerateOptions {
  /**
   * The number of previous attempts. The first attempts use the `examples` and `default` of schemas, later ones only sometimes. For
   * schemas without restrictions, the first attempt generates a word, and later ones values of various types.
   */
  readonly attempt: number
  /** Names of optional members of the outermost object that are always generated. */
  readonly wanted: ReadonlySet<string>
  /** The name of the member or form field that contains the value. Default: no name. */
  readonly name?: string
  /** Whether all optional members are generated, and arrays with one element, as in documentation. Default: `false`. */
  readonly isSample?: boolean
}

/** Maximum numbers of references on a path, in ascending order. The first one for which a value exists is used. */
const budgets = [4, 8, 16, 32, 64]

/** Generates a JSON value, or `undefined` if no value is found. A recursive schema results in a small value. */
export const generateJson = (
  schema: SubSchema,
  schemas: Schemas,
  random: Random,
  options: GenerateOptions,
): Json | undefined => {
  const budget = budgets.find((candidate) => schemas.canEnd(schema, candidate))
  if (budget === undefined) return undefined
  const { name = '' } = options
  return generate(schema, random, { schemas, options, budget, depth: 0, name })
}

interface Position {
  readonly schemas: Schemas
  readonly options: GenerateOptions
  readonly budget: number
  /** The number of enclosing arrays and objects. */
  readonly depth: number
  /** The name of the nearest member. */
  readonly name: string
}

const generate = (schema: SubSchema, random: Random, position: Position): Json | undefined => {
  const { schemas, options, budget, name } = position
  const shape = shapeOf(schema, schemas, random.fork('shape'), budget)
  if (shape === undefined) return undefined
  const [listed, ...others] = shape.values ?? []
  if (shape.values !== undefined)
    return listed === undefined ? undefined : toJson(random.pick([listed, ...others]))
  const [sample, ...samples] = shape.samples
  if (sample !== undefined && usesSamples(options)) return toJson(random.pick([sample, ...samples]))
  switch (selectType(shape, random, options)) {
    case undefined:
      return random.pick(unrestricted)(random)
    case 'object':
      return object(shape, random, position)
    case 'array':
      return array(shape, random, position)
    case 'string':
      return textOfShape(shape, random, name)
    case 'integer':
      return numberOfShape(shape, random, name, true)
    case 'number':
      return numberOfShape(shape, random, name, false)
    case 'boolean':
      return random.next() < 0.5
    case 'null':
      return null
    default:
      return undefined
  }
}

const usesSamples = ({ attempt }: GenerateOptions): boolean => attempt < 5 || attempt % 2 === 0

/** Values for codecs whose schema is unknown. */
const unrestricted: readonly [
  (random: Random) => Json,
  ...ReadonlyArray<(random: Random) => Json>,
] = [
  word,
  (random) => random.integer(1, 1000),
  (random) => String(random.integer(1, 1000)),
  (random) => random.pick(textsOfPatterns)(random),
  (random) => random.next() < 0.5,
  () => ({}),
  () => [],
  () => null,
]

/** Returns a value of a schema as JSON. Schemas are JSON documents, so all values in them are JSON. */
const toJson = (value: unknown): Json | undefined => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) return undefined
  const copy: Json = JSON.parse(text)
  return copy
}

/** Selects a type, or `undefined` for a value of any type. */
const selectType = (
  shape: Shape,
  random: Random,
  { attempt }: GenerateOptions,
): string | undefined => {
  if (shape.types === undefined) return impliedType(shape) ?? (attempt === 0 ? 'string' : undefined)
  const [first, ...rest] = shape.types.filter((type) => type !== 'null')
  return first === undefined ? (shape.types[0] ?? 'unsatisfiable') : random.pick([first, ...rest])
}

const impliedType = (shape: Shape): string | undefined => {
  if (shape.patterns.length > 0 || shape.format !== undefined || shape.minLength > 0)
    return 'string'
  if (shape.properties.size > 0 || shape.required.size > 0) return 'object'
  if (shape.prefix.length > 0 || shape.items !== true || shape.minItems > 0) return 'array'
  return shape.lower > -Infinity || shape.upper < Infinity ? 'number' : undefined
}

const object = (shape: Shape, random: Random, position: Position): Json | undefined => {
  const { schemas, options, depth } = position
  const { properties, required, additional, budget } = shape
  const members: Array<readonly [string, Json]> = []
  const add = (name: string, schema: SubSchema): boolean => {
    const inner = { ...position, budget, depth: depth + 1, name }
    const value = generate(schema, random.fork(`member ${name}`), inner)
    if (value !== undefined) members.push([name, value])
    return value !== undefined
  }
  for (const [name, schema] of properties) {
    const isRequired = required.has(name) || (depth === 0 && options.wanted.has(name))
    const isOmitted = options.isSample !== true && random.fork(name).next() < 0.15
    if (!isRequired && (isOmitted || !schemas.canEnd(schema, budget))) continue
    if (!add(name, schema) && required.has(name)) return undefined
  }
  for (const name of required) if (!properties.has(name) && !add(name, additional)) return undefined
  if (isRecord(shape) && schemas.canEnd(additional, budget)) {
    const count = Math.max(shape.minProperties, depth < 2 && options.isSample !== true ? 2 : 1)
    for (let index = 0; index < 10 * count && members.length < count; index++) {
      const name = memberName(shape.names, random.fork(`name ${index}`), position)
      if (name !== undefined && members.every(([other]) => other !== name)) add(name, additional)
    }
  }
  return members.length < shape.minProperties ? undefined : Object.fromEntries(members)
}

/** Whether an object has only undeclared members, whose schema is declared. */
const isRecord = ({ properties, additional, minProperties }: Shape): boolean =>
  minProperties > 0 || (properties.size === 0 && typeof additional === 'object')

const memberName = (names: SubSchema, random: Random, position: Position): string | undefined => {
  const name = names === true ? word(random) : generate(names, random, { ...position, name: '' })
  return typeof name === 'string' ? name : undefined
}

const array = (shape: Shape, random: Random, position: Position): Json | undefined => {
  const { schemas, options, depth } = position
  const { prefix, items, minItems, maxItems, unique, budget } = shape
  const hasItems = schemas.canEnd(items, budget)
  const length = options.isSample === true ? 1 : random.integer(2, depth < 2 ? 4 : 2)
  const suggested = prefix.length > 0 ? prefix.length : length
  const count = Math.min(
    maxItems,
    Math.max(minItems, hasItems ? suggested : Math.min(suggested, prefix.length)),
  )
  const elements: Json[] = []
  const seen = new Set<string>()
  const trials = unique ? 10 * count : count
  for (let trial = 0; trial < trials && elements.length < count; trial++) {
    const schema = prefix[elements.length] ?? items
    const inner = { ...position, budget, depth: depth + 1 }
    const element = generate(schema, random.fork(`element ${trial}`), inner)
    if (element === undefined) break
    const key = JSON.stringify(element)
    if (unique && seen.has(key)) continue
    seen.add(key)
    elements.push(element)
  }
  return elements.length < minItems ? undefined : elements
}
