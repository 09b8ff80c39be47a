/** Tests of text streams and `Content-Length` of blocking operations. */
import * as assert from 'uvu/assert'
import { serve } from '../../../src/node.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { api, textsModule } from '../../programs/texts-api.ts'
import { options } from '../../support/workers.ts'

describe('blocking operations', (test, { before, after }) => {
  let server: Server | undefined
  const at = (target: string) => `${server?.url}${target}`
  before(async () => {
    server = await serve(api, { ...options, module: textsModule })
  })
  after(() => server?.close())

  /** Returns the status, and the body of a 200 response. */
  const send = async (data: string | Uint8Array, type: string) => {
    const init = { method: 'POST', body: Buffer.from(data), headers: { 'Content-Type': type } }
    const response = await fetch(at('/letters'), init)
    return [response.status, response.status === 200 ? await response.text() : '']
  }

  test('decode a text stream with its charset', async () => {
    const letters = `x${'é'.repeat(100_000)}`
    assert.equal(await send(letters, 'text/plain'), [200, '100001'])
    assert.equal(await send(letters, 'text/plain;charset=latin1'), [200, '200001'])
    assert.equal(await send(Uint8Array.of(0x61, 0xe9), 'text/plain'), [400, ''])
    assert.equal(await send('a', 'text/plain;charset=klingon'), [415, ''])
  })
  test('send the Content-Length that they set', async () => {
    const response = await fetch(at('/declared/5000/5000'))
    assert.is(response.headers.get('content-length'), '5000')
    assert.is((await response.arrayBuffer()).byteLength, 5000)
    for (const length of [4000, 6000]) {
      const result = await fetch(at(`/declared/${length}/5000`)).then(
        (received) => received.arrayBuffer().then(String, () => 'interrupted'),
        () => 'interrupted',
      )
      assert.is(result, 'interrupted')
    }
  })
})
