/**
 * What is sent, as data.
 *
 * @import { Request } from '../frameworks/workloads.mjs'
 */
import { workloads } from '../frameworks/workloads.mjs'

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} share of 1,000 requests
 * @property {Manner} manner
 * @property {(n: number) => Request} request
 * @property {number} status
 * @property {(n: number) => string} mentions text that occurs in the answer
 */

/**
 * How a request is sent. `kept`: on a connection that others use after it. `closing`: the last of its
 * connection. `old`: as HTTP/1.0. `malformed`: with a field that is none. `abandoned`: broken off in
 * the middle of its body. `left`: several at once, broken off when the first answer begins.
 *
 * @typedef {'kept' | 'closing' | 'old' | 'malformed' | 'abandoned' | 'left'} Manner
 */

const timed = new Map(workloads.map((workload) => [workload.name, workload.timed.request]))

/** @type {(name: string) => Request} */
const request = (name) => {
  const found = timed.get(name)
  if (found === undefined) throw new Error(`there is no workload ${name}`)
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
 * Where it can, an answer mentions the number of its request, so that the answer to another one is
 * found to be wrong.
 *
 * @type {readonly Kind[]}
 */
export const kinds = [
  {
    name: 'JSON',
    share: 250,
    manner: 'kept',
    request: () => request('json'),
    status: 200,
    mentions: greeting,
  },
  {
    name: 'asynchronous JSON',
    share: 200,
    manner: 'kept',
    request: () => request('asynchronous'),
    status: 200,
    mentions: greeting,
  },
  {
    name: 'parameters',
    share: 200,
    manner: 'kept',
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
    manner: 'kept',
    request: (n) => post({ ...order, id: n }),
    status: 200,
    mentions: id,
  },
  {
    name: 'list',
    share: 3,
    manner: 'kept',
    request: () => request('list'),
    status: 200,
    mentions: () => '"id":1000',
  },
  {
    name: '404',
    share: 60,
    manner: 'kept',
    request: (n) => get(`/nothing/${n}`),
    status: 404,
    mentions: () => '404',
  },
  {
    name: '400 of a parameter',
    share: 50,
    manner: 'kept',
    request: (n) => get(`/r${n % 200}/items/${n}?page=abc`),
    status: 400,
    mentions: () => 'page',
  },
  {
    name: '400 of a body',
    share: 50,
    manner: 'kept',
    request: (n) => post({ ...order, id: `n${n}` }),
    status: 400,
    mentions: () => 'id',
  },
  {
    name: 'the last of its connection',
    share: 10,
    manner: 'closing',
    request: () => ({ ...request('json'), headers: { connection: 'close' } }),
    status: 200,
    mentions: greeting,
  },
  {
    name: 'HTTP/1.0',
    share: 10,
    manner: 'old',
    request: (n) => get(`/r${n % 200}/items/${n}`),
    status: 200,
    mentions: id,
  },
  {
    name: 'malformed',
    share: 7,
    manner: 'malformed',
    request: () => ({ ...request('json'), headers: { 'no field': '' } }),
    status: 400,
    mentions: () => '400',
  },
  {
    name: 'broken off in the body',
    share: 5,
    manner: 'abandoned',
    request: (n) => post({ ...order, id: n }),
    status: 0,
    mentions: () => '',
  },
  {
    name: 'broken off in the answer',
    share: 5,
    manner: 'left',
    request: () => request('list'),
    status: 200,
    mentions: () => '',
  },
]

const round = 1_000

const sequence = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
if (sequence.length !== round) throw new Error(`the shares add up to ${sequence.length}`)

/** Has no divisor in common with the round, so that each round has every place of the sequence once. */
const stride = 619

/** The kind of the request of this number. @type {(n: number) => Kind} */
export const kindOf = (n) => {
  const kind = sequence[(n * stride) % round]
  if (kind === undefined) throw new Error(`no kind for ${n}`)
  return kind
}
