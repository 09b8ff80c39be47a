/**
 * Sends requests one at a time with `fetch` and compares the responses with the expected ones.
 *
 * @import { Exchange } from './workloads.mjs'
 */

/**
 * A received response with its decompressed body.
 *
 * @typedef {object} Received
 * @property {Headers} headers
 * @property {Uint8Array} bytes
 * @property {string} text
 */

const limitMilliseconds = 30_000

/**
 * Returns one phrase for each problem of a response.
 *
 * @type {(origin: string, exchange: Exchange) => Promise<string[]>}
 */
const checkExchange = async (origin, { request, mediaType, problems }) => {
  const { method, target, headers, body } = request
  const response = await fetch(new URL(target, origin), {
    method,
    // compressed only if the exchange requests it
    headers: { 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
    signal: AbortSignal.timeout(limitMilliseconds),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const type = response.headers.get('content-type') ?? ''
  const found = [
    ...(response.status === 200 ? [] : [`expected status 200, got ${response.status}`]),
    ...(type.split(';')[0]?.trim() === mediaType
      ? []
      : [`expected media type ${mediaType}, got '${type}'`]),
    ...problems({ headers: response.headers, bytes, text }),
  ]
  return found.map((problem) => `${method} ${target}: ${problem}\n  ${text.slice(0, 200)}`)
}

/** Describes a failed request. @type {(exchange: Exchange, error: Error) => string} */
const failure = ({ request: { method, target } }, { message, cause }) =>
  `${method} ${target}: ${message}: ${cause instanceof Error ? cause.message : cause}`

/**
 * Returns a description of each unexpected response of a server; an empty array if all are as expected.
 *
 * @type {(origin: string, exchanges: readonly Exchange[]) => Promise<string[]>}
 */
export const check = async (origin, exchanges) => {
  const found = []
  for (const exchange of exchanges)
    found.push(
      ...(await checkExchange(origin, exchange).catch((error) => [failure(exchange, error)])),
    )
  return found
}
