/**
 * The back end that walks schemas. It works on every platform, decodes several times slower than generated functions, and
 * leaves encoding to the exact form of the codec.
 */
import type { Codec } from '../../codec.ts'
import { isBranching, recursionMemo } from '../recursion-memo.ts'
import { fits } from '../fits.ts'
import { Progress } from '../array-progress.ts'
import type { RootFunctions } from '../runtime.ts'
import type { SchemaWithDefinitions } from '../schema.ts'
import { interpretDecode } from './interpret-decode.ts'

/** The functions of a schema and the codec that it was read from. */
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
