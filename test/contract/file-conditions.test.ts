/** Conditional requests for files. */
import * as assert from 'uvu/assert'
import { computed } from '../support/process-cpu-time.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { asking, fileApi } from '../support/file-api.ts'

contract('conditions on a file', fileApi, (test, call) => {
  const ask = asking(call)
  const tag = async () => (await ask('/named?name=lorem.txt')).headers.get('etag') ?? ''
  const before = 'Thu, 29 Feb 2024 11:59:59 GMT'
  const exactly = 'Thu, 29 Feb 2024 12:00:00 GMT'
  const after = 'Thu, 29 Feb 2024 12:00:01 GMT'
  table(
    test,
    [
      ['If-None-Match: its tag', (own: string) => ({ 'If-None-Match': own }), 304],
      ['weakly', (own: string) => ({ 'If-None-Match': `"x", W/${own}` }), 304],
      ['any', () => ({ 'If-None-Match': '*' }), 304],
      ['another', () => ({ 'If-None-Match': '"x"' }), 200],
      ['before a date', () => ({ 'If-None-Match': '"x"', 'If-Modified-Since': after }), 200],
      ['If-Modified-Since: its date', () => ({ 'If-Modified-Since': exactly }), 304],
      ['later', () => ({ 'If-Modified-Since': after }), 304],
      ['earlier', () => ({ 'If-Modified-Since': before }), 200],
      ['no date', () => ({ 'If-Modified-Since': 'x' }), 200],
      ['If-Match: its tag', (own: string) => ({ 'If-Match': own }), 200],
      ['weakly, which is not enough', (own: string) => ({ 'If-Match': `W/${own}` }), 412],
      ['another, which is refused', () => ({ 'If-Match': '"x"' }), 412],
      ['any one that exists', () => ({ 'If-Match': '*' }), 200],
      ['If-Unmodified-Since: its date', () => ({ 'If-Unmodified-Since': exactly }), 200],
      ['earlier, which is refused', () => ({ 'If-Unmodified-Since': before }), 412],
      [
        'If-Match before a date',
        (own: string) => ({ 'If-Match': own, 'If-Unmodified-Since': before }),
        200,
      ],
      ['before a range', (own: string) => ({ 'If-None-Match': own, Range: 'bytes=0-4' }), 304],
    ] as const,
    async (_, headersOf, status) => {
      const own = await tag()
      const response = await ask('/named?name=lorem.txt', headersOf(own))
      assert.is(response.status, status)
      assert.is(response.headers.get('etag'), own)
      if (status !== 304) return
      assert.is(response.headers.get('content-type'), null)
      assert.is(response.headers.get('content-length'), null)
      assert.is(await response.text(), '')
    },
  )
  test('a field full of tags is looked through in no time', async () => {
    const start = computed()
    const tags = Array.from({ length: 900 }, (_, at) => `"tag-${at}-abcd"`).join(', ')
    assert.is((await ask('/named?name=lorem.txt', { 'If-None-Match': tags })).status, 200)
    assert.ok(computed() - start < 1000)
  })
})
