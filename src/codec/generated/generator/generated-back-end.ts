/**
 * The back end of generated source: a schema's functions as one text, which the engine compiles as if they had been written
 * by hand. The text holds names and values of codecs only as `JSON.stringify` writes them; everything else is a constant
 * beside it. It depends on nothing but the schema.
 */
import { quote } from '../../../http/json-string.ts'
import { isPlain } from '../../structure/undeclared-members.ts'
import type { Codec } from '../../codec.ts'
import { isBranching, memoryOf } from '../recursion-memo.ts'
import { byInterpretation } from '../interpreted/interpreted-back-end.ts'
import { Progress } from '../array-progress.ts'
import type { Whole } from '../runtime.ts'
import { hasOnly, mergesAlike, refused, without } from '../runtime.ts'
import type { Described } from '../schema.ts'
import { decodeBody } from './generate-decode.ts'
import { encodeBody } from './generate-encode.ts'
import { fitsBody } from './generate-fits.ts'
import { isBody } from './generate-is.ts'
import { follow, scalar, textOf, unusual } from './json-runtime.ts'
import type { Scope } from './scope.ts'
import { generate, memoryText } from './scope.ts'
import { writeBody } from './generate-write.ts'

/** What every text may name. */
const globals = {
  refused,
  mergesAlike,
  isPlain,
  hasOnly,
  without,
  textOf,
  follow,
  quote,
  scalar,
  unusual,
  memoryOf,
  isArray: Array.isArray,
  hasOwn: Object.hasOwn,
  keysOf: Object.keys,
  isSafeInteger: Number.isSafeInteger,
  isFinite: Number.isFinite,
}

const bodies = {
  decode: decodeBody,
  encode: encodeBody,
  is: isBody,
  fits: fitsBody,
  write: writeBody,
}

export interface Source {
  /** The body of a function of `globals` and `constants`. */
  readonly text: string
  /** The values that it names `constant0`, `constant1`, … */
  readonly constants: ReadonlyArray<unknown>
}

/** The source of an expression, which may name functions for schemas. */
export const sourceOf = (
  definitions: Described['definitions'],
  expression: (scope: Scope) => string,
  progress = new Progress(),
): Source => {
  const { functions, constants, result } = generate(definitions, bodies, progress, expression)
  return {
    constants,
    text: `"use strict"
const { ${Object.keys(globals).join(', ')} } = globals
${constants.map((_, at) => `const constant${at} = constants[${at}]`).join('\n')}
${isBranching(definitions) ? memoryText : ''}
${functions}
return ${result}`,
  }
}

/** What the source comes to. Throws an `EvalError` where code generation is not allowed. */
export const evaluate = ({ text, constants }: Source): unknown =>
  new Function('globals', 'constants', text)(globals, constants)

/** The expression of a schema's functions. */
export const functionsOf =
  ({ schema, definitions }: Described) =>
  ({ functionOf }: Scope): string => {
    const around = isBranching(definitions) ? 'remembering' : ''
    const functions = purposes.map(
      (purpose) => `${purpose}: ${around}(${functionOf(purpose, schema)})`,
    )
    return `{ ${functions.join(', ')} }`
  }

const purposes = ['decode', 'encode', 'is', 'fits', 'write'] as const

/** The functions of a schema. Errors are collected by interpretation. */
export const bySource = (described: Described, form: Codec): Whole => {
  const progress = new Progress()
  const functions = evaluate(sourceOf(described.definitions, functionsOf(described), progress))
  if (!isGenerated(functions)) throw new TypeError('invalid generated functions')
  const { encode, write } = functions
  return {
    ...functions,
    collect: byInterpretation(described, form, progress).collect,
    write: (value) => {
      try {
        return write(value)
      } catch (error) {
        if (error !== unusual) throw error
        return JSON.stringify(encode(value))
      }
    },
  }
}

const isGenerated = (value: unknown): value is Omit<Whole, 'collect'> =>
  typeof value === 'object' && value !== null && purposes.every((purpose) => purpose in value)
