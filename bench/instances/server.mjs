/**
 * A CPU-bound service: `node server.mjs raw|espalier COUNT ITERATIONS` serves `GET /` with COUNT processes and prints the port.
 */
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { pipe } from '../../node_modules/fp-ts/lib/function.js'

const [, , kind, countText, iterationsText] = process.argv
const count = Number(countText)
const iterations = Number(iterationsText)

/** Performs a fixed amount of work. @type {() => string} */
const compute = () => {
  let hash = 17
  for (let index = 0; index < iterations; index++) hash = (Math.imul(hash, 31) + index) | 0
  return String(hash)
}

/** @type {(port: number) => void} */
const announce = (port) => console.log(port)

const serveEspalier = async () => {
  /** @type {typeof import('../../dist/src/index.js')} */
  const { get, handle, path, produces, routes, text } = await import(
    new URL('../../dist/src/index.js', import.meta.url).href
  )
  /** @type {typeof import('../../dist/src/node.js')} */
  const { serve } = await import(new URL('../../dist/src/node.js', import.meta.url).href)
  const api = routes({ compute: pipe(path('/'), get(), produces(text), handle(compute)) })
  const server = await serve(api, {
    instances: count,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.overload.enabled': false,
    'fw.shutdown.grace': 0,
  })
  if (server.instance === 0) announce(Number(new URL(server.url).port))
}

const serveRaw = () => {
  const server = createServer((_, response) => {
    const body = compute()
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (cluster.isPrimary && typeof address === 'object') announce(address?.port ?? 0)
  })
}

/** Starts workers of `node:cluster`, and prints the port when all of them listen. */
const serveRawCluster = () => {
  let listening = 0
  cluster.on('listening', (_, { port }) => {
    listening++
    if (listening === count) announce(port)
  })
  for (let index = 0; index < count; index++) cluster.fork()
  process.once('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    process.exit()
  })
}

if (kind === 'espalier') await serveEspalier()
else if (count > 1 && cluster.isPrimary) serveRawCluster()
else serveRaw()
