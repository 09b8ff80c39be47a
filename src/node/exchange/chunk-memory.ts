/**
 * Makes V8 release the memory of received chunks early.
 *
 * Applications may keep the chunks of a streamed body, so that only garbage collections release them. V8 starts a minor collection
 * when new buffers occupy 32 MiB in Node.js 20, and 64 MiB in Node.js 24. If the heap is small, this exceeds the limit at which V8
 * starts a major collection, which is 16 to 48 MiB above the size of the heap. A major collection takes 6 to 15 ms, in addition to
 * the time of concurrent marking, and a minor one less than 1 ms.
 *
 * Without flags, there is no function that starts a minor collection. Therefore, the young generation is filled with garbage, which
 * takes about 0.1 ms for each MiB. This is done only after V8 has started a major collection, because a process whose limit is high
 * has none, and a process whose limit is low has one after the other. In two rounds of reading the parts of 1 MB uploads, a prototype
 * saved 30% to 50% of the CPU time; `bench/README.md` states what was measured of this version (`npm run streams -- --only parts`).
 */
import { getHeapSpaceStatistics } from 'node:v8'

/** Total size, in bytes, of the chunks for which a minor collection is started. */
const interval = 12 * 1024 * 1024

/** Number of minor collections that are started after a major one. Then, the limit of V8 may have changed. */
const collectionsPerMajor = 64

/** Maximum number of bytes of garbage. If the young generation is larger, filling it takes as long as major collections. */
const maxGarbage = 32 * 1024 * 1024

/** An array whose copies are the garbage. Each copy occupies 16 KiB. */
const template = Array.from({ length: 2048 }, () => 0)

/** Size of an element, in bytes. */
const elementSize = 8

/** The memory of the chunks that a server has received. */
export class ChunkMemory {
  #bytes = 0
  /** Refers to an object that the next major collection releases. Minor collections do not clear weak references. */
  #untilMajor = new WeakRef({})
  #collections = 0

  /** Counts a received chunk. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < interval) return
    this.#bytes = 0
    this.#countCollections()
    if (this.#collections === 0) return
    this.#collections--
    fillYoungGeneration()
  }

  /** Counts a chunk whose memory has been released without a collection. */
  release(bytes: number): void {
    this.#bytes = Math.max(0, this.#bytes - bytes)
  }

  #countCollections(): void {
    if (this.#untilMajor.deref() !== undefined) return
    this.#untilMajor = new WeakRef({})
    this.#collections = collectionsPerMajor
  }
}

const fillYoungGeneration = (): void => {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  const available = space?.space_available_size ?? Infinity
  if (available > maxGarbage) return
  for (let size = 0; size <= available;) size += elementSize * template.slice().length
}
