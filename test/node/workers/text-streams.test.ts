/** Text streams and response lengths of blocking operations. */
import * as assert from 'uvu/assert'
import { serve } from '../../../src/node.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { api, textsModule } from '../../support/texts-api.ts'
import { options } from '../../support/workers.ts'

describe('Blocking operations', (test, { before, after }) => {
  let server: Server | undefined
  const at = (target: string) => `${server?.url}${target}`
  before(async () => {
    server = await serve(api, { ...options, module: textsModule })
  })
  after(() => server?.close())

  /** Status and content; that of a refusal is nobody's matter here. */
  const send = async (content: string | Uint8Array, type: string) => {
    const init = { method: 'POST', body: Buffer.from(content), headers: { 'Content-Type': type } }
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
    const response = await fetch(at('/announced/5000/5000'))
    assert.is(response.headers.get('content-length'), '5000')
    assert.is((await response.arrayBuffer()).byteLength, 5000)
    for (const said of [4000, 6000]) {
      const cut = await fetch(at(`/announced/${said}/5000`)).then(
        (answered) => answered.arrayBuffer().then(String, () => 'cut'),
        () => 'cut',
      )
      assert.is(cut, 'cut')
    }
  })
})
