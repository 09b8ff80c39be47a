/** Generates functions, including the functions and constants that they refer to. */
import { isBranching } from '../recursion-memo.ts'
import { interpreters } from '../interpreted-back-end.ts'
import type { Schema } from '../../schema/schema.ts'

/** The purpose of a generated function. The function name starts with the purpose. */
export type Purpose = 'decode' | 'encode' | 'is' | 'fits'

export type Interpreted = Exclude<Purpose, 'fits'>

export interface GeneratorScope {
  /** Returns the name of the generated function for a schema and a purpose. The function is generated on the first call. */
  readonly functionOf: (purpose: Purpose, schema: Schema) => string
  /** Returns the name of a constant with the given value. */
  readonly constant: (value: unknown) => string
  /**
   * Returns a function that interprets a schema for a purpose. Generated code calls this function for values that it cannot process
   * itself.
   */
  readonly interpreted: (purpose: Interpreted, schema: Schema) => (value: unknown) => unknown
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
  root: Schema,
  bodies: Readonly<Record<Purpose, GenerateBody>>,
  expression: (scope: GeneratorScope) => string,
): Generated => {
  const constants: unknown[] = []
  const functions = new Map<string, string>()
  const positions = new Map<Schema, number>()
  const targets = new Set<() => Schema>()
  const { decoder, encoder, guard } = interpreters(root)
  const branches = isBranching(root)
  const scope: GeneratorScope = {
    interpreted: (purpose, schema) => {
      switch (purpose) {
        case 'decode':
          return (value) => decoder()(schema, value)
        case 'encode':
          return (value) => encoder()(schema, value)
        case 'is':
          return (value) => guard()(schema, value)
      }
    },
    constant: (value) => {
      const index = constants.indexOf(value)
      return `constant${index < 0 ? constants.push(value) - 1 : index}`
    },
    functionOf: (purpose, schema) => {
      // only primitive values fit a recursive schema, so no definition is needed
      if (schema._tag === 'Recursion' && purpose !== 'fits') {
        const { target } = schema
        targets.add(target)
        if (targets.size > maxDefinitions) return scope.constant(scope.interpreted(purpose, schema))
        const name = scope.functionOf(purpose, target())
        return branches ? memoizedName(name, functions) : name
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

/**
 * The maximum number of recursive schemas for which functions are generated. Others are interpreted. The limit is necessary because a
 * definition can return a new codec on each call.
 */
const maxDefinitions = 64

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
