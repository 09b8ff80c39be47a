/** What generated functions can name: each other, and values that no text can hold. */
import { isBranching } from '../recursion-memo.ts'
import { interpretDecode } from '../interpreted/interpret-decode.ts'
import type { Progress } from '../array-progress.ts'
import type { SchemaWithDefinitions, Schema } from '../schema.ts'

/** What a generated function is for; its name begins with this. */
export type Purpose = 'decode' | 'encode' | 'is' | 'fits' | 'write'

export interface Scope {
  /** The name of the function for a schema; it is generated when it is first named. */
  readonly functionOf: (purpose: Purpose, schema: Schema) => string
  /** The name of a value. */
  readonly constant: (value: unknown) => string
  /** How far rejected arrays were decoded. */
  readonly progress: Progress
  /** Decodes by interpretation the values that generated functions do not handle. */
  readonly interpreted: (schema: Schema) => (value: unknown) => unknown
}

/** The body of a function of one parameter, `u`. */
export type GenerateBody = (schema: Schema, scope: Scope) => string

export interface Generated {
  /** What was asked for. */
  readonly result: string
  readonly functions: string
  readonly constants: ReadonlyArray<unknown>
}

/** Generates an expression, the functions that it names, and all that these name. */
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
      // what recurs fits no bounds, so nothing is asked of its definition
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

/** The functions whose results are remembered. */
const results: ReadonlySet<Purpose> = new Set<Purpose>(['decode', 'is', 'encode'])

/** The name of a function that remembers the results of another one. */
const memoizedName = (called: string, functions: Map<string, string>): string => {
  const name = `memoized_${called}`
  functions.set(name, `function ${name}(u) { return memoized(${called}, u) }`)
  return name
}

/** The memory of one call; a call of an application's predicate within it may end it early. */
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
