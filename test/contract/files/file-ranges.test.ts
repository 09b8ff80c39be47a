/** Range requests for files: `Range`, `If-Range`, and multipart/byteranges. */
import * as assert from 'uvu/assert'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { createSend, fileApi } from '../../programs/file-api.ts'
import { patternBytes } from '../../support/folder.ts'

contract('range requests for files', fileApi, (test, call) => {
  const send = createSend(call)
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
    async (range, content, contentRange) => {
      const response = await send('/named?name=lorem.txt', { Range: range })
      assert.is(response.status, 206)
      assert.is(response.headers.get('content-range'), contentRange)
      assert.is(response.headers.get('content-length'), String(content.length))
      assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
      assert.ok(response.headers.has('etag'))
      assert.is(await response.text(), content)
    },
  )
  table(
    test,
    [['bytes=26-'], ['bytes=99-100'], ['bytes=-0'], ['bytes=26-26,30-']] as const,
    async (range) => {
      const response = await send('/named?name=lorem.txt', { Range: range })
      assert.is(response.status, 416)
      assert.is(response.headers.get('content-range'), 'bytes */26')
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      assert.is(response.headers.get('accept-ranges'), null)
    },
  )
  table(
    test,
    [
      ['bytes=5-4'],
      ['bytes=a-b'],
      ['bytes='],
      ['lines=0-4'],
      ['0-4'],
      [`bytes=${Array.from({ length: 17 }, (_, index) => `${index}-${index}`).join()}`],
      ['bytes=0-25,0-25'],
      [`bytes=${'0-,'.repeat(300)}`],
    ] as const,
    async (range) => {
      const response = await send('/named?name=lorem.txt', { Range: range })
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-range'), null)
      assert.is(await response.text(), 'Lorem ipsum dolor sit amet')
    },
  )
  test('a range that takes many reads is sent completely', async () => {
    const response = await send('/named?name=700000.bin', { Range: 'bytes=1000-600000' })
    assert.is(response.headers.get('content-length'), '599001')
    const content = Buffer.from(await response.arrayBuffer())
    assert.ok(content.equals(Buffer.from(patternBytes(700_000).subarray(1000, 600_001))))
  })
  test('several ranges are sent as multipart/byteranges', async () => {
    const response = await send('/named?name=lorem.txt', { Range: 'bytes=0-4,6-10,-4' })
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
  test('responses other than GET with 200 have no ranges and validators', async () => {
    const range = { Range: 'bytes=0-4', 'If-Match': '"x"' }
    for (const [target, method, status] of [
      ['/posted', 'POST', 200],
      ['/gone', 'GET', 410],
      ['/created', 'GET', 203],
    ] as const) {
      const response = await send(target, range, method)
      assert.is(response.status, status)
      assert.is(response.headers.get('accept-ranges'), null)
      assert.is(response.headers.get('etag'), null)
      assert.is(await response.text(), 'Lorem ipsum dolor sit amet')
    }
  })

  const etagOfFile = async () => (await send('/named?name=lorem.txt')).headers.get('etag') ?? ''
  const before = 'Thu, 29 Feb 2024 11:59:59 GMT'
  const modified = 'Thu, 29 Feb 2024 12:00:00 GMT'
  const after = 'Thu, 29 Feb 2024 12:00:01 GMT'
  table(
    test,
    [
      ['If-Range with the ETag', (etag: string) => etag, 206],
      ['If-Range with another ETag', () => '"x"', 200],
      ['If-Range with the weak ETag', (etag: string) => `W/${etag}`, 200],
      ['If-Range with the modification date', () => modified, 206],
      ['If-Range with an earlier date', () => before, 200],
      ['If-Range with a later date', () => after, 200],
      [
        'If-Range with the modification date in an obsolete format',
        () => 'Thursday, 29-Feb-24 12:00:00 GMT',
        206,
      ],
      ['an invalid If-Range', () => 'yesterday', 200],
    ] as const,
    async (_, ifRange, status) => {
      const headers = { Range: 'bytes=0-4', 'If-Range': ifRange(await etagOfFile()) }
      assert.is((await send('/named?name=lorem.txt', headers)).status, status)
    },
  )
})
