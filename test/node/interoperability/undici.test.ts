/** Forms and streams that are sent and read with the package `undici`. */
import { openAsBlob } from 'node:fs'
import * as assert from 'uvu/assert'
import { Agent, FormData, fetch } from 'undici'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { startServer, digestOf, large, largeBytes } from '../../programs/foreign-api.ts'

describe('the package undici', (test, { before, after }) => {
  let server: Server | undefined
  const dispatcher = new Agent()
  const send = (target: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(`${server?.url ?? ''}${target}`, { dispatcher, ...init })
  before(async () => {
    server = await startServer()
  })
  after(async () => {
    await dispatcher.close()
    await server?.close()
  })

  test('sends forms', async () => {
    const form = new FormData()
    form.append('title', 'Emma é\r\n"quoted"')
    form.append('tag', 'a')
    form.append('tag', '')
    form.append('meta', new Blob(['{"pages":474}'], { type: 'application/json' }))
    form.append('cover', new Blob(['Lorem'], { type: 'text/plain' }), 'ä "b"%.txt')
    form.append('cover', new Blob([]), 'empty')
    form.append('pages', await openAsBlob(large), 'large.bin')
    const response = await send('/form', { method: 'POST', body: form })
    assert.is(response.status, 200)
    const cover = { name: 'cover', contentType: 'text/plain' }
    const defaultType = 'application/octet-stream'
    assert.equal(await response.json(), {
      title: 'Emma é\r\n"quoted"',
      tag: ['a', ''],
      meta: { pages: 474 },
      files: [
        { ...cover, fileName: 'ä "b"%.txt', size: 5, digest: digestOf(Buffer.from('Lorem')) },
        {
          ...cover,
          fileName: 'empty',
          contentType: defaultType,
          size: 0,
          digest: digestOf(Buffer.of()),
        },
        {
          name: 'pages',
          fileName: 'large.bin',
          contentType: defaultType,
          size: largeBytes.length,
          digest: digestOf(largeBytes),
        },
      ],
    })
  })

  test('decodes multipart responses', async () => {
    const form = await (await send('/form')).formData()
    assert.equal([...form.keys()], ['title', 'tag', 'tag', 'meta', 'cover'])
    assert.equal([form.get('title'), form.getAll('tag')], ['Emma é', ['a', 'b']])
    assert.is(form.get('meta'), '{"pages":474}')
    const cover = form.get('cover')
    assert.ok(cover !== null && typeof cover !== 'string')
    assert.equal([cover.name, cover.size], ['large.bin', largeBytes.length])
    assert.is(digestOf(Buffer.from(await cover.arrayBuffer())), digestOf(largeBytes))
  })

  for (const target of ['/file', '/stream'])
    test(`streams request bodies to ${target}`, async () => {
      const body = (await openAsBlob(large)).stream()
      const response = await send(target, { method: 'PUT', body, duplex: 'half' })
      assert.equal([response.status, await response.text()], [200, digestOf(largeBytes)])
    })

  test('reads streams and detects a cut one', async () => {
    assert.equal(await (await send('/numbers')).json(), [1, 2, 3])
    const broken = await send('/broken')
    assert.is(broken.status, 200)
    const error: unknown = await broken.text().catch((reason: unknown) => reason)
    assert.ok(error instanceof Error)
  })

  test('reads compressed responses', async () => {
    for (const coding of ['gzip', 'deflate', 'br']) {
      const response = await send('/text', { headers: { 'Accept-Encoding': coding } })
      assert.is(response.headers.get('content-encoding'), coding)
      assert.is(await response.text(), 'espalier '.repeat(1000))
    }
  })
})
