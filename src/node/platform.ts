/** Creates the Node.js platform. It provides file access, compression and multipart parsing. */
import type { Settings } from '../compiler/settings/settings.ts'
import { TurnBudget } from '../interpreter/event-loop.ts'
import type { Platform } from '../interpreter/exchange.ts'
import { createCompressors, createDecompressors } from './compression.ts'
import { createFileSystem } from './files/file-system.ts'
import { partSplitter } from './multipart/split-parts.ts'

/** Creates the platform for a program with the given settings. */
export const createPlatform = (settings: Settings): Platform => ({
  files: createFileSystem(settings),
  decompressors: createDecompressors(settings),
  compressors: createCompressors(settings),
  splitParts: partSplitter(),
  turnBudget: new TurnBudget(),
})
