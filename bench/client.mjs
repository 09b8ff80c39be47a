/**
 * What a call of the typed client costs beside a call by hand: the same requests over the same `fetch`, the same JSON read and
 * looked at. Contestants take turns in one process, so that what slows a round down slows all of them. Time of the processor is
 * that of this process; the service has one of its own.
 *
 *     node client.mjs [--rounds 15] [--calls 1000] [--publish]
 */
import { deepStrictEqual } from 'node:assert/strict'
import { parseArgs } from 'node:util'
import * as E from '../node_modules/fp-ts/lib/Either.js'
import { pipe } from '../node_modules/fp-ts/lib/function.js'
import * as t from '../node_modules/io-ts/lib/index.js'
import * as undici from '../node_modules/undici/index.js'
import { circumstances, sharing } from './circumstances.mjs'
import { pinning } from './pin.mjs'
import { start } from './process.mjs'
import { publish } from './readme.mjs'
import { median, ratios, rotated } from './statistics.mjs'
import { table } from './table.mjs'

/** @type {(door: string) => string} */
const published = (door) => new URL(`../dist/espalier/${door}.js`, import.meta.url).href

/** @type {typeof import('../dist/src/index.js')} */
const {
  body,
  get,
  header,
  int,
  json,
  list,
  path,
  post,
  produces,
  query,
  responds,
  routes,
  string,
} = await import(published('index'))

/** @type {typeof import('../dist/src/client.js')} */
const { client, undiciTransport } = await import(published('client'))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '1000' },
    publish: { type: 'boolean', default: false },
  },
})
const [rounds, calls] = [Number(values.rounds), Number(values.calls)]

/** Rounds before the first that counts, so that the code of all is compiled. */
const warmUp = 2

/** Calls that are on their way at a time. */
const together = 8

const Book = t.type({
  isbn: string,
  title: string,
  author: string,
  pages: int,
  tags: list(string),
})

/** @typedef {t.TypeOf<typeof Book>} Book */

const contract = routes({
  find: pipe(
    path('/books/{isbn}'),
    get(),
    query({ page: int }),
    header({ xTrace: string }),
    produces(json(Book)),
  ),
  list: pipe(path('/books'), get(), query({ tag: list(string) }), produces(json(list(Book)))),
  add: pipe(path('/books'), post(), body(json(Book)), responds(201, json(Book))),
})

/** @type {Book} */
const emma = {
  isbn: '9780141439587',
  title: 'Emma, volume 0',
  author: 'Jane Austen',
  pages: 512,
  tags: ['novel', 'comedy'],
}

// by hand: what somebody writes who wants the same promises

/** @type {(value: any) => Book} */
const checked = (value) => {
  if (typeof value !== 'object' || value === null) throw new TypeError('no book')
  const { isbn, title, author, pages, tags } = value
  if (typeof isbn !== 'string' || typeof title !== 'string' || typeof author !== 'string')
    throw new TypeError('no book')
  if (!Number.isInteger(pages) || !Array.isArray(tags)) throw new TypeError('no book')
  if (!tags.every((tag) => typeof tag === 'string')) throw new TypeError('no book')
  return { isbn, title, author, pages, tags }
}

/** @type {(value: any) => Book[]} */
const allChecked = (value) => {
  if (!Array.isArray(value)) throw new TypeError('no books')
  return value.map(checked)
}

/** @type {(response: { headers: { get: (name: string) => string | null } }) => void} */
const isJson = ({ headers }) => {
  if (!/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? ''))
    throw new TypeError('no JSON')
}

/** @typedef {Record<'find' | 'list' | 'add', () => Promise<unknown>>} Contestant */

/** @typedef {{ name: string } & Record<'hand' | 'client' | 'handLimited' | 'clientLimited', Contestant>} Door */

/**
 * @param {any} send
 * @param {string} origin
 * @param {number=} limit milliseconds
 * @returns {Contestant}
 */
const byHand = (send, origin, limit) => {
  /** @type {(target: string, expected: number, init: object) => Promise<any>} */
  const ask = async (target, expected, init) => {
    const response = await send(`${origin}${target}`, {
      redirect: 'manual',
      ...(limit === undefined ? {} : { signal: AbortSignal.timeout(limit) }),
      ...init,
    })
    if (response.status !== expected) throw new Error(`answered ${response.status}`)
    isJson(response)
    return response.json()
  }
  return {
    find: async () =>
      checked(
        await ask(`/books/${encodeURIComponent(emma.isbn)}?page=${encodeURIComponent(2)}`, 200, {
          headers: { Accept: 'application/json', 'X-Trace': 'a trace' },
        }),
      ),
    list: async () => {
      const tags = ['novel', 'comedy'].map((tag) => `tag=${encodeURIComponent(tag)}`)
      const headers = { Accept: 'application/json' }
      return allChecked(await ask(`/books?${tags.join('&')}`, 200, { headers }))
    },
    add: async () =>
      checked(
        await ask('/books', 201, {
          method: 'POST',
          headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
          body: JSON.stringify(checked(emma)),
        }),
      ),
  }
}

/** `request` of undici in the shape of a `fetch`. @type {(url: string, init: any) => Promise<any>} */
const asFetch = async (url, { redirect: _, ...init }) => {
  const { statusCode, headers, body: content } = await undici.request(url, init)
  return {
    status: statusCode,
    headers: { get: (/** @type {string} */ name) => headers[name] },
    json: () => content.json(),
  }
}

/** @type {(sends: { fetch?: any, transport?: any }, origin: string, timeout: string | false) => Contestant} */
const typed = (sends, origin, timeout) => {
  const { find, list: all, add } = client(contract, { baseUrl: origin, ...sends, timeout })
  /** @type {(answer: E.Either<unknown, { readonly body: unknown }>) => unknown} */
  const bodyOf = (answer) => {
    if (E.isLeft(answer)) throw new Error(JSON.stringify(answer.left))
    return answer.right.body
  }
  return {
    find: async () =>
      bodyOf(
        await find({
          path: { isbn: emma.isbn },
          query: { page: 2 },
          header: { xTrace: 'a trace' },
        })(),
      ),
    list: async () => bodyOf(await all({ query: { tag: ['novel', 'comedy'] } })()),
    add: async () => bodyOf(await add({ body: emma })()),
  }
}

/** @typedef {{ wall: number, processor: number }} Cost microseconds per call */

/**
 * While others have their turn, a collection of garbage takes the shapes of objects of which there is none left, and with them the
 * compiled code that was made for them: so each turn begins with calls that do not count.
 */
const beforehand = Math.ceil(calls / 2)

/** @type {(call: () => Promise<unknown>, times: number) => Promise<void>} */
const repeat = async (call, times) => {
  let left = times
  const caller = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: together }, caller))
}

/** @type {(call: () => Promise<unknown>) => Promise<Cost>} */
const measure = async (call) => {
  await repeat(call, beforehand)
  const [begin, before] = [performance.now(), process.cpuUsage()]
  await repeat(call, calls)
  const { user, system } = process.cpuUsage(before)
  return { wall: ((performance.now() - begin) * 1000) / calls, processor: (user + system) / calls }
}

/** How many times as much, in percent more. @type {(ratio: number) => string} */
const more = (ratio) => `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(1)} %`

const about = circumstances()
const { origin, stop } = await start({ name: 'service', title: 'node:http' }, 1)
try {
  /** @type {(name: string, send: any, sends: { fetch?: any, transport?: any }) => Door} */
  const door = (name, send, sends) => ({
    name,
    hand: byHand(send, origin),
    client: typed(sends, origin, false),
    handLimited: byHand(send, origin, 30_000),
    clientLimited: typed(sends, origin, '30s'),
  })
  const doors = [
    door('global `fetch`', globalThis.fetch, { fetch: globalThis.fetch }),
    door('undici `fetch`', undici.fetch, { fetch: undici.fetch }),
    door('undici `request`', asFetch, { transport: undiciTransport(undici.request) }),
  ]
  const bare = doors[1]?.handLimited
  /** @type {string[][]} */
  const rows = []
  for (const what of /** @type {const} */ (['find', 'list', 'add'])) {
    const runs = doors.flatMap(({ name: _, ...contestants }) => Object.values(contestants))
    const [first, ...others] = await Promise.all(runs.map((one) => one[what]()))
    for (const other of others) deepStrictEqual(other, first)
    for (const one of runs) for (let time = 0; time < warmUp; time++) await measure(one[what])
    const costs = new Map(runs.map((one) => [one, /** @type {Cost[]} */ ([])]))
    for (let round = 0; round < rounds; round++)
      for (const one of rotated(runs, round)) costs.get(one)?.push(await measure(one[what]))
    /** @type {(key: keyof Cost, of: Contestant | undefined) => number[]} */
    const series = (key, of) => ((of && costs.get(of)) ?? []).map((cost) => cost[key])
    /** @type {(of: Contestant) => string} */
    const absolute = (of) => median(series('processor', of)).toFixed(0)
    /** @type {(key: keyof Cost, of: Contestant, to: Contestant | undefined) => string} */
    const ratio = (key, of, to) => more(median(ratios(series(key, of), series(key, to))))
    for (const { name, hand, client: plain, handLimited, clientLimited } of doors)
      rows.push([
        `${what}, ${name}`,
        absolute(hand),
        absolute(plain),
        ratio('processor', plain, hand),
        ratio('processor', clientLimited, handLimited),
        ratio('wall', clientLimited, handLimited),
        ratio('processor', clientLimited, bare),
      ])
  }
  const columns = [
    'µs of the processor per call',
    'by hand',
    'client',
    'more',
    'with a time limit',
    'its wall time',
    'than undici `fetch` by hand',
  ]
  const told = `${table([columns, ...rows])}\n\n${about}; ${pinning ? sharing : 'not pinned to cores'}; medians of ${rounds} rounds of ${calls} calls, ${together} at a time.`
  console.log(told)
  if (values.publish) publish('client', told)
} finally {
  await stop()
}
