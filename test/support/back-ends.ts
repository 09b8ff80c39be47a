/** The back ends of compiled codecs: whatever is tested of one is tested of all. */
import { byInterpretation } from '../../src/codec/generated/interpreted/interpreted-back-end.ts'
import type { BackEnd } from '../../src/codec/generated/compiled-codec.ts'
import { bySource } from '../../src/codec/generated/generator/generated-back-end.ts'
import { canGenerate } from '../../src/codec/generated/select-back-end.ts'

export const backEnds: ReadonlyArray<readonly [name: string, BackEnd]> = [
  ['byInterpretation', byInterpretation],
  ...(canGenerate() ? [['bySource', bySource] as const] : []),
]
