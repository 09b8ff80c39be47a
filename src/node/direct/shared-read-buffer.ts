/**
 * Makes the sockets of a server read into one buffer, as the option `onread` of `net.Socket` does.
 *
 * By default, Node.js allocates 64 KiB for each read. For a response of 13 bytes, reading into one buffer saves half of the time
 * that Node.js itself spends outside of system calls: 1.3 instead of 2.6 µs (`wrk -c32` with a server that only writes a constant).
 *
 * Servers cannot set the option for the sockets that they accept. Therefore, the internal properties that it sets are used. If they
 * are missing, if the connection is encrypted, or if the socket already contains bytes, which were read to detect the protocol, the
 * socket is read through events.
 */
import type { Socket } from 'node:net'

const bufferSize = 64 * 1024

/** The keys of the internal properties of a socket that the option `onread` sets. */
interface Keys {
  readonly buffer: symbol
  readonly callback: symbol
}

/**
 * Passes the bytes that a socket receives to `onRead`, which must not keep the buffer. Returns `false` without an effect if this is
 * not supported.
 */
export type ReadShared = (socket: Socket, onRead: (bytes: Buffer) => void) => boolean

/** Creates a function that makes sockets read into one buffer. */
export const createSharedReadBuffer = (): ReadShared => {
  let buffer: Buffer | undefined
  let keys: Keys | undefined
  return (socket, onRead) => {
    const handle: unknown = Reflect.get(socket, '_handle')
    if ('encrypted' in socket || socket.readableLength > 0 || !acceptsBuffer(handle)) return false
    keys ??= keysOf(socket)
    if (keys === undefined) return false
    const shared = (buffer ??= Buffer.allocUnsafeSlow(bufferSize))
    Reflect.set(socket, keys.buffer, shared)
    Reflect.set(socket, keys.callback, (length: number): void =>
      onRead(length === bufferSize ? shared : shared.subarray(0, length)),
    )
    handle.useUserBuffer(shared)
    return true
  }
}

const acceptsBuffer = (
  handle: unknown,
): handle is { readonly useUserBuffer: (buffer: Buffer) => void } =>
  typeof handle === 'object' &&
  handle !== null &&
  typeof Reflect.get(handle, 'useUserBuffer') === 'function'

const keysOf = (socket: Socket): Keys | undefined => {
  const symbols = Object.getOwnPropertySymbols(socket)
  const buffer = symbols.find(({ description }) => description === 'kBuffer')
  const callback = symbols.find(({ description }) => description === 'kBufferCb')
  const isUnused =
    buffer !== undefined &&
    callback !== undefined &&
    Reflect.get(socket, buffer) === null &&
    Reflect.get(socket, callback) === null
  return isUnused ? { buffer, callback } : undefined
}
