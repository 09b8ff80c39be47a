/** The development server of Vite, which bundles dependencies of pages, and imports those of servers from `node_modules`. */
import { clientPrograms, serverPrograms } from './programs.mjs'
import { runInPage } from './page.mjs'

const startVite = async (folder, apiUrl) => {
  const { createServer } = await import('vite')
  return createServer({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    appType: 'custom',
    server: { port: 0, host: '127.0.0.1', proxy: { '/api': apiUrl, '/page.html': apiUrl } },
  })
}

/** Runs programs in a page that the server reloads whenever it has found and bundled another dependency. */
const runWithReloads = async (url, files, tries = 5) => {
  try {
    return await runInPage(url, files)
  } catch (error) {
    if (tries === 0) throw error
    return runWithReloads(url, files, tries - 1)
  }
}

/** The rows of the table: their names, and functions that check all programs. */
export const viteDevRows = ({ folder, apiUrl, check }) => [
  [
    'vite serve client',
    async (row) => {
      const vite = await startVite(folder, apiUrl)
      try {
        await vite.listen()
        const names = Object.keys(clientPrograms)
        const url = vite.resolvedUrls.local[0].replace(/\/$/, '')
        const files = names.map((name) => [name, `/client/${name}.mjs`])
        check(row, 'client', names, await runWithReloads(url, files))
      } finally {
        await vite.close()
      }
    },
  ],
  [
    'vite serve server',
    async (row) => {
      const vite = await startVite(folder, apiUrl)
      const directory = process.cwd()
      process.chdir(`${folder}/server`)
      try {
        const names = Object.keys(serverPrograms)
        const results = new Map()
        for (const name of names)
          results.set(
            name,
            await vite
              .ssrLoadModule(`/server/${name}.mjs`)
              .then(({ run }) => run())
              .then(String, String),
          )
        check(row, 'server', names, results)
      } finally {
        process.chdir(directory)
        await vite.close()
      }
    },
  ],
]
