/**
 * A pool of buffers for reading and writing files.
 *
 * With a new buffer per read, the garbage collector scans the whole heap every few requests, and a file of 1 MB takes twice the CPU
 * time.
 */

/** Buffers of one size. */
interface Pool {
  /** Bytes of each buffer. */
  readonly size: number
  /** Maximum number of free buffers. Further ones are left to the garbage collector. */
  readonly maxFree: number
  readonly free: ArrayBuffer[]
}

/** By ascending size: for most reads, and for clients that read fast. */
const pools: ReadonlyArray<Pool> = [
  { size: 256 * 1024, maxFree: 32, free: [] },
  { size: 768 * 1024, maxFree: 8, free: [] },
]

const poolOf = new WeakMap<ArrayBufferLike, Pool>()

/** Returns an uninitialized array of `length` bytes. */
export const acquireBuffer = (length: number): Uint8Array => {
  const pool = pools.find(({ size }) => length <= size)
  if (pool === undefined || length <= pool.size / 4)
    return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  const buffer = pool.free.pop() ?? Buffer.allocUnsafeSlow(pool.size).buffer
  poolOf.set(buffer, pool)
  return new Uint8Array(buffer, 0, length)
}

/** Returns a buffer to its pool. Does nothing for arrays that are not from a pool. */
export const releaseBuffer = ({ buffer }: Uint8Array): void => {
  const pool = poolOf.get(buffer)
  if (pool === undefined || !poolOf.delete(buffer) || !(buffer instanceof ArrayBuffer)) return
  if (pool.free.length < pool.maxFree) pool.free.push(buffer)
}
