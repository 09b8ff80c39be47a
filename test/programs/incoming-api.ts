/** Operations that read their body as a stream in different ways. */
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

/** The body size limit in bytes, except of `/wide`. */
export const maxBodySize = 100_000

/** Results and errors that handlers recorded while reading. */
export const recorded: unknown[] = []

const reading = (
  target: string,
  read: (source: AsyncIterable<Uint8Array>) => string | Promise<string>,
) =>
  pipe(
    path(target),
    post(),
    body(byteStream),
    produces(text),
    handle((input) => read(input.body)),
  )

const sizeOf = async (source: AsyncIterable<Uint8Array>): Promise<string> => {
  let size = 0
  for await (const chunk of source) size += chunk.length
  return String(size)
}

export const api = routes({
  alive: pipe(
    path('/alive'),
    get(),
    produces(text),
    handle(() => 'alive'),
  ),
  all: reading('/all', sizeOf),
  none: reading('/none', () => 'none'),
  rejects: pipe(
    path('/rejects'),
    post(),
    body(byteStream),
    handle(() => new Unauthorized('Basic')),
  ),
  stops: reading('/stops', async (source) => {
    for await (const chunk of source) return `at ${Math.min(1, chunk.length)}`
    return 'at none'
  }),
  /** Reads one chunk without closing the iterator. */
  half: reading('/half', async (source) => {
    const { value } = await source[Symbol.asyncIterator]().next()
    return `half ${Math.min(1, value?.length ?? 0)}`
  }),
  /** Returns while a read is pending. */
  pending: reading('/pending', async (source) => {
    const iterator = source[Symbol.asyncIterator]()
    await iterator.next()
    const next = iterator.next()
    next.then(
      ({ done }) => recorded.push(done === true ? 'done' : 'a chunk'),
      (error: unknown) => recorded.push(error instanceof Error ? error.message : error),
    )
    return 'pending'
  }),
  several: reading('/several', async (source) => {
    const iterator = source[Symbol.asyncIterator]()
    const results = await Promise.all(Array.from({ length: 50 }, () => iterator.next()))
    let size = 0
    for (const { value } of results) size += value?.length ?? 0
    return `${size} ${String((await iterator.next()).done)}`
  }),
  catches: reading('/catches', async (source) => {
    const iterator = source[Symbol.asyncIterator]()
    for (;;) {
      try {
        if ((await iterator.next()).done === true) return 'complete'
      } catch {
        return `rejected, then ${(await iterator.next()).done === true ? 'nothing' : 'more'}`
      }
    }
  }),
  records: reading('/records', async (source) => {
    try {
      return await sizeOf(source)
    } catch (error) {
      recorded.push(
        error instanceof HttpError
          ? error.status
          : error instanceof Error && 'code' in error
            ? error.code
            : error,
      )
      throw error
    }
  }),
  /** Pauses after each chunk. */
  later: reading('/later', async (source) => {
    let size = 0
    try {
      for await (const chunk of source) {
        size += chunk.length
        await wait(60)
      }
    } catch (error) {
      recorded.push(error instanceof HttpError ? error.status : 'disconnected')
      throw error
    }
    recorded.push('complete')
    return String(size)
  }),
  echo: pipe(
    path('/echo'),
    post(),
    body(byteStream),
    produces(byteStream),
    handle((input) => input.body),
  ),
  wide: pipe(reading('/wide', sizeOf), limits({ bodySize: 2 * maxBodySize })),
})
