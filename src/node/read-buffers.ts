/**
 * Memory that files are read into, and written from, used again and again. Fresh memory for every read makes the collector look through the whole
 * heap every few requests: a file of 1 MB then takes twice the time of the processor.
 */

/** Octets of each, which is what files are read and written by. */
const size = 256 * 1024
/** Those that wait for the next read; the others are left to the collector. */
const most = 32

const free: ArrayBuffer[] = []
const lent = new WeakSet<ArrayBufferLike>()

/** Memory for so many octets, with anything in it. */
export const lend = (length: number): Uint8Array => {
  if (length > size || length <= size / 4)
    return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(size).buffer
  lent.add(buffer)
  return new Uint8Array(buffer, 0, length)
}

/** Takes back what nobody reads any more; what was not lent is left alone. */
export const giveBack = ({ buffer }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && lent.delete(buffer) && free.length < most) free.push(buffer)
}
