/** Generates the decoded values of codecs. */
import * as E from 'fp-ts/lib/Either.js'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import type { Json, JsonSchema } from '../../codec/json-schema.ts'
import { schemaGenerator } from '../schema/schema-generator.ts'
import { generateJson } from './generate-json.ts'
import type { Random } from './random.ts'
import { schemasOf } from './schema-shape.ts'
import { attemptTo } from '../schema/fold.ts'

/** Values of a request that generated objects contain, as candidates in JSON by the name of the member. */
export type KnownMembers = ReadonlyMap<string, ReadonlyArray<Json>>

/** A generated value, and the JSON value from which it was decoded. */
export interface GeneratedValue {
  readonly value: unknown
  readonly json: Json
}

/**
 * Returns a value, or `undefined` if the codec decodes none of the generated JSON values. `name` is the name of the form field that
 * contains the value.
 */
export type GenerateValue = (
  random: Random,
  known?: KnownMembers,
  name?: string,
) => GeneratedValue | undefined

/** Number of JSON values that are generated for a codec until it accepts one. */
const maxAttempts = 60

/**
 * Returns a function that generates the values of a codec from its JSON Schema. Members that occur in the request have the value of
 * the request if the codec accepts it.
 */
export const valuesOf = (codec: Codec): GenerateValue => {
  const generator = schemaGenerator()
  const { document, schemas: components } = generator.finish(
    generator.schemaOf(codec, {
      direction: 'input',
      visibility: defaultVisibility,
      rejectsUndeclared: true,
      isText: false,
    }),
  )
  return valuesOfSchema(codec, document, components)
}

/** Like {@link valuesOf}, for a codec with a given schema. */
export const valuesOfSchema = (
  codec: Codec,
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
): GenerateValue => {
  const schemas = schemasOf(components)
  return (random, known = new Map(), name = '') => {
    const wanted = new Set(known.keys())
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const json = generateJson(schema, schemas, random.fork(attempt), {
        attempt,
        wanted,
        name,
      })
      if (json === undefined) continue
      const generated = decode(codec, json)
      if (generated !== undefined) return withKnownValues(codec, generated, known, name)
    }
    return undefined
  }
}

/** Decodes a JSON value. Returns `undefined` if the codec rejects the value, or does not recognize the decoded value. */
const decode = (codec: Codec, json: Json): GeneratedValue | undefined =>
  attemptTo(() => {
    const decoded = codec.decode(json)
    return E.isRight(decoded) && codec.is(decoded.right)
      ? { value: decoded.right, json }
      : undefined
  })

/** Replaces a value, or the members of an object, by values of the request, unless the codec rejects them. */
const withKnownValues = (
  codec: Codec,
  generated: GeneratedValue,
  known: KnownMembers,
  name: string,
): GeneratedValue =>
  isObject(generated.json)
    ? [...known].reduce((current, [member, candidates]) => {
        const { json } = current
        return isObject(json) && Object.hasOwn(json, member)
          ? (firstDecoded(
              codec,
              candidates.map((value) => ({ ...json, [member]: value })),
            ) ?? current)
          : current
      }, generated)
    : (firstDecoded(codec, known.get(name) ?? []) ?? generated)

/** Decodes the first JSON value that a codec accepts. */
const firstDecoded = (
  codec: Codec,
  candidates: ReadonlyArray<Json>,
): GeneratedValue | undefined => {
  for (const candidate of candidates) {
    const decoded = decode(codec, candidate)
    if (decoded !== undefined) return decoded
  }
  return undefined
}

const isObject = (json: Json): json is { readonly [name: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
