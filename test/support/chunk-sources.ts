/** Stream sources for tests, and the chunks that result from coalescing. */
import type { ChunkSource } from '../../src/interpreter/chunks.ts'
import type { Framing } from '../../src/body/stream/framings.ts'
import type { PullIterator } from '../../src/body/stream/pull-iterator.ts'

export const failure = new Error('it fails')

/** Text and octets as they are. */
export const mixed: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (element) => {
    if (typeof element === 'string' || element instanceof Uint8Array) return element
    throw new TypeError('neither')
  },
}

export interface Outcome {
  readonly pieces: ReadonlyArray<string | Uint8Array>
  readonly error?: unknown
}

/** Everything that comes. */
export const drained = async (pieces: ChunkSource): Promise<Outcome> => {
  const all: Array<string | Uint8Array> = []
  try {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done === true) return { pieces: all }
      all.push(value)
    }
  } catch (error) {
    return { pieces: all, error }
  }
}

export const textOf = ({ pieces }: Outcome): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()

export const sizeOf = (piece: string | Uint8Array): number => Buffer.from(piece).length

/** An iterator that does what it is told, and counts. */
export const told = (...steps: ReadonlyArray<() => ReturnType<PullIterator['next']>>) => {
  const counts = { asked: 0, left: 0 }
  const source: PullIterator = {
    next: () => {
      const step = steps[counts.asked++]
      if (step === undefined) throw new Error('asked too often')
      return step()
    },
    return: () => {
      counts.left++
    },
  }
  return { source, counts }
}

export const now =
  (value: unknown): (() => IteratorResult<unknown>) =>
  () => ({ done: false, value })
export const soon = (value: unknown) => () => Promise.resolve({ done: false as const, value })
export const over = () => ({ done: true as const, value: undefined })
export const never = () => new Promise<IteratorResult<unknown>>(() => undefined)
export const throwing = (): never => {
  throw failure
}
export const rejecting = () => Promise.reject(failure)

/** Turns of the event loop. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
