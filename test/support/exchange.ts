/** An exchange without a connection: `GET http://localhost/` without fields and content, unless something is different. */
import { notFound } from '../../src/http/failure.ts'
import type { Answer, Exchange } from '../../src/interpreter/exchange.ts'
import { defaults } from '../../src/compiler/settings/settings.ts'
import { createPlatform } from '../../src/node/platform.ts'

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
  system: createPlatform(defaults),
  onEnd: () => undefined,
  takeContent: (_, then) => then(new Uint8Array(0)),
  takePieces: () => notFound,
  answer,
  ...different,
})
