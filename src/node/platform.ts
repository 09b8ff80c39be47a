/** What Node does for the engine. */
import type { Settings } from '../compiler/settings/settings.ts'
import { TurnBudget } from '../interpreter/response/stream/turn-budget.ts'
import type { System } from '../interpreter/platform.ts'
import { compressorsOf } from './compression/compressors.ts'
import { decodersOf } from './compression/decompressors.ts'
import { filesOf } from './files/file-system.ts'
import { splitParts } from './multipart/split-parts.ts'

/** As the settings say. */
export const systemOf = (settings: Settings): System => ({
  files: filesOf(settings),
  decoders: decodersOf(settings),
  compressors: compressorsOf(settings),
  splitParts,
  turnBudget: new TurnBudget(),
})
