/** Counts the writes of sockets that a server accepts. */
import type { Socket } from 'node:net'
import { recordConnections } from './accepted-connections.ts'

/** Counts the writes of the connections that a server accepts while `use` runs. */
export const countWrites = async (
  use: (sockets: ReadonlyArray<Socket>) => Promise<void>,
): Promise<number> => {
  const { sockets, stop } = recordConnections()
  try {
    await use(sockets)
    return sockets.reduce((sum, socket) => sum + writesOf(socket), 0)
  } finally {
    stop()
  }
}

const writes = new WeakMap<Socket, number>()

const writesOf = (socket: Socket): number => writes.get(socket) ?? 0

/** Counts the writes that reach the operating system. */
export const observeWrites = (socket: Socket): void => {
  const count = (): void => void writes.set(socket, writesOf(socket) + 1)
  for (const name of ['_write', '_writev'] as const) {
    const original: unknown = Reflect.get(socket, name)
    if (typeof original !== 'function') throw new Error(`missing ${name}`)
    Reflect.set(socket, name, (...parameters: unknown[]): void => {
      count()
      Reflect.apply(original, socket, parameters)
    })
  }
}
