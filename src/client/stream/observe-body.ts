/** The octets of a response on their way to whoever reads them: watched, but neither held back nor read ahead. */

/** How the octets came to an end: all of them were there, they broke off, or nobody wanted more. */
export type Ending = 'whole' | 'broken' | 'cancelled'

export interface Watching {
  readonly piece?: (octets: Uint8Array) => void
  /** Called once. */
  readonly over: (ending: Ending) => void
}

export interface Watched {
  readonly body: ReadableStream<Uint8Array>
  /** Breaks it off: whoever reads is told the reason, and the source is let go. */
  readonly break: (reason: unknown) => void
}

export const watched = (body: ReadableStream<Uint8Array>, { piece, over }: Watching): Watched => {
  const reader = body.getReader()
  let isOver = false
  const end = (ending: Ending): boolean => {
    if (isOver) return false
    isOver = true
    over(ending)
    return true
  }
  let taker: ReadableStreamDefaultController<Uint8Array> | undefined
  let isReading = false
  let isClosed = false
  // a source may end or break while nobody reads; a last piece that is on its way comes before the end
  reader.closed.then(
    () => {
      isClosed = true
      if (!isReading) end('whole')
    },
    () => end('broken'),
  )
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        taker = controller
      },
      pull: async (controller) => {
        isReading = true
        const { done, value } = await reader.read()
        isReading = false
        if (!done) {
          piece?.(value)
          controller.enqueue(value)
        }
        if (done || isClosed) end('whole')
        if (done) controller.close()
      },
      cancel: (reason) => {
        end('cancelled')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return {
    body: stream,
    break: (reason) => {
      if (!end('broken')) return
      taker?.error(reason)
      reader.cancel(reason).catch(() => undefined)
    },
  }
}
