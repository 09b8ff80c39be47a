/**
 * All undocumented members of Node.js that the server uses. `test/node/internals.test.ts` checks them on each supported version. If a
 * version lacks one, the server works without it:
 *
 * | members                          | without them                                                                    |
 * | -------------------------------- | ------------------------------------------------------------------------------- |
 * | `kBuffer`, `useUserBuffer`       | `node/direct` reads through events, and each read allocates 64 KiB              |
 * | `writeQueueSize`                 | a large write counts as stalled until the operating system has accepted all of it |
 * | `_dump`, `_readableState`        | the stream of a request without a body ends in several callbacks                |
 * | the empty chunk of `_writev`     | a small response is sent with `writev`, which copies it                         |
 * | messages of `node:cluster`       | a connection that was passed to an instance that crashes is not recovered       |
 */
import type { ChildProcess } from 'node:child_process'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { isObject } from '../http/platform-value.ts'

/** Whether a value is an object with a member of the given type. */
const hasMember = (value: unknown, name: string, type: 'function' | 'number'): value is object =>
  isObject(value) && typeof Reflect.get(value, name) === type

/**
 * Passes the bytes that a socket receives to `onRead`, which must not keep the buffer. Returns `false` without an effect if this is
 * not supported.
 */
export type ReadShared = (socket: Socket, onRead: (bytes: Buffer) => void) => boolean

/** The keys of the internal properties of a socket that the option `onread` sets. */
interface BufferKeys {
  readonly buffer: symbol
  readonly callback: symbol
}

const sharedBufferSize = 64 * 1024

/**
 * Creates a function that makes sockets read into one buffer, as the option `onread` of `net.Socket` does. Servers cannot set the
 * option for the sockets that they accept.
 *
 * By default, Node.js allocates 64 KiB for each read. For a response of 13 bytes, reading into one buffer saves half of the time
 * that Node.js itself spends outside of system calls: 1.3 instead of 2.6 µs (`wrk -c32` with a server that only writes a constant).
 *
 * Encrypted connections are not supported, and neither are sockets that already contain bytes, which were read to detect the protocol.
 */
export const createSharedReadBuffer = (): ReadShared => {
  let buffer: Buffer | undefined
  let keys: BufferKeys | undefined
  return (socket, onRead) => {
    const handle: unknown = Reflect.get(socket, '_handle')
    if ('encrypted' in socket || socket.readableLength > 0) return false
    keys ??= bufferKeysOf(socket)
    if (keys === undefined || !hasMember(handle, 'useUserBuffer', 'function')) return false
    const shared = (buffer ??= Buffer.allocUnsafeSlow(sharedBufferSize))
    Reflect.set(socket, keys.buffer, shared)
    Reflect.set(socket, keys.callback, (length: number): void =>
      onRead(length === sharedBufferSize ? shared : shared.subarray(0, length)),
    )
    call(handle, 'useUserBuffer', [shared])
    return true
  }
}

const bufferKeysOf = (socket: Socket): BufferKeys | undefined => {
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

const call = (target: object, name: string, parameters: ReadonlyArray<unknown>): unknown => {
  const method: unknown = Reflect.get(target, name)
  return typeof method === 'function' ? Reflect.apply(method, target, parameters) : undefined
}

/**
 * Returns how many of the bytes written to a socket the operating system has accepted. Only the internal handle of the socket
 * reports the progress of a large write.
 */
export const bytesSentOn = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle')
  return hasMember(handle, 'bytesWritten', 'number') &&
    hasMember(handle, 'writeQueueSize', 'number')
    ? Number(Reflect.get(handle, 'bytesWritten')) - Number(Reflect.get(handle, 'writeQueueSize'))
    : socket.bytesWritten - socket.writableLength
}

/** The flags of a stream that has ended and closed. Node.js since 24.12 sets the same ones if a request has no body. */
interface StreamFlags {
  ended: boolean
  endEmitted: boolean
  destroyed: boolean
  closed: boolean
  closeEmitted: boolean
}

const dump: unknown = Reflect.get(IncomingMessage.prototype, '_dump')

/**
 * A request that is closed at once when the rest of its body is discarded, if no bytes are left and nothing waits for the end. Node.js
 * would end it in several further callbacks, which take 5% to 8% of the CPU time for a small response.
 */
export class DiscardableMessage extends IncomingMessage {
  declare protected readonly _readableState: StreamFlags | undefined

  /** Node.js calls this method after the response if nothing has read the stream. */
  _dump(): void {
    const flags = this._readableState
    if (flags && this.complete && this.readableLength === 0 && !this.#isObserved()) {
      flags.ended = true
      flags.endEmitted = true
      flags.destroyed = true
      flags.closed = true
      flags.closeEmitted = true
    } else if (typeof dump === 'function') Reflect.apply(dump, this, [])
  }

  /** Whether a listener would be called when the stream ends or closes. */
  #isObserved(): boolean {
    return (
      this.listenerCount('end') > 0 ||
      this.listenerCount('close') > 0 ||
      this.listenerCount('readable') > 0
    )
  }
}

/**
 * Makes a socket omit the empty chunk that Node.js writes at the end of every response. Other instrumentation of the socket is kept.
 *
 * To write two chunks, Node.js calls `writev`, which allocates memory and copies the bytes again. Writing only the first chunk with
 * a plain `write` has the same effect, and takes 5% to 6% less CPU time for a response of 13 bytes.
 */
export const omitEmptyChunk = (socket: Socket): void => {
  if (socket._writev === Socket.prototype._writev) socket._writev = writeChunks
}

interface Chunk {
  readonly chunk: unknown
  readonly encoding: BufferEncoding
}

function writeChunks(
  this: Socket,
  chunks: Chunk[],
  callback: (error?: Error | null) => void,
): void {
  const [first, second] = chunks
  if (first !== undefined && second?.chunk === '' && chunks.length === 2)
    this._write(first.chunk, first.encoding, callback)
  else Socket.prototype._writev?.call(this, chunks, callback)
}

/** Returns the sequence number in a message of `node:cluster`, or `undefined` for other messages. */
const numberIn = (message: unknown, name: 'seq' | 'ack'): number | undefined => {
  if (!isObject(message)) return undefined
  if (Reflect.get(message, 'cmd') !== 'NODE_CLUSTER') return undefined
  const number: unknown = Reflect.get(message, name)
  return typeof number === 'number' ? number : undefined
}

const isConnection = (message: unknown): boolean =>
  isObject(message) && Reflect.get(message, 'act') === 'newconn'

/**
 * Recovers connections that `node:cluster` passes to a process which ends before it accepts them. If no other instance listens when the
 * process ends, which `hasOthers` determines, they are closed.
 *
 * `node:cluster` waits for the acknowledgement of each connection. If the process ends without it, Node.js neither closes the connection nor
 * passes it to another instance: the client waits until it gives up. This function responds to `node:cluster` in place of the process that
 * the connection was not accepted. It is then passed to another instance. No byte of the connection has been read at this time.
 */
export const recoverConnections = (child: ChildProcess, hasOthers: () => boolean): void => {
  const pending = new Map<number, unknown>()
  const send: unknown = Reflect.get(child, 'send')
  if (typeof send !== 'function') return
  Reflect.set(child, 'send', (...parameters: ReadonlyArray<unknown>): unknown => {
    const [message, handle] = parameters
    const number = numberIn(message, 'seq')
    if (number !== undefined && isConnection(message)) pending.set(number, handle)
    return Reflect.apply(send, child, parameters)
  })
  child.on('internalMessage', (message: unknown) => {
    const number = numberIn(message, 'ack')
    if (number !== undefined) pending.delete(number)
  })
  let isDisconnected = false
  child.once('disconnect', () => {
    isDisconnected = true
  })
  // emitted when the process has ended and all its messages have been received
  child.once('close', () => {
    // Node.js omits this event if a connection was not acknowledged; `node:cluster` would then use the process again
    if (!isDisconnected) child.emit('disconnect')
    for (const [ack, handle] of pending)
      if (hasOthers()) child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
      else if (hasMember(handle, 'close', 'function')) call(handle, 'close', [])
    pending.clear()
  })
}
