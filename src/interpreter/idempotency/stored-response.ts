/**
 * The stored form of a response: a line of JSON with the status and the headers, followed by the bytes of the body. Every version of the
 * server must be able to read the responses that earlier versions have stored.
 */
import { isObject } from '../../http/platform-value.ts'
import type { Headers } from '../../http/headers.ts'
import type { EncodedResponse } from '../exchange.ts'
import { isChunkSource } from '../exchange.ts'

/** A response that has been read from a store. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array | undefined
  /** Whether the body has not been stored, because it was too large. */
  readonly isOmitted: boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const lineFeed = 10

/** Writes a response. The body is omitted if the response would exceed `maxSize` bytes, and if the body is not buffered. */
export const writeStored = (
  { status, headers, body }: EncodedResponse,
  maxSize: number,
): Uint8Array => {
  const head = encoder.encode(JSON.stringify({ status, headers }))
  if (body === undefined) return head
  const bytes = isChunkSource(body)
    ? undefined
    : typeof body === 'string'
      ? encoder.encode(body)
      : body
  if (bytes === undefined || head.length + bytes.length >= maxSize)
    return encoder.encode(JSON.stringify({ status, isOmitted: true }))
  const stored = new Uint8Array(head.length + 1 + bytes.length)
  stored.set(head)
  stored[head.length] = lineFeed
  stored.set(bytes, head.length + 1)
  return stored
}

/** Reads a response. Throws an error if the bytes are not the stored form of a response. */
export const readStored = (stored: Uint8Array): StoredResponse => {
  const end = stored.indexOf(lineFeed)
  const head: unknown = JSON.parse(decoder.decode(end === -1 ? stored : stored.subarray(0, end)))
  if (!isHead(head)) throw new TypeError('the store contains a malformed response')
  const { status, headers = [], isOmitted = false } = head
  return { status, headers, isOmitted, body: end === -1 ? undefined : stored.subarray(end + 1) }
}

const isHead = (
  value: unknown,
): value is Pick<StoredResponse, 'status'> & Partial<StoredResponse> =>
  isObject(value) &&
  'status' in value &&
  typeof value.status === 'number' &&
  (!('headers' in value) || Array.isArray(value.headers))
