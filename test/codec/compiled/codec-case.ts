/** Arbitrary codecs with inputs: valid values, mutated values and any other values. */
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import type { Codec } from '../../../src/codec/codec.ts'
import type { UndeclaredHandling } from '../../../src/codec/structure/undeclared-members.ts'
import { children, members } from '../../../src/codec/codec-structure.ts'
import { anySample } from './any-sample.ts'
import { mutated } from './mutated-value.ts'
import { jsonValue, anyValue } from './arbitrary-value.ts'
import { sample } from '../../support/sample.ts'

export interface CodecCase {
  readonly codec: Codec
  readonly undeclared: UndeclaredHandling
  readonly inputs: ReadonlyArray<unknown>
}

const tryEncode = (codec: Codec, value: unknown): unknown => {
  try {
    return codec.encode(value)
  } catch {
    return value
  }
}

/** Describes the structure of a codec for reports, because names do not contain it. */
const structure = (codec: Codec): string => {
  const seen = new Set<Codec>()
  const describePart = (part: Codec): string => {
    const tag = part._tag ?? part.name
    if (seen.has(part)) return tag
    const props = Object.entries(members(part) ?? {}).map(
      ([key, member]) => `${key}: ${describePart(member)}`,
    )
    if (props.length === 0 && children(part).length === 0) return part.name
    seen.add(part)
    const text = `${tag}(${[...props, ...children(part).map(describePart)].join(', ')})`
    seen.delete(part)
    return text
  }
  return describePart(codec)
}

export const codecCase: fc.Arbitrary<CodecCase> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: anySample }, sample),
    fc.constantFrom<UndeclaredHandling>('drop', 'reject'),
  )
  .chain(([{ codec, value }, undeclared]) => {
    const encoded = value.map((decoded) => tryEncode(codec, decoded))
    const input = fc.oneof(
      value,
      encoded,
      value.chain(mutated),
      encoded.chain(mutated),
      encoded.chain(mutated).chain(mutated),
      jsonValue,
      anyValue,
    )
    return fc.array(input, { minLength: 1, maxLength: 5 }).map((inputs) => ({
      codec,
      undeclared,
      inputs,
      [fc.toStringMethod]: () =>
        `${structure(codec)}, ${undeclared}: ${inspect(inputs, { depth: 9 })}`,
    }))
  })
