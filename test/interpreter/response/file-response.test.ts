import * as assert from 'uvu/assert'
import * as Headers from '../../../src/http/headers.ts'
import type { EncodedResponse, OpenFile } from '../../../src/interpreter/exchange.ts'
import { isChunkSource } from '../../../src/interpreter/exchange.ts'
import { sendFile } from '../../../src/interpreter/response/file-response.ts'
import { describe, table } from '../../support/describe.ts'
import { exchangeOf } from '../../support/exchange.ts'

const counts = { reads: 0, closes: 0 }

/** A file in memory that counts its reads and closes. */
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

const responseTo = async (
  file: OpenFile,
  requestHeaders: Headers.Headers = [],
  method = 'GET',
): Promise<EncodedResponse> => {
  counts.reads = 0
  counts.closes = 0
  const exchange = exchangeOf({ method, headers: requestHeaders }, () => undefined)
  const files = { ...exchange.platform.files, open: () => Promise.resolve(file) }
  const platform = { ...exchange.platform, files }
  return sendFile('/a.txt')(
    { status: 200, headers: ['Content-Type', '*/*'] },
    { ...exchange, platform },
  )
}

const longAgo = Date.UTC(2024, 1, 29)

describe('sendFile: validators', (test) => {
  table(
    test,
    [
      ['an unchanged file has a strong ETag', () => longAgo, /^"[\da-z]+-a"$/],
      ['a file changed 3 seconds ago has a strong ETag', () => Date.now() - 3000, /^"/],
      ['a file changed less than 2 seconds ago has a weak ETag', () => Date.now(), /^W\/"/],
      [
        'a file with a modification time in the future has a weak ETag',
        () => Date.now() + 100_000,
        /^W\/"/,
      ],
    ] as const,
    async (_, modified, expectedEtag) => {
      const { headers } = await responseTo(fileOf(modified()))
      assert.match(Headers.first(headers, 'etag') ?? '', expectedEtag)
      assert.ok(Date.parse(Headers.first(headers, 'last-modified') ?? '') <= Date.now())
    },
  )
  test('the ETag depends on the size and on the modification time in fractions of milliseconds', async () => {
    const etags = await Promise.all(
      [fileOf(longAgo), fileOf(longAgo + 0.25), fileOf(longAgo + 1), fileOf(longAgo, 11)].map(
        async (file) => Headers.first((await responseTo(file)).headers, 'etag'),
      ),
    )
    assert.is(new Set(etags).size, 4)
  })
})

describe('sendFile: reads', (test) => {
  const mib = 1024 * 1024
  table(
    test,
    [
      ['GET of a small file reads and closes it before the response', 'GET', 10, [], 1, 1],
      ['GET of a large file reads the first chunk before the response', 'GET', mib, [], 1, 0],
      ['HEAD of a small file does not read it', 'HEAD', 10, [], 0, 0],
      ['HEAD of a large file does not read it', 'HEAD', mib, [], 0, 0],
      ['a 304 closes the file without reading it', 'GET', mib, ['If-None-Match', '*'], 0, 1],
      ['GET of an empty file does not read it', 'GET', 0, [], 0, 1],
    ] as const,
    async (_, method, size, requestHeaders, reads, closes) => {
      const { body } = await responseTo(fileOf(longAgo, size), requestHeaders, method)
      assert.equal([counts.reads, counts.closes], [reads, closes])
      if (!isChunkSource(body)) return
      assert.is(body.length, size)
      body.close()
      assert.is(counts.closes, 1)
    },
  )
  for (const [status, requestHeaders] of [
    [412, ['If-Match', '"x"']],
    [416, ['Range', 'bytes=10-']],
  ] as const)
    test(`a ${status} closes the file without reading it`, async () => {
      const error: unknown = await responseTo(fileOf(longAgo), requestHeaders).catch(
        (reason: unknown) => reason,
      )
      assert.is(error instanceof Error && 'status' in error && error.status, status)
      assert.equal([counts.reads, counts.closes], [0, 1])
    })
})
