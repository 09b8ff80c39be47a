/**
 * Generates JavaScript functions from a schema.
 *
 * Names and literals from codecs occur in the code only as JSON text returned by `JSON.stringify`. All other values are passed as
 * constants. The code depends only on the schema.
 */
import { quote } from '../../../http/json-string.ts'
import type { Codec } from '../../codec.ts'
import { Progress } from '../decoded-parts.ts'
import { isBranching, recursionMemo } from '../recursion-memo.ts'
import { interpretedBackEnd } from '../interpreted-back-end.ts'
import type { RootFunctions } from '../runtime.ts'
import { hasOnly, canMergeParts, rejected, without } from '../runtime.ts'
import type { SchemaWithDefinitions } from '../schema.ts'
import { decodeBody } from './generate-decode.ts'
import { encodeBody } from './generate-encode.ts'
import { fitsBody, isBody } from './generate-is.ts'
import type { GeneratorScope } from './scope.ts'
import { generate, memoPrelude } from './scope.ts'
import { writeBody } from './generate-write.ts'

/**
 * Thrown to request that the whole value be serialized with `JSON.stringify`. A symbol is used, because an error would capture
 * a stack trace.
 */
const fallback: unique symbol = Symbol('fallback')

/** Serializes a string, number, boolean or `null`. Throws `fallback` for all other values. */
const stringifyScalar = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      if (value === null) return 'null'
      throw fallback
  }
}

/**
 * Serializes a value of any type. Returns `undefined` for `undefined`. Throws `fallback` for an object with a `toJSON` method,
 * because the key that must be passed to `toJSON` is unknown here.
 */
const stringify = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) return stringifyScalar(value)
  if ('toJSON' in value) throw fallback
  return JSON.stringify(value)
}

/**
 * Returns the position that follows `key` in `keys`. `at` is the position that follows the previous key. Returns `at` if `keys`
 * does not contain the key, and -1 if the key is out of order.
 */
const nextPosition = (keys: ReadonlyArray<string>, key: string, at: number): number => {
  const position = keys.indexOf(key)
  return position < 0 ? at : position < at ? -1 : position + 1
}

/** The functions and values that generated code can refer to by name. */
const globals = {
  rejected,
  canMergeParts,
  getPrototypeOf: Object.getPrototypeOf,
  objectPrototype: Object.prototype,
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
  /** The source code of a function body. The function has the `globals` and `constants` parameters. */
  readonly text: string
  /** The values for `constant0`, `constant1`, and so on. */
  readonly constants: ReadonlyArray<unknown>
}

/** Generates the source code for an expression and for the functions that the expression calls. */
export const sourceOf = (
  definitions: SchemaWithDefinitions['definitions'],
  expression: (scope: GeneratorScope) => string,
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

/** Evaluates generated source code. Throws an `EvalError` if the platform does not allow code generation. */
export const evaluate = ({ text, constants }: GeneratedSource): unknown =>
  new Function('globals', 'constants', text)(globals, constants)

/** Returns an expression that creates an object with all generated functions for a schema. */
export const functionsOf =
  ({ schema, definitions }: SchemaWithDefinitions) =>
  ({ functionOf }: GeneratorScope): string => {
    const wrapper = isBranching(definitions) ? 'withMemo' : ''
    const functions = purposes.map(
      (purpose) => `${purpose}: ${wrapper}(${functionOf(purpose, schema)})`,
    )
    return `{ ${functions.join(', ')} }`
  }

const purposes = ['decode', 'encode', 'is', 'fits', 'write'] as const

/** The code-generating back end for compiled codecs. Validation errors are collected by the interpreter. */
export const generatedBackEnd = (
  root: SchemaWithDefinitions,
  form: Codec,
  progress = new Progress(),
): RootFunctions => {
  const functions = evaluate(sourceOf(root.definitions, functionsOf(root), progress))
  if (!isGenerated(functions)) throw new TypeError('invalid generated functions')
  const { encode, write } = functions
  return {
    ...functions,
    collect: interpretedBackEnd(root, form, progress).collect,
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
