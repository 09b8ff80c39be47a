/**
 * Calls the service with one of the compared variants. The parent process sends messages with the number of calls.
 *
 *     node caller.mjs VARIANT ORIGIN CHECKOUT
 *
 * @import { CallResult, Turn } from './caller-process.mjs'
 */
import { pathToFileURL } from 'node:url'

const [variant = '', origin = '', checkout = ''] = process.argv.slice(2)

/** Returns the URL of a file in the checkout. @type {(path: string) => string} */
const inCheckout = (path) => new URL(path, `${pathToFileURL(checkout).href}/`).href

/** @type {(entryPoint: string) => string} */
const published = (entryPoint) => inCheckout(`dist/espalier/${entryPoint}.js`)

/** @type {typeof import('../../node_modules/fp-ts/lib/function.js')} */
const { pipe } = await import(inCheckout('node_modules/fp-ts/lib/function.js'))

/** @type {typeof import('../../node_modules/io-ts/lib/index.js')} */
const t = await import(inCheckout('node_modules/io-ts/lib/index.js'))

/** @type {typeof import('../../node_modules/undici/index.js')} */
const undici = (await import(inCheckout('node_modules/undici/index.js'))).default

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

/** Number of concurrent calls. */
const concurrency = 8

const Book = t.type({
  isbn: string,
  title: string,
  author: string,
  pages: int,
  tags: list(string),
})

/** @typedef {import('../../node_modules/io-ts/lib/index.js').TypeOf<typeof Book>} Book */

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

// handwritten: code with the same guarantees as the client

/** @type {(value: any) => Book} */
const checkBook = (value) => {
  if (typeof value !== 'object' || value === null) throw new TypeError('invalid book')
  const { isbn, title, author, pages, tags } = value
  if (typeof isbn !== 'string' || typeof title !== 'string' || typeof author !== 'string')
    throw new TypeError('invalid book')
  if (!Number.isInteger(pages) || !Array.isArray(tags)) throw new TypeError('invalid book')
  if (!tags.every((tag) => typeof tag === 'string')) throw new TypeError('invalid book')
  return { isbn, title, author, pages, tags }
}

/** @type {(value: any) => Book[]} */
const checkBooks = (value) => {
  if (!Array.isArray(value)) throw new TypeError('invalid books')
  return value.map(checkBook)
}

/** @type {(response: { headers: { get: (name: string) => string | null } }) => void} */
const assertJson = ({ headers }) => {
  if (!/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? ''))
    throw new TypeError('expected JSON')
}

/** @typedef {Record<'find' | 'list' | 'add', () => Promise<unknown>>} Operations */

/**
 * @param {any} send
 * @param {string} origin
 * @param {number=} timeout milliseconds
 * @returns {Operations}
 */
const handwritten = (send, origin, timeout) => {
  /** @type {(target: string, expected: number, init: object) => Promise<any>} */
  const call = async (target, expected, init) => {
    const response = await send(`${origin}${target}`, {
      redirect: 'manual',
      ...(timeout === undefined ? {} : { signal: AbortSignal.timeout(timeout) }),
      ...init,
    })
    if (response.status !== expected) throw new Error(`unexpected status ${response.status}`)
    assertJson(response)
    return response.json()
  }
  return {
    find: async () =>
      checkBook(
        await call(`/books/${encodeURIComponent(emma.isbn)}?page=${encodeURIComponent(2)}`, 200, {
          headers: { Accept: 'application/json', 'X-Trace': 'a trace' },
        }),
      ),
    list: async () => {
      const tags = ['novel', 'comedy'].map((tag) => `tag=${encodeURIComponent(tag)}`)
      const headers = { Accept: 'application/json' }
      return checkBooks(await call(`/books?${tags.join('&')}`, 200, { headers }))
    },
    add: async () =>
      checkBook(
        await call('/books', 201, {
          method: 'POST',
          headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
          body: JSON.stringify(checkBook(emma)),
        }),
      ),
  }
}

/** Adapts `request` of undici to the interface of `fetch`. @type {(url: string, init: any) => Promise<any>} */
const asFetch = async (url, { redirect: _, ...init }) => {
  const { statusCode, headers, body } = await undici.request(url, init)
  return {
    status: statusCode,
    headers: { get: (/** @type {string} */ name) => headers[name] },
    json: () => body.json(),
  }
}

/** @type {(sends: { fetch?: any, transport?: any }, origin: string, timeout: string | false) => Operations} */
const typed = (sends, origin, timeout) => {
  const { find, list: all, add } = client(contract, { baseUrl: origin, ...sends, timeout })
  /** @type {(result: import('../../node_modules/fp-ts/lib/Either.js').Either<unknown, { readonly body: unknown }>) => unknown} */
  const bodyOf = (result) => {
    if (result._tag === 'Left') throw new Error(JSON.stringify(result.left))
    return result.right.body
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

/** @type {(sends: { fetch?: any, transport?: any }, send: any, origin: string) => Readonly<Record<string, () => Operations>>} */
const variantsOf = (sends, send, origin) => ({
  handwritten: () => handwritten(send, origin),
  client: () => typed(sends, origin, false),
  handwrittenTimeout: () => handwritten(send, origin, 30_000),
  clientTimeout: () => typed(sends, origin, '30s'),
})

const [transport = '', mode = ''] = variant.split('/')
const variants = {
  global: variantsOf({ fetch: globalThis.fetch }, globalThis.fetch, origin),
  undici: variantsOf({ fetch: undici.fetch }, undici.fetch, origin),
  request: variantsOf(
    { transport: undiciTransport(undici.getGlobalDispatcher()) },
    asFetch,
    origin,
  ),
}
const operations = variants[/** @type {keyof typeof variants} */ (transport)][mode]?.()
if (operations === undefined) throw new Error(`unknown variant ${variant}`)

/** @type {(call: () => Promise<unknown>, times: number) => Promise<void>} */
const repeat = async (call, times) => {
  let remaining = times
  const caller = async () => {
    while (remaining-- > 0) await call()
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
}

process.on('message', async (/** @type {Turn} */ { operation, calls }) => {
  const call = operations[operation]
  const value = await call()
  const [begin, before] = [performance.now(), process.cpuUsage()]
  await repeat(call, calls)
  const { user, system } = process.cpuUsage(before)
  const wall = ((performance.now() - begin) * 1000) / calls
  process.send?.(/** @type {CallResult} */ ({ value, wall, cpu: (user + system) / calls }))
})
