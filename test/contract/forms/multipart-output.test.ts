/** `multipartOutput`: multipart responses from a record of fields, and from a list of parts. */
import * as assert from 'uvu/assert'
import { base, contract } from '../../support/contract.ts'
import { patternBytes } from '../../support/folder.ts'
import { multipartApi } from '../../programs/multipart-api.ts'

interface Part {
  readonly headers: ReadonlyArray<string>
  readonly content: string
}

/** Parses a multipart body strictly. */
const partsOf = async (response: Response): Promise<ReadonlyArray<Part>> => {
  const [, boundary = ''] =
    /^multipart\/[\w-]+; boundary=([\w-]+)$/.exec(response.headers.get('content-type') ?? '') ?? []
  assert.match(boundary, /^espalier-[\da-f]{32}$/)
  const content = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const [first, ...others] = `\r\n${content}`.split(`\r\n--${boundary}`)
  assert.is(first, '')
  assert.is(others.at(-1), '--\r\n')
  return others.slice(0, -1).map((encoded) => {
    const end = encoded.indexOf('\r\n\r\n')
    assert.ok(encoded.startsWith('\r\n') && end >= 0)
    return { headers: encoded.slice(2, end).split('\r\n'), content: encoded.slice(end + 4) }
  })
}

const partOf = (name: string, type: string, content: string, fileName?: string): Part => ({
  headers: [
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
    `Content-Type: ${type}`,
  ],
  content,
})
const plain = 'text/plain;charset=UTF-8'

contract('multipartOutput', multipartApi, (test, call) => {
  const send = (target: string, method = 'GET') => call(new Request(`${base}${target}`, { method }))
  const expected = [
    partOf('title', plain, 'Emma'),
    partOf('copies', plain, '2'),
    partOf('published', plain, '2024-02-29'),
    partOf('tag', plain, 'a'),
    partOf('tag', plain, 'b'),
    partOf('numbers', plain, '1'),
    partOf('numbers', plain, '2'),
    partOf('meta', 'application/json', '{"pages":474}'),
    partOf('plainMeta', 'application/json', '{"pages":1}'),
    partOf('cover', plain, 'Lorem', 'lorem.txt'),
    partOf(
      'pages',
      'application/octet-stream',
      Buffer.from(patternBytes(300_000)).toString('latin1'),
      'large.bin',
    ),
    partOf('pages', plain, 'Lo', 'lorem.txt'),
    partOf('raw', 'application/octet-stream', '\x00\xff'),
  ]
  test('a record is encoded with a part for each value', async () => {
    const response = await send('/full')
    assert.is(response.status, 200)
    assert.equal(await partsOf(response), expected)
  })
  test('a promise of a record is encoded like a record', async () =>
    assert.equal(await partsOf(await send('/later')), expected))
  test('Content-Length is sent if every part has a known length', async () => {
    const response = await send('/full')
    const { byteLength } = await response.arrayBuffer()
    assert.is(response.headers.get('content-length'), String(byteLength))
    const streaming = await send('/parts')
    assert.is(streaming.headers.get('content-length'), null)
    await streaming.arrayBuffer()
  })
  test('Response.formData parses the body', async () => {
    const form = await (await send('/full')).formData()
    assert.equal(
      [...form.keys()],
      expected.map(({ headers }) => /name="(\w+)"/.exec(headers[0] ?? '')?.[1]),
    )
    assert.equal(form.getAll('tag'), ['a', 'b'])
    const page = form.getAll('pages')[0]
    assert.ok(page instanceof File)
    assert.is(page.name, 'large.bin')
    assert.ok(Buffer.from(await page.arrayBuffer()).equals(Buffer.from(patternBytes(300_000))))
  })
  test('null and undefined are omitted', async () => {
    const response = await send('/nothing')
    assert.is(response.status, 200)
    assert.equal(await partsOf(response), [])
  })
  test('replies with other statuses are encoded as multipart', async () => {
    const response = await send('/replied')
    assert.is(response.status, 202)
    assert.is(response.headers.get('x-own'), 'a')
    assert.equal(await partsOf(response), [partOf('title', plain, 'Emma')])
    const createdResponse = await send('/created')
    assert.is(createdResponse.headers.get('location'), '/books/1')
    assert.equal(await partsOf(createdResponse), [partOf('title', plain, 'Emma')])
    const failure = await send('/failed')
    assert.is(failure.status, 409)
    assert.equal(await partsOf(failure), [partOf('why', plain, 'held')])
  })
  test('a list of parts keeps its order, names and headers', async () => {
    const received = await partsOf(await send('/parts'))
    const name = Buffer.from('ä%22b.png').toString('latin1')
    assert.equal(received.slice(0, -1), [
      {
        headers: [
          'Content-Disposition: form-data; name="a"',
          'X-Language: en',
          `Content-Type: ${plain}`,
        ],
        content: 'first',
      },
      partOf('b', 'text/csv;charset=UTF-8', '1,2'),
      partOf('a', plain, 'second'),
      partOf('c', 'image/png', '\x01', name),
      partOf('d', plain, 'Lorem', 'lorem.txt'),
      partOf('e', 'text/x-own', 'Lorem', 'other.txt'),
      partOf('f', plain, '1'),
      partOf('f', plain, '2'),
      partOf('g', 'application/octet-stream', 'onetwo'),
    ])
    const inner = received.at(-1)
    const [, type = ''] = /^Content-Type: (.*)$/.exec(inner?.headers[1] ?? '') ?? []
    const nested = new Response(inner?.content, { headers: { 'Content-Type': type } })
    assert.equal(await partsOf(nested), [partOf('inner', plain, '1')])
  })
  test('an open file without a name is named after its part', async () => {
    const [cover] = await partsOf(await send('/opened'))
    assert.is(cover?.headers[0], 'Content-Disposition: form-data; name="cover"; filename="cover"')
  })
  test('each response has a unique boundary', async () => {
    const types = await Promise.all(
      Array.from({ length: 50 }, async () => (await send('/replied')).headers.get('content-type')),
    )
    assert.is(new Set(types).size, 50)
  })
  test('another multipart type can be declared', async () => {
    const response = await send('/mixed')
    assert.match(response.headers.get('content-type') ?? '', /^multipart\/mixed; boundary=/)
    assert.equal(await partsOf(response), [partOf('a', plain, 'first')])
  })
  test('a part that cannot be opened determines the status', async () => {
    assert.is((await send('/missing')).status, 404)
    assert.is((await send('/rejected')).status, 409)
    assert.is((await send('/wrong')).status, 500)
  })
  test('HEAD sends the headers of GET and does not open the parts', async () => {
    const response = await send('/full', 'HEAD')
    assert.is(response.status, 200)
    assert.is(await response.text(), '')
    assert.match(response.headers.get('content-type') ?? '', /^multipart\/form-data; boundary=/)
    assert.is((await send('/rejected', 'HEAD')).status, 200)
  })
})
