/**
 * Generates JavaScript functions for a schema.
 *
 * The code contains names and values of codecs only as `JSON.stringify` writes them. All other values are passed as constants.
 * It depends on the schema only.
 */
import { quote } from '../../../http/json-string.ts'
import { isPlain } from '../../structure/undeclared-members.ts'
import type { Codec } from '../../codec.ts'
import { isBranching, recursionMemo } from '../recursion-memo.ts'
import { interpretedBackEnd } from '../interpreted/interpreted-back-end.ts'
import { Progress } from '../array-progress.ts'
import type { RootFunctions } from '../runtime.ts'
import { hasOnly, canMergeParts, rejected, without } from '../runtime.ts'
import type { SchemaWithDefinitions } from '../schema.ts'
import { decodeBody } from './generate-decode.ts'
import { encodeBody } from './generate-encode.ts'
import { fitsBody } from './generate-fits.ts'
import { isBody } from './generate-is.ts'
import { nextPosition, stringifyScalar, stringify, fallback } from './json-runtime.ts'
import type { Scope } from './scope.ts'
import { generate, memoPrelude } from './scope.ts'
import { writeBody } from './generate-write.ts'

/** Values that generated code can use. */
const globals = {
  rejected,
  canMergeParts,
  isPlain,
  hasOnly,
  without,
  stringify,
  nextPosition,
  quote,
  stringifyScalar,
  fallback,
  recursionMemo,
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

export interface GeneratedSource {
  /** The body of a function with the parameters `globals` and `constants`. */
  readonly text: string
  /** The values of `constant0`, `constant1` and so on. */
  readonly constants: ReadonlyArray<unknown>
}

/** Generates the source of an expression and of the functions that it calls. */
export const sourceOf = (
  definitions: SchemaWithDefinitions['definitions'],
  expression: (scope: Scope) => string,
  progress = new Progress(),
): GeneratedSource => {
  const { functions, constants, result } = generate(definitions, bodies, progress, expression)
  return {
    constants,
    text: `"use strict"
const { ${Object.keys(globals).join(', ')} } = globals
${constants.map((_, at) => `const constant${at} = constants[${at}]`).join('\n')}
${isBranching(definitions) ? memoPrelude : ''}
${functions}
return ${result}`,
  }
}

/** Evaluates generated source. Throws an `EvalError` if code generation is not allowed. */
export const evaluate = ({ text, constants }: GeneratedSource): unknown =>
  new Function('globals', 'constants', text)(globals, constants)

/** Returns the expression for the functions of a schema. */
export const functionsOf =
  ({ schema, definitions }: SchemaWithDefinitions) =>
  ({ functionOf }: Scope): string => {
    const around = isBranching(definitions) ? 'withMemo' : ''
    const functions = purposes.map(
      (purpose) => `${purpose}: ${around}(${functionOf(purpose, schema)})`,
    )
    return `{ ${functions.join(', ')} }`
  }

const purposes = ['decode', 'encode', 'is', 'fits', 'write'] as const

/** The code generator. Errors are collected by the interpreter. */
export const generatedBackEnd = (described: SchemaWithDefinitions, form: Codec): RootFunctions => {
  const progress = new Progress()
  const functions = evaluate(sourceOf(described.definitions, functionsOf(described), progress))
  if (!isGenerated(functions)) throw new TypeError('invalid generated functions')
  const { encode, write } = functions
  return {
    ...functions,
    collect: interpretedBackEnd(described, form, progress).collect,
    write: (value) => {
      try {
        return write(value)
      } catch (error) {
        if (error !== fallback) throw error
        return JSON.stringify(encode(value))
      }
    },
  }
}

const isGenerated = (value: unknown): value is Omit<RootFunctions, 'collect'> =>
  typeof value === 'object' && value !== null && purposes.every((purpose) => purpose in value)
