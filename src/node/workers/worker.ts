/** The entry point of a worker. Like the main thread, the worker imports and compiles the route tree. It runs one job at a time. */
import type { AnyNode } from '../../endpoint/routes.ts'
import { operationTitle } from '../../endpoint/definition/configuration-error.ts'
import { setMaxListeners } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import * as Category from '../../compiler/settings/logger.ts'
import { compile } from '../../interpreter/program.ts'
import { resume } from '../../interpreter/pipeline.ts'
import type { Logger, Members } from '../../compiler/settings/logger.ts'
import { describeMember, loggerByLevel, mapMembers } from '../../compiler/settings/logger.ts'
import type { DispatchedRequest } from '../../interpreter/dispatched-request.ts'
import type { Platform } from '../../interpreter/exchange.ts'
import { disableServe } from '../disable-serve.ts'
import { createPlatform } from '../platform.ts'
import { preload } from '../preload.ts'
import { loadSettings } from '../settings/load-settings.ts'
import type { PostMessage, ToWorker, WorkerData } from './messages.ts'
import { fromShared } from './messages.ts'
import { ResponseSender, WorkerExchange } from './worker-exchange.ts'
import { toErrorMessage } from './error-message.ts'
import { isError, messageOf, isTagged } from '../../http/platform-value.ts'

/**
 * Resolves to the route tree that a module exports under a name. If there is no such route tree, rejects with an error that
 * explains how to fix the export.
 */
export const exportedTree = async (module: string, name: string): Promise<AnyNode> => {
  const exported = await importModule(module)
  if (!Object.hasOwn(exported, name)) {
    const names = Object.keys(exported)
    const others = names.length === 0 ? 'it has no exports' : `its exports: ${names.join(', ')}`
    throw new TypeError(
      `${module} has no export "${name}" (${others}): export the route tree as "${name}", or specify the name of its export with serve(api, { export: "…" })`,
    )
  }
  const tree = exported[name]
  if (isTree(tree)) return tree
  throw new TypeError(
    `the export "${name}" of ${module} is not a route tree: export the value returned by routes({ … })`,
  )
}

const importModule = async (module: string): Promise<Readonly<Record<string, unknown>>> => {
  try {
    return await import(module)
  } catch (cause) {
    const message = messageOf(cause)
    throw new Error(
      `cannot import ${module} (${message}): the \`module\` option of serve must be the URL of a module that a worker can import, such as import.meta.url`,
      { cause },
    )
  }
}

const isTree = (value: unknown): value is AnyNode => isTagged(value, 'Routes')

const post: PostMessage = (message, transferred = []) =>
  parentPort?.postMessage(message, transferred)

/**
 * Returns a logger that forwards events to the logger in the main thread. If any member of an event cannot be cloned, all its
 * members are described.
 */
const loggerOf = (category: string): Logger =>
  loggerByLevel((level) => (members, message) => {
    const send = (event: Members): void =>
      post({ _tag: 'Log', category, level, members: event, message })
    const cloneable = mapMembers(members, (value) =>
      isError(value) ? toErrorMessage(value) : value,
    )
    try {
      send(cloneable)
    } catch {
      send(mapMembers(members, describeMember))
    }
  })

const logger: Logger = {
  ...loggerOf(Category.serverCategory),
  child: ({ category }) => loggerOf(String(category)),
}

disableServe()
const data: WorkerData = workerData
const api = await exportedTree(data.module, data.export)
const stopping = new AbortController()
setMaxListeners(0, stopping.signal)
// request bodies are decompressed by the main thread
const platform: Platform = { ...createPlatform(data.settings), decompressors: new Map() }
const program = compile(api, data.settings, {
  logger,
  stopping: stopping.signal,
  configuration: loadSettings(data.sources),
  platform,
  logsWarnings: false, // the main thread has logged them
})
await preload(program)
const run = resume(program)

const disconnectedJob = new Int32Array(data.disconnectedJob)
const exchanges = new Map<number, WorkerExchange>()
const sender = new ResponseSender(post)

const start = (job: number, request: DispatchedRequest): void => {
  const exchange = new WorkerExchange(
    request,
    platform,
    () => Atomics.load(disconnectedJob, 0) === job,
    (response, awaitsEnd) => {
      if (!awaitsEnd) exchanges.delete(job)
      sender.send(job, response, awaitsEnd, () => exchange.halfClose())
    },
  )
  exchanges.set(job, exchange)
  run(exchange, { ...request, startTime: fromShared(request.startTime) })
}

const end = (job: number): void => {
  // this message may arrive before `Cancel`
  if (sender.isSending(job)) exchanges.get(job)?.halfClose()
  exchanges.get(job)?.end()
  exchanges.delete(job)
}

parentPort?.on('message', (message: ToWorker) => {
  switch (message._tag) {
    case 'Run':
      return start(message.job, message.request)
    case 'RequestChunk':
      return sender.sendNextChunk(message.job)
    case 'Cancel':
      return sender.cancel(message.job)
    case 'Abort':
      return exchanges.get(message.job)?.halfClose()
    case 'End':
      return end(message.job)
    case 'Stopping':
      return stopping.abort()
    case 'Close':
      return process.exit()
  }
})
post({ _tag: 'Ready', operations: program.plans.map(operationTitle) })
