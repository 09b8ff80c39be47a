/**
 * Which of the fields that a program names are sent, and how often. Those that frame messages belong to the connection
 * (RFC 9112, 6). Those that say one thing are sent once, because of two a client may believe either (RFC 9110, 5.3): the last
 * that was said. Fields whose value is a list, `Content-Encoding` among them, may be sent several times.
 */
import * as Headers from '../../http/headers.ts'
import { memoizeHeader } from '../../body/memoize-header.ts'

const framing = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'date',
])

/** RFC 9110 and 9111, but for the last lines: RFC 6266, the Fetch standard, RFC 6797. */
const single = [
  'content-type',
  'content-location',
  'content-range',
  'etag',
  'last-modified',
  'accept-ranges',
  'location',
  'retry-after',
  'server',
  'age',
  'expires',
  'content-disposition',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-max-age',
  'strict-transport-security',
  'x-content-type-options',
]

/** Nothing to see to, a field that is not sent, or the bit of one that is sent once. */
const [other, unsent] = [0, -1]

/** Applications name few fields, again and again. */
const kindOf = memoizeHeader((name = '') => {
  const lower = name.toLowerCase()
  if (framing.has(lower)) return unsent
  const place = single.indexOf(lower)
  return place < 0 ? other : 1 << place
})

/** The fields that are sent. Most replies have none that is not, and get back what they gave. */
export const sanitizeHeaders = (headers: Headers.Headers): Headers.Headers => {
  let seen = 0
  for (let at = 0; at < headers.length; at += 2) {
    const kind = kindOf(headers[at])
    if (kind === other) continue
    if (kind === unsent || (seen & kind) !== 0) return sifted(headers)
    seen |= kind
  }
  return headers
}

const sifted = (headers: Headers.Headers): Headers.Headers => {
  const kinds = headers.map((_, index) => kindOf(headers[index - (index % 2)]))
  return headers.filter(
    (_, index) =>
      kinds[index] === other ||
      (kinds[index] !== unsent &&
        kinds.indexOf(kinds[index] ?? other, index + 2 - (index % 2)) < 0),
  )
}

/** Fields that are added to those of an answer: what it says once already is not said again. */
export const mergeHeaders = (added: Headers.Headers, headers: Headers.Headers): Headers.Headers => {
  const sent = sanitizeHeaders(added)
  return sent.filter((_, index) => {
    const name = sent[index - (index % 2)] ?? ''
    return kindOf(name) === other || Headers.first(headers, name.toLowerCase()) === undefined
  })
}

/** Whether some of the fields are sent once. */
export const hasSingletonHeader = (headers: Headers.Headers): boolean =>
  headers.some((name, index) => index % 2 === 0 && kindOf(name) > 0)
