/** Stores and counts uploaded files, and deletes them at the end of the request. */
import type { Context } from '../../../endpoint/context.ts'
import type { Exchange } from '../../exchange.ts'
import type { PartContent } from '../../../body/multipart/raw-part.ts'
import type { FileSystem, NewFile } from '../../platform.ts'
import type { MemoryReservation } from '../../memory-reservation.ts'
import { readError } from '../../errors/error-response.ts'
import { fileByteLimit, tooManyFilesError } from './parts.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import type { MultipartLimits, ReceivedPart } from './parts.ts'

/** The body of a part, stored in a file or in memory. */
export type ReceivedBody =
  | { readonly _tag: 'File'; readonly path: string; readonly size: number }
  | { readonly _tag: 'Memory'; readonly bytes: Uint8Array }

/** Receives the files uploaded in one request. */
export class ReceivedFiles {
  readonly #files: FileSystem
  readonly #reservation: MemoryReservation | undefined
  readonly #limits: MultipartLimits
  readonly #created: NewFile[] = []
  #count = 0
  #isOver = false

  /** Files are deleted at the end of the request, unless `areKept` is set. */
  constructor(
    { platform, reservation }: Pick<Exchange, 'platform' | 'reservation'>,
    limits: MultipartLimits,
    { onEnd }: Context,
    areKept: boolean,
  ) {
    this.#files = platform.files
    this.#reservation = reservation
    this.#limits = limits
    if (!areKept) onEnd(() => this.delete())
  }

  /** Stores a file on disk, or in memory if the runtime has no files. Rejects with a 413 error if the file is too large or there are too many files. */
  async receive(part: ReceivedPart): Promise<ReceivedBody> {
    if (this.#files.isMissing === true) return this.receiveAbove(Infinity, part)
    return this.#write(this.#openPart(part), nothing)
  }

  /**
   * Keeps a file in memory if it has at most `threshold` bytes and fits into the available body memory. Otherwise, stores it on
   * disk. If the runtime has no files, the file is kept in memory, or a 503 error is reported.
   */
  async receiveAbove(threshold: number, part: ReceivedPart): Promise<ReceivedBody> {
    const bytes = this.#openPart(part)
    const buffered = new ByteCollector()
    for (;;) {
      const { done, value } = await bytes.next()
      if (done === true) return { _tag: 'Memory', bytes: buffered.take() }
      // each chunk is copied, because its memory is reused for the next chunk
      buffered.addCopy(value)
      const hasRoom = this.#reservation?.receive(value.length) ?? true
      if (hasRoom && buffered.length <= threshold) continue
      if (this.#files.isMissing === true) {
        if (hasRoom) continue
        throw readError(this.#reservation?.rejected() ?? { _tag: 'BodyMemoryExhausted' })
      }
      const held = buffered.take()
      const received = await this.#write(bytes, held)
      this.#reservation?.discard(held.length)
      return received
    }
  }

  /** Discards the body of a file. The file still counts towards the maximum number of files. */
  async skip(part: ReceivedPart): Promise<void> {
    const bytes = this.#openPart(part)
    while ((await bytes.next()).done !== true);
  }

  /** Deletes all files that were stored on disk for the request. */
  async delete(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#created.splice(0).map((file) => file.delete()))
  }

  /** Creates a file that contains `prefix`, followed by `bytes`. */
  async #write(bytes: AsyncIterable<Uint8Array>, prefix: Uint8Array): Promise<ReceivedBody> {
    const file = await this.#files.create()
    this.#created.push(file)
    // the request may have ended while the file was created
    if (this.#isOver) await this.delete()
    let size = 0
    const write = async (chunk: Uint8Array): Promise<void> => {
      size += chunk.length
      await file.write(chunk)
    }
    if (prefix.length > 0) await write(prefix)
    for await (const chunk of bytes) await write(chunk)
    await file.close()
    return { _tag: 'File', path: file.path, size }
  }

  /** Increments the number of files, and returns the body of a part. Throws an error if there are too many files. */
  #openPart(part: ReceivedPart): PartContent {
    if (++this.#count > this.#limits.files) throw tooManyFilesError(this.#limits)
    return fileByteLimit(part, this.#limits)
  }
}

const nothing = new Uint8Array(0)
