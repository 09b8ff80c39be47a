/** Creates exchanges without a connection. */
import { notFound } from '../../src/http/failure.ts'
import type { EncodedResponse, Exchange } from '../../src/interpreter/exchange.ts'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { createPlatform } from '../../src/node/platform.ts'

/**
 * Creates an exchange for `GET http://localhost/` without headers and body. `overrides` replaces members; `send` receives the
 * response.
 */
export const exchangeOf = (
  overrides: Partial<Exchange>,
  send: (response: EncodedResponse) => void,
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
  send,
  ...overrides,
})
