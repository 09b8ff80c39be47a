/** Sends sources of streams. The head leaves with what comes first, so that a failure before that is an answer like any other. */
import type { Opening, Pieces } from '../pieces.ts'
import type { Framing } from './gathered.ts'
import { gathered } from './gathered.ts'
import { asked } from './source.ts'

/** The content of a response, from the source that a handler returned. */
export const streamed =
  (source: unknown, framing: Framing): Opening =>
  async (head, exchange) => {
    const pieces = gathered(asked(source), framing)
    exchange.onEnd(() => pieces.close())
    return {
      ...head,
      content: exchange.method === 'HEAD' ? pieces : begunWith(await pieces.next(), pieces),
    }
  }

const begunWith = (first: Awaited<ReturnType<Pieces['next']>>, pieces: Pieces): Pieces => {
  let isFirst = true
  return {
    length: pieces.length,
    next: () => {
      if (!isFirst) return pieces.next()
      isFirst = false
      return Promise.resolve(first)
    },
    close: () => pieces.close(),
  }
}

/** Octets as they are. */
export const octetsOnly: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (value) => {
    if (value instanceof Uint8Array) return value
    throw new TypeError('a stream of bytes gave what is no Uint8Array')
  },
}
