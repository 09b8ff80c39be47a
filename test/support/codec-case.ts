/** Arbitrary codecs with values that they may be asked about: their own, ones that are nearly so, and any others. */
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import type { Codec } from '../../src/codec/codec.ts'
import type { Undeclared } from '../../src/codec/structure/undeclared-members.ts'
import { children, members } from '../../src/codec/structure/codec-structure.ts'
import { anySample } from './any-sample.ts'
import { disturbed } from './mutated-value.ts'
import { jsonValue, oddValue } from './arbitrary-value.ts'
import { sample } from './sample.ts'

export interface CodecCase {
  readonly codec: Codec
  readonly undeclared: Undeclared
  readonly inputs: ReadonlyArray<unknown>
}

const wire = (codec: Codec, value: unknown): unknown => {
  try {
    return codec.encode(value)
  } catch {
    return value
  }
}

/** What a codec is made of, for reports: names do not say it. */
const structure = (codec: Codec): string => {
  const seen = new Set<Codec>()
  const show = (one: Codec): string => {
    const tag = one._tag ?? one.name
    if (seen.has(one)) return tag
    const props = Object.entries(members(one) ?? {}).map(
      ([key, member]) => `${key}: ${show(member)}`,
    )
    if (props.length === 0 && children(one).length === 0) return one.name
    seen.add(one)
    const text = `${tag}(${[...props, ...children(one).map(show)].join(', ')})`
    seen.delete(one)
    return text
  }
  return show(codec)
}

export const codecCase: fc.Arbitrary<CodecCase> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: anySample }, sample),
    fc.constantFrom<Undeclared>('drop', 'reject'),
  )
  .chain(([{ codec, value }, undeclared]) => {
    const written = value.map((one) => wire(codec, one))
    const input = fc.oneof(
      value,
      written,
      value.chain(disturbed),
      written.chain(disturbed),
      written.chain(disturbed).chain(disturbed),
      jsonValue,
      oddValue,
    )
    return fc.array(input, { minLength: 1, maxLength: 5 }).map((inputs) => ({
      codec,
      undeclared,
      inputs,
      [fc.toStringMethod]: () =>
        `${structure(codec)}, ${undeclared}: ${inspect(inputs, { depth: 9 })}`,
    }))
  })
