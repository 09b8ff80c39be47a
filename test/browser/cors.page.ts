/** Cross-origin requests in a browser. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
import {
  body,
  cors,
  get,
  handle,
  html,
  json,
  path,
  produces,
  put,
  routes,
  withFilter,
  withHeader,
  ok,
} from '../../src/index.ts'
import type { Server } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { inBrowser } from './in-browser.ts'

const home = pipe(
  path('/'),
  get(),
  produces(html),
  handle(() => '<!doctype html><title>home</title>'),
)

const Note = t.type({ text: t.string })
const note = pipe(path('/note'), produces(json(Note)))
const notes = {
  read: pipe(
    note,
    get(),
    handle(() => pipe(ok({ text: 'hello' }), withHeader('X-Version', '7'))),
  ),
  write: pipe(
    note,
    put(),
    body(json(Note)),
    handle((input) => input.body),
  ),
}

const read = (page: Page, url: string) =>
  page.evaluate(async (from) => {
    try {
      const response = await fetch(from)
      return [await response.json(), response.headers.get('X-Version')]
    } catch {
      return 'failed'
    }
  }, url)
const write = (page: Page, url: string) =>
  page.evaluate(async (to) => {
    try {
      const content = JSON.stringify({ text: 'changed' })
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(to, { method: 'PUT', headers, body: content })
      return await response.json()
    } catch {
      return 'failed'
    }
  }, url)

inBrowser('a page of another origin', routes({ home }), (test, { visit, server }) => {
  const withCorsServer = async (
    origins: ReadonlyArray<string>,
    act: (page: Page, url: string) => Promise<void>,
  ) => {
    const api = pipe(routes(notes), withFilter(cors({ origins, exposedHeaders: ['X-Version'] })))
    const other: Server = await serve(api, {
      logger: silentLogger,
      'fw.http.host': '127.0.0.1',
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
    })
    try {
      await visit('/', (page) => act(page, `${other.url}/note`))
    } finally {
      await other.close()
    }
  }
  test('a page of a listed origin can read and write', () =>
    withCorsServer([server().url], async (page, url) => {
      assert.equal(await read(page, url), [{ text: 'hello' }, '7'])
      assert.equal(await write(page, url), { text: 'changed' })
    }))
  test('a page of another origin can neither read nor write', () =>
    withCorsServer(['https://elsewhere.example'], async (page, url) => {
      assert.is(await read(page, url), 'failed')
      assert.is(await write(page, url), 'failed')
    }))
})
