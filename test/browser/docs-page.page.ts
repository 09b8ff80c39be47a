/** The documentation page in a browser. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { mkdirSync } from 'node:fs'
import * as assert from 'uvu/assert'
import type { Page } from 'playwright-core'
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
  summary,
  text,
  withFilter,
} from '../../src/index.ts'
import { openApiRoutes } from '../../src/openapi.ts'
import { library } from '../../src/showcase/api.ts'
import type { BrowserSession } from './in-browser.ts'
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
const info = { title: 'Books', version: '1.0.0' }
const small = (version: '3.1' | '3.2') =>
  pipe(
    routes({
      ping,
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

/** Screenshots are written to this directory if the variable is set. */
const screenshots = process.env['SCREENSHOTS']
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true })

/** Opens the page, and checks that it has no errors, violates no policy and sends no request to another origin. */
const onPage = (
  { visit, server }: BrowserSession,
  target: string,
  act: (page: Page) => Promise<void>,
): Promise<void> =>
  visit('/openapi-none', async (page) => {
    const problems: string[] = []
    page.setDefaultTimeout(10_000)
    const origin = new URL(server().url).origin
    page.on('console', (message) => {
      // the browser requests the icon of the first page, which has none
      const { url } = message.location()
      if (['error', 'warning'].includes(message.type()) && !url.endsWith('/favicon.ico'))
        problems.push(`${message.text()} ${url}`)
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!/^(?:data|blob):/.test(url) && new URL(url).origin !== origin) problems.push(url)
    })
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', (e) => console.error('CSP', e.violatedDirective, e.blockedURI))`,
    )
    await page.goto(`${server().url}${target}`)
    await page.waitForSelector('.opblock')
    await act(page)
    assert.equal(problems, [])
  })

/** Expands an operation such as `GET /ping`, sends it, and returns the body of the response. */
const send = async (
  page: Page,
  operation: string,
  fill: (block: ReturnType<Page['locator']>) => Promise<void> = async () => undefined,
): Promise<string> => {
  const [method = '', template] = operation.split(' ')
  const block = page
    .locator(`.opblock-${method.toLowerCase()}`)
    .filter({ has: page.locator(`[data-path="${template}"]`) })
  await block.locator('.opblock-summary-control').click()
  await block.locator('.try-out__btn').click()
  await fill(block)
  await block.locator('.execute').click()
  const response = block.locator('.live-responses-table tbody .response')
  await response.first().waitFor()
  return response.first().innerText()
}

/** Whether the background is dark. Without a style, it is white. */
const isDark = async (page: Page): Promise<boolean> => {
  const color = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const [red = 255, green = 255, blue = 255, alpha = 1] = [
    ...String(color).matchAll(/[\d.]+/g),
  ].map(Number)
  return alpha === 1 && Math.max(red, green, blue) < 64
}

const screenshot = async (page: Page, name: string): Promise<void> => {
  if (screenshots !== undefined)
    await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true })
}

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
