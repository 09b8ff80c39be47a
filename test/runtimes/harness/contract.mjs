/**
 * Replaces `test/support/contract.ts` in bundles for other runtimes: a contract runs with `toFetchHandler`, either by calls of the handler
 * or over a socket of the runtime.
 */
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts?original'
import { testsOfFetch, throughFetch } from '../../support/through-fetch.ts'
import { definition } from './uvu.mjs'
import { serveHandler } from './serve.mjs'

export { send }

export const base = 'http://service.test'

/** The names of contracts whose trees have operations that fetch handlers do not support. */
export const unsupported = []

/** Whether requests are sent over a socket. */
export const mode = { isOverSocket: false }

export const contract = (name, api, define, options = {}) => {
  const { directory: _directory, module: _module, export: _export, ...rest } = options
  const settings = { logger: silentLogger, ...rest }
  const call = throughFetch(typeof api === 'function' ? api() : api, settings)
  if (call === undefined) {
    unsupported.push(name)
    return
  }
  definition.isContract = true
  describe(name, (test, hooks) => {
    const tests = testsOfFetch(name, test)
    if (!mode.isOverSocket) return define(tests, call)
    let server
    hooks.before(async () => {
      server = await serveHandler((request) => call(request))
    })
    hooks.after(() => server?.close())
    define(tests, (request) => send(server.url, request))
  })
  definition.isContract = false
}

/** Like {@link contract}. The distinction concerns the default run on Node.js only. */
export const valueContract = contract
