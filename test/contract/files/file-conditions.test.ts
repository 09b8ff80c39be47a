/** Conditional requests for files: `If-None-Match`, `If-Modified-Since`, `If-Match` and `If-Unmodified-Since`. */
import * as assert from 'uvu/assert'
import { cpuTime } from '../../support/cpu-time.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { createSend, fileApi } from '../../programs/file-api.ts'

contract('conditional requests for files', fileApi, (test, call) => {
  const send = createSend(call)
  const etagOfFile = async () => (await send('/named?name=lorem.txt')).headers.get('etag') ?? ''
  const before = 'Thu, 29 Feb 2024 11:59:59 GMT'
  const modified = 'Thu, 29 Feb 2024 12:00:00 GMT'
  const after = 'Thu, 29 Feb 2024 12:00:01 GMT'
  table(
    test,
    [
      ['If-None-Match with the ETag', (etag: string) => ({ 'If-None-Match': etag }), 304],
      [
        'If-None-Match with the weak ETag',
        (etag: string) => ({ 'If-None-Match': `"x", W/${etag}` }),
        304,
      ],
      ['If-None-Match: *', () => ({ 'If-None-Match': '*' }), 304],
      ['If-None-Match with another ETag', () => ({ 'If-None-Match': '"x"' }), 200],
      [
        'If-None-Match takes precedence over If-Modified-Since',
        () => ({ 'If-None-Match': '"x"', 'If-Modified-Since': after }),
        200,
      ],
      [
        'If-Modified-Since with the modification date',
        () => ({ 'If-Modified-Since': modified }),
        304,
      ],
      ['If-Modified-Since with a later date', () => ({ 'If-Modified-Since': after }), 304],
      ['If-Modified-Since with an earlier date', () => ({ 'If-Modified-Since': before }), 200],
      ['an invalid If-Modified-Since', () => ({ 'If-Modified-Since': 'x' }), 200],
      ['If-Match with the ETag', (etag: string) => ({ 'If-Match': etag }), 200],
      ['If-Match with the weak ETag', (etag: string) => ({ 'If-Match': `W/${etag}` }), 412],
      ['If-Match with another ETag', () => ({ 'If-Match': '"x"' }), 412],
      ['If-Match: *', () => ({ 'If-Match': '*' }), 200],
      [
        'If-Unmodified-Since with the modification date',
        () => ({ 'If-Unmodified-Since': modified }),
        200,
      ],
      ['If-Unmodified-Since with an earlier date', () => ({ 'If-Unmodified-Since': before }), 412],
      [
        'If-Match takes precedence over If-Unmodified-Since',
        (etag: string) => ({ 'If-Match': etag, 'If-Unmodified-Since': before }),
        200,
      ],
      [
        'If-None-Match takes precedence over Range',
        (etag: string) => ({ 'If-None-Match': etag, Range: 'bytes=0-4' }),
        304,
      ],
    ] as const,
    async (_, headersOf, status) => {
      const etag = await etagOfFile()
      const response = await send('/named?name=lorem.txt', headersOf(etag))
      assert.is(response.status, status)
      assert.is(response.headers.get('etag'), etag)
      if (status !== 304) return
      assert.is(response.headers.get('content-type'), null)
      assert.is(response.headers.get('content-length'), null)
      assert.is(await response.text(), '')
    },
  )
  test('an If-None-Match header with 900 ETags takes less than a second of CPU time', async () => {
    const start = cpuTime()
    const etags = Array.from({ length: 900 }, (_, index) => `"tag-${index}-abcd"`).join(', ')
    assert.is((await send('/named?name=lorem.txt', { 'If-None-Match': etags })).status, 200)
    assert.ok(cpuTime() - start < 1000)
  })
})
