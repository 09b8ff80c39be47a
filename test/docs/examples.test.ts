import { existsSync, readdirSync } from 'node:fs'
import { describe } from '../support/describe.ts'

// examples listen on any free port, log nothing and stop at once
process.env['FW_HTTP_PORT'] ??= '0'
process.env['FW_SHUTDOWN_GRACE'] ??= '0'

describe('examples in the documentation', (test) => {
  const folder = new URL('./out/', import.meta.url)
  for (const file of (existsSync(folder) ? readdirSync(folder) : []).filter((name) =>
    name.endsWith('.js'),
  ))
    test(file, () => import(new URL(file, folder).href))
})
