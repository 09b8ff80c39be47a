/** Reads one response on many connections as fast as it can, and discards it. A process of its own, so that it delays no measurement. */
import { connect } from 'node:net'

const { url, target, count, again } = JSON.parse(process.env['HOSTILE_TASK'] ?? '{}')
const { hostname, port } = new URL(url)
const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`
/** Bytes of a response that is read again and again on the same connection; 0 for an endless one. */
const size = Number(again)

for (let index = 0; index < count; index++) {
  const socket = connect(Number(port), hostname)
  let received = 0
  socket.on('connect', () => socket.write(request))
  socket.on('error', () => socket.destroy())
  socket.on('data', ({ length }) => {
    received += length
    if (size === 0 || received < size) return
    received = 0
    socket.write(request)
  })
}
setTimeout(() => console.log('reading'), 500)
