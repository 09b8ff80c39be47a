/** The back ends of compiled codecs: whatever is tested of one is tested of all. */
import { interpretedBackEnd } from '../../src/codec/generated/interpreted/interpreted-back-end.ts'
import type { BackEnd } from '../../src/codec/generated/compiled-codec.ts'
import { generatedBackEnd } from '../../src/codec/generated/generator/generated-back-end.ts'
import { canGenerateCode } from '../../src/codec/generated/select-back-end.ts'

export const backEnds: ReadonlyArray<readonly [name: string, BackEnd]> = [
  ['byInterpretation', interpretedBackEnd],
  ...(canGenerateCode() ? [['bySource', generatedBackEnd] as const] : []),
]
