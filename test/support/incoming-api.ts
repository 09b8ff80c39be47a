/** Operations that take their content in pieces, each in a way of its own. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  HttpError,
  Unauthorized,
  body,
  byteStream,
  get,
  handle,
  limits,
  path,
  post,
  produces,
  routes,
  text,
} from '../../src/index.ts'

/** The octets that all but one of them take. */
export const most = 100_000

/** What handlers were told while they read. */
export const told: unknown[] = []

const taking = (
  target: string,
  take: (content: AsyncIterable<Uint8Array>) => string | Promise<string>,
) =>
  pipe(
    path(target),
    post(),
    body(byteStream),
    produces(text),
    handle(({ body: b }) => take(b)),
  )

const sizeOf = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  let octets = 0
  for await (const piece of content) octets += piece.length
  return String(octets)
}

export const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  all: taking('/all', sizeOf),
  none: taking('/none', () => 'none'),
  refuses: pipe(
    path('/refuses'),
    post(),
    body(byteStream),
    handle(() => new Unauthorized('Basic')),
  ),
  stops: taking('/stops', async (content) => {
    for await (const piece of content) return `at ${Math.min(1, piece.length)}`
    return 'at none'
  }),
  /** Asks for one piece and never says that it wants no more. */
  half: taking('/half', async (content) => {
    const { value } = await content[Symbol.asyncIterator]().next()
    return `half ${Math.min(1, value?.length ?? 0)}`
  }),
  /** Answers while it still waits for the next piece. */
  asking: taking('/asking', async (content) => {
    const pieces = content[Symbol.asyncIterator]()
    await pieces.next()
    const next = pieces.next()
    next.then(
      ({ done }) => told.push(done === true ? 'done' : 'a piece'),
      (error: unknown) => told.push(error instanceof Error ? error.message : error),
    )
    return 'asking'
  }),
  several: taking('/several', async (content) => {
    const pieces = content[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: 50 }, () => pieces.next()))
    let octets = 0
    for (const { value } of results) octets += value?.length ?? 0
    return `${octets} ${String((await pieces.next()).done)}`
  }),
  catches: taking('/catches', async (content) => {
    const pieces = content[Symbol.asyncIterator]()
    for (;;) {
      try {
        if ((await pieces.next()).done === true) return 'whole'
      } catch {
        return `refused, then ${(await pieces.next()).done === true ? 'nothing' : 'more'}`
      }
    }
  }),
  tells: taking('/tells', async (content) => {
    try {
      return await sizeOf(content)
    } catch (error) {
      told.push(
        error instanceof HttpError
          ? error.status
          : error instanceof Error && 'code' in error
            ? error.code
            : error,
      )
      throw error
    }
  }),
  /** Reads on only after a while. */
  later: taking('/later', async (content) => {
    let octets = 0
    try {
      for await (const piece of content) {
        octets += piece.length
        await wait(60)
      }
    } catch (error) {
      told.push(error instanceof HttpError ? error.status : 'gone')
      throw error
    }
    told.push('whole')
    return String(octets)
  }),
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle(({ body: content }) => content),
  ),
  wide: pipe(taking('/wide', sizeOf), limits({ bodySize: 2 * most })),
})
