/** Generates functions, including the functions and constants that they refer to. */
import { isBranching } from '../recursion-memo.ts'
import { interpretDecode } from '../interpreted-back-end.ts'
import type { SchemaWithDefinitions, Schema } from '../../schema/schema.ts'

/** The purpose of a generated function. The function name starts with the purpose. */
export type Purpose = 'decode' | 'encode' | 'is' | 'fits'

export interface GeneratorScope {
  /** Returns the name of the generated function for a schema and a purpose. The function is generated on the first call. */
  readonly functionOf: (purpose: Purpose, schema: Schema) => string
  /** Returns the name of a constant with the given value. */
  readonly constant: (value: unknown) => string
  /**
   * Returns a function that interprets a schema. Generated code calls this function for values that it cannot decode itself.
   */
  readonly interpreted: (schema: Schema) => (value: unknown) => unknown
}

/** Generates the body of a function for a schema. The generated function has a single parameter, `u`. */
export type GenerateBody = (schema: Schema, scope: GeneratorScope) => string

export interface Generated {
  /** The generated expression. It can refer to the generated functions and to the constants. */
  readonly result: string
  readonly functions: string
  readonly constants: ReadonlyArray<unknown>
}

/** Generates an expression together with all functions that it calls directly or indirectly. */
export const generate = (
  definitions: SchemaWithDefinitions['definitions'],
  bodies: Readonly<Record<Purpose, GenerateBody>>,
  expression: (scope: GeneratorScope) => string,
): Generated => {
  const constants: unknown[] = []
  const functions = new Map<string, string>()
  const positions = new Map<Schema, number>()
  const decode = interpretDecode(definitions)
  const branches = isBranching(definitions)
  const scope: GeneratorScope = {
    interpreted: (schema) => (value) => decode(schema, value),
    constant: (value) => {
      const index = constants.indexOf(value)
      return `constant${index < 0 ? constants.push(value) - 1 : index}`
    },
    functionOf: (purpose, schema) => {
      // only primitive values fit a recursive schema, so no definition is needed
      if (schema._tag === 'Recursion' && purpose !== 'fits') {
        const name = scope.functionOf(purpose, definitions[schema.definition] ?? opaque(schema))
        return branches && results.has(purpose) ? memoizedName(name, functions) : name
      }
      const position = positions.get(schema) ?? positions.size
      positions.set(schema, position)
      const name = `${purpose}${position}`
      if (functions.has(name)) return name
      functions.set(name, '') // registered before it is generated, because it may call itself
      functions.set(name, `function ${name}(u) {\n${bodies[purpose](schema, scope)}\n}`)
      return name
    },
  }
  const result = expression(scope)
  return { result, functions: [...functions.values()].join('\n'), constants }
}

/** The purposes of the functions whose results are memoized for recursive schemas. */
const results: ReadonlySet<Purpose> = new Set<Purpose>(['decode', 'is', 'encode'])

/** Generates a memoized function and returns its name. */
const memoizedName = (functionName: string, functions: Map<string, string>): string => {
  const name = `memoized_${functionName}`
  functions.set(name, `function ${name}(u) { return memoized(${functionName}, u) }`)
  return name
}

/**
 * The code that memoizes results during one call to a generated function. If an application predicate calls the codec again,
 * the cache can be cleared before the outer call ends.
 */
export const memoPrelude = `let memo
const memoized = (run, u) => memo === undefined ? run(u) : memo(run, u, () => run(u))
const withMemo = (run) => (u) => {
  memo = recursionMemo()
  try { return run(u) } finally { memo = undefined }
}`

const opaque = ({ codec }: Extract<Schema, { readonly _tag: 'Recursion' }>): Schema => ({
  _tag: 'Opaque',
  codec,
  decodes: undefined,
  reported: codec,
})
