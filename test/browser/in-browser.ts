/** Runs tests in a browser, with the servers of its pages. */
import type { Browser, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import type { Routes } from '../../src/index.ts'
import type { Server, ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { Hooks } from '../support/describe.ts'
import { describe } from '../support/describe.ts'

/** The page and server of a test. */
export interface BrowserSession {
  /** Opens a page at a path of the server. It is closed after the test. */
  readonly visit: <A>(path: string, act: (page: Page) => Promise<A>) => Promise<A>
  readonly server: () => Server
}

/** Defines a suite with its own browser and server. Errors on the console of a page fail the test. */
export const inBrowser = <T, E>(
  name: string,
  api: Routes<T, {}, E>,
  define: (
    test: (title: string, check: () => Promise<void>) => void,
    session: BrowserSession,
    hooks: Pick<Hooks, 'after'>,
  ) => void,
  options: ServeOptions = {},
): void =>
  describe(name, (test, hooks) => {
    const { before, after } = hooks
    let browser: Browser | undefined
    let server: Server | undefined
    before(async () => {
      server = await serve(api, {
        logger: silentLogger,
        'fw.http.host': '127.0.0.1',
        'fw.shutdown.grace': 0,
        ...options,
        'fw.http.port': 0,
      })
      browser = await chromium.launch({
        executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
        args: ['--no-sandbox'],
      })
    })
    after(async () => {
      await browser?.close()
      await server?.close()
    })
    const session: BrowserSession = {
      server: () => {
        if (server === undefined) throw new Error('the server has not started')
        return server
      },
      visit: async (path, act) => {
        if (browser === undefined || server === undefined)
          throw new Error('browser or server has not started')
        const page = await browser.newPage()
        const errors: string[] = []
        page.on('pageerror', (error) => errors.push(error.message))
        try {
          await page.goto(`${server.url}${path}`)
          const result = await act(page)
          if (errors.length > 0) throw new Error(errors.join('\n'))
          return result
        } finally {
          await page.close()
        }
      },
    }
    define(test, session, hooks)
  })
