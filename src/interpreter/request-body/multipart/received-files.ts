/** The uploaded files of one request: stored, counted, and deleted at its end. */
import type { Context } from '../../../endpoint/context.ts'
import type { Exchange } from '../../exchange.ts'
import type { FileSystem, NewFile } from '../../file-system.ts'
import type { MemoryReservation } from '../memory-reservation.ts'
import { fileByteLimit, tooManyFilesError } from './parts.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'

/** The stored body of a part: in a file, or in memory. */
export type ReceivedContent =
  | { readonly _tag: 'File'; readonly path: string; readonly size: number }
  | { readonly _tag: 'Memory'; readonly bytes: Uint8Array }

export class ReceivedFiles {
  readonly #files: FileSystem
  readonly #reservation: MemoryReservation | undefined
  readonly #limits: MultipartLimits
  readonly #made: NewFile[] = []
  #count = 0
  #isOver = false

  /** Files are deleted at the end of the request, unless `areKept`. */
  constructor(
    { platform: system, reservation }: Pick<Exchange, 'platform' | 'reservation'>,
    limits: MultipartLimits,
    { onEnd }: Context,
    areKept: boolean,
  ) {
    this.#files = system.files
    this.#reservation = reservation
    this.#limits = limits
    if (!areKept) onEnd(() => this.delete())
  }

  /** Stores a file on disk. Rejects with 413 if the file is too large or there are too many. */
  async receive(part: Part): Promise<ReceivedContent> {
    return this.#write(this.#octetsOf(part), nothing)
  }

  /** Keeps up to `threshold` bytes in memory, while body memory is free. A larger file is stored on disk. */
  async receiveAbove(threshold: number, part: Part): Promise<ReceivedContent> {
    const bytes = this.#octetsOf(part)
    const first = new ByteCollector()
    for (;;) {
      const { done, value } = await bytes.next()
      if (done === true) return { _tag: 'Memory', bytes: first.take() }
      // copied, because the memory of a chunk is reused for the next one
      first.addCopy(value)
      const hasRoom = this.#reservation?.receive(value.length) ?? true
      if (hasRoom && first.length <= threshold) continue
      const held = first.take()
      const received = await this.#write(bytes, held)
      this.#reservation?.discard(held.length)
      return received
    }
  }

  /** Counts a file and discards its body. */
  async skip(part: Part): Promise<void> {
    const bytes = this.#octetsOf(part)
    while ((await bytes.next()).done !== true);
  }

  /** Deletes all files. */
  async delete(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#made.splice(0).map((file) => file.delete()))
  }

  async #write(bytes: AsyncIterable<Uint8Array>, first: Uint8Array): Promise<ReceivedContent> {
    const file = await this.#files.create()
    this.#made.push(file)
    // the request may have ended while the file was created
    if (this.#isOver) await this.delete()
    let size = 0
    const write = async (chunk: Uint8Array): Promise<void> => {
      size += chunk.length
      await file.write(chunk)
    }
    if (first.length > 0) await write(first)
    for await (const chunk of bytes) await write(chunk)
    await file.close()
    return { _tag: 'File', path: file.path, size }
  }

  #octetsOf(part: Part): AsyncGenerator<Uint8Array, undefined> {
    if (++this.#count > this.#limits.files) throw tooManyFilesError(this.#limits)
    return fileByteLimit(part, this.#limits)
  }
}

const nothing = new Uint8Array(0)
