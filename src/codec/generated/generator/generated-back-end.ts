/**
 * The back end of generated source: a schema's functions as one text, which the engine compiles as if they had been written
 * by hand. The text holds names and values of codecs only as `JSON.stringify` writes them; everything else is a constant
 * beside it. It depends on nothing but the schema.
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

/** What every text may name. */
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
  /** The body of a function of `globals` and `constants`. */
  readonly text: string
  /** The values that it names `constant0`, `constant1`, … */
  readonly constants: ReadonlyArray<unknown>
}

/** The source of an expression, which may name functions for schemas. */
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

/** What the source comes to. Throws an `EvalError` where code generation is not allowed. */
export const evaluate = ({ text, constants }: GeneratedSource): unknown =>
  new Function('globals', 'constants', text)(globals, constants)

/** The expression of a schema's functions. */
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

/** The functions of a schema. Errors are collected by interpretation. */
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
