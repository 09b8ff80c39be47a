/**
 * A program that serves requests with several instances. Its first argument is an `InstancesTask` as JSON. Without an argument, the
 * module is only imported.
 *
 * The parent process writes the URL of the server to standard output, followed by the lines of the log.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  broadcaster,
  get,
  handle,
  int,
  path,
  post,
  produces,
  query,
  noContent,
  routes,
  sse,
  string,
  text,
} from '../../src/index.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { instanceRelay, serve } from '../../src/node.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The behaviour of the program. */
export interface InstancesTask {
  readonly options?: ServeOptions
  /** If a file with this path exists, instances end with exit code 3 before they listen. */
  readonly blocker?: string
  /** If a file with this path exists, instances create one with the suffix `.reached`, and start when the file is removed. */
  readonly holder?: string
  /** Whether the tree is invalid. */
  readonly isInvalid?: boolean
  /** Whether a second server is started. */
  readonly hasSecondServer?: boolean
}

const news = broadcaster(string, { relay: instanceRelay('news') })

/** The number of this instance. Assigned when the server listens. */
const role: { instance: number } = { instance: -1 }

const api = (task: InstancesTask) =>
  routes({
    pid: pipe(
      path('/pid'),
      get(),
      produces(text),
      handle(() => String(process.pid)),
    ),
    instance: pipe(
      path('/instance'),
      get(),
      produces(text),
      handle(() => String(role.instance)),
    ),
    slow: pipe(
      path('/slow/{ms}', { ms: int }),
      get(),
      produces(text),
      handle(({ path: { ms } }) => wait(ms, String(process.pid))),
    ),
    stuck: pipe(
      path('/stuck'),
      get(),
      produces(text),
      handle(() => new Promise<string>(() => undefined)),
    ),
    crash: pipe(
      path('/crash/{code}', { code: int }),
      get(),
      produces(text),
      handle(({ path: { code } }): string => process.exit(code)),
    ),
    log: pipe(
      path('/log/{lines}', { lines: int }),
      get(),
      query({ size: int }),
      produces(text),
      handle(({ path: { lines }, query: { size } }, { logger }) => {
        const error = new Error('logged')
        error.stack = 's'.repeat(size)
        for (let index = 0; index < lines; index++)
          logger('test').info({ index, err: error }, 'line')
        return 'logged'
      }),
    ),
    listen: pipe(
      path('/news'),
      get(),
      produces(sse(string)),
      handle((_, context) => news.subscribe(context)),
    ),
    publish: pipe(
      path('/news/{title}', { title: string }),
      post(),
      handle(async ({ path: { title } }) => {
        await news.publish(title)
        return noContent
      }),
    ),
    ...(task.isInvalid === true
      ? {
          invalid: pipe(
            path('/pid'),
            get(),
            produces(text),
            handle(() => 'invalid'),
          ),
        }
      : {}),
  })

/** Starts a server of a task. */
export const startServer = (task: InstancesTask): Promise<Server> =>
  serve(api(task), {
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    // a loaded machine causes no warnings and rejects no requests
    'fw.loop.stall': 0,
    'fw.http.overload.enabled': false,
    ...task.options,
  })

const main = async (task: InstancesTask): Promise<void> => {
  const { blocker, holder } = task
  const isInstance = process.env['ESPALIER_INSTANCE'] !== undefined
  if (isInstance && blocker !== undefined && existsSync(blocker)) process.exit(3)
  if (isInstance && holder !== undefined && existsSync(holder)) {
    writeFileSync(`${holder}.reached`, '')
    await waitUntil(() => !existsSync(holder))
  }
  try {
    const server = await startServer(task)
    role.instance = server.instance
    const urls = [server.url]
    if (task.hasSecondServer === true) urls.push((await startServer(task)).url)
    if (server.instance === 0) process.stdout.write(`${JSON.stringify({ urls })}\n`)
    process.on('SIGUSR2', () => {
      if (server.instance !== 0) return
      void news.publish('from the parent')
    })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    process.stdout.write(`${JSON.stringify({ rejected: { name, message } })}\n`)
    process.exitCode = 1
  }
}

const [, , argument] = process.argv
if (argument !== undefined && argument.startsWith('{'))
  await main(JSON.parse(argument) as InstancesTask)
