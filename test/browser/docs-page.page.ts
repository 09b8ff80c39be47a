/** The documentation page in a browser. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import {
  body,
  get,
  handle,
  int,
  json,
  path,
  post,
  prefix,
  produces,
  routes,
  securityHeaders,
  sse,
  string,
  summary,
  text,
  withFilter,
} from '../../src/index.ts'
import { openApiRoutes } from '../../src/openapi.ts'
import { library } from '../../src/showcase/api.ts'
import { isDark, onPage, screenshot, send } from './documentation.ts'
import { inBrowser } from './in-browser.ts'

const Book = t.type({ title: t.string })

const ping = pipe(
  path('/ping'),
  get(),
  produces(text),
  handle(() => 'pong'),
)
const getBook = pipe(
  path('/books/{id}', { id: int }),
  get(),
  summary('Returns a book'),
  produces(json(Book)),
  handle(({ path: { id } }) => ({ title: `Book ${id}` })),
)
const addBook = pipe(
  path('/books'),
  post(),
  body(json(Book)),
  produces(json(Book)),
  handle((input) => ({ title: `added ${input.body.title}` })),
)
const watch = pipe(
  path('/events'),
  get(),
  produces(sse(string)),
  handle(async function* (_, { request }) {
    for (; !request.signal.aborted; await wait(50)) yield 'tick'
  }),
)
const info = { title: 'Books', version: '1.0.0' }
const small = (version: '3.1' | '3.2') =>
  pipe(
    routes({
      ping,
      watch,
      getBook,
      addBook,
      docs: pipe(openApiRoutes({ info, version }), prefix('/meta')),
    }),
    withFilter(
      securityHeaders({
        contentSecurityPolicy: true,
        crossOriginOpenerPolicy: true,
        crossOriginResourcePolicy: true,
      }),
    ),
  )

for (const version of ['3.1', '3.2'] as const)
  inBrowser(`documentation page, OpenAPI ${version}`, small(version), (test, session) => {
    test('sends an operation and shows the response', () =>
      onPage(session, '/meta/docs', async (page) => {
        assert.is(await page.title(), 'Books')
        assert.match(await send(page, 'GET /ping'), 'pong')
        await screenshot(page, `small-${version}`)
      }))
    test('sends parameters', () =>
      onPage(session, '/meta/docs', async (page) => {
        const result = await send(page, 'GET /books/{id}', (block) =>
          block.locator('.parameters input').first().fill('7'),
        )
        assert.match(result, '"title": "Book 7"')
      }))
    test('sends a body', () =>
      onPage(session, '/meta/docs', async (page) => {
        const result = await send(page, 'POST /books', (block) =>
          block.locator('textarea.body-param__text').fill('{"title":"Emma"}'),
        )
        assert.match(result, '"title": "added Emma"')
      }))
    test('shows the first events of an endless stream', () =>
      onPage(session, '/meta/docs', async (page) => {
        assert.match(await send(page, 'GET /events'), /(?:data: tick\s+){10}/)
      }))
    test('shows a generated example of a body, and collapses the examples of errors', () =>
      onPage(session, '/meta/docs', async (page) => {
        const block = page.locator('.opblock-post')
        await block.locator('.opblock-summary-control').click()
        const request = block.locator('.opblock-section-request-body .highlight-code')
        assert.match(await request.first().innerText(), /"title": "The \w+ \w+"/)
        const error = block.locator('.response[data-code="400"]')
        assert.is(await error.locator('.highlight-code').isVisible(), false)
        await error.locator('summary').click()
        assert.match(await error.locator('.highlight-code').innerText(), '"title": "Bad Request"')
        assert.is(await page.locator('.models .model-box').count(), 0)
      }))
    test('works with a trailing slash', () =>
      onPage(session, '/meta/docs/', async (page) => {
        assert.match(await send(page, 'GET /ping'), 'pong')
      }))
    for (const colorScheme of ['light', 'dark'] as const)
      test(`follows the color scheme ${colorScheme}`, () =>
        onPage(session, '/meta/docs', async (page) => {
          await page.emulateMedia({ colorScheme })
          await page.waitForTimeout(100) // the page handles the event of the change
          assert.is(await isDark(page), colorScheme === 'dark')
          await screenshot(page, `${colorScheme}-${version}`)
        }))
  })

const defineShowcase: Parameters<typeof inBrowser>[2] = (test, session) => {
  for (const colorScheme of ['light', 'dark'] as const)
    test(`sends an operation in the color scheme ${colorScheme}`, () =>
      onPage(session, '/docs', async (page) => {
        await page.emulateMedia({ colorScheme })
        assert.match(await send(page, 'GET /health/live'), 'UP')
        await screenshot(page, `showcase-${colorScheme}`)
      }))
}

inBrowser('documentation page of the showcase', library(), defineShowcase, {
  module: new URL('../../src/showcase/api.js', import.meta.url).href,
})
