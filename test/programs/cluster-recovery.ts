/**
 * A program with two processes of `node:cluster`. The first one is killed when it receives a connection, before it acknowledges it. The
 * parent process writes the response to that connection to standard output.
 */
import cluster from 'node:cluster'
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { recoverConnections } from '../../src/node/internals.ts'

const startWorker = async (isFragile: boolean): Promise<number> => {
  const worker = cluster.fork({ FRAGILE: String(isFragile) })
  recoverConnections(worker.process, () => true)
  const [{ port }] = (await once(worker, 'listening')) as [{ readonly port: number }]
  return port
}

const runParent = async (): Promise<void> => {
  // round-robin: the first connection is passed to the first worker
  const port = await startWorker(true)
  await startWorker(false)
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(`http://127.0.0.1:${port}`, {
    headers: { connection: 'close' },
    signal,
  })
  process.stdout.write(await response.text())
  for (const worker of Object.values(cluster.workers ?? {})) worker?.kill()
}

const killItself = (message: unknown): void => {
  if (typeof message === 'object' && message !== null && Reflect.get(message, 'act') === 'newconn')
    process.kill(process.pid, 'SIGKILL')
}

const runWorker = (): void => {
  const server = createServer((_, response) => void response.end('recovered'))
  server.listen(0, '127.0.0.1')
  // the type of `process` does not declare the event
  const events: EventEmitter = process
  if (process.env['FRAGILE'] === 'true') events.prependListener('internalMessage', killItself)
}

if (cluster.isPrimary) await runParent()
else runWorker()
