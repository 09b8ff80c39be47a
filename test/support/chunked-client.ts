/** A client that writes octets and keeps everything that comes: answers in chunks too, and such as are cut. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'

export interface Client {
  readonly write: (octets: string) => void
  /** Resolves once that has come. */
  readonly came: (awaited: string) => Promise<void>
  /** Everything, up to the end of the connection. */
  readonly all: () => Promise<string>
}

/** Connects to the server at a URL. */
export const clientOf = async (url: string): Promise<Client> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.on('data', (piece) => (received += piece.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(20_000) })
  await once(socket, 'connect')
  return {
    write: (octets_) => socket.write(octets_, 'latin1'),
    came: async (awaited) => {
      for (let turn = 0; !received.includes(awaited); turn++) {
        assert.ok(turn < 4000, `${awaited} did not come: ${received}`)
        await wait(5)
      }
    },
    all: async () => {
      await closed
      return received
    },
  }
}

/** The content of a first response that is in chunks; `, cut` behind one that has no end. */
export const unchunked = (response: string): string => {
  let content = ''
  for (let at = response.indexOf('\r\n\r\n') + 4; ;) {
    const line = response.indexOf('\r\n', at)
    const size = Number.parseInt(response.slice(at, line), 16)
    if (!(size > 0)) return size === 0 ? content : `${content}, cut`
    content += response.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}
