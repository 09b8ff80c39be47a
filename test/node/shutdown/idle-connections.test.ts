/** The duration of a shutdown while clients hold idle keep-alive connections, by profile. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe, table } from '../../support/describe.ts'

const api = routes({
  hello: pipe(
    path('/hello'),
    get(),
    produces(text),
    handle(() => 'hello'),
  ),
})

describe('close with an idle keep-alive connection', (test) =>
  table(test, [['test'], ['dev']] as const, async (profile) => {
    const server = await serve(api, {
      profile,
      logger: silentLogger,
      'fw.http.port': 0,
    })
    // fetch keeps the connection open for the next request
    const response = await fetch(`${server.url}/hello`)
    assert.is(response.headers.get('connection'), 'keep-alive')
    assert.is(await response.text(), 'hello')
    const start = performance.now()
    await server.close()
    assert.ok(performance.now() - start < 4000)
  }))
