/**
 * Checks a program before the server starts listening: required packages, HTTP methods, and the module for blocking operations. Then
 * prepares the process for it: deletes leftover uploads, imports the modules that operations need, and starts workers.
 */
import { METHODS } from 'node:http'
import { isBlocking } from '../endpoint/definition/attributes.ts'
import type { Requirement } from '../endpoint/filter.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import type { Program } from '../interpreter/program.ts'
import { certificateAuthentication } from '../compiler/access.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import { messageOf } from '../http/platform-value.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'
import type { UploadsDirectory } from './files/file-system.ts'
import { noUploadsDirectory, prepareUploadsDirectory } from './files/file-system.ts'
import type { LoadOptions, LoadedSettings } from './settings/load-settings.ts'
import type { WorkerPool } from './workers/worker-pool.ts'
import { preload, receivesFiles } from './preload.ts'

/** Loads the packages required by filters. Resolves to one error for each package that cannot be loaded. */
export const loadRequirements = async ({
  plans,
}: Pick<Program, 'plans'>): Promise<ReadonlyArray<ConfigurationIssue>> => {
  const operations = new Map<Requirement, string[]>()
  for (const plan of plans)
    for (const { filter } of [...plan.chain.early, ...plan.chain.request]) {
      const { requirement } = filter
      if (requirement === undefined) continue
      operations.set(requirement, [...(operations.get(requirement) ?? []), operationTitle(plan)])
    }
  const errors = await Promise.all(
    Array.from(
      operations,
      async ([{ load }, titles]): Promise<ReadonlyArray<ConfigurationIssue>> => {
        try {
          await load()
          return []
        } catch (error) {
          const remedy = messageOf(error)
          return [{ code: 'FW-FILTER-003', concerns: shorten(titles), remedy }]
        }
      },
    ),
  )
  return errors.flat()
}

/** Maximum number of operations listed in one configuration error. */
const maxTitles = 5

const shorten = (titles: ReadonlyArray<string>): ReadonlyArray<string> =>
  titles.length <= maxTitles
    ? titles
    : [...titles.slice(0, maxTitles), `and ${titles.length - maxTitles} more`]

/**
 * Returns an error for each operation whose method is not supported by the Node.js HTTP parser. Requests over `node:http` could
 * never reach such an operation. Other connections, such as `inMemory`, do not have this limitation.
 */
export const unsupportedMethods = ({ plans }: Program): ReadonlyArray<ConfigurationIssue> =>
  plans
    .filter(({ method }) => !METHODS.includes(method))
    .map((plan) => ({
      code: 'FW-ROUTE-006',
      concerns: [operationTitle(plan)],
      remedy: `use a method listed in http.METHODS: node:http rejects all other methods. They work with fw.http.connection=direct and with inMemory()`,
    }))

/**
 * Returns an error if operations require client certificates that the server does not request. Logs a warning for operations whose
 * callers are then always anonymous.
 */
export const unrequestedCertificates = (
  { plans }: Pick<Program, 'plans'>,
  clientAuth: Settings['fw.http.ssl.client-auth'],
  logger: Logger,
): ReadonlyArray<ConfigurationIssue> => {
  if (clientAuth !== 'none') return []
  const { required, optional } = certificateAuthentication(plans)
  if (optional.length > 0)
    logger.warn(
      { operations: shorten(optional) },
      'mutualTls has no effect without fw.http.ssl.client-auth: all callers are anonymous',
    )
  return required.length === 0
    ? []
    : [
        {
          code: 'FW-TLS-004',
          concerns: shorten(required),
          remedy:
            'set fw.http.ssl.client-auth, or add another authentication filter: mutualTls is the only one, so all requests would be rejected',
        },
      ]
}

/** Whether a program has blocking operations, which run on workers. */
const needsWorkers = ({ plans }: Program): boolean =>
  plans.some(({ attributes }) => isBlocking(attributes))

/**
 * Returns an error if the program has blocking operations. Called only if the `module` option is not set. `callee` is the function
 * with this option.
 */
export const missingModule = (
  { plans }: Program,
  callee: 'serve' | 'nodeListener' = 'serve',
): ReadonlyArray<ConfigurationIssue> => {
  const blocking = plans.filter(({ attributes }) => isBlocking(attributes))
  return blocking.length === 0
    ? []
    : [
        {
          code: 'FW-WORKER-001',
          concerns: blocking.map(operationTitle),
          remedy: `pass the module that exports the route tree: ${callee}(api, { module: ${moduleUrl[callee]}, export: "api" })`,
        },
      ]
}

/** The `module` option in the remedy. Workers must not import the module that starts the server of a listener. */
const moduleUrl = {
  serve: 'import.meta.url',
  nodeListener: 'import.meta.resolve("./api.js")',
} as const

/** Prepares the uploads directory of a program that writes files. */
export const prepareUploads = async (
  program: Program,
  loaded: LoadedSettings,
): Promise<UploadsDirectory> =>
  receivesFiles(program) ? prepareUploadsDirectory(loaded) : noUploadsDirectory

/** What workers need to run a program. `stopping` aborts when the server begins to shut down. */
interface WorkerSources {
  readonly sources: LoadOptions
  readonly module: string | undefined
  readonly export: string | undefined
  readonly stopping: AbortSignal
}

/** Prepares the process for a program without configuration errors. Resolves to its workers, if it has blocking operations. */
export const prepareProgram = async (
  program: Program,
  uploads: UploadsDirectory,
  { sources, module, export: name = 'api', stopping }: WorkerSources,
): Promise<WorkerPool | undefined> => {
  await Promise.all([uploads.sweep(), preload(program)])
  if (module === undefined || !needsWorkers(program)) return undefined
  const { startWorkers } = await import('./workers/worker-pool.ts')
  const { loggerOf } = program
  const options = { loggerOf, sources, module, export: name, sweep: uploads.sweepThread }
  const workers = await startWorkers(program, options)
  stopping.addEventListener('abort', () => workers.notifyStopping(), { once: true })
  return workers
}
