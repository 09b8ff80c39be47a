/** Reads and discards a response on many connections as fast as possible. A separate process, so that it does not delay the measurement. */
import { connect } from 'node:net'

const { url, target, count, repeatAfter } = JSON.parse(process.env['HOSTILE_TASK'] ?? '{}')
const { hostname, port } = new URL(url)
const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`
/** Length of the response, after which the connection sends the next request; 0 for an endless response. */
const size = Number(repeatAfter)

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
