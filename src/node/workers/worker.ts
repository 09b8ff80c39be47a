/** The entry point of a worker: imports and compiles the route tree as the main thread did, and runs one job at a time. */
import { setMaxListeners } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import * as Category from '../../compiler/settings/log-category.ts'
import { compile } from '../../interpreter/program.ts'
import { resume } from '../../interpreter/pipeline.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import { loggerByLevel } from '../../compiler/settings/logger.ts'
import type { DispatchedRequest } from '../../interpreter/workers/dispatched-request.ts'
import { createPlatform } from '../platform.ts'
import { preload } from '../preload.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { exportedTree } from './exported-tree.ts'
import { markAsWorker } from './is-worker.ts'
import type { PostMessage, ToWorker, WorkerData } from './messages.ts'
import { describeOperations } from './messages.ts'
import { ResponseSender } from './response-sender.ts'
import { fromShared } from './shared-clock.ts'
import { WorkerExchange } from './worker-exchange.ts'

const post: PostMessage = (message, transferred = []) =>
  parentPort?.postMessage(message, transferred)

/** Forwards lines to the logger of the main thread. Members that cannot be cloned are converted to strings. */
const loggerOf = (category: string): Logger =>
  loggerByLevel((level) => (members, message) => {
    try {
      post({ _tag: 'Log', category, level, members, message })
    } catch {
      const strings = Object.entries(members).map(([name, value]) => [name, String(value)])
      post({ _tag: 'Log', category, level, members: Object.fromEntries(strings), message })
    }
  })

const logger: Logger = {
  ...loggerOf(Category.serverCategory),
  child: ({ category }) => loggerOf(String(category)),
}

markAsWorker()
const data: WorkerData = workerData
const api = await exportedTree(data.module, data.export)
const stopping = new AbortController()
setMaxListeners(0, stopping.signal)
// request bodies are decompressed by the main thread
const platform = { ...createPlatform(data.settings), decoders: new Map() }
const program = compile(api, data.settings, {
  logger,
  stopping: stopping.signal,
  configuration: loadSettings(data.sources),
  platform,
})
await preload(program)
const run = resume(program)

const disconnectedJob = new Int32Array(data.disconnectedJob)
const exchanges = new Map<number, WorkerExchange>()
const sender = new ResponseSender(post)

const start = (job: number, handover: DispatchedRequest): void => {
  const exchange = new WorkerExchange(
    handover,
    platform,
    () => Atomics.load(disconnectedJob, 0) === job,
    (answer, awaitsEnd) => {
      if (!awaitsEnd) exchanges.delete(job)
      sender.send(job, answer, awaitsEnd, () => exchange.halfClose())
    },
  )
  exchanges.set(job, exchange)
  run(exchange, { ...handover, startTime: fromShared(handover.startTime) })
}

const end = (job: number): void => {
  // this message may arrive before the one that cancels the body
  if (sender.isSending(job)) exchanges.get(job)?.halfClose()
  exchanges.get(job)?.end()
  exchanges.delete(job)
}

parentPort?.on('message', (message: ToWorker) => {
  switch (message._tag) {
    case 'Run':
      return start(message.job, message.handover)
    case 'RequestChunk':
      return sender.sendNextChunk(message.job)
    case 'Cancel':
      return sender.cancel(message.job)
    case 'Abort':
      return exchanges.get(message.job)?.halfClose()
    case 'Disconnect':
    case 'End':
      return end(message.job)
    case 'Stopping':
      return stopping.abort()
    case 'Close':
      return process.exit()
  }
})
post({ _tag: 'Ready', operations: describeOperations(program.plans) })
