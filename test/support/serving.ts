/**
 * A program that serves, for tests of how a process ends. It tells on its standard output where its servers are, in a line of
 * JSON, and then what happens to it. It reads what it is to do from its standard input, as JSON; without it, it ends.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { get, handle, health, int, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'

export interface Task {
  readonly options?: ServeOptions
  /** How many servers there are; one unless it is said. */
  readonly servers?: number
  /** What becomes of `onClose`. */
  readonly closing?: 'done' | 'failed' | 'stuck'
  /** Whether it listens to uncaught errors itself. */
  readonly listens?: boolean
  /** What it does itself at SIGTERM: end what it does a little later, or never. */
  readonly ends?: 'later' | 'never'
  /** Whether it closes its servers by itself. */
  readonly closes?: boolean
}

const say = (word: string): void => void process.stdout.write(`${word}\n`)

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
      say('slow')
      return wait(ms, 'slow')
    }),
  ),
  stuck: pipe(
    path('/stuck'),
    get(),
    produces(text),
    handle(() => {
      say('stuck')
      return new Promise<string>(() => undefined)
    }),
  ),
  throws: pipe(
    path('/throws'),
    get(),
    produces(text),
    handle(() => {
      setTimeout(() => {
        throw new Error('nobody catches this')
      }, 20)
      return 'soon'
    }),
  ),
  rejects: pipe(
    path('/rejects'),
    get(),
    produces(text),
    handle(() => {
      void wait(20).then(() => Promise.reject(new Error('nobody handles this')))
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
  if (listens === true) process.on('uncaughtException', () => say('heard'))
  const keeping = ends === undefined ? undefined : setInterval(() => undefined, 1000)
  if (ends === 'later')
    process.once('SIGTERM', async () => {
      await wait(300)
      say('flushed')
      clearInterval(keeping)
    })
  if (ends === 'never') process.once('SIGTERM', () => say('heard'))
  const onClose = async (): Promise<void> => {
    if (closing === 'stuck') await new Promise(() => undefined)
    if (closing === 'failed') throw new Error('not closed')
    await wait(20)
    say('closed')
  }
  const all = await Promise.all(
    Array.from({ length: servers }, () =>
      serve(api, {
        logger: silentLogger,
        'fw.http.host': '127.0.0.1',
        'fw.http.port': 0,
        'fw.shutdown.grace': 1000,
        ...(closing === undefined ? {} : { onClose }),
        ...options,
      }),
    ),
  )
  say(JSON.stringify(all.map(({ url }) => url)))
  if (closes === true) await Promise.all(all.map((server) => server.close()))
}

const task = await textOf(process.stdin)
if (task !== '') await main(JSON.parse(task) as Task)
