/** What generated functions can name: each other, and values that no text can hold. */
import type { Described, Schema } from '../schema.ts'

/** What a generated function is for; its name begins with this. */
export type Purpose = 'decode' | 'encode' | 'is' | 'fits' | 'write'

export interface Scope {
  /** The name of the function for a schema; it is generated when it is first named. */
  readonly functionOf: (purpose: Purpose, schema: Schema) => string
  /** The name of a value. */
  readonly constant: (value: unknown) => string
}

/** The body of a function of one parameter, `u`. */
export type Body = (schema: Schema, scope: Scope) => string

export interface Generated {
  /** What was asked for. */
  readonly result: string
  readonly functions: string
  readonly constants: ReadonlyArray<unknown>
}

/** Generates an expression, the functions that it names, and all that these name. */
export const generate = (
  definitions: Described['definitions'],
  bodies: Readonly<Record<Purpose, Body>>,
  expression: (scope: Scope) => string,
): Generated => {
  const constants: unknown[] = []
  const functions = new Map<string, string>()
  const positions = new Map<Schema, number>()
  const scope: Scope = {
    constant: (value) => {
      const known = constants.indexOf(value)
      return `constant${known < 0 ? constants.push(value) - 1 : known}`
    },
    functionOf: (purpose, schema) => {
      // what recurs fits no bounds, so nothing is asked of its definition
      if (schema._tag === 'Recursion' && purpose !== 'fits')
        return scope.functionOf(purpose, definitions[schema.definition] ?? opaque(schema))
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

const opaque = ({ codec }: Extract<Schema, { readonly _tag: 'Recursion' }>): Schema => ({
  _tag: 'Opaque',
  codec,
})
