/** Responses from parts of files and from open file handles, with and without interceptors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { withInterceptor, writerInterceptor } from '../../../src/index.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { createSend, closed, fileApi } from '../../programs/file-api.ts'
import { waitUntil } from '../../support/wait-until.ts'

/** Calls of the writer interceptor. */
const intercepted: string[] = []

contract('parts of files and open files', fileApi, (test, call) => {
  const send = createSend(call)
  const etagOfFile = async () => (await send('/named?name=lorem.txt')).headers.get('etag') ?? ''
  test('a part is sent with its own length, ETag and ranges', async () => {
    const response = await send('/part?offset=6&count=5')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-length'), '5')
    assert.is(response.headers.get('content-range'), null)
    assert.is(await response.text(), 'ipsum')
    assert.is.not(response.headers.get('etag'), await etagOfFile())
    const range = await send('/part?offset=6&count=5', { Range: 'bytes=1-2' })
    assert.is(range.headers.get('content-range'), 'bytes 1-2/5')
    assert.is(await range.text(), 'ps')
    assert.is((await send('/part?offset=6&count=5', { Range: 'bytes=5-' })).status, 416)
  })
  table(
    test,
    [
      ['offset=0&count=26', 200],
      ['offset=25&count=1', 200],
      ['offset=26&count=0', 200],
      ['offset=26&count=1', 500],
      ['offset=0&count=27', 500],
      ['offset=-1&count=1', 500],
      ['offset=0&count=-1', 500],
    ] as const,
    async (query, status) => assert.is((await send(`/part?${query}`)).status, status),
  )
  test('a part of a missing file returns 404', async () =>
    assert.is((await send('/missing-part')).status, 404))
  test('an open file is sent and closed', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const name of ['lorem.txt', '700000.bin']) {
        closed.length = 0
        const response = await send(`/open?name=${name}`, {}, method)
        const size = name === 'lorem.txt' ? 26 : 700_000
        assert.is(response.headers.get('content-length'), String(size))
        assert.is((await response.arrayBuffer()).byteLength, method === 'GET' ? size : 0)
        await waitUntil(() => closed.length > 0)
        assert.equal(closed, [name])
      }
  })
  test('an open file is closed after a part of it is sent or rejected', async () => {
    assert.is(await (await send('/open-part?offset=6&count=5')).text(), 'ipsum')
    for (const [target, headers, status] of [
      ['/open-part?offset=6&count=99', {}, 500],
      ['/open-part?offset=6&count=5', { Range: 'bytes=5-' }, 416],
      ['/open-part?offset=6&count=5', { 'If-Match': '"x"' }, 412],
      ['/open-part?offset=6&count=5', { 'If-None-Match': '*' }, 304],
    ] as const) {
      closed.length = 0
      assert.is((await send(target, headers)).status, status)
      await waitUntil(() => closed.length > 0)
      assert.equal(closed, ['lorem.txt'])
    }
  })
})

contract(
  'files with a writer interceptor',
  () =>
    pipe(
      fileApi,
      withInterceptor(
        writerInterceptor((_, proceed) => {
          intercepted.push('called')
          return proceed()
        }),
      ),
    ),
  (test, call) => {
    const send = createSend(call)
    test('a file is sent with its length and ranges, without calling the interceptor', async () => {
      for (const target of ['/named', '/open']) {
        intercepted.length = 0
        const response = await send(`${target}?name=lorem.txt`, { Range: 'bytes=0-4' })
        assert.equal([response.status, await response.text()], [206, 'Lorem'])
        assert.is(response.headers.get('content-length'), '5')
        assert.equal(intercepted, [])
      }
    })
  },
)
