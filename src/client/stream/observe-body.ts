/** Observes a response body while it is read, without buffering it or reading ahead. */

/** How a body ended: it was read completely, it failed, or the reader cancelled it. */
export type BodyEnd = 'complete' | 'failed' | 'cancelled'

export interface BodyObserver {
  readonly onChunk?: (chunk: Uint8Array) => void
  /** Called once. */
  readonly onEnd: (end: BodyEnd) => void
}

export interface ObservedBody {
  /** Replaces the original body. */
  readonly body: ReadableStream<Uint8Array>
  /** Makes reading fail with `reason`, and cancels the original body. */
  readonly abort: (reason: unknown) => void
}

export const observeBody = (
  source: ReadableStream<Uint8Array>,
  { onChunk, onEnd }: BodyObserver,
): ObservedBody => {
  const reader = source.getReader()
  let hasEnded = false
  /** Reports the end, unless it was reported before. */
  const reportEnd = (end: BodyEnd): boolean => {
    if (hasEnded) return false
    hasEnded = true
    onEnd(end)
    return true
  }
  let streamController: ReadableStreamDefaultController<Uint8Array> | undefined
  let isReading = false
  let isClosed = false
  // the source may end while no read is pending; a pending read reports its chunk before the end
  reader.closed.then(
    () => {
      isClosed = true
      if (!isReading) reportEnd('complete')
    },
    () => reportEnd('failed'),
  )
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        streamController = controller
      },
      pull: async (controller) => {
        isReading = true
        const { done, value } = await reader.read()
        isReading = false
        if (!done) {
          onChunk?.(value)
          controller.enqueue(value)
        }
        if (done || isClosed) reportEnd('complete')
        if (done) controller.close()
      },
      cancel: (reason) => {
        reportEnd('cancelled')
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    abort: (reason) => {
      if (!reportEnd('failed')) return
      streamController?.error(reason)
      reader.cancel(reason).catch(() => undefined)
    },
  }
}
