/** The back ends of compiled codecs: whatever is tested of one is tested of all. */
import { byInterpretation } from '../../src/codec/compiled/interpreted/interpreted.ts'
import type { BackEnd } from '../../src/codec/compiled/compiled.ts'
import { bySource } from '../../src/codec/compiled/source/source.ts'
import { canGenerate } from '../../src/codec/compiled/generating.ts'

export const backEnds: ReadonlyArray<readonly [name: string, BackEnd]> = [
  ['byInterpretation', byInterpretation],
  ...(canGenerate() ? [['bySource', bySource] as const] : []),
]
