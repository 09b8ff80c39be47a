/** Forms and streams, sent and read with the package `undici`. */
import { openAsBlob } from 'node:fs'
import * as assert from 'uvu/assert'
import { Agent, FormData, fetch } from 'undici'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { begin, digestOf, large, octets } from '../../support/foreign-api.ts'

describe('undici, of npm', (test, { before, after }) => {
  let server: Server | undefined
  const dispatcher = new Agent()
  const ask = (target: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(`${server?.url ?? ''}${target}`, { dispatcher, ...init })
  before(async () => {
    server = await begin()
  })
  after(async () => {
    await dispatcher.close()
    await server?.close()
  })

  test('forms that it sends are decoded', async () => {
    const form = new FormData()
    form.append('title', 'Emma é\r\n"quoted"')
    form.append('tag', 'a')
    form.append('tag', '')
    form.append('meta', new Blob(['{"pages":474}'], { type: 'application/json' }))
    form.append('cover', new Blob(['Lorem'], { type: 'text/plain' }), 'ä "b"%.txt')
    form.append('cover', new Blob([]), 'empty')
    form.append('pages', await openAsBlob(large), 'large.bin')
    const response = await ask('/form', { method: 'POST', body: form })
    assert.is(response.status, 200)
    const cover = { name: 'cover', contentType: 'text/plain' }
    const none = 'application/octet-stream'
    assert.equal(await response.json(), {
      title: 'Emma é\r\n"quoted"',
      tag: ['a', ''],
      meta: { pages: 474 },
      files: [
        { ...cover, fileName: 'ä "b"%.txt', size: 5, digest: digestOf(Buffer.from('Lorem')) },
        { ...cover, fileName: 'empty', contentType: none, size: 0, digest: digestOf(Buffer.of()) },
        {
          name: 'pages',
          fileName: 'large.bin',
          contentType: none,
          size: octets.length,
          digest: digestOf(octets),
        },
      ],
    })
  })

  test('it decodes multipart responses', async () => {
    const form = await (await ask('/form')).formData()
    assert.equal([...form.keys()], ['title', 'tag', 'tag', 'meta', 'cover'])
    assert.equal([form.get('title'), form.getAll('tag')], ['Emma é', ['a', 'b']])
    assert.is(form.get('meta'), '{"pages":474}')
    const cover = form.get('cover')
    assert.ok(cover !== null && typeof cover !== 'string')
    assert.equal([cover.name, cover.size], ['large.bin', octets.length])
    assert.is(digestOf(Buffer.from(await cover.arrayBuffer())), digestOf(octets))
  })

  for (const target of ['/file', '/stream'])
    test(`streamed request bodies are received: ${target}`, async () => {
      const body = (await openAsBlob(large)).stream()
      const response = await ask(target, { method: 'PUT', body, duplex: 'half' })
      assert.equal([response.status, await response.text()], [200, digestOf(octets)])
    })

  test('it reads streams, and detects a cut one', async () => {
    assert.equal(await (await ask('/numbers')).json(), [1, 2, 3])
    const broken = await ask('/broken')
    assert.is(broken.status, 200)
    const error: unknown = await broken.text().catch((reason: unknown) => reason)
    assert.ok(error instanceof Error)
  })

  test('it reads compressed responses', async () => {
    for (const coding of ['gzip', 'deflate', 'br']) {
      const response = await ask('/text', { headers: { 'Accept-Encoding': coding } })
      assert.is(response.headers.get('content-encoding'), coding)
      assert.is(await response.text(), 'espalier '.repeat(1000))
    }
  })
})
