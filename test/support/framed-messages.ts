/** Reads JSON messages, each after a header with its length, as language servers of TypeScript write them. */
import type { Readable } from 'node:stream'

/** Calls a function for each message in a stream. */
export const onMessages = (stream: Readable, receive: (message: unknown) => void): void => {
  let received = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/i.exec(received.toString('latin1', 0, end)) ?? []
      const next = end + 4 + Number(length)
      if (end < 0 || received.length < next) return
      const message: unknown = JSON.parse(received.toString('utf8', end + 4, next))
      received = received.subarray(next)
      receive(message)
    }
  })
}

/** The number of the line and of the character of an offset in a text, starting with 0. */
export const positionAt = (text: string, offset: number) => {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}
