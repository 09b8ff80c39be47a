/** Files as contents of responses: what they are, and what they say. */
import * as assert from 'uvu/assert'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { asking, fileApi, sizes } from '../support/file-api.ts'
import { octetsOf } from '../support/folder.ts'

const fields = (response: Response): ReadonlyArray<[string, string]> =>
  [...response.headers].filter(([field]) => field !== 'date')

contract('a file', fileApi, (test, call) => {
  const ask = asking(call)
  for (const size of sizes)
    test(`of ${size} octets is sent with its length`, async () => {
      const response = await ask(`/named?name=${size}.bin`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-length'), String(size))
      assert.is(response.headers.get('content-type'), 'application/octet-stream')
      assert.is(response.headers.get('transfer-encoding'), null)
      assert.ok(Buffer.from(octetsOf(size)).equals(Buffer.from(await response.arrayBuffer())))
    })
  test('says what it is, and that it has ranges', async () => {
    const { headers } = await ask('/named?name=lorem.txt')
    assert.is(headers.get('accept-ranges'), 'bytes')
    assert.is(headers.get('last-modified'), 'Thu, 29 Feb 2024 12:00:00 GMT')
    assert.match(headers.get('etag') ?? '', /^"[\da-z]+-[\da-z]+"$/)
    assert.is(headers.get('vary'), null)
  })
  table(
    test,
    [
      ['lorem.txt', 'text/plain;charset=UTF-8'],
      ['a.html', 'text/html;charset=UTF-8'],
      ['unknown.zzz', 'application/octet-stream'],
    ] as const,
    async (name, type) => {
      for (const accept of ['*/*', 'image/*', 'application/json', 'text/html, */*;q=0.1']) {
        const response = await ask(`/named?name=${name}`, { Accept: accept })
        assert.is(response.status, 200)
        assert.is(response.headers.get('content-type'), type)
      }
    },
  )
  test('has the media type that it is declared with', async () => {
    const response = await ask('/png')
    assert.is(response.headers.get('content-type'), 'image/png')
    assert.is((await ask('/png', { Accept: 'text/plain' })).status, 406)
    const either = await ask('/either', { Accept: 'application/json' })
    assert.is(either.headers.get('content-type'), 'application/json')
    assert.is(either.headers.get('vary'), 'Accept')
    assert.is((await ask('/beside', { Accept: 'text/plain' })).status, 200)
  })
  test('HEAD is answered like GET', async () => {
    for (const name of ['lorem.txt', '700000.bin', '0.bin']) {
      const [got, head] = [
        await ask(`/named?name=${name}`),
        await ask(`/named?name=${name}`, { Range: 'bytes=0-0' }, 'HEAD'),
      ]
      assert.is(head.status, 200)
      assert.equal(fields(head), fields(got))
      assert.is(await head.text(), '')
      await got.arrayBuffer()
    }
  })

  test('what the handler says itself counts', async () => {
    const { headers } = await ask('/own')
    assert.equal(
      ['etag', 'last-modified', 'content-type', 'cache-control', 'accept-ranges'].map((name) =>
        headers.get(name),
      ),
      ['"v1"', 'Mon, 01 Jan 2001 00:00:00 GMT', 'text/x-own', 'max-age=60', 'bytes'],
    )
    const same = await ask('/own', { 'If-None-Match': '"v1"' })
    assert.is(same.status, 304)
    assert.is(same.headers.get('cache-control'), 'max-age=60')
    assert.is(
      (await ask('/own', { 'If-Modified-Since': 'Thu, 29 Feb 2024 12:00:00 GMT' })).status,
      304,
    )
    assert.is((await ask('/unranged', { Range: 'bytes=0-4' })).status, 200)
  })
  test('what is added to the response counts too', async () => {
    const { headers } = await ask('/added')
    assert.equal(
      ['etag', 'last-modified', 'accept-ranges'].map((name) => headers.get(name)),
      ['"v1"', 'Mon, 01 Jan 2001 00:00:00 GMT', 'none'],
    )
    assert.is((await ask('/added', { 'If-None-Match': '"v1"' })).status, 304)
    assert.is((await ask('/added', { Range: 'bytes=0-4' })).status, 200)
  })
  test('may be meant to be kept', async () => {
    const { headers } = await ask('/kept')
    assert.is(
      headers.get('content-disposition'),
      `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`,
    )
    assert.is(headers.get('content-type'), 'text/plain;charset=UTF-8')
  })

  table(
    test,
    [['missing'], ['directory'], ['pipe'], ['lorem.txt/x'], ['D2 %00'], ['x'.repeat(300)]] as const,
    async (title) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await ask(`/named?name=${title.replace('D2 ', '')}`, {}, method)
        assert.is(response.status, 404)
        assert.is(response.headers.get('accept-ranges'), null)
        assert.not.match(await response.text(), /ENOENT|espalier-test/)
      }
    },
  )

  test('is found below a directory, or is not', async () => {
    assert.is(await (await ask('/found?name=lorem.txt')).text(), 'Lorem ipsum dolor sit amet')
    for (const name of ['missing', '../lorem.txt', 'directory'])
      assert.is((await ask(`/found?name=${name}`)).status, 404)
  })
})
