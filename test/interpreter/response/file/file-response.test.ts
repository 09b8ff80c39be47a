import * as assert from 'uvu/assert'
import * as Headers from '../../../../src/http/headers.ts'
import type { EncodedResponse } from '../../../../src/interpreter/exchange.ts'
import type { OpenFile } from '../../../../src/interpreter/file-system.ts'
import { sendFile } from '../../../../src/interpreter/response/file/file-response.ts'
import { isChunkSource } from '../../../../src/interpreter/chunks.ts'
import { describe, table } from '../../../support/describe.ts'
import { exchangeOf } from '../../../support/exchange.ts'

const counts = { reads: 0, closes: 0 }

/** A file that is nowhere. */
const fileOf = (modified: number, size = 10): OpenFile => ({
  size,
  modified,
  read: (_, length) => {
    counts.reads++
    return Promise.resolve(new Uint8Array(length))
  },
  close: () => {
    counts.closes++
    return Promise.resolve()
  },
})

const answerOf = (
  file: OpenFile,
  fields: Headers.Headers = [],
  method = 'GET',
): Promise<EncodedResponse> => {
  counts.reads = 0
  counts.closes = 0
  const exchange = exchangeOf({ method, headers: fields }, () => undefined)
  const files = { ...exchange.platform.files, open: () => Promise.resolve(file) }
  const system = { ...exchange.platform, files }
  return sendFile('/a.txt')(
    { status: 200, headers: ['Content-Type', '*/*'] },
    { ...exchange, platform: system },
  )
}

const long = Date.UTC(2024, 1, 29)

describe('served: validators', (test) => {
  table(
    test,
    [
      ['R-039: left alone for long: strong', () => long, /^"[\da-z]+-a"$/],
      ['left alone for 3 seconds: strong', () => Date.now() - 3000, /^"/],
      ['changed a moment ago: weak', () => Date.now() - 1000, /^W\/"/],
      ['changed in the future: weak', () => Date.now() + 100_000, /^W\/"/],
    ] as const,
    async (_, modified, tag) => {
      const { headers } = await answerOf(fileOf(modified()))
      assert.match(Headers.first(headers, 'etag') ?? '', tag)
      assert.ok(Date.parse(Headers.first(headers, 'last-modified') ?? '') <= Date.now())
    },
  )
  test('differ with the size and the time of a file, by its fractions of milliseconds', async () => {
    const tags = await Promise.all(
      [fileOf(long), fileOf(long + 0.25), fileOf(long + 1), fileOf(long, 11)].map(async (file) =>
        Headers.first((await answerOf(file)).headers, 'etag'),
      ),
    )
    assert.is(new Set(tags).size, 4)
  })
})

describe('served: reading', (test) => {
  const mib = 1024 * 1024
  table(
    test,
    [
      ['a small file is read and closed before it is answered', 'GET', 10, [], 1, 1],
      ['of a large one the begin is read, which leaves with the head', 'GET', mib, [], 1, 0],
      ['HEAD reads nothing', 'HEAD', 10, [], 0, 0],
      ['HEAD of a large one neither', 'HEAD', mib, [], 0, 0],
      ['304 reads nothing and closes', 'GET', mib, ['If-None-Match', '*'], 0, 1],
      ['an empty file is not read', 'GET', 0, [], 0, 1],
    ] as const,
    async (_, method, size, fields, reads, closes) => {
      const { body: content } = await answerOf(fileOf(long, size), fields, method)
      assert.equal([counts.reads, counts.closes], [reads, closes])
      if (!isChunkSource(content)) return
      assert.is(content.length, size)
      content.close()
      assert.is(counts.closes, 1)
    },
  )
  for (const [name, fields] of [
    ['412', ['If-Match', '"x"']],
    ['416', ['Range', 'bytes=10-']],
  ] as const)
    test(`${name} closes`, async () => {
      const error: unknown = await answerOf(fileOf(long), fields).catch((reason: unknown) => reason)
      assert.is(error instanceof Error && 'status' in error && error.status, Number(name))
      assert.equal([counts.reads, counts.closes], [0, 1])
    })
})
