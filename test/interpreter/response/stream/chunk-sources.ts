/** Stream sources for tests of coalescing, and functions that read their chunks. */
import type { ChunkSource } from '../../../../src/interpreter/exchange.ts'
import type { JsonFraming } from '../../../../src/codec/json/json-elements.ts'
import * as Json from '../../../../src/codec/json/json-elements.ts'
import type { Framing } from '../../../../src/body/stream/stream-format.ts'
import { jsonElements } from '../../../../src/body/stream/stream-format.ts'
import type { PullIterator } from '../../../../src/body/stream/open-source.ts'

export const failure = new Error('source failed')

/** Writes strings and bytes unchanged. */
export const unframed: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (element) => {
    if (typeof element === 'string' || element instanceof Uint8Array) return element
    throw new TypeError('expected a string or bytes')
  },
}

type WriteText = (element: unknown) => string

const jsonFraming =
  (framing: JsonFraming) =>
  (write: WriteText): Framing =>
    jsonElements({ _tag: 'RawJson' }, framing).framing({
      write,
      source: [],
      encode: undefined,
      json: undefined,
    })

export const jsonArray: (write: WriteText) => Framing = jsonFraming(Json.jsonArray)
export const jsonLines: (write: WriteText) => Framing = jsonFraming(Json.jsonLines)

/** The chunks of a source, and the error that ended it. */
export interface DrainResult {
  readonly chunks: ReadonlyArray<string | Uint8Array>
  readonly error?: unknown
}

/** Reads a source to its end. */
export const drain = async (source: ChunkSource): Promise<DrainResult> => {
  const chunks: Array<string | Uint8Array> = []
  try {
    for (;;) {
      const { done, value } = await source.next()
      if (done === true) return { chunks }
      chunks.push(value)
    }
  } catch (error) {
    return { chunks, error }
  }
}

export const textOf = ({ chunks }: DrainResult): string =>
  Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString()

export const sizeOf = (chunk: string | Uint8Array): number => Buffer.from(chunk).length

/** An iterator that runs one step per read, and counts reads and closes. */
export const scriptedSource = (...steps: ReadonlyArray<() => ReturnType<PullIterator['next']>>) => {
  const counts = { reads: 0, closes: 0 }
  const source: PullIterator = {
    next: () => {
      const step = steps[counts.reads++]
      if (step === undefined) throw new Error('too many reads')
      return step()
    },
    return: () => {
      counts.closes++
    },
  }
  return { source, counts }
}

/** A step with a synchronous element. */
export const immediate =
  (value: unknown): (() => IteratorResult<unknown>) =>
  () => ({ done: false, value })
/** A step with a resolved promise. */
export const resolved = (value: unknown) => () => Promise.resolve({ done: false as const, value })
export const end = () => ({ done: true as const, value: undefined })
export const never = () => new Promise<IteratorResult<unknown>>(() => undefined)
export const throwing = (): never => {
  throw failure
}
export const rejecting = () => Promise.reject(failure)

/** Waits for the next turn of the event loop. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
