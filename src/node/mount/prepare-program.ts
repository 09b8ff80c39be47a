/** Prepares a mounted program: uploads directory, required packages, imported modules, and workers. */
import { ConfigurationError } from '../../endpoint/definition/configuration-error.ts'
import type { Program } from '../../interpreter/program.ts'
import { noUploadsDirectory, prepareUploadsDirectory } from '../files/uploads-directory.ts'
import { preload, receivesFiles } from '../preload.ts'
import type { LoadedSettings } from '../settings/load-settings.ts'
import { loadRequirements, needsWorkers } from '../startup-checks.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import type { NodeListenerOptions } from './listener-options.ts'
import { listenerSources } from './listener-options.ts'

/** Returns the workers of a program once it can process requests. Rejects with a `ConfigurationError`. */
export const prepareProgram = async (
  program: Program,
  loaded: LoadedSettings,
  options: NodeListenerOptions,
): Promise<WorkerPool | undefined> => {
  const uploads = receivesFiles(program)
    ? await prepareUploadsDirectory(loaded)
    : noUploadsDirectory
  const errors = [...(await loadRequirements(program)), ...uploads.errors]
  if (errors.length > 0) throw new ConfigurationError(errors)
  const { module, export: exportName = 'api' } = options
  await Promise.all([uploads.sweep(), preload(program)])
  if (module === undefined || !needsWorkers(program)) return undefined
  const { startWorkers } = await import('../workers/worker-pool.ts')
  return startWorkers(program, {
    loggerOf: program.loggerOf,
    sources: listenerSources(options),
    module,
    export: exportName,
    sweep: uploads.sweepThread,
  })
}
