/** The names that generated functions use: other functions, and constants. */
import { isBranching } from '../recursion-memo.ts'
import { interpretDecode } from '../interpreted/interpret-decode.ts'
import type { Progress } from '../array-progress.ts'
import type { SchemaWithDefinitions, Schema } from '../schema.ts'

/** The purpose of a generated function, which is the prefix of its name. */
export type Purpose = 'decode' | 'encode' | 'is' | 'fits' | 'write'

export interface Scope {
  /** Returns the name of the function for a schema, and generates it on the first call. */
  readonly functionOf: (purpose: Purpose, schema: Schema) => string
  /** Returns the name of a constant. */
  readonly constant: (value: unknown) => string
  /** How far rejected arrays were decoded. */
  readonly progress: Progress
  /** Interprets values that generated functions do not handle. */
  readonly interpreted: (schema: Schema) => (value: unknown) => unknown
}

/** Generates the body of a function with the parameter `u`. */
export type GenerateBody = (schema: Schema, scope: Scope) => string

export interface Generated {
  /** The generated expression. */
  readonly result: string
  readonly functions: string
  readonly constants: ReadonlyArray<unknown>
}

/** Generates an expression together with all functions that it calls directly or indirectly. */
export const generate = (
  definitions: SchemaWithDefinitions['definitions'],
  bodies: Readonly<Record<Purpose, GenerateBody>>,
  progress: Progress,
  expression: (scope: Scope) => string,
): Generated => {
  const constants: unknown[] = []
  const functions = new Map<string, string>()
  const positions = new Map<Schema, number>()
  const decode = interpretDecode(definitions, progress)
  const branches = isBranching(definitions)
  const scope: Scope = {
    progress,
    interpreted: (schema) => (value) => decode(schema, value),
    constant: (value) => {
      const known = constants.indexOf(value)
      return `constant${known < 0 ? constants.push(value) - 1 : known}`
    },
    functionOf: (purpose, schema) => {
      // recursive schemas fit primitive values only
      if (schema._tag === 'Recursion' && purpose !== 'fits') {
        const called = scope.functionOf(purpose, definitions[schema.definition] ?? opaque(schema))
        return branches && results.has(purpose) ? memoizedName(called, functions) : called
      }
      const position = positions.get(schema) ?? positions.size
      positions.set(schema, position)
      const called = `${purpose}${position}`
      if (functions.has(called)) return called
      functions.set(called, '') // named before it is generated: it may name itself
      functions.set(called, `function ${called}(u) {\n${bodies[purpose](schema, scope)}\n}`)
      return called
    },
  }
  const result = expression(scope)
  return { result, functions: [...functions.values()].join('\n'), constants }
}

/** Purposes whose results are memoized. */
const results: ReadonlySet<Purpose> = new Set<Purpose>(['decode', 'is', 'encode'])

/** Generates a memoized function, and returns its name. */
const memoizedName = (called: string, functions: Map<string, string>): string => {
  const name = `memoized_${called}`
  functions.set(name, `function ${name}(u) { return memoized(${called}, u) }`)
  return name
}

/** The cache of one call. If an application predicate calls the codec again, the cache may be cleared early. */
export const memoPrelude = `let memory
const memoized = (run, u) => memory === undefined ? run(u) : memory(run, u, () => run(u))
const withMemo = (run) => (u) => {
  memory = recursionMemo()
  try { return run(u) } finally { memory = undefined }
}`

const opaque = ({ codec }: Extract<Schema, { readonly _tag: 'Recursion' }>): Schema => ({
  _tag: 'Opaque',
  codec,
  decodes: undefined,
  reported: codec,
})
