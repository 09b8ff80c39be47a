/**
 * The workloads of the streams benchmark: requests, and functions that check their responses.
 *
 * @import { Received } from './check-responses.mjs'
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { document, elements, fileName } from './payloads.mjs'
import { jsonOf, messages } from './event-stream.mjs'
import { fileBytes } from './sample-file.mjs'
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
 * @property {(received: Received) => string[]} problems returns the problems of a response with status 200 and this media type
 */

/**
 * @typedef {object} Workload
 * @property {string} name the value of `--only` that selects the workload
 * @property {string} title the first cell of the table row
 * @property {readonly string[]} without the servers that do not support the workload
 * @property {Exchange} timed
 * @property {readonly Exchange[]} checked exchanges that are checked but not timed
 */

/** @type {(bytes: Uint8Array) => string} */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** @type {(condition: boolean, problem: string) => string[]} */
const when = (condition, problem) => (condition ? [problem] : [])

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
const elementProblems = (found) => {
  if (found.length !== elements.length)
    return [`expected ${elements.length} elements, got ${found.length}`]
  const other = elements.findIndex((element, n) => !isDeepStrictEqual(found[n], element))
  return when(other !== -1, `unexpected element at ${other}`)
}

/** @type {Exchange['problems']} */
const lineProblems = ({ text }) => {
  const lines = text.split('\n')
  return [
    ...when(lines.pop() !== '', 'missing line feed at the end'),
    ...elementProblems(lines.map(jsonOf)),
  ]
}

/** @type {Exchange['problems']} */
const fileProblems = ({ bytes, headers }) => {
  const length = headers.get('content-length')
  return [
    ...when(length !== String(fileBytes.length), `Content-Length ${length}`),
    ...when(sha256(bytes) !== sha256(fileBytes), 'unexpected bytes'),
  ]
}

/** @type {(summary: object) => Exchange['problems']} */
const summaryProblems =
  (summary) =>
  ({ text }) =>
    when(!isDeepStrictEqual(jsonOf(text), summary), `unexpected summary: ${text.slice(0, 400)}`)

/** @type {readonly Workload[]} */
export const workloads = [
  {
    name: 'sse',
    title: '10,000 server-sent events',
    without: [],
    timed: {
      request: get('/sse'),
      mediaType: 'text/event-stream',
      problems: ({ text }) => elementProblems(messages(text)),
    },
    checked: [],
  },
  {
    name: 'ndjson',
    title: '10,000 lines of JSON',
    without: [],
    timed: { request: get('/ndjson'), mediaType: 'application/x-ndjson', problems: lineProblems },
    checked: [],
  },
  {
    name: 'file',
    title: '1 MB file',
    // its response has both Content-Length and Transfer-Encoding, which clients must reject
    without: ['elysia'],
    timed: {
      request: get(`/${fileName}`),
      mediaType: 'application/byte-stream',
      problems: fileProblems,
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
      problems: summaryProblems({ title, note, size: fileBytes.length }),
    },
    checked: [
      {
        request: upload('/upload/sha256'),
        mediaType: 'application/json',
        problems: summaryProblems({
          title,
          note,
          size: fileBytes.length,
          sha256: sha256(fileBytes),
        }),
      },
    ],
  },
  {
    name: 'parts',
    title: '1 MB multipart body, parts counted',
    without: ['hono', 'h3', 'elysia', 'koa', 'express', 'effect', 'hyper-ts', 'typera'],
    timed: {
      request: upload('/parts'),
      mediaType: 'application/json',
      problems: summaryProblems({
        size: fileBytes.length + Buffer.byteLength(title) + Buffer.byteLength(note),
      }),
    },
    checked: [],
  },
  {
    name: 'gzip',
    title: 'gzip of 100 KB of JSON',
    without: ['h3', 'elysia', 'effect'],
    timed: {
      request: get('/document', { 'accept-encoding': 'gzip' }),
      mediaType: 'application/json',
      problems: ({ text, headers }) => [
        ...when(headers.get('content-encoding') !== 'gzip', 'not compressed'),
        ...when(text !== document, 'unexpected body'),
      ],
    },
    checked: [],
  },
]
