/** The documents of the example application, checked by `@seriousme/openapi-schema-validator`. */
import { Validator } from '@seriousme/openapi-schema-validator'
import * as assert from 'uvu/assert'
import { openApi } from '../../src/openapi.ts'
import { library } from '../../src/showcase/api.ts'
import { info } from '../../src/showcase/info.ts'
import { describe, table } from '../support/describe.ts'

describe('OpenAPI documents in another validator', (test) => {
  table(test, [['3.1'], ['3.2']] as const, async (version) => {
    const document = openApi(library(), { info, servers: [{ url: '/' }], version })
    const plain: Record<string, unknown> = JSON.parse(JSON.stringify(document))
    const { valid, errors } = await new Validator().validate(plain)
    assert.is(valid, true, JSON.stringify(errors))
  })
  test('an invalid document is rejected', async () => {
    const { valid } = await new Validator().validate({ openapi: '3.1.1', info: {}, paths: {} })
    assert.is(valid, false)
  })
})
