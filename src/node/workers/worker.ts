/**
 * What a worker runs. It imports the module of the tree, compiles it as the event loop did, and runs the jobs that it is
 * given, one at a time.
 */
import { setMaxListeners } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import * as Category from '../../compiler/settings/log-category.ts'
import { compile } from '../../interpreter/program.ts'
import { resume } from '../../interpreter/pipeline.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import { byLevel } from '../../compiler/settings/logger.ts'
import type { Handover } from '../../interpreter/workers/dispatched-request.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { preload } from '../preload.ts'
import { createPlatform } from '../platform.ts'
import { fromShared } from './shared-clock.ts'
import { WorkerExchange } from './worker-exchange.ts'
import { exportedTree } from './exported-tree.ts'
import { markAsWorker } from './is-worker.ts'
import type { PostMessage, ToWorker, WorkerData } from './messages.ts'
import { describeOperations } from './messages.ts'
import { ResponseSender } from './response-sender.ts'

const say: PostMessage = (message, transferred = []) =>
  parentPort?.postMessage(message, transferred)

/** Lines go to the logger that the event loop has for their category; what cannot be sent goes as text. */
const loggerOf = (category: string): Logger =>
  byLevel((level) => (members, message) => {
    try {
      say({ _tag: 'Logged', category, level, members, message })
    } catch {
      const texts = Object.entries(members).map(([name, value]) => [name, String(value)])
      say({ _tag: 'Logged', category, level, members: Object.fromEntries(texts), message })
    }
  })

const logger: Logger = {
  ...loggerOf(Category.server),
  child: ({ category }) => loggerOf(String(category)),
}

markAsWorker()
const data: WorkerData = workerData
const api = await exportedTree(data.module, data.export)
const stopping = new AbortController()
setMaxListeners(0, stopping.signal)
// the event loop has taken codings off already
const system = { ...createPlatform(data.settings), decoders: new Map() }
const program = compile(api, data.settings, {
  logger,
  stopping: stopping.signal,
  configuration: loadSettings(data.sources),
  system,
})
await preload(program)
const run = resume(program)

const latestGone = new Int32Array(data.gone)
const underway = new Map<number, WorkerExchange>()
const sending = new ResponseSender(say)

const start = (job: number, handover: Handover): void => {
  const exchange = new WorkerExchange(
    handover,
    system,
    () => Atomics.load(latestGone, 0) === job,
    (answer, awaitsEnd) => {
      if (!awaitsEnd) underway.delete(job)
      sending.send(job, answer, awaitsEnd, () => exchange.halfClose())
    },
  )
  underway.set(job, exchange)
  run(exchange, { ...handover, start: fromShared(handover.start) })
}

const end = (job: number): void => {
  // the end of the request may be told before the cancelling of its content
  if (sending.isSending(job)) underway.get(job)?.halfClose()
  underway.get(job)?.end()
  underway.delete(job)
}

parentPort?.on('message', (message: ToWorker) => {
  switch (message._tag) {
    case 'Run':
      return start(message.job, message.handover)
    case 'Ask':
      return sending.sendNextChunk(message.job)
    case 'Cancel':
      return sending.cancel(message.job)
    case 'Abort':
      return underway.get(message.job)?.halfClose()
    case 'Gone':
    case 'End':
      return end(message.job)
    case 'Stopping':
      return stopping.abort()
    case 'Close':
      return process.exit()
  }
})
say({ _tag: 'Ready', operations: describeOperations(program.plans) })
