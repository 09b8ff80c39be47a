/** Whether source can be generated here. Both back ends do the same; that of source is several times as fast. */
import { byClosures } from './closures/closures.ts'
import type { BackEnd } from './compiled.ts'
import { bySource } from './source/source.ts'

/** Generated source where it is allowed, else closures. */
export const fastest = (): BackEnd => (canGenerate() ? bySource : byClosures)

let allowed: boolean | undefined

/**
 * Whether text can be made a function here. It cannot under `--disallow-code-generation-from-strings`, or on platforms that
 * refuse it to all programs.
 */
export const canGenerate = (): boolean => (allowed ??= tryToGenerate())

const tryToGenerate = (): boolean => {
  try {
    return bySource({ schema: { _tag: 'Anything' }, definitions: [] }).is(undefined)
  } catch (error) {
    if (error instanceof EvalError) return false
    throw error
  }
}
