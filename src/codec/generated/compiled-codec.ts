/**
 * Compiled codecs: functions for the exact form of a codec (`codec/structure/exact-form.ts`).
 *
 * Values and errors are the same as those of io-ts, in the same order, except that the number of errors is limited
 * (`error-collector.ts`). The `validate` function of io-ts is called for opaque codecs only.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { Undeclared } from '../structure/undeclared-members.ts'
import { exactForm } from '../structure/exact-form.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { fullVisibility } from '../visibility/visibility.ts'
import type { Extent } from './fits.ts'
import { extentOf } from './fits.ts'
import { readSchema } from './read-schema.ts'
import { rootContext, rootLocation } from './error-collector.ts'
import type { RootFunctions } from './runtime.ts'
import { rejected } from './runtime.ts'
import type { SchemaWithDefinitions } from './schema.ts'

/** Creates the functions for a schema and the exact form from which it was read. */
export type BackEnd = (described: SchemaWithDefinitions, form: Codec) => RootFunctions

export interface CompiledCodec {
  readonly name: string
  /** Returns the decoded value, or `rejected`. */
  readonly decodeOrReject: (value: unknown) => unknown
  readonly decode: (value: unknown) => t.Validation<unknown>
  readonly validate: (value: unknown, context: t.Context) => t.Validation<unknown>
  readonly encode: (value: unknown) => unknown
  readonly is: (value: unknown) => boolean
  /** Whether a value has no undeclared members at any depth, and is within the limits. */
  readonly fits: (value: unknown, bounds: Extent) => boolean
  readonly write: (value: unknown) => string | undefined
}

/**
 * Compiles a codec, once for each back end and visibility.
 *
 * Compilation is deferred to the first call of a function: recursive codecs may not be defined yet, and an application with a
 * thousand endpoints starts faster.
 */
export const compileCodec = (
  codec: Codec,
  undeclared: Undeclared,
  backEnd: BackEnd,
  visibility: Visibility = fullVisibility,
): CompiledCodec => {
  const known = cacheFor(undeclared, backEnd, visibility)
  const before = known.get(codec)
  if (before !== undefined) return before
  const made = makeCompiled(codec, undeclared, backEnd, visibility)
  known.set(codec, made)
  return made
}

type CodecCache = Readonly<Record<Undeclared, Map<BackEnd, WeakMap<Codec, CompiledCodec>>>>

/** Weak, so that a cache is released together with its visibility. */
const caches = new WeakMap<Visibility, CodecCache>()

const cacheFor = (
  undeclared: Undeclared,
  backEnd: BackEnd,
  visibility: Visibility,
): WeakMap<Codec, CompiledCodec> => {
  const memory = caches.get(visibility) ?? { drop: new Map(), reject: new Map() }
  caches.set(visibility, memory)
  const known = memory[undeclared].get(backEnd) ?? new WeakMap<Codec, CompiledCodec>()
  memory[undeclared].set(backEnd, known)
  return known
}

interface CompiledFunctions extends RootFunctions {
  readonly form: Codec
  readonly extent: Extent
  /** Whether the whole codec is opaque, so that it is called only once. */
  readonly isOpaque: boolean
}

const makeCompiled = (
  codec: Codec,
  undeclared: Undeclared,
  backEnd: BackEnd,
  visibility: Visibility,
): CompiledCodec => {
  let made: CompiledFunctions | undefined
  const make = (): CompiledFunctions => {
    const form = exactForm(codec, undeclared, visibility)
    const described = readSchema(form)
    const { schema } = described
    return {
      ...backEnd(described, form),
      form,
      extent: extentOf(schema),
      isOpaque: schema._tag === 'Opaque' && schema.decodes === undefined,
    }
  }
  const functions = (): CompiledFunctions => (made ??= make())
  const validate = (value: unknown, context: (form: Codec) => t.Context): t.Validation<unknown> => {
    const { decode, collect, form, isOpaque } = functions()
    const decoded = isOpaque ? rejected : decode(value)
    if (decoded !== rejected) return t.success(decoded)
    const at = rootLocation(context(form))
    const collected = collect(value, at)
    if (collected !== rejected) return t.success(collected)
    return t.failures(at.collector.errors)
  }
  return {
    name: codec.name,
    decodeOrReject: (value) => functions().decode(value),
    decode: (value) => validate(value, (form) => rootContext(form, value)),
    validate: (value, context) => validate(value, () => context),
    encode: (value) => functions().encode(value),
    is: (value) => functions().is(value),
    fits: (value, { depth, keys }) => {
      const { fits, extent } = functions()
      return extent.depth <= depth && extent.keys <= keys && fits(value)
    },
    write: (value) => functions().write(value),
  }
}
