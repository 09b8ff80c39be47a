/** Connections that the system has established and that the server has not accepted yet. */
import { closeSync, openSync, readSync } from 'node:fs'

/** Linux lists listening sockets first. */
const mostBytes = 64 * 1024

/**
 * Counts the connections that wait on a port. 0 where the system does not tell, which is everywhere but on Linux.
 *
 * ```text
 *   sl  local_address rem_address   st tx_queue rx_queue
 *    0: 0100007F:1F90 00000000:0000 0A 00000000:0000000C    state 0A listens, rx_queue is the length of its queue
 * ```
 *
 * @see https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html
 */
export const waitingConnections = (port: number): number =>
  Math.max(lengthIn('/proc/net/tcp', port), lengthIn('/proc/net/tcp6', port))

const lengthIn = (path: string, port: number): number => {
  const local = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = new RegExp(
    `^ *\\d+: [0-9A-F]+:${local} [0-9A-F]+:0000 0A [0-9A-F]+:([0-9A-F]+)`,
    'm',
  )
  const [, length = '0'] = listening.exec(beginningOf(path)) ?? []
  return Number.parseInt(length, 16)
}

/** The beginning of a file; empty if it cannot be read. */
const beginningOf = (path: string): string => {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    const bytes = Buffer.alloc(mostBytes)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, mostBytes, null))
  } catch {
    return ''
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
