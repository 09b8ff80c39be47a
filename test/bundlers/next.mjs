/**
 * A Next.js application: a page that uses the contract on the server and in the browser, a route handler that serves the API, and another one
 * that uses the entry points for Node.js. It is built and started with both bundlers.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { withPage } from './page.mjs'
import { contract, service } from './programs.mjs'
import { install, runNode, writeFiles } from './project.mjs'
import manifest from './package.json' with { type: 'json' }

const { next, react, 'react-dom': reactDom } = manifest.dependencies

const files = {
  'contract.mjs': contract,
  'service.mjs': service,
  'app/layout.js': `
    export default function Layout({ children }) {
      return <html><body>{children}</body></html>
    }
  `,
  'app/page.js': `
    import { contract } from '../contract.mjs'
    import { Caller } from './caller'
    export default function Page() {
      return <main><p>{'server: ' + Object.keys(contract._T ?? contract).length}</p><Caller /></main>
    }
  `,
  'app/caller.js': `
    'use client'
    import { useEffect, useState } from 'react'
    import { promiseClient } from 'espalier/client'
    import { contract } from '../contract.mjs'
    export function Caller() {
      const [text, setText] = useState('waiting')
      useEffect(() => {
        const { find, asXml, asCbor } = promiseClient(contract, { baseUrl: location.origin })
        const calls = [find({ path: { id: 7 }, query: { page: 2 } }), asXml(), asCbor()]
        Promise.all(calls).then(
          (results) => setText('client: ' + results.map(({ body }) => body.title).join(', ')),
          (error) => setText('client: ' + error),
        )
      }, [])
      return <p id="client">{text}</p>
    }
  `,
  'app/api/[...path]/route.js': `
    import { toFetchHandler } from 'espalier/fetch'
    import { api } from '../../../service.mjs'
    export const GET = toFetchHandler(api)
  `,
  'app/node/route.js': `
    import { describeRoutes } from 'espalier/node'
    import { openApi } from 'espalier/openapi'
    import { inMemory } from 'espalier/testing'
    import { api } from '../../service.mjs'
    export const dynamic = 'force-dynamic'
    export const GET = async () => {
      const response = await inMemory(api)('http://localhost/api/now?at=2026-01-31T12:00:00Z')
      const { paths } = openApi(api, { info: { title: 'a', version: '1' } })
      return new Response([await response.text(), Object.keys(paths).length, typeof describeRoutes].join(' '))
    }
  `,
}

/** What the pages respond with. */
const expected = {
  '/': /server: (?:<!-- -->)?\d+/,
  '/api/books/7': /^\{"id":7,"title":"page 1"\}$/,
  '/api/book/price': /^12\.50$/,
  '/node': /^2026-01-31T12:00:00Z 6 function$/,
}

/** Starts a server of Next.js, and resolves to its URL and a function that stops it. */
const startNext = async (folder, mode, args) => {
  const command = [join(folder, 'node_modules/next/dist/bin/next'), ...args, '--port', '0']
  const child = spawn(process.execPath, command, {
    cwd: folder,
    // other bundlers have set `NODE_ENV`
    env: { ...process.env, NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // with its workers
  })
  let output = ''
  const started = new Promise((resolve, reject) => {
    const onData = (chunk) => {
      output += chunk
      const url = /http:\/\/localhost:\d+/.exec(output)?.[0]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.once('exit', () => reject(new Error(output)))
    setTimeout(() => reject(new Error(output)), 60_000).unref()
  })
  const close = async () => {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await exited
  }
  try {
    return { url: await started, output: () => output, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Requests the pages. Resolves to a description of the first difference from what is expected. */
const visit = async (url) => {
  for (const [path, pattern] of Object.entries(expected)) {
    const text = await (await fetch(url + path)).text()
    if (!pattern.test(text)) return `${path}: ${text.slice(0, 1000)}`
  }
  return withPage(async (page) => {
    await page.goto(url)
    const caller = page.getByText('client:')
    await caller.waitFor({ timeout: 60_000 })
    const text = await caller.textContent()
    return text === 'client: page 2, Emma, Emma' ? undefined : text
  })
}

const issue =
  /(?:Module not found|Can't resolve|Critical dependency|Compiled with warnings|⚠ (?!Warning: Next\.js inferred|No build cache found)|Error:)[^]{0,600}/

/** The rows of the table: their names, and functions that resolve to a description of the problem. */
export const nextRows = ({ root, tarball }) => {
  const folder = join(root, 'next')
  let isInstalled = false
  const row = (mode, bundler) => async () => {
    if (!isInstalled) {
      writeFiles(folder, files)
      const espalier = { espalier: `file:${tarball}`, 'fp-ts': '^2.16.11', 'io-ts': '^2.2.22' }
      install(folder, tarball, {
        type: undefined, // as create-next-app
        dependencies: { ...espalier, next, react, 'react-dom': reactDom },
      })
      isInstalled = true
    }
    const options = [`--${bundler}`]
    if (mode === 'production') {
      const build = [join(folder, 'node_modules/next/dist/bin/next'), 'build', ...options]
      const { code, output } = await runNode(folder, build, {
        NODE_ENV: mode,
        NEXT_TELEMETRY_DISABLED: '1',
      })
      const problem = issue.exec(output)?.[0]
      if (code !== 0 || problem !== undefined) return problem ?? output
    }
    const args = mode === 'production' ? ['start'] : ['dev', ...options]
    const server = await startNext(folder, mode, args)
    try {
      return (await visit(server.url)) ?? issue.exec(server.output())?.[0]
    } finally {
      await server.close()
    }
  }
  return ['production', 'development'].flatMap((mode) =>
    ['turbopack', 'webpack'].map((bundler) => [`next ${bundler} ${mode}`, row(mode, bundler)]),
  )
}
