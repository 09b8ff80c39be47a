/** Which back end runs: generated source where it is allowed and wanted, else closures. Both do the same. */
import { byClosures } from '../codec/compiled/closures/closures.ts'
import type { BackEnd } from '../codec/compiled/compiled.ts'
import { bySource } from '../codec/compiled/source/source.ts'
import type { Settings } from './settings.ts'

type Choice = Pick<Settings, 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'>

export const backEnd = (settings: Choice): BackEnd =>
  settings['fw.rest.jsonlib.optimization.enable-reflection-free-serializers'] && canGenerate()
    ? bySource
    : byClosures

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
