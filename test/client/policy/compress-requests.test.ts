import { gunzipSync, inflateSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import { compressRequests } from '../../../src/client/policy/compress-requests.ts'
import { requestTo, responseOf, fakeTransport, send } from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { waitUntil } from '../../support/wait-until.ts'

const long = 'a text that is long enough, '.repeat(100)
const bytes = new TextEncoder().encode(long)

/** Returns the bytes of a body. */
const sentBy = async (body: ClientBody | undefined): Promise<Buffer> => {
  if (body?._tag === 'Streamed') {
    const chunks: Uint8Array[] = []
    for await (const chunk of body.open()) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  assert.ok(body?._tag === 'Buffered' && body.data instanceof Uint8Array)
  return Buffer.from(body.data)
}

describe('compressRequests', (test) => {
  table<readonly [name: string, body: ClientBody]>(
    test,
    [
      ['a string body', { _tag: 'Buffered', data: long }],
      ['a body of bytes', { _tag: 'Buffered', data: bytes }],
      ['a Blob body', { _tag: 'Buffered', data: new Blob([bytes]) }],
      [
        'a streamed body',
        {
          _tag: 'Streamed',
          open: async function* () {
            for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
          },
        },
      ],
    ],
    async (_, body) => {
      const headers = ['Content-Type', 'text/plain', 'Content-Length', String(bytes.length)]
      for (const [encoding, undo] of [
        ['gzip', gunzipSync],
        ['deflate', inflateSync],
      ] as const) {
        const network = fakeTransport(() => responseOf(204))
        await send(compressRequests({ encoding }), network, requestTo(undefined, { headers, body }))
        assert.equal(network.sent[0]?.headers, [
          'Content-Type',
          'text/plain',
          'Content-Encoding',
          encoding,
        ])
        const sent = await sentBy(network.sent[0]?.body)
        assert.ok(sent.length < bytes.length / 5)
        assert.is(undo(sent).toString(), long)
      }
    },
  )
  table<readonly [name: string, body: ClientBody | undefined, headers: ReadonlyArray<string>]>(
    test,
    [
      ['no body', undefined, []],
      ['a body below the threshold', { _tag: 'Buffered', data: 'a'.repeat(1023) }, []],
      ['a multipart form', { _tag: 'Form', form: new FormData() }, []],
      [
        'a body with Content-Encoding',
        { _tag: 'Buffered', data: long },
        ['content-encoding', 'br'],
      ],
    ],
    async (_, body, headers) => {
      const network = fakeTransport(() => responseOf(204))
      const request = requestTo(undefined, { headers, body })
      await send(compressRequests(), network, request)
      assert.equal([network.sent[0]?.body, network.sent[0]?.headers], [body, headers])
    },
  )
  test('the threshold is in bytes', async () => {
    for (const [content, isCompressed] of [
      ['ä'.repeat(4), false],
      ['ä'.repeat(5), true],
    ] as const) {
      const network = fakeTransport(() => responseOf(204))
      const request = requestTo(undefined, { body: { _tag: 'Buffered', data: content } })
      await send(compressRequests({ threshold: 9 }), network, request)
      assert.is(network.sent[0]?.headers.length === 2, isCompressed)
    }
    assert.throws(() => compressRequests({ threshold: -1 }), RangeError)
  })
  test('a streamed body is read on demand, and closed when the transport stops reading it', async () => {
    const source = { produced: 0, isClosed: false }
    const body: ClientBody = {
      _tag: 'Streamed',
      open: async function* () {
        try {
          for (;;) {
            source.produced++
            yield crypto.getRandomValues(new Uint8Array(60_000))
          }
        } finally {
          source.isClosed = true
        }
      },
    }
    const network = fakeTransport(async (request) => {
      assert.ok(request.body?._tag === 'Streamed')
      for await (const chunk of request.body.open()) if (chunk.length > 1000) break
      return responseOf(413)
    })
    await send(compressRequests(), network, requestTo(undefined, { body }))
    await waitUntil(() => source.isClosed)
    assert.ok(source.produced < 20, `${source.produced} chunks`)
  })
})
