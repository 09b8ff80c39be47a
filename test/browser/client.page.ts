/** The typed client in a page: bundled with its contract, with a server of the same contract. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { event, get, handle, html, implement, path, produces, routes } from '../../src/index.ts'
import { inBrowser } from './in-browser.ts'
import * as Contract from './contract.ts'

const home = pipe(
  path('/'),
  get(),
  produces(html),
  handle(() => '<!doctype html><meta charset="utf-8"><title>a client</title>'),
)

const emma = { isbn: '978-0141439587', title: 'Emma' }
let reportAbort: () => void = () => undefined
const aborted = new Promise<void>((resolve) => {
  reportAbort = resolve
})

const api = routes({
  home,
  find: implement(Contract.find, ({ path: { isbn } }) =>
    isbn === emma.isbn ? E.right(emma) : E.left({ missing: isbn }),
  ),
  price: implement(Contract.price, ({ body }) => body),
  cover: implement(Contract.cover, async ({ form: { title, cover } }) => ({
    title,
    fileName: cover.fileName,
    type: cover.contentType,
    hash: createHash('sha256')
      .update(await readFile(cover.path))
      .digest('hex'),
  })),
  counting: implement(Contract.counting, async function* ({ query: { to } }) {
    for (let n = 1; n <= to; n++) yield event('count', n, { id: String(n) })
  }),
  all: implement(Contract.all, async function* () {
    for (let n = 1; n <= 3; n++) yield { isbn: emma.isbn, title: `Emma ${n}` }
  }),
  slow: implement(
    Contract.slow,
    (_, { request: { signal } }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => {
          reportAbort()
          resolve('')
        })
      }),
  ),
})

/** Bundles the script of the page, whose exports are in the global `library`. */
const bundleScript = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { client, promiseClient, timeout, retry } from 'espalier/client'
        export { contract } from ${JSON.stringify(new URL('contract.js', import.meta.url).pathname)}`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'library',
    logLevel: 'error',
    logOverride: { 'ignored-bare-import': 'silent', 'empty-import-meta': 'silent' },
  })
  return outputFiles[0]?.text ?? ''
}

inBrowser('a typed client in a page', api, (test, { visit, server }) => {
  /** Evaluates a function in the page, in which `books` is a client, and returns its result. */
  const evaluate = (code: string): Promise<unknown> =>
    visit('/', async (page) => {
      await page.addScriptTag({ content: await bundleScript() })
      return page.evaluate(`(async () => {
        const { client, promiseClient, contract } = library
        const options = { baseUrl: ${JSON.stringify(server().url)} }
        const calls = client(contract, options)
        const books = promiseClient(contract, options)
        ${code}
      })()`)
    })

  test('reads JSON and declared failures', async () =>
    assert.equal(
      await evaluate(`
        const found = await books.find({ path: { isbn: '978-0141439587' } })
        const missing = await calls.find({ path: { isbn: '978-0000000000' } })()
        const invalid = await calls.find({ path: { isbn: 'x' } })()
        return [found.status, found.body, missing._tag, missing.left.status, missing.left.body, invalid.left._tag]`),
      [200, emma, 'Left', 404, { missing: '978-0000000000' }, 'EncodeError'],
    ))
  test('preserves all digits of numbers', async () =>
    assert.equal(
      await evaluate(`
        const { body } = await books.price({ body: { unscaled: 12345678901234567890n, scale: 2 } })
        return [String(body.unscaled), body.scale]`),
      ['12345678901234567890', 2],
    ))
  test('sends a form with a file', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 31) % 256)
    assert.equal(
      await evaluate(`
        const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => (n * 31) % 256)
        const cover = new File([bytes], 'ä "1".png', { type: 'image/png' })
        const { body } = await books.cover({ form: { title: 'Emma & Co.', cover } })
        const path = await calls.cover({ form: { title: '', cover: { path: '/etc/hosts' } } })()
        return [body, path.left._tag]`),
      [
        {
          title: 'Emma & Co.',
          fileName: 'ä "1".png',
          type: 'image/png',
          hash: createHash('sha256').update(bytes).digest('hex'),
        },
        'EncodeError',
      ],
    )
  })
  test('reads streams and events', async () =>
    assert.equal(
      await evaluate(`
        const titles = []
        for await (const { title } of (await books.all()).body) titles.push(title)
        const counts = []
        for await (const { data, name, id } of (await books.counting({ query: { to: 1000 } })).body) {
          counts.push([data, name, id])
          if (data === 2) break
        }
        return [titles, counts]`),
      [
        ['Emma 1', 'Emma 2', 'Emma 3'],
        [
          [1, 'count', '1'],
          [2, 'count', '2'],
        ],
      ],
    ))
  test('an aborted call ends the request on the server', async () => {
    assert.equal(
      await evaluate(`
        const controller = new AbortController()
        const result = calls.slow(undefined, { signal: controller.signal })()
        setTimeout(() => controller.abort(), 100)
        const { left } = await result
        return left._tag`),
      'Aborted',
    )
    await aborted
  })
  test('a call that exceeds its timeout fails', async () =>
    assert.equal(
      await evaluate(`
        const impatient = client(contract, { ...options, timeout: '50ms' })
        return (await impatient.slow()()).left._tag`),
      'TimedOut',
    ))
})
