/** Reads the frames of HTTP/2 from a sequence of chunks (RFC 9113, section 4.1). */

/** Types of frames (RFC 9113, section 6). */
export const frameTypes = { headers: 1, settings: 4, goaway: 7, continuation: 9 } as const

/** A frame that has been received completely. */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** Encodes a frame. */
const encodeFrame = ({ type, flags, stream, payload }: Frame): Buffer => {
  const head = Buffer.alloc(headSize)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

const headSize = 9

const noBytes: Buffer = Buffer.alloc(0)

/** The default of SETTINGS_MAX_FRAME_SIZE. A longer frame is an error of the connection. */
const maxFrameSize = 16_384

/**
 * Divides the bytes of one direction of a connection into frames. Frames of the types in `types` are buffered until they are complete.
 * The bytes of all other frames pass through as they arrive.
 */
export class FrameReader {
  readonly #types: ReadonlySet<number>
  /** Called for each complete frame. Returns the frame, a frame that replaces it, or `undefined` to remove it. */
  readonly #onFrame: (frame: Frame) => Frame | undefined
  /** Number of bytes that pass through before the next frame. */
  #passing: number
  /** The beginning of an incomplete frame. */
  #rest = noBytes

  /** `prefix` is the number of bytes before the first frame. */
  constructor(
    types: ReadonlySet<number>,
    prefix: number,
    onFrame: (frame: Frame) => Frame | undefined,
  ) {
    this.#types = types
    this.#passing = prefix
    this.#onFrame = onFrame
  }

  /** Reads a chunk, and calls `pass` with the bytes that remain. */
  read(chunk: Buffer, pass: (bytes: Buffer) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    /** The beginning of the bytes that have not been passed. */
    let start = 0
    let at = 0
    for (;;) {
      const skipped = Math.min(this.#passing, bytes.length - at)
      at += skipped
      this.#passing -= skipped
      if (bytes.length - at < headSize) break
      const length = bytes.readUIntBE(at, 3)
      const type = bytes.readUInt8(at + 3)
      const end = at + headSize + length
      if (!this.#types.has(type) || length > maxFrameSize) {
        this.#passing = headSize + length
        continue
      }
      if (bytes.length < end) break
      const frame = {
        type,
        flags: bytes.readUInt8(at + 4),
        stream: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
        payload: bytes.subarray(at + headSize, end),
      }
      const passed = this.#onFrame(frame)
      if (passed !== frame) {
        if (start < at) pass(bytes.subarray(start, at))
        if (passed !== undefined) pass(encodeFrame(passed))
        start = end
      }
      at = end
    }
    if (start < at) pass(bytes.subarray(start, at))
    // an empty slice would keep the memory of the chunk
    this.#rest = at === bytes.length ? noBytes : bytes.subarray(at)
  }
}
