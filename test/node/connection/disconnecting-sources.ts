/** Long-running sources of streams and files, and the errors with which they fail after a disconnect. */
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Context, OpenHandle } from '../../../src/index.ts'

const chunk = new Uint8Array(50_000).fill(120)
export const line = 'x'.repeat(20_000)
const chunks = 40

export async function* texts() {
  for (let index = 0; index < chunks; index++) {
    if (index % 4 === 0) await wait(1)
    yield line
  }
}

export async function* parts() {
  for (let index = 0; index < chunks; index++) {
    if (index % 4 === 0) await wait(1)
    yield chunk
  }
}

/** Fails as soon as the client disconnects. */
export async function* failing(context: Context, error: () => unknown) {
  const { signal } = context.request
  for (;;) {
    yield line
    await wait(1)
    if (signal.aborted) throw error()
  }
}

/** Rejects as soon as the client disconnects. */
export const rejecting = ({ request: { signal } }: Context, error: () => unknown): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(error())))

export const webStream = (): ReadableStream<Uint8Array> => {
  let index = 0
  return new ReadableStream({
    pull: async (controller) => {
      if (index++ >= chunks) return controller.close()
      if (index % 4 === 0) await wait(1)
      controller.enqueue(chunk)
    },
  })
}

export const observable = (context: Context, error: () => unknown) => ({
  [Symbol.for('observable')]: () => undefined,
  '@@observable'() {
    return this
  },
  subscribe: (observer: {
    next: (value: string) => void
    error: (reason: unknown) => void
    complete: () => void
  }) => {
    const timer = setInterval(() => observer.next(line), 1)
    context.request.signal.addEventListener('abort', () => observer.error(error()))
    return { unsubscribe: () => clearInterval(timer) }
  },
})

/** A slow file handle with short reads, which fails on a read after close, and on close during a read. */
export const slowHandle = async (name: string): Promise<OpenHandle> => {
  const opened = await open(name)
  let reading = 0
  let isClosed = false
  return {
    stat: () => opened.stat(),
    read: async (buffer, offset, length, position) => {
      if (isClosed) throw new Error('read after close')
      reading++
      try {
        const result = await opened.read(buffer, offset, Math.min(length, 100_000), position)
        await wait(2)
        return result
      } finally {
        reading--
      }
    },
    close: () => {
      if (reading > 0) throw new Error('closed while a read is pending')
      isClosed = true
      return opened.close()
    },
  }
}

class Cancelled extends Error {}
export const cancelled = (): unknown => new Cancelled('the source was cancelled')
export const other = (): unknown => new TypeError('Invalid state: the source is closed')

/** A stream that fails when it is destroyed. */
export const failingReadable = (): Readable =>
  new Readable({
    read() {
      setTimeout(() => this.push(chunk), 1)
    },
    destroy: (_, done) => done(new Error('destroy failed')),
  })
