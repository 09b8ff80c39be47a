import { existsSync, readdirSync } from 'node:fs'
import { describe } from '../support/describe.ts'

// examples serve on any free port, and log nothing
process.env['FW_HTTP_PORT'] ??= '0'

describe('examples in the documentation', (test) => {
  const folder = new URL('./out/', import.meta.url)
  for (const file of (existsSync(folder) ? readdirSync(folder) : []).filter((name) =>
    name.endsWith('.js'),
  ))
    test(file, () => import(new URL(file, folder).href))
})
