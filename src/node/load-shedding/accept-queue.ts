/** Counts the connections that the system has established, and the server has not accepted yet. */
import { open } from 'node:fs/promises'

/** Number of bytes read from a file in `/proc/net`. Linux lists listening sockets first. */
const maxBytes = 64 * 1024

/** The queues of connections of the ports of a server. Their length is always 0 on systems other than Linux. */
export class AcceptQueue {
  /** The numbers of connections at the latest measurement and at the one before. */
  length = 0
  previousLength = 0
  #isReading = false

  /** Measures the length of the queues of `ports` in the background. */
  async measure(ports: ReadonlyArray<number>): Promise<void> {
    if (ports.length === 0) this.length = this.previousLength = 0
    if (ports.length === 0 || this.#isReading) return
    this.#isReading = true
    const sockets = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(readBeginning))
    this.previousLength = this.length
    this.length = ports.flatMap((port) => sockets.map(queueLength(port))).reduce((a, b) => a + b, 0)
    this.#isReading = false
  }
}

/**
 * Returns the length of the queue of a port.
 *
 * ```text
 *   sl  local_address rem_address   st tx_queue rx_queue
 *    0: 0100007F:1F90 00000000:0000 0A 00000000:0000000C    st 0A: listening; rx_queue: number of waiting connections
 * ```
 *
 * @see https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
 */
const queueLength = (port: number): ((sockets: string) => number) => {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = new RegExp(`: [0-9A-F]+:${local} [0-9A-F]+:0000 0A [0-9A-F]+:([0-9A-F]+)`)
  return (sockets) => Number.parseInt(listening.exec(sockets)?.[1] ?? '0', 16)
}

/** Returns the beginning of a file, or an empty string if the file cannot be read. */
const readBeginning = async (path: string): Promise<string> => {
  const file = await open(path).catch(() => undefined)
  try {
    const result = await file?.read({ buffer: Buffer.alloc(maxBytes) })
    return result?.buffer.toString('latin1', 0, result.bytesRead) ?? ''
  } finally {
    await file?.close()
  }
}
