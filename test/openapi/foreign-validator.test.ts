/** The documents of the example application and of the tree with every combinator, checked by `@seriousme/openapi-schema-validator`. */
import { Validator } from '@seriousme/openapi-schema-validator'
import * as assert from 'uvu/assert'
import { openApi } from '../../src/openapi.ts'
import { library } from '../../src/showcase/api.ts'
import { info } from '../../src/showcase/info.ts'
import { everyCombinator } from './every-combinator/tree.ts'
import { describe } from '../support/describe.ts'

describe('OpenAPI documents in another validator', (test) => {
  for (const [name, tree] of [
    ['the example application', library()],
    ['the tree with every combinator', everyCombinator],
  ] as const)
    for (const version of ['3.1', '3.2'] as const)
      test(`${name} in OpenAPI ${version}`, async () => {
        const document = openApi(tree, { info, servers: [{ url: '/' }], version })
        const plain: Record<string, unknown> = JSON.parse(JSON.stringify(document))
        const { valid, errors } = await new Validator().validate(plain)
        assert.is(valid, true, JSON.stringify(errors))
      })
  test('an invalid document is rejected', async () => {
    const { valid } = await new Validator().validate({ openapi: '3.1.1', info: {}, paths: {} })
    assert.is(valid, false)
  })
})
