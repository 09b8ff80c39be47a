/** A server without any protection: it ignores the bodies of requests, and takes their bytes for further requests. */
import type { Server } from 'node:net'
import { createServer } from 'node:net'
import type { HandledRequest } from './attack.ts'
import { bodyFor } from './attack.ts'

/** Creates the server. It adds the requests that it handles to `handled`. */
export const createLenientServer = (handled: HandledRequest[]): Server =>
  createServer((socket) => {
    let received = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      for (;;) {
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = received.slice(0, end)
        received = received.slice(end + 4)
        const [, method = '', target = ''] = /^(\S+) (\S+) HTTP\/1\.1\r\n/.exec(head) ?? []
        const [, proxied] = /^X-Proxied: *(.*?)\r?$/im.exec(head) ?? []
        handled.push({ method, target, proxied })
        const body = bodyFor(target)
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      }
    })
  })
