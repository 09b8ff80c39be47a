/** What the runtime does for the engine, which knows no files, no `zlib` and no streams of Node. There is one for a program. */
import type { Compressors } from './response/compressors.ts'
import type { Decompressor } from './request-body/decoder.ts'
import type { FileSystem } from './file-system.ts'
import type { SplitParts } from './request-body/multipart/raw-part.ts'
import type { TurnBudget } from './response/stream/turn-budget.ts'

export interface Platform {
  /** Where content comes from and goes to that does not stay in memory. */
  readonly files: FileSystem
  /** Content codings that can be taken off a content, by their names in lower case. */
  readonly decoders: ReadonlyMap<string, Decompressor>
  /** Content codings that can be put on a content. */
  readonly compressors: Compressors
  /** Takes multipart content apart, given its pieces. */
  readonly splitParts: SplitParts
  /** The time per turn of the event loop that all streams share. */
  readonly turnBudget: TurnBudget
}
