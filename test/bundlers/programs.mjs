/**
 * The programs that are bundled: at least one for each entry point of the package. A program exports `run`, whose result is compared with
 * `expected`: text, or a pattern if the program reports an error.
 */

/** A contract with the representations of all entry points. */
export const contract = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import { decimal, get, int, instant, json, path, produces, query, routes, text, withDefault } from 'espalier'
  import { cbor } from 'espalier/cbor'
  import { hal } from 'espalier/hal'
  import { lossless } from 'espalier/json'
  import { rel } from 'espalier/links'
  import { xml } from 'espalier/xml'

  export const Book = t.type({ id: int, title: t.string }, 'book')
  const book = path('/api/book')
  export const contract = routes({
    find: pipe(path('/api/books/{id}', { id: int }), get(), query({ page: withDefault(int, 1) }), produces(json(Book))),
    asXml: pipe(book, get('/xml'), produces(xml(Book))),
    asHal: pipe(book, get('/hal'), rel('book'), produces(hal(Book))),
    asCbor: pipe(book, get('/cbor'), produces(cbor(Book))),
    price: pipe(book, get('/price'), lossless, produces(json(decimal))),
    now: pipe(path('/api/now'), get(), query({ at: instant }), produces(text)),
  })
`

/** The contract with handlers. */
export const service = `
  import { implementAll } from 'espalier'
  import { contract } from './contract.mjs'

  const emma = { id: 1, title: 'Emma' }
  export const api = implementAll(contract, {
    find: ({ path: { id }, query: { page } }) => ({ id, title: 'page ' + page }),
    asXml: () => emma,
    asHal: () => emma,
    asCbor: () => emma,
    price: () => ({ unscaled: 1250n, scale: 2 }),
    now: ({ query: { at } }) => String(at),
  })
`

const emmaText = '{"id":1,"title":"Emma"}'
const noLog =
  "'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0, 'fw.log.level': 'off'"

/** Requests an operation through a fetch handler. */
const requested = (target) => `
  import { toFetchHandler } from 'espalier/fetch'
  import { api } from './service.mjs'
  export const run = async () => {
    const response = await toFetchHandler(api)(new Request('http://localhost/api/${target}'))
    return response.status + ' ' + await response.text()
  }
`

/** Calls an operation of the server that the page comes from. */
const called = (call) => `
  import { promiseClient } from 'espalier/client'
  import { contract } from './contract.mjs'
  export const run = async () => {
    const client = promiseClient(contract, { baseUrl: location.origin })
    const { status, body } = await client.${call}
    return status + ' ' + JSON.stringify(body, (_, value) => typeof value === 'bigint' ? String(value) : value)
  }
`

const openapiSource = `
  import { openApi } from 'espalier/openapi'
  import { contract } from './contract.mjs'
  export const run = async () => Object.keys(openApi(contract, { info: { title: 'a', version: '1' } }).paths).length + ' paths'
`

/** @type {Readonly<Record<string, { readonly source: string, readonly expected: string | RegExp }>>} */
export const serverPrograms = {
  index: {
    source: `
      import { pipe } from 'fp-ts/lib/function.js'
      import { get, handle, int, path, pattern, produces, string, text } from 'espalier'
      const double = pipe(path('/double/{n}', { n: int }), get(), produces(text), handle(({ path: { n } }) => String(2 * n)))
      const unsafe = () => { try { pattern(/(a+)+$/)(string); return 'accepted' } catch (error) { return error.name } }
      export const run = async () => double.run({ path: { n: 21 } }) + ' ' + unsafe()
    `,
    expected: '42 TypeError',
  },
  json: { source: requested('book/price'), expected: '200 12.50' },
  xml: {
    source: requested('book/xml'),
    expected:
      '200 <?xml version="1.0" encoding="UTF-8"?><book><id>1</id><title>Emma</title></book>',
  },
  hal: {
    source: requested('book/hal'),
    expected: /^200 \{"id":1,"title":"Emma","_links":/,
  },
  links: { source: requested('books/7'), expected: '200 {"id":7,"title":"page 1"}' },
  cbor: {
    source: `
      import { toFetchHandler } from 'espalier/fetch'
      import { promiseClient } from 'espalier/client'
      import { api } from './service.mjs'
      const handler = toFetchHandler(api)
      const client = promiseClient(api, { baseUrl: 'http://localhost', fetch: (url, init) => handler(new Request(url, init)) })
      export const run = async () => JSON.stringify((await client.asCbor()).body)
    `,
    expected: emmaText,
  },
  fetch: { source: requested('now?at=2026-01-31T12:00:00Z'), expected: '200 2026-01-31T12:00:00Z' },
  client: {
    source: `
      import { client, retry } from 'espalier/client'
      import { contract } from './contract.mjs'
      export const run = async () => {
        const calls = client(contract, {
          baseUrl: 'http://localhost',
          fetch: async () => Response.json({ id: 1, title: 'Emma' }),
          policies: [retry({ times: 2 })],
        })
        return JSON.stringify((await calls.find({ path: { id: 1 } })()).right.body)
      }
    `,
    expected: emmaText,
  },
  testing: {
    source: `
      import { inMemory } from 'espalier/testing'
      import { api } from './service.mjs'
      export const run = async () => (await inMemory(api)('http://localhost/api/books/7?page=2')).text()
    `,
    expected: '{"id":7,"title":"page 2"}',
  },
  openapi: { source: openapiSource, expected: '6 paths' },
  node: {
    source: `
      import { pipe } from 'fp-ts/lib/function.js'
      import { form, get, handle, path, post, produces, routes, sse, text, upload } from 'espalier'
      import { serve } from 'espalier/node'
      import { api as books } from './service.mjs'
      export const run = async () => {
        const { readFile } = await import('node:fs/promises')
        const send = pipe(
          path('/covers'), post(), form({ cover: upload }), produces(text),
          handle(async ({ form: { cover } }) => readFile(cover.path, 'utf8')),
        )
        const api = routes({ books, send })
        const server = await serve(api, { ${noLog}, 'fw.http.connection': 'direct' })
        const cover = new FormData()
        cover.set('cover', new File(['pixels'], 'emma.png'))
        const sent = await fetch(server.url + '/covers', { method: 'POST', body: cover })
        const found = await fetch(server.url + '/api/now?at=2026-01-31T12:00:00Z')
        await server.close()
        return [sent.status, await sent.text(), found.status, await found.text()].join(' ')
      }
    `,
    expected: '200 pixels 200 2026-01-31T12:00:00Z',
  },
  // worker threads load a file of the package
  blocking: {
    source: `
      import { pipe } from 'fp-ts/lib/function.js'
      import { blocking, get, handle, path, produces, routes, text } from 'espalier'
      import { serve } from 'espalier/node'
      export const api = routes({ work: pipe(path('/work'), get(), blocking, produces(text), handle(() => 'done')) })
      export const run = async () => {
        const module = new URL('blocking.mjs', 'file://' + process.cwd() + '/').href
        const serving = serve(api, { module, export: 'api', ${noLog} })
        const server = await serving.catch((error) => error)
        if (server instanceof Error) return server.issues[0].code + ' ' + server.issues[0].remedy
        const answer = await (await fetch(server.url + '/work')).text()
        await server.close()
        return answer
      }
    `,
    expected: /^(?:done|FW-WORKER-002 .*exclude espalier from the bundle)$/,
  },
  // an optional package that is not installed
  jwt: {
    source: `
      import { pipe } from 'fp-ts/lib/function.js'
      import { jwt, withFilter } from 'espalier'
      import { serve } from 'espalier/node'
      import { api } from './service.mjs'
      const users = jwt({ keys: new Uint8Array(32), issuer: 'a', audience: 'b', algorithms: ['HS256'] })
      export const run = () => serve(pipe(api, withFilter(users)), { ${noLog} }).then(
        () => 'started',
        ({ issues: [{ code, remedy }] }) => code + ' ' + remedy,
      )
    `,
    expected: /^FW-FILTER-003 .*npm install jose/,
  },
  // another optional package that is not installed
  docs: {
    source: `
      import { routes } from 'espalier'
      import { serve } from 'espalier/node'
      import { openApiRoutes } from 'espalier/openapi'
      import { api } from './service.mjs'
      const docs = openApiRoutes({ info: { title: 'a', version: '1' } })
      export const run = () => serve(routes({ api, docs }), { ${noLog} }).then(
        () => 'started',
        ({ issues: [{ code, remedy }] }) => code + ' ' + remedy,
      )
    `,
    expected: /npm install swagger-ui-dist/,
  },
}

/** The error of entry points that require Node.js. */
const requiresNode = /espalier\/node, espalier\/testing and the command require Node\.js/

/** @type {typeof serverPrograms} */
export const clientPrograms = {
  index: {
    source: `
      import { pipe } from 'fp-ts/lib/function.js'
      import { get, int, path, pattern, produces, string, text } from 'espalier'
      export const run = async () => Object.keys(pipe(path('/double/{n}', { n: int }), get(), produces(text)).definition).includes('method') + ' ' + pattern(/a/)(string).is('a')
    `,
    expected: 'true true',
  },
  json: {
    source: called('price()'),
    expected: /^(?:200 \{"unscaled":"1250","scale":2\}|.*rawJSON.*)$/,
  },
  xml: { source: called('asXml()'), expected: `200 ${emmaText}` },
  hal: { source: called('asHal()'), expected: `200 ${emmaText}` },
  cbor: { source: called('asCbor()'), expected: `200 ${emmaText}` },
  links: { source: called('find({ path: { id: 7 } })'), expected: '200 {"id":7,"title":"page 1"}' },
  client: {
    source: called('find({ path: { id: 7 }, query: { page: 2 } })'),
    expected: '200 {"id":7,"title":"page 2"}',
  },
  // a page, or a service worker, has no handlers
  fetch: {
    source: `
      import { routes } from 'espalier'
      import { toFetchHandler } from 'espalier/fetch'
      export const run = async () => String((await toFetchHandler(routes({}))(new Request('http://localhost/'))).status)
    `,
    expected: '404',
  },
  openapi: { source: openapiSource, expected: '6 paths' },
  node: {
    source: `import { serve } from 'espalier/node'\n export const run = async () => typeof serve`,
    expected: requiresNode,
  },
  testing: {
    source: `import { inMemory } from 'espalier/testing'\n export const run = async () => typeof inMemory`,
    expected: requiresNode,
  },
}
