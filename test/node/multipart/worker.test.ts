/** Multipart forms of blocking operations. */
import * as assert from 'uvu/assert'
import { serve } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'
import { api, uploadingModule } from '../../programs/uploading.ts'

const content = encodeMultipart(
  encodePart('meta', '{"title":"Emma"}'),
  encodePart('file', 'x'.repeat(200_000), { fileName: 'a.bin' }),
)

describe('multipart forms on workers', (test) => {
  test('are decoded to the same values as on the event loop', async () => {
    const server = await serve(api, {
      module: uploadingModule,
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      'fw.worker.threads': 1,
    })
    try {
      const post = async (target: string, form = content): Promise<string> =>
        (await send(server.url, multipartRequest(target, form))).text()
      assert.is(await post('/loop'), 'loop Emma a.bin 200000')
      assert.is(await post('/worker'), 'worker Emma a.bin 200000')
      assert.is(await post('/all'), 'worker meta,file 200000')
      assert.is(await post('/stream'), 'worker meta,file')
      assert.match(await post('/worker', encodeMultipart(encodePart('meta', '{'))), /"name":"meta"/)
      assert.match(await post('/worker', content.slice(0, -9)), /unexpected end/)
    } finally {
      await server.close()
    }
  })
})
