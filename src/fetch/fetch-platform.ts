/** Creates the platform of runtimes that provide only the functions of web standards. */
import { isWorkerd } from '../codec/compiled/select-back-end.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import { transformChunks } from '../http/compression-stream.ts'
import type { Compressors, Decompressor, Platform } from '../interpreter/exchange.ts'
import { noCompressors } from '../interpreter/exchange.ts'
import { TurnBudget } from '../interpreter/event-loop.ts'
import { createPartParser } from '../body/multipart/part-parser.ts'
import { createSplitter } from '../interpreter/request-body/multipart/parts.ts'

/** Creates the platform for a program with the given settings. On workerd, requests share no turn budget. */
export const createFetchPlatform = (settings: Settings): Platform => {
  const isShared = !isWorkerd()
  const shared = new TurnBudget()
  return {
    files: missingFiles,
    decompressors:
      settings['fw.http.enable-decompression'] && typeof DecompressionStream === 'function'
        ? decompressors
        : new Map(),
    compressors:
      settings['fw.http.enable-compression'] && typeof CompressionStream === 'function'
        ? compressors
        : noCompressors,
    splitParts: createSplitter(() => createPartParser, false),
    get turnBudget() {
      return isShared ? shared : new TurnBudget()
    },
  }
}

const codings = ['gzip', 'deflate'] as const

const decompressors: ReadonlyMap<string, Decompressor> = new Map(
  codings.map((coding) => [
    coding,
    (chunks) => transformChunks(chunks, new DecompressionStream(coding)),
  ]),
)

/** The compressors. A `CompressionStream` cannot be flushed. Therefore, bodies that are sent in chunks are not compressed. */
const compressors: Compressors = new Map(
  codings.map((coding) => [coding, { compress: (bytes) => compress(bytes, coding) }]),
)

const compress = async (
  bytes: Uint8Array,
  coding: (typeof codings)[number],
): Promise<Uint8Array> => {
  const { readable, writable } = new CompressionStream(coding)
  const writer = writable.getWriter()
  // an error also ends the reading
  writer.write(bytes).catch(() => undefined)
  writer.close().catch(() => undefined)
  return new Uint8Array(await new Response(readable).arrayBuffer())
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
