/** Selects the back end of compiled codecs. Both back ends return the same results; generated code is several times faster. */
import * as t from 'io-ts'
import type { BackEnd } from './compiled-codec.ts'
import { interpretedBackEnd } from './interpreted/interpreted-back-end.ts'
import { generatedBackEnd } from './generator/generated-back-end.ts'

/** Returns the code generator if code generation is allowed, and otherwise the interpreter. */
export const fastestBackEnd = (): BackEnd =>
  canGenerateCode() ? generatedBackEnd : interpretedBackEnd

let allowed: boolean | undefined

/**
 * Whether functions can be created from text. Browsers with a content security policy, workerd and
 * `--disallow-code-generation-from-strings` forbid it.
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
