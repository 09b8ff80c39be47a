/** A client in a page: bundled for browsers from the published files, and run without the globals of Node.js. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { build } from 'esbuild'
import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'
import { linkPackage } from '../support/linked-package.ts'

const contract = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import {
    body, decimal, fails, form, get, instant, int, json, pattern, path, post, produces, query, responds, routes, sse, string, text, upload,
    withDefault,
  } from 'espalier'
  import { lossless } from 'espalier/json'
  import { xml } from 'espalier/xml'

  const isbn = pattern(/^(?:\\d{3}-)?\\d{10}$/)(string)
  export const Book = t.type({ isbn, title: t.string }, 'Book')
  export const find = pipe(path('/books/{isbn}', { isbn }), get(), query({ page: withDefault(int, 1) }), produces(json(Book)), fails(404, text))
  export const add = pipe(path('/books'), post(), body(xml(Book), json(Book)), responds(201, xml(Book)))
  export const price = pipe(path('/price'), post(), lossless, body(json(t.type({ price: decimal }))), produces(json(decimal)))
  export const now = pipe(path('/now'), get(), produces(json(instant)))
  export const events = pipe(path('/events'), get(), produces(sse(string)))
  export const store = pipe(path('/covers'), post(), form({ title: string, cover: upload }), produces(text))
  export const contract = routes({ books: routes({ find, add }), price, now, events, store })
`

/** A contract with one operation. */
const oneOperation = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import { get, json, path, produces, routes } from 'espalier'

  const Book = t.type({ isbn: t.string, title: t.string })
  export const contract = routes({ find: pipe(path('/books/{isbn}'), get(), produces(json(Book))) })
`

/** A contract with fourteen operations of a service without files, streams, dates and XML. */
const fourteenOperations = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import {
    body, del, fails, get, header, int, json, list, maxLength, optional, path, pattern, post, produces, put, query, responds, routes, string, text, withDefault,
  } from 'espalier'

  const isbn = pattern(/^(?:\\d{3}-)?\\d{10}$/)(string)
  const Book = t.type({ isbn, title: maxLength(200)(string), pages: withDefault(int, 0) }, 'Book')
  const Member = t.type({ id: int, name: t.string }, 'Member')
  const Loan = t.type({ isbn, member: int, days: int }, 'Loan')
  const resource = (name, codec) => routes({
    search: pipe(path('/' + name), get(), query({ page: withDefault(int, 1), q: optional(string) }), produces(json(list(codec)))),
    find: pipe(path('/' + name + '/{id}', { id: string }), get(), produces(json(codec)), fails(404)),
    add: pipe(path('/' + name), post(), body(json(codec)), responds(201, json(codec)), fails(409, text)),
    replace: pipe(path('/' + name + '/{id}', { id: string }), put(), header({ 'if-match': string }), body(json(codec)), responds(204), fails(412)),
  })
  export const contract = routes({
    books: resource('books', Book),
    members: resource('members', Member),
    loans: resource('loans', Loan),
    remove: pipe(path('/books/{isbn}', { isbn }), del(), responds(204), fails(404)),
    search: pipe(path('/search'), get(), query({ q: string }), produces(json(list(Book)))),
  })
`

/** A page that only creates a client. */
const smallPage = (contractFile: string): string => `
  import { promiseClient } from 'espalier/client'
  import { contract } from './${contractFile}.js'
  export const act = (baseUrl) => promiseClient(contract, { baseUrl })
`

/** Returns the files that a page loads with a file: the file itself, and its imports. Files imported at run time are not included. */
const filesLoadedBy = (
  file: string,
  outputs: Metafile['outputs'],
  seen: Set<string> = new Set(),
): ReadonlyArray<string> => {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = outputs[file]?.imports ?? []
  for (const { path, kind } of imports)
    if (kind === 'import-statement') filesLoadedBy(path, outputs, seen)
  return [...seen]
}

/** A string that must not occur in a page. */
const secret = 'the password of the database'

const service = `
  import * as E from 'fp-ts/lib/Either.js'
  import { created, implementAll } from 'espalier'
  import { serve } from 'espalier/node'
  import { contract } from './contract.js'

  const emma = { isbn: '978-0141439587', title: 'Emma' }
  const password = '${secret}'
  export const api = implementAll(contract, {
    books: {
      find: ({ path: { isbn } }) => isbn === emma.isbn ? E.right(emma) : E.left(password && 'no such book'),
      add: ({ body }) => created('/books/' + body.isbn, body),
    },
    price: ({ body }) => body.price,
    now: () => Temporal.Instant.from('2026-01-31T12:00:00Z'),
    events: () => ['one', 'two'],
    store: ({ form: { title, cover } }) => title + ': ' + cover.fileName,
  })
  export const start = () => serve(api, { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1', 'fw.shutdown.grace': 0 })
`

const page = `
  import { promiseClient } from 'espalier/client'
  import { contract } from './contract.js'

  export const act = async (baseUrl) => {
    const { books, price, now, events, store } = promiseClient(contract, { baseUrl })
    const dataOf = async ({ body }) => {
      const data = []
      for await (const event of body) data.push(event.data)
      return data
    }
    const resultOf = (call) => call.then(({ status, body }) => [status, body], ({ message }) => message)
    return [
      await resultOf(books.find({ path: { isbn: '978-0141439587' } })),
      await resultOf(books.find({ path: { isbn: '978-0000000000' } })),
      await resultOf(books.find({ path: { isbn: '1' } })),
      await resultOf(books.add({ body: { isbn: '978-0141439587', title: 'Emma & Co.' } })),
      await resultOf(price({ body: { price: { unscaled: 1250n, scale: 2 } } })),
      await resultOf(now().then(({ status, body }) => ({ status, body: String(body) }))),
      await dataOf(await events()),
      await resultOf(store({ form: { title: 'Emma', cover: new File(['a'], 'emma.jpg') } })),
    ]
  }
`

const emma = { isbn: '978-0141439587', title: 'Emma' }

/** Returns a program that simulates a page in Node.js. `fetch` needs `Buffer`, so a separate test checks that pages do not use it. */
const pageProgram = (file: string, url: string): string => `
  const { log } = console
  const { pathToFileURL } = await import('node:url')
  const file = pathToFileURL(${JSON.stringify(file)}).href
  delete globalThis.process
  const { act } = await import(file)
  log(JSON.stringify(await act(${JSON.stringify(url)}), (_, value) => typeof value === 'bigint' ? String(value) : value))
`

describe('client bundled for a page', (test, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-page-'))
  let server: { readonly url: string; readonly close: () => Promise<void> } | undefined
  const bundlePage = async (name: string, source: string) => {
    writeFileSync(join(folder, `${name}.js`), source)
    const outfile = join(folder, `${name}.bundle`, `${name}.js`)
    const { metafile, warnings } = await build({
      absWorkingDir: folder,
      entryPoints: [`${name}.js`],
      outdir: join(folder, `${name}.bundle`),
      bundle: true,
      splitting: true, // parts that are imported at run time are files of their own
      minify: true,
      platform: 'browser',
      format: 'esm',
      metafile: true,
      logLevel: 'silent',
      preserveSymlinks: true,
    })
    assert.equal(warnings, [])
    const texts = filesLoadedBy(relative(folder, outfile), metafile.outputs).map((path) =>
      readFileSync(join(folder, path), 'utf8'),
    )
    return { outfile, texts, text: texts.join('\n'), inputs: Object.keys(metafile.inputs) }
  }
  const runInPage = async (outfile: string): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      pageProgram(outfile, server?.url ?? ''),
    ])
    return JSON.parse(stdout)
  }

  before(async () => {
    const packages = ['cookie', 'io-ts', 'fp-ts', 'temporal-polyfill', 'temporal-utils', 'mime']
    linkPackage(folder, 'module', packages)
    writeFileSync(join(folder, 'contract.js'), contract)
    writeFileSync(
      join(folder, 'service.js'),
      `import { Temporal } from 'temporal-polyfill'\n${service}`,
    )
    const { start } = (await import(pathToFileURL(join(folder, 'service.js')).href)) as {
      readonly start: () => Promise<NonNullable<typeof server>>
    }
    server = await start()
  })
  after(async () => {
    await server?.close()
    rmSync(folder, { recursive: true })
  })

  test('contains neither handlers nor modules of Node.js', async () => {
    const { text, inputs } = await bundlePage('page', page)
    assert.ok(text.includes('/books/{isbn}'), 'the contract is missing')
    assert.not.ok(text.includes(secret))
    assert.not.match(text, /\bBuffer\b/)
    assert.not.match(text, /(?:\bfrom|\bimport)\s*\(?["'](?:node:)?[a-z_/]+["']/)
    // packages that package.json excludes from pages are empty modules
    assert.equal(
      inputs.filter((path) =>
        /^(?!\(disabled\):).*(?:temporal-polyfill|lossless-json|regexpp|busboy|espalier\/node\.js)/.test(
          path,
        ),
      ),
      [],
    )
  })
  test('a contract with a handler does not load', async () => {
    const imports = `
      import { handle, implement, provide } from 'espalier'
      import { contract as bare, find } from './contract.js'
      export * from './contract.js'`
    const leaks = {
      implemented: `${imports}\n export const api = implement(find, () => '${secret}')`,
      piped: `${imports}\n export const api = handle(() => '${secret}')(find)`,
      provided: `${imports}\n export const api = provide({ database: '${secret}' })(bare)`,
      barrel: `export * from './contract.js'\n export { api } from './implemented-contract.js'`,
    }
    writeFileSync(join(folder, 'implemented-contract.js'), leaks.implemented)
    for (const [name, leak] of Object.entries(leaks)) {
      writeFileSync(join(folder, `${name}.js`), leak)
      const { outfile } = await bundlePage(
        `${name}-page`,
        page.replace('contract.js', `${name}.js`),
      )
      const failure = await runInPage(outfile).then(String, String)
      assert.match(failure, /a web page must not load handlers/, name)
    }
  })
  test('a contract with a handler loads in simulated browsers such as jsdom', async () => {
    const source = `
      import { implement } from 'espalier'
      import { find } from './contract.js'
      export const api = implement(find, () => 'kept')`
    const { outfile } = await bundlePage('simulated', source)
    const { api } = (await import(pathToFileURL(outfile).href)) as {
      readonly api: { readonly run: () => string }
    }
    assert.is(api.run(), 'kept')
  })
  // KB after compression with gzip, without parts that are imported at run time: espalier, the contract, io-ts and parts of fp-ts
  table<readonly [name: string, source: string, maxSize: number]>(
    test,
    [
      ['one operation', oneOperation, 64],
      ['fourteen operations', fourteenOperations, 72],
      ['several formats', contract, 90],
    ],
    async (name, source, maxSize) => {
      const file = name.replaceAll(' ', '-')
      writeFileSync(join(folder, `${file}.js`), source)
      const { texts, text } = await bundlePage(`${file}-page`, smallPage(file))
      const size = texts.reduce((sum, part) => sum + gzipSync(part).length, 0)
      console.log(`a client with ${name}: ${text.length} bytes, ${size} compressed`)
      assert.ok(size < maxSize * 1000, `${size}`)
    },
  )
  test('loads streams, multipart bodies, forms, HAL and lossless JSON on demand', async () => {
    const { text } = await bundlePage('without-streams', smallPage('one-operation'))
    assert.match(text, /Content-Type/i)
    assert.not.match(text, /last-event-id["']|form-data; name=|boundary=|_embedded|rawJSON/)
  })
  test('does not contain the formats of dates, durations and decimals if they are not used', async () => {
    const { text } = await bundlePage('without-dates', smallPage('one-operation'))
    assert.not.match(text, /PlainDate/)
  })
  test('sends requests, and reports missing platform features', async () => {
    const { outfile } = await bundlePage('page', page)
    const exact = 'rawJSON' in JSON
    const results = (await runInPage(outfile)) as ReadonlyArray<unknown>
    assert.equal(results.slice(0, 4), [
      [200, emma],
      `books.find: failed with status 404 Not Found (GET ${server?.url}/books/978-0000000000)`,
      'books.find: invalid input: path isbn must be a string matching ^(?:\\d{3}-)?\\d{10}$ (GET /books/{isbn})',
      [201, { ...emma, title: 'Emma & Co.' }],
    ])
    if (exact) assert.equal(results[4], [200, { unscaled: '1250', scale: 2 }])
    else assert.match(results[4] as string, /JSON\.rawJSON/)
    if ('Temporal' in globalThis) assert.equal(results[5], [200, '2026-01-31T12:00:00Z'])
    else assert.match(results[5] as string, /Temporal/)
    // loaded with the first call that needs them
    assert.equal(results.slice(6), [
      ['one', 'two'],
      [200, 'Emma: emma.jpg'],
    ])
  })
  test('supports dates if the page provides Temporal', async () => {
    const { outfile } = await bundlePage('dated', `import 'temporal-polyfill/global'\n${page}`)
    const results = (await runInPage(outfile)) as ReadonlyArray<unknown>
    assert.equal(results[5], [200, '2026-01-31T12:00:00Z'])
  })
})
