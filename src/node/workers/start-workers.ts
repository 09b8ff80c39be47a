/** Starts the workers of a program, and verifies that they run the same program. */
import { availableParallelism } from 'node:os'
import type { Mistake } from '../../endpoint/internal/configuration-error.ts'
import { MistakesError } from '../../endpoint/internal/configuration-error.ts'
import type { Program } from '../../interpreter/program.ts'
import { describeOperations } from './messages.ts'
import type { WorkerPoolOptions } from './worker-pool.ts'
import { WorkerPool } from './worker-pool.ts'

/** The program and the logger of workers. */
export type WorkerOptions = Pick<
  WorkerPoolOptions,
  'loggerOf' | 'sources' | 'module' | 'export' | 'sweep'
>

/** Maximum milliseconds for the first worker to load its module. */
const startTimeout = 60_000

/** Resolves when the first worker is ready. Rejects with a `MistakesError` if it cannot run the program. */
export const startWorkers = async (
  { plans, settings }: Pick<Program, 'plans' | 'settings'>,
  { loggerOf, sources, module, export: name, sweep }: WorkerOptions,
  timeout = startTimeout,
): Promise<WorkerPool> => {
  const threads = settings['fw.worker.threads'] ?? Math.max(1, availableParallelism() - 1)
  let onStart: ((result: ReadonlyArray<string> | Error) => void) | undefined
  const starting = new Promise<ReadonlyArray<string> | Error>((resolve) => {
    onStart = resolve
  })
  const pool = new WorkerPool({
    module,
    export: name,
    settings,
    sources,
    loggerOf,
    sweep,
    threads,
    queue: settings['fw.worker.queue'] ?? 8 * threads,
    timeout: settings['fw.worker.timeout'],
    onFirstStart: (result) => onStart?.(result),
  })
  const timer = setTimeout(
    () =>
      onStart?.(
        new Error(`the module was not loaded within ${timeout} ms: shorten its top-level await`),
      ),
    timeout,
  )
  const started = await starting
  clearTimeout(timer)
  const remedy =
    started instanceof Error ? started.message : difference(describeOperations(plans), started)
  if (remedy === undefined) return pool
  await pool.close()
  const error: Mistake = {
    code: 'FW-WORKER-002',
    concerns: [`${name} of ${module}`],
    remedy,
  }
  throw new MistakesError([error])
}

/** Describes how the operations of a worker differ from the served ones; `undefined` if they are the same. */
const difference = (
  served: ReadonlyArray<string>,
  exported: ReadonlyArray<string>,
): string | undefined => {
  if (served.join('\n') === exported.join('\n')) return undefined
  const missing = served.find((operation) => !exported.includes(operation))
  const added = exported.find((operation) => !served.includes(operation))
  const details = [
    ...(missing === undefined ? [] : [`without ${missing}`]),
    ...(added === undefined ? [] : [`with ${added}`]),
  ]
  return `the module exports another tree than the served one${details.length === 0 ? '' : `, ${details.join(' and ')}`}: serve the tree that the module exports`
}
