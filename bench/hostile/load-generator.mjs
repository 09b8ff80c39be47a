/**
 * An open-loop load generator: sends requests at a fixed rate, whether or not earlier responses have arrived, each on a free
 * connection. Prints `ready`, and at the end one line of JSON with the status and the latency of each response.
 */
import { connect } from 'node:net'

const {
  url,
  targets,
  rate,
  seconds,
  keepAlive = true,
} = JSON.parse(process.env['HOSTILE_TASK'] ?? '{}')
const { hostname, port } = new URL(url)

/** @typedef {{ target: string, status: number, at: number, latency: number }} Result */

/** @type {Result[]} */
const results = []
/** @type {((request: { target: string, at: number }) => void)[]} */
const free = []
let connections = 0
let failures = 0
const begin = performance.now()

/** Opens a connection that sends one request after the other. @type {(first: { target: string, at: number }) => void} */
const open = (first) => {
  connections++
  const socket = connect(Number(port), hostname).setNoDelay(true)
  let current = first
  let received = ''
  /** @type {(request: { target: string, at: number }) => void} */
  const send = (request) => {
    current = request
    received = ''
    socket.write(
      `GET ${request.target} HTTP/1.1\r\nHost: localhost\r\n${keepAlive ? '' : 'Connection: close\r\n'}\r\n`,
    )
  }
  socket.on('connect', () => send(first))
  socket.on('error', () => failures++)
  socket.on('data', (data) => {
    received += data.toString('latin1')
    const [, head, length] = /^([^]*?content-length: (\d+)[^]*?\r\n\r\n)/i.exec(received) ?? []
    if (head === undefined || received.length < head.length + Number(length)) return
    const { target, at } = current
    const latency = performance.now() - begin - at
    results.push({ target, status: Number(received.slice(9, 12)), at, latency })
    if (keepAlive) free.push(send)
    else socket.destroy()
  })
}

let sent = 0
const timer = setInterval(() => {
  const now = performance.now() - begin
  while (sent < Math.min(now, seconds * 1000) * (rate / 1000)) {
    const target = targets[sent % targets.length]
    const request = { target, at: (sent++ * 1000) / rate }
    const send = free.pop()
    if (send === undefined) open(request)
    else send(request)
  }
  if (now < seconds * 1000 + 2000) return
  clearInterval(timer)
  const unanswered = sent - results.length
  const line = JSON.stringify({ results, unanswered, connections, failures })
  process.stdout.write(`${line}\n`, () => process.exit())
}, 1)
console.log('ready')
