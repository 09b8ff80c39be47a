/**
 * Generates JavaScript functions from a schema.
 *
 * Names and literals from codecs occur in the code only as JSON text returned by `JSON.stringify`. All other values are passed as
 * constants. The code depends only on the schema.
 */
import { isBranching, recursionMemo } from '../recursion-memo.ts'
import { interpretedBackEnd, interpreters } from '../interpreted-back-end.ts'
import type { CodecFunctions, RootFunctions } from '../runtime.ts'
import { hasOnly, rejected, without } from '../runtime.ts'
import type { Schema } from '../../schema/schema.ts'
import { decodeBody } from './generate-decode.ts'
import { encodeBody } from './generate-encode.ts'
import { extentOf, fitsBody } from './generate-fits.ts'
import { isBody } from './generate-is.ts'
import type { GenerateBody, GeneratorScope, Purpose } from './fragments.ts'
import { isSet } from '../../../http/platform-value.ts'

/** The functions and values that generated code can refer to by name. */
const globals = {
  rejected,
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

const bodies: Readonly<Record<Purpose, GenerateBody>> = {
  decode: decodeBody,
  encode: encodeBody,
  is: isBody,
  fits: fitsBody,
}

const purposes = ['decode', 'encode', 'is', 'fits'] as const

interface GeneratedSource {
  /** The source code of a function body. The function has the `globals` and `constants` parameters. */
  readonly text: string
  /** The values for `constant0`, `constant1`, and so on. */
  readonly constants: ReadonlyArray<unknown>
}

/** Generates the source code for an object with the functions of a schema, and for all functions that they call. */
const sourceOf = (root: Schema): GeneratedSource => {
  const constants: unknown[] = []
  const functions = new Map<string, string>()
  const positions = new Map<Schema, number>()
  const targets = new Set<() => Schema>()
  const { decoder, encoder, guard } = interpreters(root)
  const branches = isBranching(root)
  const scope: GeneratorScope = {
    interpreted: (purpose, schema) => {
      switch (purpose) {
        case 'decode':
          return (value) => decoder()(schema, value)
        case 'encode':
          return (value) => encoder()(schema, value)
        case 'is':
          return (value) => guard()(schema, value)
      }
    },
    constant: (value) => {
      const index = constants.indexOf(value)
      return `constant${index < 0 ? constants.push(value) - 1 : index}`
    },
    functionOf: (purpose, schema) => {
      // only primitive values fit a recursive schema, so no definition is needed
      if (schema._tag === 'Recursion' && purpose !== 'fits') {
        const { target } = schema
        targets.add(target)
        if (targets.size > maxDefinitions) return scope.constant(scope.interpreted(purpose, schema))
        const name = scope.functionOf(purpose, target())
        if (!branches) return name
        const memoizedName = `memoized_${name}`
        functions.set(memoizedName, `function ${memoizedName}(u) { return memoized(${name}, u) }`)
        return memoizedName
      }
      const position = positions.get(schema) ?? positions.size
      positions.set(schema, position)
      const name = `${purpose}${position}`
      if (functions.has(name)) return name
      functions.set(name, '') // registered before it is generated, because it may call itself
      functions.set(name, `function ${name}(u) {\n${bodies[purpose](schema, scope)}\n}`)
      return name
    },
  }
  const results = purposes.map(
    (purpose) => `${purpose}: ${branches ? 'withMemo' : ''}(${scope.functionOf(purpose, root)})`,
  )
  return {
    constants,
    text: `"use strict"
const { ${Object.keys(globals).join(', ')} } = globals
${constants.map((_, at) => `const constant${at} = constants[${at}]`).join('\n')}
${branches ? memoPrelude : ''}
${[...functions.values()].join('\n')}
return { ${results.join(', ')} }`,
  }
}

/**
 * The maximum number of recursive schemas for which functions are generated. Others are interpreted. The limit is necessary because a
 * definition can return a new codec on each call.
 */
const maxDefinitions = 64

/**
 * The code that memoizes results during one call to a generated function. If an application predicate calls the codec again,
 * the cache can be cleared before the outer call ends.
 */
const memoPrelude = `let memo
const memoized = (run, u) => memo === undefined ? run(u) : memo(run, u, () => run(u))
const withMemo = (run) => (u) => {
  memo = recursionMemo()
  try { return run(u) } finally { memo = undefined }
}`

/** Evaluates generated source code. Throws an `EvalError` if the platform does not allow code generation. */
export const evaluate = ({ text, constants }: GeneratedSource): unknown =>
  new Function('globals', 'constants', text)(globals, constants)

/** The code-generating back end for compiled codecs. Validation errors are collected by the interpreter. */
export const generatedBackEnd = (root: Schema): RootFunctions => {
  const functions = evaluate(sourceOf(root))
  if (!isGenerated(functions)) throw new TypeError('invalid generated functions')
  const extent = extentOf(root)
  return {
    ...functions,
    collect: interpretedBackEnd(root).collect,
    fits: (value, { depth, keys }) =>
      extent.depth <= depth && extent.keys <= keys && functions.fits(value),
  }
}

interface GeneratedFunctions extends CodecFunctions {
  readonly fits: (value: unknown) => boolean
}

const isGenerated = (value: unknown): value is GeneratedFunctions =>
  typeof value === 'object' && value !== null && purposes.every((purpose) => purpose in value)
