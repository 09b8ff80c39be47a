/** Ranges of files. */
import * as assert from 'uvu/assert'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { asking, fileApi } from '../support/file-api.ts'
import { octetsOf } from '../support/folder.ts'

contract('ranges of a file', fileApi, (test, call) => {
  const ask = asking(call)
  table(
    test,
    [
      ['bytes=0-4', 'Lorem', 'bytes 0-4/26'],
      ['bytes=22-', 'amet', 'bytes 22-25/26'],
      ['bytes=-4', 'amet', 'bytes 22-25/26'],
      ['bytes=6-10', 'ipsum', 'bytes 6-10/26'],
      ['bytes=0-0', 'L', 'bytes 0-0/26'],
      ['bytes=25-99', 't', 'bytes 25-25/26'],
      ['bytes=-99', 'Lorem ipsum dolor sit amet', 'bytes 0-25/26'],
      ['bytes=0-4, 99-', 'Lorem', 'bytes 0-4/26'],
    ] as const,
    async (title, content, range) => {
      const response = await ask('/named?name=lorem.txt', { Range: title.replace('', '') })
      assert.is(response.status, 206)
      assert.is(response.headers.get('content-range'), range)
      assert.is(response.headers.get('content-length'), String(content.length))
      assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
      assert.ok(response.headers.has('etag'))
      assert.is(await response.text(), content)
    },
  )
  table(
    test,
    [['bytes=26-'], ['bytes=99-100'], ['bytes=-0'], ['bytes=26-26,30-']] as const,
    async (title) => {
      const response = await ask('/named?name=lorem.txt', { Range: title.replace('', '') })
      assert.is(response.status, 416)
      assert.is(response.headers.get('content-range'), 'bytes */26')
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      assert.is(response.headers.get('accept-ranges'), null)
    },
  )
  table(
    test,
    [
      ['D4 bytes=5-4'],
      ['bytes=a-b'],
      ['bytes='],
      ['lines=0-4'],
      ['0-4'],
      [`bytes=${Array.from({ length: 17 }, (_, at) => `${at}-${at}`).join()}`],
      ['bytes=0-25,0-25'],
      [`bytes=${'0-,'.repeat(300)}`],
    ] as const,
    async (title) => {
      const response = await ask('/named?name=lorem.txt', { Range: title.replace('D4 ', '') })
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-range'), null)
      assert.is(await response.text(), 'Lorem ipsum dolor sit amet')
    },
  )
  test('a range of a file that takes many reads has its octets', async () => {
    const response = await ask('/named?name=700000.bin', { Range: 'bytes=1000-600000' })
    assert.is(response.headers.get('content-length'), '599001')
    const content = Buffer.from(await response.arrayBuffer())
    assert.ok(content.equals(Buffer.from(octetsOf(700_000).subarray(1000, 600_001))))
  })
  test('several ranges are parts', async () => {
    const response = await ask('/named?name=lorem.txt', { Range: 'bytes=0-4,6-10,-4' })
    assert.is(response.status, 206)
    const [, boundary = ''] =
      /^multipart\/byteranges; boundary=([\w-]+)$/.exec(
        response.headers.get('content-type') ?? '',
      ) ?? []
    assert.ok(boundary.length > 32)
    const part = (range: string, content: string) =>
      `--${boundary}\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Range: bytes ${range}/26\r\n\r\n${content}\r\n`
    const expected = `${part('0-4', 'Lorem')}${part('6-10', 'ipsum')}${part('22-25', 'amet')}--${boundary}--\r\n`
    assert.is(await response.text(), expected)
    assert.is(response.headers.get('content-length'), String(expected.length))
    assert.is(response.headers.get('content-range'), null)
  })
  test('nothing but GET with 200 has ranges and validators', async () => {
    const range = { Range: 'bytes=0-4', 'If-Match': '"x"' }
    for (const [to, method, status] of [
      ['/posted', 'POST', 200],
      ['/gone', 'GET', 410],
      ['/created', 'GET', 203],
    ] as const) {
      const response = await ask(to, range, method)
      assert.is(response.status, status)
      assert.is(response.headers.get('accept-ranges'), null)
      assert.is(response.headers.get('etag'), null)
      assert.is(await response.text(), 'Lorem ipsum dolor sit amet')
    }
  })

  const tag = async () => (await ask('/named?name=lorem.txt')).headers.get('etag') ?? ''
  const before = 'Thu, 29 Feb 2024 11:59:59 GMT'
  const exactly = 'Thu, 29 Feb 2024 12:00:00 GMT'
  const after = 'Thu, 29 Feb 2024 12:00:01 GMT'
  table(
    test,
    [
      ['its tag', (own: string) => own, 206],
      ['another tag', () => '"x"', 200],
      ['D5 a weak tag', (own: string) => `W/${own}`, 200],
      ['D5 its date', () => exactly, 206],
      ['D5 an earlier date', () => before, 200],
      ['D5 a later date', () => after, 200],
      ['D5 its date in another form', () => 'Thursday, 29-Feb-24 12:00:00 GMT', 206],
      ['what is neither', () => 'yesterday', 200],
    ] as const,
    async (title, given, status) => {
      const headers = { Range: 'bytes=0-4', 'If-Range': given(await tag()) }
      assert.is((await ask('/named?name=lorem.txt', headers)).status, status, title)
    },
  )
})
