/** Starts worker threads from bundles, which takes a third of the time. */
import { syncBuiltinESMExports } from 'node:module'
import type { WorkerOptions } from 'node:worker_threads'
import threads from 'node:worker_threads'
import { bundled, worker } from './support/bundled.ts'

const { Worker } = threads

type WorkerArguments = readonly [file: string | URL, options: WorkerOptions | undefined]

/**
 * Replaces the worker program and the module of its tree by their bundles. A worker whose tree is not bundled runs the original
 * program, because both must use the same copy of the package.
 */
const replaceByBundles = ([file, options]: WorkerArguments): WorkerArguments => {
  if (String(file) !== worker) return [file, options]
  const original = String(options?.workerData.module)
  // a `data:` module imports no copy of the package
  const module = original.startsWith('data:') ? original : bundled(original)
  const program = bundled(worker)
  return module === undefined || program === undefined
    ? [file, options]
    : [new URL(program), { ...options, workerData: { ...options?.workerData, module } }]
}

class BundledWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(...replaceByBundles([file, options]))
  }
}

/** Makes this process start workers from bundles. */
export const bundleWorkers = (): void => {
  threads.Worker = BundledWorker
  syncBuiltinESMExports()
}
