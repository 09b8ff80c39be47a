/**
 * Recovers connections that the parent process has passed to an instance that ended before it accepted them.
 *
 * `node:cluster` waits for the acknowledgement of each connection. If the instance ends without it, Node.js (20 to 26) neither closes
 * the connection nor passes it to another instance: the client waits until it gives up. This module responds to `node:cluster` in
 * place of the instance that the connection was not accepted. It is then passed to another instance. No byte of the connection has
 * been read at this time.
 *
 * This uses the messages of `node:cluster`, which are not part of its documented interface. If a version of Node.js changes them,
 * this module has no effect.
 */
import type { ChildProcess } from 'node:child_process'

/** Returns the sequence number in a message of `node:cluster`, or `undefined` for other messages. */
const numberIn = (message: unknown, name: 'seq' | 'ack'): number | undefined => {
  if (typeof message !== 'object' || message === null) return undefined
  if (Reflect.get(message, 'cmd') !== 'NODE_CLUSTER') return undefined
  const number: unknown = Reflect.get(message, name)
  return typeof number === 'number' ? number : undefined
}

const isConnection = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && Reflect.get(message, 'act') === 'newconn'

const close = (handle: unknown): void => {
  if (typeof handle !== 'object' || handle === null) return
  const method: unknown = Reflect.get(handle, 'close')
  if (typeof method === 'function') Reflect.apply(method, handle, [])
}

/**
 * Recovers connections passed to a process. If no other instance listens when the process ends, which `hasOthers` determines, they
 * are closed.
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
      else close(handle)
    pending.clear()
  })
}
