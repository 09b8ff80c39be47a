/**
 * What is asked of the servers of bodies and streams, as data, with what is wrong with an answer.
 *
 * @import { Received } from './check-responses.mjs'
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { document, elements, fileName } from './payloads.mjs'
import { jsonOf, messages } from './event-stream.mjs'
import { fileOctets } from './sample-file.mjs'
import { form, formType, note, title } from './sample-form.mjs'

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} target
 * @property {Readonly<Record<string, string>>} headers
 * @property {Buffer} [body]
 */

/**
 * @typedef {object} Exchange
 * @property {Request} request
 * @property {string} mediaType
 * @property {(received: Received) => string[]} faults of an answer with status 200 and that media type
 */

/**
 * @typedef {object} Workload
 * @property {string} name as `--only` takes it
 * @property {string} title as the tables show it
 * @property {readonly string[]} without servers that have no means of their own for it
 * @property {Exchange} timed
 * @property {readonly Exchange[]} checked not timed
 */

/** @type {(octets: Uint8Array) => string} */
const sha256 = (octets) => createHash('sha256').update(octets).digest('hex')

/** @type {(wrong: boolean, fault: string) => string[]} */
const when = (wrong, fault) => (wrong ? [fault] : [])

/** @type {(target: string, headers?: Readonly<Record<string, string>>) => Request} */
const get = (target, headers = {}) => ({ method: 'GET', target, headers })

/** @type {(target: string) => Request} */
const upload = (target) => ({
  method: 'POST',
  target,
  headers: { 'content-type': formType },
  body: form,
})

/** @type {(found: readonly unknown[]) => string[]} */
const elementFaults = (found) => {
  if (found.length !== elements.length) return [`${found.length} elements, not ${elements.length}`]
  const other = elements.findIndex((element, n) => !isDeepStrictEqual(found[n], element))
  return when(other !== -1, `another element at ${other}`)
}

/** @type {Exchange['faults']} */
const lineFaults = ({ text }) => {
  const lines = text.split('\n')
  return [
    ...when(lines.pop() !== '', 'the last line has no end'),
    ...elementFaults(lines.map(jsonOf)),
  ]
}

/** @type {Exchange['faults']} */
const fileFaults = ({ octets, headers }) => {
  const length = headers.get('content-length')
  return [
    ...when(length !== String(fileOctets.length), `Content-Length ${length}`),
    ...when(sha256(octets) !== sha256(fileOctets), 'other octets'),
  ]
}

/** @type {(receipt: object) => Exchange['faults']} */
const receiptFaults =
  (receipt) =>
  ({ text }) =>
    when(!isDeepStrictEqual(jsonOf(text), receipt), `another receipt: ${text.slice(0, 400)}`)

/** @type {readonly Workload[]} */
export const workloads = [
  {
    name: 'sse',
    title: '10,000 server-sent events',
    without: [],
    timed: {
      request: get('/sse'),
      mediaType: 'text/event-stream',
      faults: ({ text }) => elementFaults(messages(text)),
    },
    checked: [],
  },
  {
    name: 'ndjson',
    title: '10,000 lines of JSON',
    without: [],
    timed: { request: get('/ndjson'), mediaType: 'application/x-ndjson', faults: lineFaults },
    checked: [],
  },
  {
    name: 'file',
    title: '1 MB file',
    // what it sends has both a Content-Length and a Transfer-Encoding, which clients have to refuse
    without: ['elysia'],
    timed: {
      request: get(`/${fileName}`),
      mediaType: 'application/octet-stream',
      faults: fileFaults,
    },
    checked: [],
  },
  {
    name: 'upload',
    title: '1 MB multipart upload',
    without: [],
    timed: {
      request: upload('/upload'),
      mediaType: 'application/json',
      faults: receiptFaults({ title, note, size: fileOctets.length }),
    },
    checked: [
      {
        request: upload('/upload/sha256'),
        mediaType: 'application/json',
        faults: receiptFaults({ title, note, size: fileOctets.length, sha256: sha256(fileOctets) }),
      },
    ],
  },
  {
    name: 'gzip',
    title: 'gzip of 100 KB of JSON',
    without: ['h3', 'elysia', 'effect'],
    timed: {
      request: get('/document', { 'accept-encoding': 'gzip' }),
      mediaType: 'application/json',
      faults: ({ text, headers }) => [
        ...when(headers.get('content-encoding') !== 'gzip', 'not compressed'),
        ...when(text !== document, 'another text'),
      ],
    },
    checked: [],
  },
]
