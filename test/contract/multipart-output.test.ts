/** Forms that are sent: from a record of fields, and from parts that a handler puts together. */
import * as assert from 'uvu/assert'
import { base, contract } from '../support/contract.ts'
import { octetsOf } from '../support/folder.ts'
import { multipartApi } from '../support/multipart-api.ts'

interface Received {
  readonly fields: ReadonlyArray<string>
  readonly content: string
}

/** Reads a multipart content by the letter. */
const partsOf = async (response: Response): Promise<ReadonlyArray<Received>> => {
  const [, boundary = ''] =
    /^multipart\/[\w-]+; boundary=([\w-]+)$/.exec(response.headers.get('content-type') ?? '') ?? []
  assert.match(boundary, /^espalier-[\da-f]{32}$/)
  const content = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const [first, ...others] = `\r\n${content}`.split(`\r\n--${boundary}`)
  assert.is(first, '')
  assert.is(others.at(-1), '--\r\n')
  return others.slice(0, -1).map((one) => {
    const end = one.indexOf('\r\n\r\n')
    assert.ok(one.startsWith('\r\n') && end >= 0)
    return { fields: one.slice(2, end).split('\r\n'), content: one.slice(end + 4) }
  })
}

const field = (name: string, type: string, content: string, fileName?: string): Received => ({
  fields: [
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
    `Content-Type: ${type}`,
  ],
  content,
})
const plain = 'text/plain;charset=UTF-8'

contract('multipart output', multipartApi, (test, call) => {
  const ask = (to: string, method = 'GET') => call(new Request(`${base}${to}`, { method }))
  const expected = [
    field('title', plain, 'Emma'),
    field('copies', plain, '2'),
    field('published', plain, '2024-02-29'),
    field('tag', plain, 'a'),
    field('tag', plain, 'b'),
    field('numbers', plain, '1'),
    field('numbers', plain, '2'),
    field('meta', 'application/json', '{"pages":474}'),
    field('plainMeta', 'application/json', '{"pages":1}'),
    field('cover', plain, 'Lorem', 'lorem.txt'),
    field(
      'pages',
      'application/octet-stream',
      Buffer.from(octetsOf(300_000)).toString('latin1'),
      'large.bin',
    ),
    field('pages', plain, 'Lo', 'lorem.txt'),
    field('raw', 'application/octet-stream', '\x00\xff'),
  ]
  test('a record is a part for each value', async () => {
    const response = await ask('/full')
    assert.is(response.status, 200)
    assert.equal(await partsOf(response), expected)
  })
  test('also where it comes later', async () =>
    assert.equal(await partsOf(await ask('/later')), expected))
  test('has its length when all parts have one', async () => {
    const response = await ask('/full')
    const { byteLength } = await response.arrayBuffer()
    assert.is(response.headers.get('content-length'), String(byteLength))
    const streaming = await ask('/parts')
    assert.is(streaming.headers.get('content-length'), null)
    await streaming.arrayBuffer()
  })
  test('is understood by others', async () => {
    const form = await (await ask('/full')).formData()
    assert.equal(
      [...form.keys()],
      expected.map(({ fields }) => /name="(\w+)"/.exec(fields[0] ?? '')?.[1]),
    )
    assert.equal(form.getAll('tag'), ['a', 'b'])
    const page = form.getAll('pages')[0]
    assert.ok(page instanceof File)
    assert.is(page.name, 'large.bin')
    assert.ok(Buffer.from(await page.arrayBuffer()).equals(Buffer.from(octetsOf(300_000))))
  })
  test('what is null or undefined is no part', async () => {
    const response = await ask('/nothing')
    assert.is(response.status, 200)
    assert.equal(await partsOf(response), [])
  })
  test('stands in a reply as well', async () => {
    const response = await ask('/replied')
    assert.is(response.status, 202)
    assert.is(response.headers.get('x-own'), 'a')
    assert.equal(await partsOf(response), [field('title', plain, 'Emma')])
    const made = await ask('/created')
    assert.is(made.headers.get('location'), '/books/1')
    assert.equal(await partsOf(made), [field('title', plain, 'Emma')])
    const refusal = await ask('/failed')
    assert.is(refusal.status, 409)
    assert.equal(await partsOf(refusal), [field('why', plain, 'held')])
  })
  test('parts of a program keep their order, names and fields', async () => {
    const received = await partsOf(await ask('/parts'))
    const name = Buffer.from('ä%22b.png').toString('latin1')
    assert.equal(received.slice(0, -1), [
      {
        fields: [
          'Content-Disposition: form-data; name="a"',
          'X-Language: en',
          `Content-Type: ${plain}`,
        ],
        content: 'first',
      },
      field('b', 'text/csv;charset=UTF-8', '1,2'),
      field('a', plain, 'second'),
      field('c', 'image/png', '\x01', name),
      field('d', plain, 'Lorem', 'lorem.txt'),
      field('e', 'text/x-own', 'Lorem', 'other.txt'),
      field('f', plain, '1'),
      field('f', plain, '2'),
      field('g', 'application/octet-stream', 'onetwo'),
    ])
    const inner = received.at(-1)
    const [, type = ''] = /^Content-Type: (.*)$/.exec(inner?.fields[1] ?? '') ?? []
    const within = new Response(inner?.content, { headers: { 'Content-Type': type } })
    assert.equal(await partsOf(within), [field('inner', plain, '1')])
  })
  test('each content has a boundary of its own', async () => {
    const types = await Promise.all(
      Array.from({ length: 50 }, async () => (await ask('/replied')).headers.get('content-type')),
    )
    assert.is(new Set(types).size, 50)
  })
  test('may be of another multipart type', async () => {
    const response = await ask('/mixed')
    assert.match(response.headers.get('content-type') ?? '', /^multipart\/mixed; boundary=/)
    assert.equal(await partsOf(response), [field('a', plain, 'first')])
  })
  test('a part that cannot be opened is an answer of its own', async () => {
    assert.is((await ask('/missing')).status, 404)
    assert.is((await ask('/refused')).status, 409)
    assert.is((await ask('/wrong')).status, 500)
  })
  test('HEAD has the head', async () => {
    const response = await ask('/full', 'HEAD')
    assert.is(response.status, 200)
    assert.is(await response.text(), '')
    assert.match(response.headers.get('content-type') ?? '', /^multipart\/form-data; boundary=/)
    assert.is((await ask('/refused', 'HEAD')).status, 200)
  })
})
