/** The services of Node.js that the interpreter uses. */
import type { Settings } from '../compiler/settings/settings.ts'
import { TurnBudget } from '../interpreter/response/stream/turn-budget.ts'
import type { Platform } from '../interpreter/platform.ts'
import { createCompressors } from './compression/compressors.ts'
import { createDecompressors } from './compression/decompressors.ts'
import { createFileSystem } from './files/file-system.ts'
import { splitParts } from './multipart/split-parts.ts'

/** Creates the platform of a program, as configured. */
export const createPlatform = (settings: Settings): Platform => ({
  files: createFileSystem(settings),
  decompressors: createDecompressors(settings),
  compressors: createCompressors(settings),
  splitParts,
  turnBudget: new TurnBudget(),
})
