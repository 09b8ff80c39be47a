/** Opens documentation pages and sends operations from them. */
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { BrowserSession } from './in-browser.ts'

/** Screenshots are written to this directory if the variable is set. */
const screenshots = process.env['SCREENSHOTS']
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true })

/** Opens the page, and checks that it has no errors, violates no policy and sends requests only to its own origin and to `origins`. */
export const onPage = async (
  session: BrowserSession,
  target: string,
  act: (page: Page) => Promise<void>,
  origins: ReadonlyArray<string> = [],
): Promise<void> => assert.equal(await problemsOnPage(session, target, act, origins), [])

/**
 * Opens the page, and returns the errors on the console, violations of policies and requests to other origins. Windows that the page
 * opens are included.
 */
export const problemsOnPage = (
  { visit, server }: BrowserSession,
  target: string,
  act: (page: Page) => Promise<void>,
  origins: ReadonlyArray<string> = [],
): Promise<ReadonlyArray<string>> =>
  visit('/openapi-none', async (page) => {
    const problems: string[] = []
    const context = page.context()
    page.setDefaultTimeout(10_000)
    const allowed = [new URL(server().url).origin, ...origins]
    context.on('console', (message) => {
      // the browser requests the icon of the first page, which has none
      const { url } = message.location()
      if (['error', 'warning'].includes(message.type()) && !url.endsWith('/favicon.ico'))
        problems.push(`${message.text()} ${url}`)
    })
    context.on('weberror', (thrown) => problems.push(thrown.error().message))
    context.on('request', (request) => {
      const url = request.url()
      if (!/^(?:data|blob):/.test(url) && !allowed.includes(new URL(url).origin)) problems.push(url)
    })
    await context.addInitScript(
      `document.addEventListener('securitypolicyviolation', (e) => console.error('CSP', e.violatedDirective, e.blockedURI))`,
    )
    await page.goto(`${server().url}${target}`)
    await page.waitForSelector('.opblock')
    await act(page)
    return problems
  })

/** Expands an operation such as `GET /ping`, sends it, and returns the body of the response. */
export const send = async (
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
export const isDark = async (page: Page): Promise<boolean> => {
  const color = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const [red = 255, green = 255, blue = 255, alpha = 1] = [
    ...String(color).matchAll(/[\d.]+/g),
  ].map(Number)
  return alpha === 1 && Math.max(red, green, blue) < 64
}

export const screenshot = async (page: Page, name: string): Promise<void> => {
  if (screenshots !== undefined)
    await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true })
}
