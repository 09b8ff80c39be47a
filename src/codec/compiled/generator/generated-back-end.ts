/**
 * Generates JavaScript functions from a schema.
 *
 * Names and literals from codecs occur in the code only as JSON text returned by `JSON.stringify`. All other values are passed as
 * constants. The code depends only on the schema.
 */
import { isBranching, recursionMemo } from '../recursion-memo.ts'
import { interpretedBackEnd } from '../interpreted-back-end.ts'
import type { RootFunctions } from '../runtime.ts'
import { hasOnly, canMergeParts, rejected, without } from '../runtime.ts'
import type { Schema } from '../../schema/schema.ts'
import { decodeBody } from './generate-decode.ts'
import { encodeBody } from './generate-encode.ts'
import { fitsBody, isBody } from './generate-is.ts'
import type { GeneratorScope } from './scope.ts'
import { generate, memoPrelude } from './scope.ts'
import { isSet } from '../../../http/platform-value.ts'

/** The functions and values that generated code can refer to by name. */
const globals = {
  rejected,
  canMergeParts,
  getPrototypeOf: Object.getPrototypeOf,
  objectPrototype: Object.prototype,
  hasOnly,
  without,
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
}

interface GeneratedSource {
  /** The source code of a function body. The function has the `globals` and `constants` parameters. */
  readonly text: string
  /** The values for `constant0`, `constant1`, and so on. */
  readonly constants: ReadonlyArray<unknown>
}

/** Generates the source code for an expression and for the functions that the expression calls. */
const sourceOf = (root: Schema, expression: (scope: GeneratorScope) => string): GeneratedSource => {
  const { functions, constants, result } = generate(root, bodies, expression)
  return {
    constants,
    text: `"use strict"
const { ${Object.keys(globals).join(', ')} } = globals
${constants.map((_, at) => `const constant${at} = constants[${at}]`).join('\n')}
${isBranching(root) ? memoPrelude : ''}
${functions}
return ${result}`,
  }
}

/** Evaluates generated source code. Throws an `EvalError` if the platform does not allow code generation. */
export const evaluate = ({ text, constants }: GeneratedSource): unknown =>
  new Function('globals', 'constants', text)(globals, constants)

/** Returns an expression that creates an object with the generated functions of a schema. */
const functionsOf =
  (root: Schema) =>
  ({ functionOf }: GeneratorScope): string => {
    const wrapper = isBranching(root) ? 'withMemo' : ''
    const functions = purposes.map(
      (purpose) => `${purpose}: ${wrapper}(${functionOf(purpose, root)})`,
    )
    return `{ ${functions.join(', ')} }`
  }

const purposes = ['decode', 'encode', 'is', 'fits'] as const

/** The code-generating back end for compiled codecs. Validation errors are collected by the interpreter. */
export const generatedBackEnd = (root: Schema): RootFunctions => {
  const functions = evaluate(sourceOf(root, functionsOf(root)))
  if (!isGenerated(functions)) throw new TypeError('invalid generated functions')
  return { ...functions, collect: interpretedBackEnd(root).collect }
}

const isGenerated = (value: unknown): value is Omit<RootFunctions, 'collect'> =>
  typeof value === 'object' && value !== null && purposes.every((purpose) => purpose in value)
