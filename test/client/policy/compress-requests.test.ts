import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync, inflateSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import { compressRequests } from '../../../src/client/policy/compress-requests.ts'
import { requestTo, responseOutcome, fakeTransport, send } from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'

const long = 'a text that is long enough, '.repeat(100)
const octets = new TextEncoder().encode(long)

/** Everything that a body sends. */
const sentBy = async (body: ClientBody | undefined): Promise<Buffer> => {
  if (body?._tag === 'Pieces') {
    const pieces: Uint8Array[] = []
    for await (const piece of body.open()) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  assert.ok(body?._tag === 'Whole' && body.content instanceof Uint8Array)
  return Buffer.from(body.content)
}

describe('compressRequests', (test) => {
  table<readonly [name: string, body: ClientBody]>(
    test,
    [
      ['R-451: a text', { _tag: 'Whole', content: long }],
      ['R-451: octets', { _tag: 'Whole', content: octets }],
      ['R-451: a blob', { _tag: 'Whole', content: new Blob([octets]) }],
      [
        'R-451: pieces',
        {
          _tag: 'Pieces',
          open: async function* () {
            for (let at = 0; at < octets.length; at += 100) yield octets.subarray(at, at + 100)
          },
        },
      ],
    ],
    async (_, body) => {
      const headers = ['Content-Type', 'text/plain', 'Content-Length', String(octets.length)]
      for (const [encoding, undo] of [
        ['gzip', gunzipSync],
        ['deflate', inflateSync],
      ] as const) {
        const network = fakeTransport(() => responseOutcome(204))
        await send(compressRequests({ encoding }), network, requestTo(undefined, { headers, body }))
        assert.equal(network.sent[0]?.headers, [
          'Content-Type',
          'text/plain',
          'Content-Encoding',
          encoding,
        ])
        const sent = await sentBy(network.sent[0]?.body)
        assert.ok(sent.length < octets.length / 5)
        assert.is(undo(sent).toString(), long)
      }
    },
  )
  table<readonly [name: string, body: ClientBody | undefined, headers: ReadonlyArray<string>]>(
    test,
    [
      ['nothing', undefined, []],
      ['what is short', { _tag: 'Whole', content: 'a'.repeat(1023) }, []],
      ['a form', { _tag: 'Form', form: new FormData() }, []],
      ['what is coded', { _tag: 'Whole', content: long }, ['content-encoding', 'br']],
    ],
    async (_, body, headers) => {
      const network = fakeTransport(() => responseOutcome(204))
      const request = requestTo(undefined, { headers, body })
      await send(compressRequests(), network, request)
      assert.equal([network.sent[0]?.body, network.sent[0]?.headers], [body, headers])
    },
  )
  test('the threshold is in octets', async () => {
    for (const [content, isCompressed] of [
      ['ä'.repeat(4), false],
      ['ä'.repeat(5), true],
    ] as const) {
      const network = fakeTransport(() => responseOutcome(204))
      const request = requestTo(undefined, { body: { _tag: 'Whole', content } })
      await send(compressRequests({ threshold: 9 }), network, request)
      assert.is(network.sent[0]?.headers.length === 2, isCompressed)
    }
    assert.throws(() => compressRequests({ threshold: -1 }), RangeError)
  })
  test('R-457: pieces are asked for as they are taken, and their source is let go when nobody takes them any more', async () => {
    const source = { given: 0, isLetGo: false }
    const body: ClientBody = {
      _tag: 'Pieces',
      open: async function* () {
        try {
          for (;;) {
            source.given++
            yield crypto.getRandomValues(new Uint8Array(60_000))
          }
        } finally {
          source.isLetGo = true
        }
      },
    }
    const network = fakeTransport(async (request) => {
      assert.ok(request.body?._tag === 'Pieces')
      for await (const piece of request.body.open()) if (piece.length > 1000) break
      return responseOutcome(413)
    })
    await send(compressRequests(), network, requestTo(undefined, { body }))
    for (let turn = 0; turn < 200 && !source.isLetGo; turn++) await wait(5)
    assert.ok(source.isLetGo)
    assert.ok(source.given < 20, `${source.given} pieces`)
  })
})
