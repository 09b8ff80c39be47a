/** Parts of files, and files that are open. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { withInterceptor, writerInterceptor } from '../../src/index.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { asking, closed, fileApi } from '../support/file-api.ts'

/** Contents that the interceptor has seen. */
const intercepted: string[] = []

contract('parts of files and open files', fileApi, (test, call) => {
  const ask = asking(call)
  const tag = async () => (await ask('/named?name=lorem.txt')).headers.get('etag') ?? ''
  test('a part is a content of its own', async () => {
    const response = await ask('/part?offset=6&count=5')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-length'), '5')
    assert.is(response.headers.get('content-range'), null)
    assert.is(await response.text(), 'ipsum')
    assert.is.not(response.headers.get('etag'), await tag())
    const range = await ask('/part?offset=6&count=5', { Range: 'bytes=1-2' })
    assert.is(range.headers.get('content-range'), 'bytes 1-2/5')
    assert.is(await range.text(), 'ps')
    assert.is((await ask('/part?offset=6&count=5', { Range: 'bytes=5-' })).status, 416)
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
    async (title, status) =>
      assert.is((await ask(`/part?${title.replace('', '')}`)).status, status),
  )
  test('a part of what is missing is missing', async () =>
    assert.is((await ask('/missing-part')).status, 404))
  test('a file that is open is sent and closed', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const name of ['lorem.txt', '700000.bin']) {
        closed.length = 0
        const response = await ask(`/open?name=${name}`, {}, method)
        const size = name === 'lorem.txt' ? 26 : 700_000
        assert.is(response.headers.get('content-length'), String(size))
        assert.is((await response.arrayBuffer()).byteLength, method === 'GET' ? size : 0)
        await until(() => closed.length > 0)
        assert.equal(closed, [name])
      }
  })
  test('so is a part of one, also where it is refused', async () => {
    assert.is(await (await ask('/open-part?offset=6&count=5')).text(), 'ipsum')
    for (const [to, headers, status] of [
      ['/open-part?offset=6&count=99', {}, 500],
      ['/open-part?offset=6&count=5', { Range: 'bytes=5-' }, 416],
      ['/open-part?offset=6&count=5', { 'If-Match': '"x"' }, 412],
      ['/open-part?offset=6&count=5', { 'If-None-Match': '*' }, 304],
    ] as const) {
      closed.length = 0
      assert.is((await ask(to, headers)).status, status)
      await until(() => closed.length > 0)
      assert.equal(closed, ['lorem.txt'])
    }
  })
})

contract(
  'files under an interceptor',
  () =>
    pipe(
      fileApi,
      withInterceptor(
        writerInterceptor((_, proceed) => {
          intercepted.push('one')
          return proceed()
        }),
      ),
    ),
  (test, call) => {
    const ask = asking(call)
    test('are sent past it, open or not, with their lengths and ranges', async () => {
      for (const to of ['/named', '/open']) {
        intercepted.length = 0
        const response = await ask(`${to}?name=lorem.txt`, { Range: 'bytes=0-4' })
        assert.equal([response.status, await response.text()], [206, 'Lorem'])
        assert.is(response.headers.get('content-length'), '5')
        assert.equal(intercepted, [])
      }
    })
  },
)

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 200 && !holds(); turn++)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
