/** What Node does for the engine. */
import type { Settings } from '../interpreter/settings.ts'
import { TurnBudget } from '../interpreter/stream/turn-budget.ts'
import type { System } from '../interpreter/system.ts'
import { compressorsOf } from './compressors.ts'
import { decodersOf } from './decoders.ts'
import { filesOf } from './files.ts'
import { splitParts } from './multipart/split-parts.ts'

/** As the settings say. */
export const systemOf = (settings: Settings): System => ({
  files: filesOf(settings),
  decoders: decodersOf(settings),
  compressors: compressorsOf(settings),
  splitParts,
  turnBudget: new TurnBudget(),
})
