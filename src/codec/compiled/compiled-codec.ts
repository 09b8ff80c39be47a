/**
 * Compiles codecs to functions. Unlike the functions of codecs, they handle undeclared and hidden members at any depth.
 *
 * Except for this, compiled codecs return the same values and errors as io-ts, in the same order. However, the number of errors is limited
 * (`runtime.ts`). The original `validate` function is called only for opaque codecs.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { Decoded } from '../standard-schema/asynchronous-results.ts'
import { decodeWithResults } from '../standard-schema/asynchronous-results.ts'
import { schemasIn } from '../visibility/restrictions.ts'
import type { UndeclaredHandling } from '../structure/undeclared-members.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { fullVisibility } from '../visibility/visibility.ts'
import type { LeafForm } from '../schema/position.ts'
import { ownForm } from '../schema/position.ts'
import { readSchema } from '../schema/read-schema.ts'
import { rootContext, rootLocation, rejected } from './runtime.ts'
import type { RootFunctions } from './runtime.ts'
import type { Schema } from '../schema/schema.ts'
import { rejectsUniformly } from '../schema/schema.ts'

/** A function that creates the decoder, encoder and other functions for a schema. */
export type BackEnd = (schema: Schema) => RootFunctions

export interface CompiledCodec extends Pick<RootFunctions, 'encode' | 'is' | 'fits'> {
  readonly name: string
  /** Returns the decoded value, or `rejected` if the value is invalid. */
  readonly decodeOrReject: (value: unknown) => unknown
  readonly decode: (value: unknown) => t.Validation<unknown>
  /** Decodes a value. Returns a promise if the codec contains a Standard Schema that validates asynchronously. */
  readonly decodeLater: (value: unknown) => Decoded
  readonly validate: (value: unknown, context: t.Context) => t.Validation<unknown>
  /** Encodes a value and serializes the result as JSON. Returns `undefined` for values without a JSON form, such as `undefined`. */
  readonly write: (value: unknown) => string | undefined
  /** Returns whether `decode` returns the same errors for all rejected values, except for the values in them (`schema.ts`). */
  readonly rejectsUniformly: () => boolean
}

/**
 * Compiles a codec. Results are cached separately for each back end, and for the rules for undeclared members, visibility and codecs
 * without structure.
 *
 * Compilation is deferred until a function of the result is called for the first time, because recursive codecs might not be
 * defined yet. This also reduces the startup time of applications with many endpoints.
 */
export const compileCodec = (
  codec: Codec,
  undeclared: UndeclaredHandling,
  backEnd: BackEnd,
  visibility: Visibility = fullVisibility,
  leafForm: LeafForm = ownForm,
): CompiledCodec => {
  const byVisibility = valueIn(caches, leafForm, () => new WeakMap())
  const byBackEnd = valueIn(byVisibility, visibility, () => new WeakMap())
  const byHandling = valueIn(byBackEnd, backEnd, () => ({
    drop: new WeakMap(),
    reject: new WeakMap(),
  }))
  return valueIn(byHandling[undeclared], codec, () =>
    createCompiledCodec(codec, backEnd, () => readSchema(codec, undeclared, visibility, leafForm)),
  )
}

type CodecCache = Readonly<Record<UndeclaredHandling, WeakMap<Codec, CompiledCodec>>>

const caches = new WeakMap<LeafForm, WeakMap<Visibility, WeakMap<BackEnd, CodecCache>>>()

/** Returns the value of a key. If there is none, it is created and added. */
const valueIn = <K extends object, V>(map: WeakMap<K, V>, key: K, create: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = create()
  map.set(key, created)
  return created
}

interface CompiledFunctions extends RootFunctions {
  /** Whether the structure of the whole codec is unknown. Such a codec validates each value itself, and is called once per value. */
  readonly isOpaque: boolean
  /** Whether the codec contains a Standard Schema, which may validate asynchronously. */
  readonly hasSchemas: boolean
  readonly rejectsUniformly: boolean
}

const createCompiledCodec = (codec: Codec, backEnd: BackEnd, read: () => Schema): CompiledCodec => {
  let compiled: CompiledFunctions | undefined
  const compile = (): CompiledFunctions => {
    const schema = read()
    return {
      ...backEnd(schema),
      isOpaque: schema._tag === 'Opaque',
      hasSchemas: schemasIn(codec).length > 0,
      rejectsUniformly: rejectsUniformly(schema),
    }
  }
  const functions = (): CompiledFunctions => (compiled ??= compile())
  const collectAt = (value: unknown, context: t.Context): t.Validation<unknown> => {
    const at = rootLocation(context)
    const collected = functions().collect(value, at)
    return collected === rejected ? t.failures(at.collector.errors) : t.success(collected)
  }
  const validate = (value: unknown, context: () => t.Context): t.Validation<unknown> => {
    const { decode, isOpaque } = functions()
    const decoded = isOpaque ? rejected : decode(value)
    if (decoded !== rejected) return t.success(decoded)
    return collectAt(value, context())
  }
  return {
    name: codec.name,
    decodeOrReject: (value) => functions().decode(value),
    decode: (value) => validate(value, () => rootContext(codec, value)),
    decodeLater: (value) => {
      if (!functions().hasSchemas) return validate(value, () => rootContext(codec, value))
      const decodeAt = (root: t.ContextEntry): t.Validation<unknown> => collectAt(value, [root])
      return decodeWithResults(decodeAt, { key: '', type: codec, actual: value })
    },
    validate: (value, context) => validate(value, () => context),
    encode: (value) => functions().encode(value),
    is: (value) => functions().is(value),
    fits: (value, bounds) => functions().fits(value, bounds),
    write: (value) => JSON.stringify(functions().encode(value)),
    rejectsUniformly: () => functions().rejectsUniformly,
  }
}
