/** Workers of tests run what is bundled, so that they start in a third of the time. */
import { syncBuiltinESMExports } from 'node:module'
import type { WorkerOptions } from 'node:worker_threads'
import threads from 'node:worker_threads'
import { bundled, worker } from './bundled.ts'

const { Worker } = threads

type Start = readonly [file: string | URL, options: WorkerOptions | undefined]

/** A worker whose tree is not bundled is started as it is: a thread has one copy of the package. */
const instead = ([file, options]: Start): Start => {
  if (String(file) !== worker) return [file, options]
  const module = bundled(String(options?.workerData.module))
  const program = bundled(worker)
  return module === undefined || program === undefined
    ? [file, options]
    : [new URL(program), { ...options, workerData: { ...options?.workerData, module } }]
}

class BundledWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(...instead([file, options]))
  }
}

/** From now on, in this process. */
export const bundleWorkers = (): void => {
  threads.Worker = BundledWorker
  syncBuiltinESMExports()
}
