/**
 * No request within the default limits stops the event loop for long: the corpus of `test/support/hostile`, on a server of each
 * codec back end. Hold is measured as CPU time, so that other processes do not change it. `npm run hostile` in `bench/` prints
 * the figures.
 */
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { cases } from '../../support/hostile/cases.ts'
import type { HostileServer } from '../../support/hostile/hostile-server.ts'
import { start } from '../../support/hostile/hostile-server.ts'
import { load } from '../../support/hostile/library.ts'

/** Milliseconds for which a request may hold the event loop. The goal is 100; five times as much is an error anywhere. */
const mostHold = 500

const build = new URL('../../../src/', import.meta.url).href
const corpus = cases(await load(build))

/** Families that no codec has a part in: they are sent to the first server only. The bench sends them to both. */
const withoutCodecs: ReadonlySet<string> = new Set([
  'compressed',
  'multipart',
  'small chunks',
  'text, bytes, files',
])

const backEnds = [
  ['generated source', [], corpus],
  [
    'without code generation',
    ['--disallow-code-generation-from-strings'],
    corpus.filter(({ family }) => !withoutCodecs.has(family)),
  ],
] as const

for (const [backEnd, flags, sent] of backEnds)
  describe(`hostile requests, ${backEnd}`, (test, { before, after }) => {
    let server: HostileServer
    before(async () => {
      server = await start({ build, flags })
    })
    after(() => server.close())
    for (const { name, expected, request } of sent)
      test(name, async () => {
        if (server.hasEnded()) server = await start({ build, flags })
        const { status, hold } = await server.measure(request())
        assert.is(Math.floor(status / 100), expected, `status ${status}`)
        assert.ok(hold < mostHold, `the event loop was held for ${hold.toFixed(0)} ms`)
      })
  })

describe('hostile requests', (test) => {
  test('are at least 400', () => assert.ok(corpus.length >= 400, `${corpus.length}`))
  test('have unique names', () =>
    assert.is(new Set(corpus.map(({ name }) => name)).size, corpus.length))
})
