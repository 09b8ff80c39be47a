/**
 * What bodies cost that are not finished: half-sent requests, announced ones, and responses that no client reads. Run directly,
 * it prints a table; `node hostile/half-sent-bodies.mjs DIRECTORY` also measures the build in another checkout, in turn.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const connections = 60
const size = 10_000_000
const mega = 1_000_000
const settleMilliseconds = 2_000
const settings = { 'fw.http.limits.max-body-size': '10M' }
const limit = { 'fw.http.limits.max-buffered-size': '64M' }

/**
 * @typedef {object} Attack
 * @property {string} title
 * @property {number} connections
 * @property {() => string | Buffer} sent by each connection, in one write
 */

const sized = `POST /bytes HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: ${size}\r\n\r\n`
const chunked =
  'POST /bytes HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n'

/** @type {readonly Attack[]} */
export const attacks = [
  {
    title: 'all but the last byte of 10 MB',
    connections,
    sent: () => Buffer.concat([Buffer.from(sized), Buffer.alloc(size - 1)]),
  },
  {
    title: '10 MB in a chunk without an end',
    connections,
    sent: () =>
      Buffer.concat([Buffer.from(`${chunked}${size.toString(16)}\r\n`), Buffer.alloc(size - 1)]),
  },
  {
    title: '500 kB in chunks of one byte',
    connections,
    sent: () => chunked + '1\r\nx\r\n'.repeat(size / 20),
  },
  { title: 'nothing of 10 MB', connections: 500, sent: () => sized },
  {
    title: 'a request for 10 MB that is not read',
    connections,
    sent: () => 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n',
  },
]

/**
 * @typedef {object} Cost
 * @property {number} growth of the resident set, in bytes
 * @property {number} rejected connections that have received a 503
 * @property {number | undefined} other the status of another client's upload of 100 kB meanwhile
 */

/** The status of an upload of 100 kB. @type {(url: string) => Promise<number>} */
const upload = async (url) => {
  const response = await fetch(`${url}/bytes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: Buffer.alloc(100_000),
  })
  await response.text()
  return response.status
}

/** Measures one attack on the build in `root`: this checkout by default. @type {(attack: Attack, root?: string) => Promise<Cost>} */
export const costOf = async ({ connections: count, sent }, root) => {
  const server = fork(fileURLToPath(new URL('memory-server.mjs', import.meta.url)), {
    execArgv: ['--expose-gc'],
    env: {
      ...process.env,
      HOSTILE_SETTINGS: JSON.stringify(root === undefined ? { ...settings, ...limit } : settings),
      ...(root === undefined ? {} : { HOSTILE_ROOT: pathToFileURL(`${resolve(root)}/`).href }),
    },
  })
  try {
    const [url] = await once(server, 'message')
    const rss = async () => {
      server.send('memory')
      const [memory] = await once(server, 'message')
      return memory.rss
    }
    await upload(url)
    const before = await rss()
    const { hostname, port } = new URL(url)
    const octets = sent()
    let rejected = 0
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.once('data', (data) => {
        if (data.toString('latin1', 9, 12) === '503') rejected++
        socket.pause()
      })
      socket.write(octets)
      return socket
    })
    await sleep(settleMilliseconds)
    const growth = (await rss()) - before
    const other = await upload(url).catch(() => undefined)
    for (const socket of sockets) socket.destroy()
    return { growth, rejected, other }
  } finally {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
}

/** Measures all attacks, on this checkout and on the one in `base`. @type {(base?: string) => Promise<readonly { title: string, before: Cost | undefined, now: Cost }[]>} */
export const halfSentBodies = async (base) => {
  const rows = []
  for (const attack of attacks) {
    const before = base === undefined ? undefined : await costOf(attack, base)
    rows.push({ title: attack.title, before, now: await costOf(attack) })
  }
  return rows
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  /** @type {(cost: Cost | undefined) => string} */
  const shown = (cost) =>
    cost === undefined
      ? ''
      : `${(cost.growth / mega).toFixed(0)} MB, ${cost.rejected} rejected, other upload: ${cost.other}`
  for (const { title, before, now } of await halfSentBodies(process.argv[2]))
    console.log(`${title}\n  before  ${shown(before)}\n  now     ${shown(now)}`)
}
