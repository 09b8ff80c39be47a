/** Multipart forms of blocking operations. */
import * as assert from 'uvu/assert'
import { serve } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { describe } from '../../support/describe.ts'
import { send } from '../../support/contract.ts'
import { field, formOf, send as sent } from '../../support/multipart.ts'
import { api, uploadingModule } from '../../support/uploading.ts'

const content = formOf(
  field('meta', '{"title":"Emma"}'),
  field('file', 'x'.repeat(200_000), { fileName: 'a.bin' }),
)

describe('multipart forms on workers', (test) => {
  test('decode to the same values as on the event loop', async () => {
    const server = await serve(api, {
      module: uploadingModule,
      logger: silentLogger,
      'fw.http.port': 0,
      'fw.shutdown.grace': 0,
      'fw.worker.threads': 1,
    })
    try {
      const ask = async (to: string, form = content): Promise<string> =>
        (await send(server.url, sent(to, form))).text()
      assert.is(await ask('/loop'), 'loop Emma a.bin 200000')
      assert.is(await ask('/worker'), 'worker Emma a.bin 200000')
      assert.is(await ask('/all'), 'worker meta,file 200000')
      assert.is(await ask('/stream'), 'worker meta,file')
      assert.match(await ask('/worker', formOf(field('meta', '{'))), /"name":"meta"/)
      assert.match(await ask('/worker', content.slice(0, -9)), /unexpected end/)
    } finally {
      await server.close()
    }
  })
})
