/**
 * A program with servers, for tests of the end of a process.
 *
 * Reads a `Task` as JSON from standard input; exits without one. Writes the URLs of its servers to standard output as a line of JSON,
 * followed by one line per event.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { get, handle, health, int, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'

/** The behaviour of the program. */
export interface Task {
  readonly options?: ServeOptions
  /** Number of servers. Default: 1. */
  readonly servers?: number
  /** The result of `onClose`. Default: the option is not set. */
  readonly closing?: 'done' | 'failed' | 'stuck'
  /** Whether the program has its own listener for uncaught errors. */
  readonly listens?: boolean
  /** The program's own listener for SIGTERM ends its work after 300 ms, or never. Default: no listener. */
  readonly ends?: 'later' | 'never'
  /** Whether the program closes its servers itself. */
  readonly closes?: boolean
}

const print = (word: string): void => void process.stdout.write(`${word}\n`)

const api = routes({
  health: health(),
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  slow: pipe(
    path('/slow/{ms}', { ms: int }),
    get(),
    produces(text),
    handle(({ path: { ms } }) => {
      print('slow')
      return wait(ms, 'slow')
    }),
  ),
  stuck: pipe(
    path('/stuck'),
    get(),
    produces(text),
    handle(() => {
      print('stuck')
      return new Promise<string>(() => undefined)
    }),
  ),
  throws: pipe(
    path('/throws'),
    get(),
    produces(text),
    handle(() => {
      setTimeout(() => {
        throw new Error('not caught')
      }, 20)
      return 'soon'
    }),
  ),
  rejects: pipe(
    path('/rejects'),
    get(),
    produces(text),
    handle(() => {
      void wait(20).then(() => Promise.reject(new Error('not handled')))
      return 'soon'
    }),
  ),
})

const main = async ({
  options,
  servers = 1,
  closing,
  listens,
  ends,
  closes,
}: Task): Promise<void> => {
  if (listens === true) process.on('uncaughtException', () => print('received'))
  const keepAlive = ends === undefined ? undefined : setInterval(() => undefined, 1000)
  if (ends === 'later')
    process.once('SIGTERM', async () => {
      await wait(300)
      print('flushed')
      clearInterval(keepAlive)
    })
  if (ends === 'never') process.once('SIGTERM', () => print('received'))
  const onClose = async (): Promise<void> => {
    if (closing === 'stuck') await new Promise(() => undefined)
    if (closing === 'failed') throw new Error('not closed')
    await wait(20)
    print('closed')
  }
  const started = await Promise.all(
    Array.from({ length: servers }, () =>
      serve(api, {
        logger: silentLogger,
        'fw.http.host': '127.0.0.1',
        'fw.http.port': 0,
        'fw.shutdown.grace': 1000,
        // a loaded machine would reject requests
        'fw.http.overload.enabled': false,
        ...(closing === undefined ? {} : { onClose }),
        ...options,
      }),
    ),
  )
  print(JSON.stringify(started.map(({ url }) => url)))
  if (closes === true) await Promise.all(started.map((server) => server.close()))
}

const task = await textOf(process.stdin)
if (task !== '') await main(JSON.parse(task) as Task)
