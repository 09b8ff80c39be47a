/** Trees with `mutualTls` on servers that do not request client certificates. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { toFetchHandler } from '../../../src/fetch.ts'
import {
  authenticated,
  basic,
  denyAll,
  get,
  handle,
  mutualTls,
  path,
  produces,
  rolesAllowed,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { nodeListener } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { createRecorder } from '../../support/recorder.ts'

const me = pipe(
  path('/me'),
  get(),
  produces(text),
  handle(() => ''),
)
const users = basic({ realm: 'library', verify: () => undefined })
const withCertificates = withFilter(mutualTls())
const required = pipe(routes({ me: pipe(me, authenticated) }), withCertificates)

describe('mutualTls on a server that requests no certificates', (test) => {
  table(
    test,
    [
      ['authenticated', required],
      ['rolesAllowed', pipe(routes({ me: pipe(me, rolesAllowed('a')) }), withCertificates)],
    ] as const,
    async (_, api) => {
      const failure = await serveLocally(api).then(() => 'started', String)
      assert.match(
        failure,
        /FW-TLS-004[^]*GET \/me {2}\(me\)[^]*set fw\.http\.ssl\.client-auth, or add another authentication filter/,
      )
      assert.throws(() => toFetchHandler(api), /FW-FETCH-001[^]*no client certificates/)
    },
  )
  table(
    test,
    [
      ['an operation for all callers', pipe(routes({ me }), withCertificates), 1],
      ['denyAll', pipe(routes({ me: pipe(me, denyAll) }), withCertificates), 1],
      [
        'another authentication filter',
        pipe(routes({ me: pipe(me, authenticated) }), withCertificates, withFilter(users)),
        0,
      ],
    ] as const,
    async (_, api, warnings) => {
      const { logger, lines } = createRecorder()
      const server = await serveLocally(api, { logger })
      await server.close()
      assert.is(
        lines.filter(({ message }) => message.startsWith('mutualTls has no effect')).length,
        warnings,
      )
    },
  )
  test('tests in memory and servers with nodeListener are not affected', async () => {
    assert.is((await inMemory(required)('http://localhost/me')).status, 401)
    await nodeListener(required, { logger: silentLogger }).close()
  })
})
