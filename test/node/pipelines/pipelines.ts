/** Generates random pipelines of valid requests for `test/programs/pipeline-api.ts`, with the expected responses. */
import * as fc from 'fast-check'
import { elements, padding } from '../../programs/pipeline-api.ts'
import { head } from '../../support/raw.ts'

/** A request and its response. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** The chunks of the body, or `undefined` without a body. */
  readonly body: ReadonlyArray<string> | undefined
  /** Whether an HTTP/1.1 request sends its body in chunks. */
  readonly isChunked: boolean
  readonly status: number
  /** The body of the response, or a part of it if it is an error. */
  readonly expected: string
}

/** Requests of one connection. */
export interface Pipeline {
  readonly exchanges: ReadonlyArray<Exchange>
  /** Positions, as fractions of the length, at which the bytes are divided into packets. */
  readonly cuts: ReadonlyArray<number>
  /** Whether a FIN follows the last packet. */
  readonly halfCloses: boolean
}

const lines = (first: number): string =>
  [String(first), ...elements].map((element) => `${JSON.stringify(element)}\n`).join('')

/** Creates the generators. `file` is the path of a file with the content {@link padding}. */
export const pipelinesOf = (file: string): fc.Arbitrary<Pipeline> => {
  const id = fc.integer({ min: 1, max: 9999 })
  const nothing = { headers: [], body: undefined, isChunked: false }
  type Kind = (id: number) => Pick<Exchange, 'path' | 'status' | 'expected'> & Partial<Exchange>
  const reads: ReadonlyArray<Kind> = [
    (n) => ({ path: `/text/${n}`, status: 200, expected: `text ${n}` }),
    (n) => ({ path: `/slow/${n}`, status: 200, expected: `slow ${n}` }),
    (n) => ({ path: `/large/${n}`, status: 200, expected: `${n} ${padding}` }),
    (n) => ({ path: `/stream/${n}`, status: 200, expected: lines(n) }),
    (n) => ({
      path: `/file/${n}`,
      headers: [
        ['x-file', file],
        ['range', `bytes=${n}-`],
      ],
      status: 206,
      expected: padding.slice(n),
    }),
    (n) => ({ path: `/conflict/${n}`, status: 409, expected: `number ${n}` }),
    (n) => ({ path: `/broken/${n}`, status: 500, expected: '' }),
    (n) => ({ path: `/nothing/${n}`, status: 404, expected: '' }),
    (n) => ({ path: `/text/${n}`, method: 'DELETE', status: 405, expected: '' }),
  ]
  const read = fc
    .record({ id, kind: fc.constantFrom(...reads), isHead: fc.nat({ max: 4 }) })
    .map(({ id: number, kind, isHead }): Exchange => {
      const exchange = { ...nothing, method: 'GET', ...kind(number) }
      const becomesHead = isHead === 0 && exchange.method === 'GET'
      // a HEAD request ignores ranges
      return becomesHead
        ? { ...exchange, method: 'HEAD', status: exchange.status === 206 ? 200 : exchange.status }
        : exchange
    })
  const chunk = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 })
  const write = fc
    .record({
      id,
      kind: fc.constantFrom('echo', 'slow-echo', 'discard', 'guarded'),
      body: fc.array(chunk, { maxLength: 4 }),
      isChunked: fc.boolean(),
    })
    .map(({ id: number, kind, body, isChunked }): Exchange => {
      const [method, status] =
        kind === 'discard' ? ['PUT', 204] : kind === 'guarded' ? ['POST', 401] : ['POST', 200]
      // a server may close the connection instead of reading a body of unknown length
      const isFramed = isChunked && kind !== 'guarded'
      return {
        method,
        path: `/${kind}/${number}`,
        headers: [['content-type', 'text/plain']],
        body,
        isChunked: isFramed,
        status,
        expected: status === 200 ? `${number} ${body.join('')}` : '',
      }
    })
  const paced = id.map((number): Exchange => ({
    ...nothing,
    method: 'GET',
    path: `/paced/${number}`,
    status: 200,
    expected: lines(number),
  }))
  const fraction = fc.double({ min: 0, max: 1, noNaN: true })
  return fc.boolean().chain((halfCloses) => {
    const exchange = fc.oneof(
      { arbitrary: read, weight: 8 },
      { arbitrary: write, weight: 4 },
      // a half-close ends a stream whose source is still waiting
      ...(halfCloses ? [] : [{ arbitrary: paced, weight: 1 }]),
    )
    return fc.record({
      exchanges: fc.array(exchange, { minLength: 1, maxLength: 80, size: 'max' }),
      cuts: fc.array(fraction, { maxLength: 6 }),
      halfCloses: fc.constant(halfCloses),
    })
  })
}

const getText = (path: string, expected: string): Exchange => ({
  method: 'GET',
  path,
  headers: [],
  body: undefined,
  isChunked: false,
  status: 200,
  expected,
})

/** Pipelines that are longer than a connection processes at once, or contain a stream before their FIN. */
export const knownPipelines: ReadonlyArray<Pipeline> = [
  Array.from({ length: 60 }, () => getText('/slow/19', 'slow 19')),
  [getText('/slow/9', 'slow 9'), getText('/stream/1', lines(1)), getText('/text/1', 'text 1')],
].map((exchanges) => ({ exchanges, cuts: [], halfCloses: true }))

const formatRequest = ({ method, path, headers, body, isChunked }: Exchange): string => {
  const headerLines = headers.map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined)
    headerLines.push(
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.join('').length}`,
    )
  const start = head(`${method} ${path} HTTP/1.1`, 'Host: a.example', ...headerLines)
  if (body === undefined) return start
  return isChunked
    ? start + [...body, ''].map((data) => `${data.length.toString(16)}\r\n${data}\r\n`).join('')
    : start + body.join('')
}

/** Formats the requests of a pipeline over HTTP/1.1, divided into packets. */
export const packetsOf = ({ exchanges, cuts }: Pipeline): ReadonlyArray<string> => {
  const message = exchanges.map(formatRequest).join('')
  const positions = cuts.map((cut) => Math.floor(cut * message.length)).toSorted((a, b) => a - b)
  return [...positions, message.length].map((position, index) =>
    message.slice(positions[index - 1] ?? 0, position),
  )
}
