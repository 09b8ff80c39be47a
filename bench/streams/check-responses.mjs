/**
 * Sends requests, one by one, with Node's `fetch`, and says whether every answer is what it must be.
 *
 * @import { Exchange } from './workloads.mjs'
 */

/**
 * What came, with its coding undone.
 *
 * @typedef {object} Received
 * @property {Headers} headers
 * @property {Uint8Array} octets
 * @property {string} text
 */

const limitMilliseconds = 30_000

/**
 * What is wrong with an answer, one sentence each.
 *
 * @type {(origin: string, exchange: Exchange) => Promise<string[]>}
 */
const checkOne = async (origin, { request, mediaType, faults }) => {
  const { method, target, headers, body } = request
  const response = await fetch(new URL(target, origin), {
    method,
    // a coding only where one is asked for
    headers: { 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(limitMilliseconds),
  })
  const octets = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(octets)
  const type = response.headers.get('content-type') ?? ''
  const found = [
    ...(response.status === 200 ? [] : [`status ${response.status}, not 200`]),
    ...(type.split(';')[0]?.trim() === mediaType ? [] : [`media type '${type}', not ${mediaType}`]),
    ...faults({ headers: response.headers, octets, text }),
  ]
  return found.map((fault) => `${method} ${target}: ${fault}\n  ${text.slice(0, 200)}`)
}

/** What no client can read. @type {(exchange: Exchange, error: Error) => string} */
const failure = ({ request: { method, target } }, { message, cause }) =>
  `${method} ${target}: ${message}: ${cause instanceof Error ? cause.message : cause}`

/**
 * Everything that is wrong with a server's answers; empty when all is well.
 *
 * @type {(origin: string, exchanges: readonly Exchange[]) => Promise<string[]>}
 */
export const check = async (origin, exchanges) => {
  const found = []
  for (const exchange of exchanges)
    found.push(...(await checkOne(origin, exchange).catch((error) => [failure(exchange, error)])))
  return found
}
