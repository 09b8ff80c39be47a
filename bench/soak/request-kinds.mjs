/**
 * The kinds of requests of the soak test.
 *
 * @import { Request } from '../frameworks/workloads.mjs'
 */
import { workloads } from '../frameworks/workloads.mjs'

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} share number per 1,000 requests
 * @property {Mode} mode
 * @property {(n: number) => Request} request
 * @property {number} status
 * @property {(n: number) => string} mentions returns a substring of the expected response
 */

/**
 * How a request is sent:
 * - `keep-alive`: the connection is reused
 * - `close`: the last request of its connection
 * - `http-1.0`: with protocol version HTTP/1.0
 * - `malformed`: with an invalid header
 * - `abort-request`: the client disconnects in the middle of the body
 * - `abort-response`: the client sends several requests and disconnects when the first response begins
 *
 * @typedef {'keep-alive' | 'close' | 'http-1.0' | 'malformed' | 'abort-request' | 'abort-response'} Mode
 */

const timed = new Map(workloads.map((workload) => [workload.name, workload.timed.request]))

/** @type {(name: string) => Request} */
const request = (name) => {
  const found = timed.get(name)
  if (found === undefined) throw new Error(`unknown workload ${name}`)
  return found
}

/** @type {(target: string) => Request} */
const get = (target) => ({ method: 'GET', target, headers: {} })

const order = JSON.parse(request('body').body ?? '')

/** @type {(value: object) => Request} */
const post = (value) => ({ ...request('body'), body: JSON.stringify(value) })

const greeting = () => 'Hello, World!'

/** @type {(n: number) => string} */
const id = (n) => `"id":${n}`

/**
 * Where possible, the response contains the number of its request, to detect responses to other requests.
 *
 * @type {readonly Kind[]}
 */
export const kinds = [
  {
    name: 'JSON',
    share: 250,
    mode: 'keep-alive',
    request: () => request('json'),
    status: 200,
    mentions: greeting,
  },
  {
    name: 'asynchronous JSON',
    share: 200,
    mode: 'keep-alive',
    request: () => request('asynchronous'),
    status: 200,
    mentions: greeting,
  },
  {
    name: 'parameters',
    share: 200,
    mode: 'keep-alive',
    request: (n) => ({
      ...request('parameters'),
      target: `/r${n % 200}/items/${n}?page=${n % 7}&tag=a%20${n}`,
    }),
    status: 200,
    mentions: id,
  },
  {
    name: 'body',
    share: 150,
    mode: 'keep-alive',
    request: (n) => post({ ...order, id: n }),
    status: 200,
    mentions: id,
  },
  {
    name: 'list',
    share: 3,
    mode: 'keep-alive',
    request: () => request('list'),
    status: 200,
    mentions: () => '"id":1000',
  },
  {
    name: '404',
    share: 60,
    mode: 'keep-alive',
    request: (n) => get(`/nothing/${n}`),
    status: 404,
    mentions: () => '404',
  },
  {
    name: '400 for a parameter',
    share: 50,
    mode: 'keep-alive',
    request: (n) => get(`/r${n % 200}/items/${n}?page=abc`),
    status: 400,
    mentions: () => 'page',
  },
  {
    name: '400 for a body',
    share: 50,
    mode: 'keep-alive',
    request: (n) => post({ ...order, id: `n${n}` }),
    status: 400,
    mentions: () => 'id',
  },
  {
    name: 'Connection: close',
    share: 10,
    mode: 'close',
    request: () => ({ ...request('json'), headers: { connection: 'close' } }),
    status: 200,
    mentions: greeting,
  },
  {
    name: 'HTTP/1.0',
    share: 10,
    mode: 'http-1.0',
    request: (n) => get(`/r${n % 200}/items/${n}`),
    status: 200,
    mentions: id,
  },
  {
    name: 'malformed',
    share: 7,
    mode: 'malformed',
    request: () => ({ ...request('json'), headers: { 'invalid name': '' } }),
    status: 400,
    mentions: () => '400',
  },
  {
    name: 'aborted request',
    share: 5,
    mode: 'abort-request',
    request: (n) => post({ ...order, id: n }),
    status: 0,
    mentions: () => '',
  },
  {
    name: 'aborted response',
    share: 5,
    mode: 'abort-response',
    request: () => request('list'),
    status: 200,
    mentions: () => '',
  },
]

const round = 1_000

const sequence = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
if (sequence.length !== round) throw new Error(`the shares add up to ${sequence.length}`)

/** Coprime to the round size, so that each round visits every index of the sequence once. */
const stride = 619

/** Returns the kind of the request with number `n`. @type {(n: number) => Kind} */
export const kindOf = (n) => {
  const kind = sequence[(n * stride) % round]
  if (kind === undefined) throw new Error(`invalid request number ${n}`)
  return kind
}
