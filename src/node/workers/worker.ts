/**
 * What a worker runs. It imports the module of the tree, compiles it as the event loop did, and runs the jobs that it is
 * given, one at a time.
 */
import { setMaxListeners } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { AnyNode } from '../../endpoint/routes.ts'
import { compile } from '../../interpreter/compile.ts'
import { resume } from '../../interpreter/interpret.ts'
import type { Logger } from '../../interpreter/logger.ts'
import type { Handover } from '../../interpreter/handover.ts'
import type { Pieces } from '../../interpreter/pieces.ts'
import { isPieces } from '../../interpreter/pieces.ts'
import { compressorsOf } from '../compressors.ts'
import { filesOf } from '../files.ts'
import { loadSettings } from '../settings/load.ts'
import { WorkerExchange } from './exchange.ts'
import { enter } from './inside.ts'
import type { FromWorker, ToWorker, WorkerData } from './message.ts'
import { operationsOf } from './message.ts'

const say = (message: FromWorker, transferred: ReadonlyArray<ArrayBuffer> = []): void =>
  parentPort?.postMessage(message, transferred)

/** Lines go to the logger of the event loop; what cannot be sent goes as text. */
const log =
  (level: Exclude<keyof Logger, 'child'>): Logger['info'] =>
  (members, message) => {
    try {
      say({ _tag: 'Logged', level, members, message })
    } catch {
      const texts = Object.entries(members).map(([name, value]) => [name, String(value)])
      say({ _tag: 'Logged', level, members: Object.fromEntries(texts), message })
    }
  }

const logger: Logger = {
  trace: log('trace'),
  debug: log('debug'),
  info: log('info'),
  warn: log('warn'),
  error: log('error'),
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'Routes'

const octetsOf = (content: string | Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined =>
  content === undefined
    ? undefined
    : typeof content === 'string'
      ? new TextEncoder().encode(content)
      : new Uint8Array(content)

/** All pieces of a content. */
const whole = async (pieces: Pieces): Promise<Uint8Array> => {
  const octets: Uint8Array[] = []
  for (;;) {
    const { done, value } = await pieces.next()
    if (done === true) break
    octets.push(typeof value === 'string' ? new TextEncoder().encode(value) : value)
  }
  pieces.close()
  return Buffer.concat(octets)
}

enter()
const data: WorkerData = workerData
const exported: Readonly<Record<string, unknown>> = await import(data.module)
const api = exported[data.export]
if (!isNode(api)) throw new TypeError(`it exports no tree under the name ${data.export}`)
const stopping = new AbortController()
setMaxListeners(0, stopping.signal)
const program = compile(api, data.settings, {
  logger,
  stopping: stopping.signal,
  configuration: loadSettings(data.sources),
  compressors: compressorsOf(data.settings),
})
const run = resume(program)

const files = filesOf(data.settings)
const latestGone = new Int32Array(data.gone)
const underway = new Map<number, WorkerExchange>()

const start = (job: number, handover: Handover): void => {
  const exchange = new WorkerExchange(
    handover,
    files,
    () => Atomics.load(latestGone, 0) === job,
    ({ status, headers, content }, awaitsEnd) => {
      const send = (sent: string | Uint8Array | undefined): void => {
        const octets = octetsOf(sent)
        if (!awaitsEnd) underway.delete(job)
        say(
          { _tag: 'Answered', job, status, headers, content: octets, awaitsEnd },
          octets === undefined ? [] : [octets.buffer],
        )
      }
      if (isPieces(content)) void whole(content).then(send)
      else send(content)
    },
  )
  underway.set(job, exchange)
  run(exchange, handover)
}

const end = (job: number): void => {
  underway.get(job)?.end()
  underway.delete(job)
}

parentPort?.on('message', (message: ToWorker) => {
  switch (message._tag) {
    case 'Run':
      return start(message.job, message.handover)
    case 'Gone':
    case 'End':
      return end(message.job)
    case 'Stopping':
      return stopping.abort()
    case 'Close':
      return process.exit()
  }
})
say({ _tag: 'Ready', operations: operationsOf(program.plans) })
