/**
 * Sends requests, one by one, and says whether every answer is what it must be.
 *
 * @import { Answer, Exchange } from './workloads.mjs'
 */
import { isDeepStrictEqual } from 'node:util'

/**
 * What is wrong with an answer, one sentence each.
 *
 * @type {(answer: Answer, status: number, contentType: string, body: string) => string[]}
 */
const faults = ({ status, mediaType, text, json, mentions }, actual, contentType, body) => {
  const found = []
  if (actual !== status) found.push(`status ${actual}, not ${status}`)
  if (mediaType !== undefined && contentType.split(';')[0]?.trim() !== mediaType)
    found.push(`media type '${contentType}', not ${mediaType}`)
  if (text !== undefined && body !== text) found.push('another text')
  if (json !== undefined && !isDeepStrictEqual(parse(body), json)) found.push('another value')
  if (mentions !== undefined && !body.includes(mentions)) found.push(`no word of '${mentions}'`)
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
const checkOne = async (origin, { request: { method, target, headers, body }, answer }) => {
  const response = await fetch(new URL(target, origin), {
    method,
    headers,
    body: body ?? null,
    signal: AbortSignal.timeout(5_000),
  })
  const text = await response.text()
  const contentType = response.headers.get('content-type') ?? ''
  return faults(answer, response.status, contentType, text).map(
    (fault) => `${method} ${target}: ${fault}\n  ${response.status} ${text.slice(0, 400)}`,
  )
}

/**
 * Everything that is wrong with a server's answers; empty when all is well.
 *
 * @type {(origin: string, exchanges: readonly Exchange[]) => Promise<string[]>}
 */
export const check = async (origin, exchanges) => {
  const found = []
  for (const exchange of exchanges) found.push(...(await checkOne(origin, exchange)))
  return found
}
