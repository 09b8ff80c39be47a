/** File responses: body, headers, media types, and files that cannot be sent. */
import * as assert from 'uvu/assert'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'
import { createSend, fileApi, sizes } from '../../programs/file-api.ts'
import { patternBytes } from '../../support/folder.ts'

const headersOf = (response: Response): ReadonlyArray<[string, string]> =>
  [...response.headers].filter(([name]) => name !== 'date')

contract('file responses', fileApi, (test, call) => {
  const send = createSend(call)
  for (const size of sizes)
    test(`a file of ${size} bytes is sent with its Content-Length`, async () => {
      const response = await send(`/named?name=${size}.bin`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-length'), String(size))
      assert.is(response.headers.get('content-type'), 'application/octet-stream')
      assert.is(response.headers.get('transfer-encoding'), null)
      assert.ok(Buffer.from(patternBytes(size)).equals(Buffer.from(await response.arrayBuffer())))
    })
  test('GET of a file sends ETag, Last-Modified and Accept-Ranges', async () => {
    const { headers } = await send('/named?name=lorem.txt')
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
        const response = await send(`/named?name=${name}`, { Accept: accept })
        assert.is(response.status, 200)
        assert.is(response.headers.get('content-type'), type)
      }
    },
  )
  test('a file with a declared media type is sent with that type', async () => {
    const response = await send('/png')
    assert.is(response.headers.get('content-type'), 'image/png')
    assert.is((await send('/png', { Accept: 'text/plain' })).status, 406)
    const either = await send('/either', { Accept: 'application/json' })
    assert.is(either.headers.get('content-type'), 'application/json')
    assert.is(either.headers.get('vary'), 'Accept')
    assert.is((await send('/with-json', { Accept: 'text/plain' })).status, 200)
    const number = await send('/with-json', { Accept: 'application/json' })
    assert.is(number.headers.get('content-type'), 'application/json')
  })
  test('HEAD sends the headers of GET and ignores Range', async () => {
    for (const name of ['lorem.txt', '700000.bin', '0.bin']) {
      const [getResponse, headResponse] = [
        await send(`/named?name=${name}`),
        await send(`/named?name=${name}`, { Range: 'bytes=0-0' }, 'HEAD'),
      ]
      assert.is(headResponse.status, 200)
      assert.equal(headersOf(headResponse), headersOf(getResponse))
      assert.is(await headResponse.text(), '')
      await getResponse.arrayBuffer()
    }
  })

  test('headers set by the handler take precedence', async () => {
    const { headers } = await send('/own')
    assert.equal(
      ['etag', 'last-modified', 'content-type', 'cache-control', 'accept-ranges'].map((name) =>
        headers.get(name),
      ),
      ['"v1"', 'Mon, 01 Jan 2001 00:00:00 GMT', 'text/x-own', 'max-age=60', 'bytes'],
    )
    const same = await send('/own', { 'If-None-Match': '"v1"' })
    assert.is(same.status, 304)
    assert.is(same.headers.get('cache-control'), 'max-age=60')
    assert.is(
      (await send('/own', { 'If-Modified-Since': 'Thu, 29 Feb 2024 12:00:00 GMT' })).status,
      304,
    )
    assert.is((await send('/unranged', { Range: 'bytes=0-4' })).status, 200)
  })
  test('headers added to the response take precedence', async () => {
    const { headers } = await send('/added')
    assert.equal(
      ['etag', 'last-modified', 'accept-ranges'].map((name) => headers.get(name)),
      ['"v1"', 'Mon, 01 Jan 2001 00:00:00 GMT', 'none'],
    )
    assert.is((await send('/added', { 'If-None-Match': '"v1"' })).status, 304)
    assert.is((await send('/added', { Range: 'bytes=0-4' })).status, 200)
  })
  test('attachment() sends Content-Disposition', async () => {
    const { headers } = await send('/kept')
    assert.is(
      headers.get('content-disposition'),
      `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`,
    )
    assert.is(headers.get('content-type'), 'text/plain;charset=UTF-8')
  })

  table(
    test,
    [['missing'], ['directory'], ['pipe'], ['lorem.txt/x'], ['%00'], ['x'.repeat(300)]] as const,
    async (name) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await send(`/named?name=${name}`, {}, method)
        assert.is(response.status, 404)
        assert.is(response.headers.get('accept-ranges'), null)
        assert.not.match(await response.text(), /ENOENT|espalier-test/)
      }
    },
  )

  test('fileResolver finds a file in a directory and returns 404 otherwise', async () => {
    assert.is(await (await send('/found?name=lorem.txt')).text(), 'Lorem ipsum dolor sit amet')
    for (const name of ['missing', '../lorem.txt', 'directory'])
      assert.is((await send(`/found?name=${name}`)).status, 404)
  })
})
