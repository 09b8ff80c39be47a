/** A server of pages that run bundles in Chromium. Operations below `/api/` are those of the contract. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Opens a page in Chromium for a function, and closes both. */
export const withPage = async (use) => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    return await use(await browser.newPage())
  } finally {
    await browser.close()
  }
}

/** Serves the files of a folder, and the operations of `service.mjs` in it. Resolves to the URL and a function that stops the server. */
export const startServer = async (folder) => {
  const { api } = await import(pathToFileURL(join(folder, 'service.mjs')).href)
  const { nodeListener } = await import(
    pathToFileURL(join(folder, 'node_modules/espalier/dist/espalier/node.js')).href
  )
  const listener = await nodeListener(api, { 'fw.log.level': 'off' })
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    if (pathname.startsWith('/api/')) return listener(request, response)
    try {
      const isPage = pathname.endsWith('.html')
      const content = isPage ? '<!doctype html>' : readFileSync(join(folder, pathname))
      response.writeHead(200, { 'Content-Type': isPage ? 'text/html' : 'text/javascript' })
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  return { url, close: () => server.close() && server.closeAllConnections() }
}

/**
 * Runs programs in a page. Resolves to their results by name.
 *
 * @type {(url: string, files: ReadonlyArray<readonly [string, string]>) => Promise<Map<string, string>>}
 */
export const runInPage = (url, files) =>
  withPage(async (page) => {
    await page.goto(`${url}/page.html`)
    const results = await page.evaluate(async (programs) => {
      const found = []
      for (const [name, file] of programs) {
        const result = await import(file).then(({ run }) => run()).then(String, String)
        found.push([name, result])
      }
      return found
    }, files)
    return new Map(results)
  })
