/** A closed-loop load generator: sends a number of requests, one at a time on each connection, and prints `done`. */
import { connect } from 'node:net'

const { url, target, count, connections } = JSON.parse(process.env['HOSTILE_TASK'] ?? '{}')
const { hostname, port } = new URL(url)
const request = `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`
let sent = 0
let open = connections
console.log('ready')

for (let index = 0; index < connections; index++) {
  const socket = connect(Number(port), hostname).setNoDelay(true)
  const next = () => {
    if (sent++ < count) socket.write(request)
    else {
      socket.destroy()
      if (--open === 0) console.log('done')
    }
  }
  socket.on('connect', next)
  // each response is small enough for a single read
  socket.on('data', (data) => {
    if (data.toString('latin1', 9, 12) !== '200') throw new Error(data.toString('latin1'))
    next()
  })
}
