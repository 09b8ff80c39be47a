/**
 * The back end that walks schemas. It works on every platform, decodes several times slower than generated functions, and
 * leaves encoding to the exact form of the codec.
 */
import type { Codec } from '../../codec.ts'
import { isBranching, memoryOf } from '../recursion-memo.ts'
import { fits } from '../fits.ts'
import { Progress } from '../array-progress.ts'
import type { Whole } from '../runtime.ts'
import type { Described } from '../schema.ts'
import { decoding } from './interpret-decode.ts'

/** The functions of a schema and the codec that it was read from. */
export const byInterpretation = (
  { schema, definitions }: Described,
  form: Codec,
  progress = new Progress(),
): Whole => {
  const decode = decoding(definitions, progress)
  const decoder = isBranching(definitions)
    ? () => decoding(definitions, progress, memoryOf())
    : () => decode
  return {
    decode: (value) => decoder()(schema, value),
    collect: (value, at) => decoder()(schema, value, at),
    encode: (value): unknown => form.encode(value),
    is: (value) => form.is(value),
    fits: (value) => fits(schema, value),
    write: (value) => JSON.stringify(form.encode(value)),
  }
}
