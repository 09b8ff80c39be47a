/** Counts connections that the system has established and the server has not accepted yet. */
import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes that are read of a file. Linux lists listening sockets first. */
const maxBytes = 64 * 1024

/**
 * Returns the number of connections that wait on a port; always 0 on systems other than Linux.
 *
 * ```text
 *   sl  local_address rem_address   st tx_queue rx_queue
 *    0: 0100007F:1F90 00000000:0000 0A 00000000:0000000C    state 0A: listening; rx_queue: length of its queue
 * ```
 *
 * @see https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
 */
export const waitingConnections = (port: number): number =>
  Math.max(queueLength('/proc/net/tcp', port), queueLength('/proc/net/tcp6', port))

const queueLength = (path: string, port: number): number => {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = new RegExp(
    `^ *\\d+: [0-9A-F]+:${local} [0-9A-F]+:0000 0A [0-9A-F]+:([0-9A-F]+)`,
    'm',
  )
  const [, length = '0'] = listening.exec(readBeginning(path)) ?? []
  return Number.parseInt(length, 16)
}

/** Returns the beginning of a file; an empty string if it cannot be read. */
const readBeginning = (path: string): string => {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const bytes = Buffer.alloc(maxBytes)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, maxBytes, null))
  } catch {
    return ''
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
