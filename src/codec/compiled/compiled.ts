/**
 * Compiled codecs: the exact form of a codec (`codec/exact.ts`) as functions made for it, which do what io-ts does by walking.
 * They give the same values with the same members in the same order; what is refused is given to io-ts again, so that
 * errors are io-ts' own.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { Undeclared } from '../confined.ts'
import { exactly } from '../exact.ts'
import type { Projection } from '../projection.ts'
import { whole } from '../projection.ts'
import type { Extent } from './extent.ts'
import { extentOf } from './extent.ts'
import { readSchema } from './read-schema.ts'
import type { Whole } from './runtime.ts'
import { refused } from './runtime.ts'
import type { Described } from './schema.ts'

/** Makes functions of a schema. */
export type BackEnd = (described: Described) => Whole

export interface Compiled {
  readonly name: string
  /** The value, or `refused`. */
  readonly decodeOrRefuse: (value: unknown) => unknown
  readonly decode: (value: unknown) => t.Validation<unknown>
  readonly validate: (value: unknown, context: t.Context) => t.Validation<unknown>
  readonly encode: (value: unknown) => unknown
  readonly is: (value: unknown) => boolean
  /** Whether a value has no member that is not declared, at any depth, and keeps bounds. */
  readonly fits: (value: unknown, bounds: Extent) => boolean
  readonly write: (value: unknown) => string | undefined
}

/**
 * Compiles a codec, once for each back end and projection. It is done when a function is first called: a recursive codec may not be defined
 * yet, and an application of a thousand endpoints starts without it.
 */
export const compiled = (
  codec: Codec,
  undeclared: Undeclared,
  backEnd: BackEnd,
  projection: Projection = whole,
): Compiled => {
  const known = remembered(undeclared, backEnd, projection)
  const before = known.get(codec)
  if (before !== undefined) return before
  const made = compile(codec, undeclared, backEnd, projection)
  known.set(codec, made)
  return made
}

type Memory = Readonly<Record<Undeclared, Map<BackEnd, WeakMap<Codec, Compiled>>>>

/** By projection, which is nobody's any more when nobody writes by it. */
const memories = new WeakMap<Projection, Memory>()

const remembered = (
  undeclared: Undeclared,
  backEnd: BackEnd,
  projection: Projection,
): WeakMap<Codec, Compiled> => {
  const memory = memories.get(projection) ?? { drop: new Map(), refuse: new Map() }
  memories.set(projection, memory)
  const known = memory[undeclared].get(backEnd) ?? new WeakMap<Codec, Compiled>()
  memory[undeclared].set(backEnd, known)
  return known
}

interface Made extends Whole {
  readonly form: Codec
  readonly extent: Extent
  /** Whether the codec says nothing of itself, and so has the only word. */
  readonly opaque: boolean
}

const compile = (
  codec: Codec,
  undeclared: Undeclared,
  backEnd: BackEnd,
  projection: Projection,
): Compiled => {
  let made: Made | undefined
  const make = (): Made => {
    const form = exactly(codec, undeclared, projection)
    const described = readSchema(form)
    const { schema } = described
    return {
      ...backEnd(described),
      form,
      extent: extentOf(schema),
      opaque: schema._tag === 'Opaque',
    }
  }
  const functions = (): Made => (made ??= make())
  const by = (
    validate: (form: Codec) => t.Validation<unknown>,
    value: unknown,
  ): t.Validation<unknown> => {
    const { decode, form, opaque } = functions()
    const decoded = opaque ? refused : decode(value)
    return decoded === refused ? validate(form) : t.success(decoded)
  }
  return {
    name: codec.name,
    decodeOrRefuse: (value) => functions().decode(value),
    decode: (value) => by((form) => form.decode(value), value),
    validate: (value, context) => by((form) => form.validate(value, context), value),
    encode: (value) => functions().encode(value),
    is: (value) => functions().is(value),
    fits: (value, { depth, keys }) => {
      const { fits, extent } = functions()
      return extent.depth <= depth && extent.keys <= keys && fits(value)
    },
    write: (value) => functions().write(value),
  }
}
