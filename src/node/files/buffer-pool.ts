/**
 * Memory that files are read into, and written from, used again and again. Fresh memory for every read makes the collector look through the whole
 * heap every few requests: a file of 1 MB then takes twice the time of the processor.
 */

/** Memories of one size, which is what files are read and written by. */
interface Pool {
  /** Octets of each. */
  readonly size: number
  /** How many wait for the next read; the others are left to the collector. */
  readonly most: number
  readonly free: ArrayBuffer[]
}

/** By ascending size: for what is usual, and for clients that keep up. */
const pools: ReadonlyArray<Pool> = [
  { size: 256 * 1024, most: 32, free: [] },
  { size: 768 * 1024, most: 8, free: [] },
]

const lent = new WeakMap<ArrayBufferLike, Pool>()

/** Memory for so many octets, with anything in it. */
export const acquireBuffer = (length: number): Uint8Array => {
  const pool = pools.find(({ size }) => length <= size)
  if (pool === undefined || length <= pool.size / 4)
    return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  const buffer = pool.free.pop() ?? Buffer.allocUnsafeSlow(pool.size).buffer
  lent.set(buffer, pool)
  return new Uint8Array(buffer, 0, length)
}

/** Takes back what nobody reads any more; what was not lent is left alone. */
export const releaseBuffer = ({ buffer }: Uint8Array): void => {
  const pool = lent.get(buffer)
  if (pool === undefined || !lent.delete(buffer) || !(buffer instanceof ArrayBuffer)) return
  if (pool.free.length < pool.most) pool.free.push(buffer)
}
