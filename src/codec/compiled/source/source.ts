/**
 * The back end of generated source: a schema's functions as one text, which the engine compiles as if they had been written
 * by hand. The text holds names and values of codecs only as `JSON.stringify` writes them; everything else is a constant
 * beside it. It depends on nothing but the schema.
 */
import { quote } from '../../../http/json-string.ts'
import { isPlain } from '../../confined.ts'
import { merge } from '../../merge.ts'
import type { Whole } from '../runtime.ts'
import { decodeBy, hasOnly, mergesAlike, refused } from '../runtime.ts'
import type { Described } from '../schema.ts'
import { decodeBody } from './decode-text.ts'
import { encodeBody } from './encode-text.ts'
import { fitsBody } from './fits-text.ts'
import { isBody } from './is-text.ts'
import { follow, scalar, textOf, unusual } from './json.ts'
import { generate } from './scope.ts'
import { writeBody } from './write-text.ts'

/** What every text may name. */
const globals = {
  refused,
  merge,
  mergesAlike,
  decodeBy,
  isPlain,
  hasOnly,
  textOf,
  follow,
  quote,
  scalar,
  unusual,
  isArray: Array.isArray,
  hasOwn: Object.hasOwn,
  keysOf: Object.keys,
  isSafeInteger: Number.isSafeInteger,
  isFinite: Number.isFinite,
}

/** The text for a schema, and the values that it names `constant0`, `constant1`, … */
export const sourceOf = (
  described: Described,
): { readonly text: string; readonly constants: ReadonlyArray<unknown> } => {
  const results: string[] = []
  const { functions, constants } = generate(
    described,
    { decode: decodeBody, encode: encodeBody, is: isBody, fits: fitsBody, write: writeBody },
    ({ functionOf }) => {
      for (const purpose of ['decode', 'encode', 'is', 'fits', 'write'] as const)
        results.push(`${purpose}: ${functionOf(purpose, described.schema)}`)
    },
  )
  const names = Object.keys(globals).join(', ')
  return {
    constants,
    text: `"use strict"
const { ${names} } = globals
${constants.map((_, at) => `const constant${at} = constants[${at}]`).join('\n')}
${functions}
return { ${results.join(', ')} }`,
  }
}

/** The functions of a schema. Throws an `EvalError` where code generation is not allowed. */
export const bySource = (described: Described): Whole => {
  const { text, constants } = sourceOf(described)
  const make: unknown = new Function('globals', 'constants', text)
  const functions = isMaker(make) ? make(globals, constants) : never()
  const { encode, write } = functions
  return {
    ...functions,
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

type Maker = (shared: typeof globals, constants: ReadonlyArray<unknown>) => Whole

const isMaker = (value: unknown): value is Maker => typeof value === 'function'

const never = (): never => {
  throw new TypeError('a generated function is no function')
}
