/** The back ends of compiled codecs. Their tests run for each of them. */
import { interpretedBackEnd } from '../../src/codec/compiled/interpreted-back-end.ts'
import type { BackEnd } from '../../src/codec/compiled/compiled-codec.ts'
import { generatedBackEnd } from '../../src/codec/compiled/generator/generated-back-end.ts'
import { canGenerateCode } from '../../src/codec/compiled/select-back-end.ts'

export const backEnds: ReadonlyArray<readonly [name: string, BackEnd]> = [
  ['interpreted', interpretedBackEnd],
  ...(canGenerateCode() ? [['generated', generatedBackEnd] as const] : []),
]
