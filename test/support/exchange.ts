/** An exchange without a connection: `GET http://localhost/` without fields and content, unless something is different. */
import { notFound } from '../../src/http/failure.ts'
import type { EncodedResponse, Exchange } from '../../src/interpreter/exchange.ts'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { createPlatform } from '../../src/node/platform.ts'

export const exchangeOf = (
  different: Partial<Exchange>,
  answer: (answer: EncodedResponse) => void,
): Exchange => ({
  method: 'GET',
  path: '/',
  query: undefined,
  headers: [],
  origin: () => 'http://localhost',
  prefix: () => '',
  clientAddress: () => undefined,
  signal: () => new AbortController().signal,
  platform: createPlatform(defaultSettings),
  onEnd: () => undefined,
  readBody: (_, then) => then(new Uint8Array(0)),
  streamBody: () => notFound,
  send: answer,
  ...different,
})
