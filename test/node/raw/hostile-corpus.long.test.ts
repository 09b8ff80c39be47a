/**
 * Tests that no request within the default limits blocks the event loop for long: sends the corpus of `test/hostile` to a
 * server with each codec back end. Blocking is measured as CPU time, which other processes affect less than wall-clock time.
 * `npm run hostile` in `bench/` prints the measurements.
 */
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { cases } from '../../hostile/cases.ts'
import type { HostileServer } from '../../hostile/hostile-server.ts'
import { start } from '../../hostile/hostile-server.ts'
import { load } from '../../hostile/library.ts'

/** Maximum CPU milliseconds of a request. The goal is 100; five times as much is an error on any machine. */
const maxHold = 500

const build = new URL('../../../src/', import.meta.url).href
const corpus = cases(await load(build))

/** Families that do not depend on codecs. They are sent to the first server only; the benchmark sends them to both. */
const withoutCodecs: ReadonlySet<string> = new Set([
  'compressed',
  'multipart',
  'small chunks',
  'text, bytes, files',
])

const backEnds = [
  ['generated codecs', [], corpus],
  [
    'interpreted codecs',
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
        assert.is(status === 413 ? status : Math.floor(status / 100), expected, `status ${status}`)
        assert.ok(hold < maxHold, `the event loop was blocked for ${hold.toFixed(0)} ms`)
      })
  })

describe('hostile corpus', (test) => {
  test('has at least 400 requests', () => assert.ok(corpus.length >= 400, `${corpus.length}`))
  test('has unique names', () =>
    assert.is(new Set(corpus.map(({ name }) => name)).size, corpus.length))
})
