/** Decodes large values in steps, so that a server can process other requests between the steps. */
import * as t from 'io-ts'
import type { CodecStructure, CompiledCodec } from './compiled-codec.ts'
import { Progress } from './decoded-parts.ts'
import { decodingCost } from './decoding-cost.ts'
import type { Collection, Divisible, SliceDecoder, Steps } from './large-values.ts'
import { decodeLargeValue, defaultStepCost } from './large-values.ts'
import { rejected, rootContext, rootLocation } from './runtime.ts'

/** Prepares a codec for decoding in steps. The decoders for slices are compiled on first use. */
const divide = ({ root: { schema, definitions }, backEnd }: CodecStructure): Divisible => {
  const progress = new Progress()
  const decoders = new Map<Collection, SliceDecoder>()
  const sliceDecoderOf = (collection: Collection): SliceDecoder => {
    const existing = decoders.get(collection)
    if (existing !== undefined) return existing
    const { codec, reported } = collection
    const element = collection._tag === 'Record' ? collection.codomain : collection.element
    const list = { _tag: 'List', element, codec, reported } as const
    const { decode } = backEnd({ schema: list, definitions }, codec, progress)
    const decoder = { list, decode }
    decoders.set(collection, decoder)
    return decoder
  }
  return { schema, definitions, cost: decodingCost(definitions), progress, sliceDecoderOf }
}

/** The prepared codecs. A codec is prepared when its first large value is decoded. */
const divided = new WeakMap<CodecStructure, Divisible>()

const divisibleOf = (structure: CodecStructure): Divisible => {
  const known = divided.get(structure)
  if (known !== undefined) return known
  const created = divide(structure)
  divided.set(structure, created)
  return created
}

/**
 * Decodes a value like `decode`, in steps of a few milliseconds at most. The result of a value that needs only one step is
 * returned by the first call to `next`. `stepCost` is the maximum cost of a step (`decoding-cost.ts`).
 */
export function* decodeInSteps(
  { structure, decode }: Pick<CompiledCodec, 'structure' | 'decode'>,
  value: unknown,
  stepCost = defaultStepCost,
): Steps<t.Validation<unknown>> {
  const codec = structure()
  const { form, isOpaque } = codec
  const parts = divisibleOf(codec)
  const steps = isOpaque ? undefined : decodeLargeValue(parts, value, stepCost)
  if (steps === undefined) return decode(value)
  const decoded = yield* steps.decode()
  const at = rootLocation(rootContext(form, value))
  const collected = decoded === rejected ? yield* steps.collect(at) : decoded
  parts.progress.release()
  return collected === rejected ? t.failures(at.collector.errors) : t.success(collected)
}
