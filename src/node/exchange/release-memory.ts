/**
 * Gives memory back at once that nobody needs any more. Node allocates every piece of a request anew, and V8 counts it: behind
 * about 30 MB it looks through the whole heap once it holds more than 8 MB of objects. Of an upload of 1 MB, that took a third of the time
 * of the processor, on all its threads.
 */
import type { MessagePort } from 'node:worker_threads'

/** Octets from which on it pays. */
const least = 16 * 1024

/** Takes the memory away from octets that are all there is in it; others are left to the collector. */
export const releaseMemory = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength >= least && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    detach(buffer)
}

const transfer: unknown = Reflect.get(ArrayBuffer.prototype, 'transfer')

/** Since Node 22, an array buffer is transferred to one of no length. Before, it is sent to where nobody receives it. */
const detach =
  typeof transfer === 'function'
    ? (buffer: ArrayBuffer): void => void Reflect.apply(transfer, buffer, [0])
    : (buffer: ArrayBuffer): void => nobody().postMessage(undefined, [buffer])

let closed: MessagePort | undefined

/** A closed port drops what it is given, and the memory with it. */
const nobody = (): MessagePort => {
  if (closed === undefined) {
    closed = new MessageChannel().port1
    closed.close()
  }
  return closed
}
