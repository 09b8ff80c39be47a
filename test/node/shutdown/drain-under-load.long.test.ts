/**
 * A drain under load, in which clients open connections until the server no longer listens. `DRAIN_ROUNDS` sets the number of rounds of
 * each suite.
 */
import * as assert from 'uvu/assert'
import type { ServeOptions } from '../../../src/node.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describe, describeWith, repetitions } from '../../support/describe.ts'
import { startLoad } from '../instances/load.ts'
import { withSupervised } from '../instances/supervised-program.ts'
import { tlsOptions } from '../tls/clients.ts'
import { waitUntil } from '../../support/wait-until.ts'

const isLong = process.env['DRAIN_ROUNDS'] !== undefined
const rounds = Number(process.env['DRAIN_ROUNDS'] ?? repetitions(1, 3))
/** Number of responses before the shutdown starts. */
const minResponses = isLong ? 10_000 : 2000
const clients = 100

/** Sends SIGTERM to a program under load, and returns the number of responses and the lost requests. */
const drainUnderLoad = async (
  options: ServeOptions,
): Promise<{ readonly responses: number; readonly lost: ReadonlyArray<unknown> }> => {
  const result = { responses: 0, lost: new Array<unknown>() }
  await withSupervised({ options }, async ({ url, kill, exit }) => {
    const loads = [1, 20].map((requestsPerConnection) =>
      startLoad(url, {
        clients: clients / 2,
        reconnects: true,
        endsWithServer: true,
        requestsPerConnection,
      }),
    )
    const responses = (): number => loads.reduce((sum, load) => sum + load.responses(), 0)
    await waitUntil(() => responses() > minResponses)
    kill('SIGTERM')
    await Promise.all(loads.map(({ ended }) => ended))
    assert.is((await exit).code, 0)
    result.responses = responses()
    result.lost.push(...loads.flatMap(({ lost }) => lost))
  })
  return result
}

/** Returns the definition of a suite. */
const define =
  (name: string, options: ServeOptions): Parameters<typeof describe>[1] =>
  (test, { after }) => {
    let sent = 0
    for (let round = 1; round <= rounds; round++)
      test(`round ${round}: loses no request`, async () => {
        const { responses, lost } = await drainUnderLoad({
          'fw.shutdown.grace': 300,
          'fw.http.overload.enabled': false,
          ...options,
        })
        sent += responses
        assert.equal([lost.length, lost.slice(0, 3)], [0, []])
      })
    after(() => {
      if (isLong) console.log(`${name}: ${sent} requests`)
    })
  }

const titleOf = (name: string): string =>
  `a drain under load with ${name}, with new connections until the end`

const programs: ReadonlyArray<readonly [name: string, options: ServeOptions]> = [
  ['node', { 'fw.http.connection': 'node' }],
  ['direct', { 'fw.http.connection': 'direct' }],
  ['two instances', { 'fw.http.connection': 'direct', instances: 2 }],
]

for (const [name, options] of programs) describe(titleOf(name), define(name, options))

describeWith(titleOf('TLS'), 'openssl', hasOpenSsl, (test, hooks) => {
  const folder = createCertificateFolder()
  const own = folder.issue(folder.authority('authority'), 'server')
  define('TLS', { ...tlsOptions(own), 'fw.http.insecure-requests': 'disabled' })(test, hooks)
})
