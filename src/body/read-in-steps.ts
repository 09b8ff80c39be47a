/** Reads large bodies in steps, so that a server can process other requests between the steps. */
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import type { Codec } from '../codec/codec.ts'
import type { CompiledCodec } from '../codec/generated/compiled-codec.ts'
import { decodeInSteps } from '../codec/generated/decode-in-steps.ts'
import type { Steps } from '../codec/generated/large-values.ts'
import type { BodyOptions } from './body-plan.ts'
import type { JsonReadSettings } from './json/json-rules.ts'
import type { TransformJson } from './json/plain-json.ts'
import { jsonReader } from './json/json-rules.ts'
import type { DecodedBody, ReadBodyInSteps } from './read-body.ts'
import { bodyResult, decodingFailure } from './read-body.ts'

/** Decodes a large value like `decodeBody`, in steps. */
export function* decodeBodyInSteps(
  codec: Pick<CompiledCodec, 'name' | 'structure' | 'decode'>,
  value: unknown,
): Steps<DecodedBody> {
  try {
    return bodyResult(yield* decodeInSteps(codec, value))
  } catch (error) {
    return decodingFailure(codec, error)
  }
}

/** Creates a function that reads a large JSON body. The body is parsed in one step and decoded in further steps. */
export const readJsonInSteps = (
  codec: Codec,
  settings: JsonReadSettings,
  options: Pick<BodyOptions, 'json' | 'visibility'>,
  transform: TransformJson = identity,
): ReadBodyInSteps => {
  const { compiled, parse } = jsonReader(codec, settings, options, transform)
  return function* (bytes, contentType) {
    const value = parse(bytes, contentType)
    if (E.isLeft(value)) return value
    yield
    return yield* decodeBodyInSteps(compiled, value.right)
  }
}
