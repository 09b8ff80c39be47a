/**
 * A program that calls the service in one of the ways that are compared, as often as it is told to.
 *
 *     node caller.mjs WAY ORIGIN
 *
 * @import { Told, Turn } from './caller-process.mjs'
 */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import * as E from '../../node_modules/fp-ts/lib/Either.js'
import * as t from '../../node_modules/io-ts/lib/index.js'
import * as undici from '../../node_modules/undici/index.js'

/** @type {(door: string) => string} */
const published = (door) => new URL(`../../dist/espalier/${door}.js`, import.meta.url).href

/** @type {typeof import('../../dist/src/index.js')} */
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

/** @type {typeof import('../../dist/src/client.js')} */
const { client, undiciTransport } = await import(published('client'))

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

/** @type {(sends: { fetch?: any, transport?: any }, send: any, origin: string) => Readonly<Record<string, () => Contestant>>} */
const ways = (sends, send, origin) => ({
  hand: () => byHand(send, origin),
  client: () => typed(sends, origin, false),
  handLimited: () => byHand(send, origin, 30_000),
  clientLimited: () => typed(sends, origin, '30s'),
})

const [way = '', origin = ''] = process.argv.slice(2)
const [door = '', how = ''] = way.split('/')
const doors = {
  global: ways({ fetch: globalThis.fetch }, globalThis.fetch, origin),
  undici: ways({ fetch: undici.fetch }, undici.fetch, origin),
  request: ways({ transport: undiciTransport(undici.getGlobalDispatcher()) }, asFetch, origin),
}
const contestant = doors[/** @type {keyof typeof doors} */ (door)][how]?.()
if (contestant === undefined) throw new Error(`no way of calling: ${way}`)

/** @type {(call: () => Promise<unknown>, times: number) => Promise<void>} */
const repeat = async (call, times) => {
  let left = times
  const caller = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: together }, caller))
}

process.on('message', async (/** @type {Turn} */ { what, calls }) => {
  const call = contestant[what]
  const value = await call()
  const [begin, before] = [performance.now(), process.cpuUsage()]
  await repeat(call, calls)
  const { user, system } = process.cpuUsage(before)
  const wall = ((performance.now() - begin) * 1000) / calls
  process.send?.(/** @type {Told} */ ({ value, wall, processor: (user + system) / calls }))
})
