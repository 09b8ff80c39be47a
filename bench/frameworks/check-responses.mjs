/**
 * Sends requests one at a time and compares the responses with the expected ones.
 *
 * @import { ExpectedResponse, Exchange } from './workloads.mjs'
 */
import { isDeepStrictEqual } from 'node:util'

/**
 * Returns one phrase for each difference between a response and the expected one.
 *
 * @type {(expected: ExpectedResponse, status: number, contentType: string, body: string) => string[]}
 */
const differences = ({ status, mediaType, text, json, mentions }, actual, contentType, body) => {
  const found = []
  if (actual !== status) found.push(`expected status ${status}, got ${actual}`)
  if (mediaType !== undefined && contentType.split(';')[0]?.trim() !== mediaType)
    found.push(`expected media type ${mediaType}, got '${contentType}'`)
  if (text !== undefined && body !== text) found.push('unexpected body')
  if (json !== undefined && !isDeepStrictEqual(parse(body), json))
    found.push('unexpected JSON value')
  if (mentions !== undefined && !body.includes(mentions))
    found.push(`expected '${mentions}' in the body`)
  return found
}

/** @type {(text: string) => unknown} */
const parse = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @type {(origin: string, exchange: Exchange) => Promise<string[]>} */
const checkExchange = async (origin, { request: { method, target, headers, body }, expected }) => {
  const response = await fetch(new URL(target, origin), {
    method,
    headers,
    body: body ?? null,
    signal: AbortSignal.timeout(5_000),
  })
  const text = await response.text()
  const contentType = response.headers.get('content-type') ?? ''
  return differences(expected, response.status, contentType, text).map(
    (difference) =>
      `${method} ${target}: ${difference}\n  ${response.status} ${text.slice(0, 400)}`,
  )
}

/**
 * Returns a description of each unexpected response of a server; an empty array if all are as expected.
 *
 * @type {(origin: string, exchanges: readonly Exchange[]) => Promise<string[]>}
 */
export const check = async (origin, exchanges) => {
  const found = []
  for (const exchange of exchanges) found.push(...(await checkExchange(origin, exchange)))
  return found
}
