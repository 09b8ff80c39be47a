/** The back end of this platform. Both have the same results; generated source is several times as fast. */
import * as t from 'io-ts'
import type { BackEnd } from './compiled-codec.ts'
import { interpretedBackEnd } from './interpreted/interpreted-back-end.ts'
import { generatedBackEnd } from './generator/generated-back-end.ts'

/** Generated source where it is allowed, otherwise interpretation. */
export const fastestBackEnd = (): BackEnd =>
  canGenerateCode() ? generatedBackEnd : interpretedBackEnd

let allowed: boolean | undefined

/**
 * Whether text can be made a function here. It cannot under `--disallow-code-generation-from-strings`, or on platforms that
 * refuse it to all programs.
 */
export const canGenerateCode = (): boolean => (allowed ??= tryToGenerate())

const tryToGenerate = (): boolean => {
  try {
    const schema = { _tag: 'Anything', reported: t.unknown } as const
    return generatedBackEnd({ schema, definitions: [] }, t.unknown).is(undefined)
  } catch (error) {
    if (error instanceof EvalError) return false
    throw error
  }
}
