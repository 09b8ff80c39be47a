/** What the runtime compresses with. The engine decides what is compressed, and never meets `zlib`. */
import type { ContentCoding } from '../../http/content-coding.ts'

/** Those that the runtime has. */
export type Compressors = ReadonlyMap<ContentCoding, Compressor>

export interface Compressor {
  /** Compresses a whole content: at once when it is small, and elsewhere when it would hold up the event loop. */
  readonly whole: (octets: Uint8Array) => Uint8Array | Promise<Uint8Array>
  /** Begins with a content in pieces. */
  readonly begin: () => Compression
}

/** A content on its way through a compressor; what it rejects with is the end of it. */
export interface Compression {
  /** With what comes out for a piece, and for all before, the client has all that was put in. Asked one at a time. */
  readonly write: (piece: string | Uint8Array) => Promise<Uint8Array>
  /** What is left, behind the last piece. */
  readonly end: () => Promise<Uint8Array>
  /** Gives back what it holds, at the end or before. It never throws. */
  readonly close: () => void
}

export const noCompressors: Compressors = new Map()
