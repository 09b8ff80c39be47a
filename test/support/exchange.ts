/** An exchange without a connection: `GET http://localhost/` without fields and content, unless something is different. */
import { filesOf } from '../../src/node/files.ts'
import { splitParts } from '../../src/node/multipart/split-parts.ts'
import { notFound } from '../../src/http/failure.ts'
import type { Answer, Exchange } from '../../src/interpreter/exchange.ts'
import { defaults } from '../../src/interpreter/settings.ts'

export const exchangeOf = (
  different: Partial<Exchange>,
  answer: (answer: Answer) => void,
): Exchange => ({
  method: 'GET',
  path: '/',
  query: undefined,
  headers: [],
  origin: () => 'http://localhost',
  prefix: () => '',
  address: () => undefined,
  signal: () => new AbortController().signal,
  files: filesOf(defaults),
  decoders: new Map(),
  onEnd: () => undefined,
  takeContent: (_, then) => then(new Uint8Array(0)),
  takePieces: () => notFound,
  splitParts,
  answer,
  ...different,
})
