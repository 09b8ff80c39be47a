/** Properties and profiles from all sources are available to conditions and handlers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  path,
  produces,
  profile,
  property,
  routes,
  text,
  when,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions } from '../../src/node.ts'
import { serve } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'
import type { Files } from './settings/directory.ts'
import { env, properties } from './settings/directory.ts'

const beta = pipe(
  path('/beta'),
  get(),
  when(property('features.beta', 'on')),
  when(profile('dev')),
  produces(text),
  handle((_, { application }) => application.property('app.name') ?? 'nothing'),
)
const api = routes({ beta })

const responseOf = async (files: Files, options: ServeOptions): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'configuration-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  const quick = { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 }
  const server = await serve(api, { directory, ...quick, ...options })
  try {
    const response = await fetch(`${server.url}/beta`)
    return response.ok ? await response.text() : String(response.status)
  } finally {
    await server.close()
    rmSync(directory, { recursive: true })
  }
}

describe('serve with conditional routes', (test) => {
  const dev = { profile: 'dev' }
  const inFile = properties('app.name=${app.owner:unowned}\n%dev.features.beta=on')
  table<readonly [title: string, files: Files, options: ServeOptions, expected: string]>(
    test,
    [
      ['no configuration', {}, {}, '404'],
      ['a properties file for another profile', inFile, {}, '404'],
      ['a properties file', inFile, dev, 'unowned'],
      ['.env', env('FW_PROFILE=dev\nFEATURES_BETA=on\nAPP_NAME=a'), {}, 'a'],
      ['.env overrides a properties file', { ...inFile, ...env('FEATURES_BETA=off') }, dev, '404'],
      [
        'options override a properties file',
        inFile,
        { ...dev, properties: { 'app.owner': 'kew' } },
        'kew',
      ],
      ['options', {}, { ...dev, properties: { 'features.beta': 'on' } }, 'nothing'],
    ],
    async (_, files, options, expected) => assert.is(await responseOf(files, options), expected),
  )
})
