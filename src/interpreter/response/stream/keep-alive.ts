/** Keeps the connections of streams open whose elements are rare. */
import type { ChunkSource } from '../../chunks.ts'
import type { Timer } from '../../timers.ts'
import { startTimer } from '../../timers.ts'

/** Adds `comment` to the stream whenever no chunk arrives within `interval` milliseconds. An interval of `0` disables this. */
export const withKeepAlive = (
  chunks: ChunkSource,
  comment: string,
  interval: number,
): ChunkSource => {
  if (interval === 0) return chunks
  /** The chunk that has been requested, until it is returned. */
  let requested: ReturnType<ChunkSource['next']> | undefined
  let hasArrived = false
  let endWait = (): void => undefined
  let timer: Timer | undefined
  let isOpen = true
  const onArrival = (): void => {
    hasArrived = true
    endWait()
  }
  /** Waits until the requested chunk has arrived or the interval has elapsed. */
  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      endWait = resolve
      if (isOpen) timer = startTimer(resolve, interval)
    })
  return {
    length: undefined,
    next: async () => {
      if (requested === undefined) {
        hasArrived = false
        requested = chunks.next()
        requested.then(onArrival, onArrival)
      }
      if (!hasArrived) await wait()
      clearTimeout(timer)
      if (!hasArrived) return { done: false, value: comment }
      const chunk = requested
      requested = undefined
      return chunk
    },
    close: () => {
      if (!isOpen) return
      isOpen = false
      clearTimeout(timer)
      chunks.close()
    },
  }
}
