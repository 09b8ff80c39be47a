/** Creates the platform of runtimes that provide only the functions of web standards. */
import { isWorkerd } from '../codec/compiled/select-back-end.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { Platform } from '../interpreter/exchange.ts'
import { TurnBudget } from '../interpreter/event-loop.ts'
import { createCompressors, createDecompressors } from './compression-streams.ts'
import { createPartParser } from '../body/multipart/part-parser.ts'
import { createSplitter } from '../interpreter/request-body/multipart/parts.ts'

/** Creates the platform for a program with the given settings. On workerd, requests share no turn budget. */
export const createFetchPlatform = (settings: Settings): Platform => {
  const isShared = !isWorkerd()
  const shared = new TurnBudget()
  return {
    files: missingFiles,
    decompressors: createDecompressors(settings),
    compressors: createCompressors(settings),
    splitParts: createSplitter(() => createPartParser, false),
    get turnBudget() {
      return isShared ? shared : new TurnBudget()
    },
  }
}

const unsupported = (): Promise<never> =>
  Promise.reject(
    new TypeError(
      'files are not supported here: use bytes or byteStream, or serve the tree with espalier/node',
    ),
  )

/** The file system of runtimes without files: uploaded files are held in memory, and all other operations reject. */
const missingFiles: Platform['files'] = {
  isMissing: true,
  open: unsupported,
  adopt: async (handle) => {
    await handle.close()
    return unsupported()
  },
  create: unsupported,
  createTemporary: unsupported,
  move: unsupported,
  write: unsupported,
  delete: unsupported,
}
