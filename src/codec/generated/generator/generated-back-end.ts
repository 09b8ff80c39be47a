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
import type { GeneratorScope, Purpose } from './scope.ts'
import { generate, memoPrelude } from './scope.ts'
import { writeBody } from './generate-write.ts'
import { isSet } from '../../../http/platform-value.ts'

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
  isSet,
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

/** Returns an expression that creates an object with the generated functions of a schema for some purposes. */
const functionsOf =
  ({ schema, definitions }: SchemaWithDefinitions, purposes: ReadonlyArray<Purpose>) =>
  ({ functionOf }: GeneratorScope): string => {
    const wrapper = isBranching(definitions) ? 'withMemo' : ''
    const functions = purposes.map(
      (purpose) => `${purpose}: ${wrapper}(${functionOf(purpose, schema)})`,
    )
    return `{ ${functions.join(', ')} }`
  }

const basePurposes = ['decode', 'encode', 'is', 'fits'] as const

/**
 * Whether `JSON.stringify` takes less time than generated serializers, even though it requires an encoded copy of the value.
 *
 * `JSON.rawJSON` exists since V8 11.4. The time for an order of 1 KB, serialized by generated code and by `JSON.stringify`, in µs:
 * 4.9 and 6.3 in Node.js 20, 3.8 and 3.9 in Node.js 22, 3.9 and 3.4 in Node.js 24, 3.5 and 1.9 in Node.js 26; for an object with
 * one member: 0.30 and 0.46, 0.30 and 0.23, 0.32 and 0.28, 0.28 and 0.18.
 */
const isStringifyFaster = 'rawJSON' in JSON

/** The code-generating back end for compiled codecs. Validation errors are collected by the interpreter. */
export const generatedBackEnd = (
  root: SchemaWithDefinitions,
  form: Codec,
  progress = new Progress(),
): RootFunctions => backEndOf(!isStringifyFaster, root, form, progress)

/** The code-generating back end, with generated serializers on all engines. */
export const writingBackEnd = (
  root: SchemaWithDefinitions,
  form: Codec,
  progress = new Progress(),
): RootFunctions => backEndOf(true, root, form, progress)

const backEndOf = (
  generatesWriter: boolean,
  root: SchemaWithDefinitions,
  form: Codec,
  progress: Progress,
): RootFunctions => {
  const purposes: ReadonlyArray<Purpose> = generatesWriter
    ? [...basePurposes, 'write']
    : basePurposes
  const functions = evaluate(sourceOf(root.definitions, functionsOf(root, purposes), progress))
  if (!isGenerated(functions)) throw new TypeError('invalid generated functions')
  const { encode, write } = functions
  const writeEncoded = (value: unknown): string | undefined => JSON.stringify(encode(value))
  return {
    ...functions,
    collect: interpretedBackEnd(root, form, progress).collect,
    write: write === undefined ? writeEncoded : orElse(write, writeEncoded),
  }
}

/** Returns a serializer that passes a value to `second` if `first` throws `fallback`. */
const orElse =
  (first: RootFunctions['write'], second: RootFunctions['write']): RootFunctions['write'] =>
  (value) => {
    try {
      return first(value)
    } catch (error) {
      if (error !== fallback) throw error
      return second(value)
    }
  }

type GeneratedFunctions = Omit<RootFunctions, 'collect' | 'write'> &
  Partial<Pick<RootFunctions, 'write'>>

const isGenerated = (value: unknown): value is GeneratedFunctions =>
  typeof value === 'object' && value !== null && basePurposes.every((purpose) => purpose in value)
