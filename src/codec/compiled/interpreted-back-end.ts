/** The back end that interprets schemas. It works on all platforms, but takes several times as long as generated code. */
import type { Schema } from '../schema/schema.ts'
import { isTest } from '../schema/schema.ts'
import type { SchemaDecoder } from './interpret-decode.ts'
import { interpretDecode } from './interpret-decode.ts'
import type { SchemaEncoder } from './interpret-encode.ts'
import { interpretEncode } from './interpret-encode.ts'
import type { SchemaGuard } from './interpret-is.ts'
import { interpretIs } from './interpret-is.ts'
import { isBranching, recursionMemo } from './recursion-memo.ts'
import type { RootFunctions } from './runtime.ts'

export const interpretedBackEnd = (schema: Schema): RootFunctions => {
  const { decoder, encoder, guard } = interpreters(schema)
  return {
    decode: (value) => decoder()(schema, value),
    collect: (value, at) => decoder()(schema, value, at),
    encode: (value) => encoder()(schema, value),
    is: (value) => guard()(schema, value),
    // the decoder reports a number that a test rejects, such as one out of range
    fits: (value) => typeof value === 'number' && isTest(schema) && !guard()(schema, value),
  }
}

/** Functions that return the interpreters for one call of a codec function. */
export interface Interpreters {
  readonly decoder: () => SchemaDecoder
  readonly encoder: () => SchemaEncoder
  readonly guard: () => SchemaGuard
}

/** Returns the interpreters of a schema. They are created for each call if results must be memoized during the call. */
export const interpreters = (schema: Schema): Interpreters => {
  if (isBranching(schema)) return memoizing
  const is = interpretIs()
  const [decode, encode] = [interpretDecode(), interpretEncode(is)]
  return { decoder: () => decode, encoder: () => encode, guard: () => is }
}

const memoizing: Interpreters = {
  decoder: () => interpretDecode(recursionMemo()),
  encoder: () => interpretEncode(interpretIs(recursionMemo()), recursionMemo()),
  guard: () => interpretIs(recursionMemo()),
}
