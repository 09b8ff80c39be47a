/**
 * The interpreter. It works on all platforms, decodes several times slower than generated code, and encodes with the exact
 * form.
 */
import type { Codec } from '../../codec.ts'
import { isBranching, recursionMemo } from '../recursion-memo.ts'
import { fits } from '../fits.ts'
import { Progress } from '../array-progress.ts'
import type { RootFunctions } from '../runtime.ts'
import type { SchemaWithDefinitions } from '../schema.ts'
import { interpretDecode } from './interpret-decode.ts'

export const interpretedBackEnd = (
  { schema, definitions }: SchemaWithDefinitions,
  form: Codec,
  progress = new Progress(),
): RootFunctions => {
  const decode = interpretDecode(definitions, progress)
  const decoder = isBranching(definitions)
    ? () => interpretDecode(definitions, progress, recursionMemo())
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
