/** Where the server is, as the client sees it: what comes before the path of an absolute URI. */
import type { Exchange } from '../exchange.ts'

export const serverUrl = (exchange: Pick<Exchange, 'origin' | 'prefix'>): string =>
  exchange.origin() + exchange.prefix()
