/** `espalier openapi` for operations with an access rule, but without an authentication filter. */
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'
import { createProject, run } from './application.ts'

const folder = createProject({
  'secured.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { authenticated, basic, del, denyAll, get, path, permitAll, rolesAllowed, routes, withFilter } from 'espalier'
    const at = (name, rule) => pipe(path('/' + name), get(), rule)
    export const api = routes({
      roles: at('roles', rolesAllowed('staff')),
      authenticated: at('authenticated', authenticated),
      denied: at('denied', denyAll),
      permitted: at('permitted', permitAll),
    })
    export const covered = pipe(api, withFilter(basic({ realm: 'a', verify: () => undefined })))`,
})

describe('espalier openapi with access rules and no authentication filter', (test) => {
  const operations = ['GET /roles  (roles)', 'GET /authenticated  (authenticated)']
  test('writes the document and warns with the operations', async () => {
    const { code, out, error } = await run(folder, 'openapi', 'secured.js#api')
    assert.is(code, 0)
    assert.equal(JSON.parse(out).paths['/roles'].get.security, [])
    assert.match(
      error,
      /^warn: The OpenAPI document describes operations with access rules as public/,
    )
    assert.equal(
      error.split('\n').slice(1),
      operations.map((title) => `  ${title}`),
    )
  })
  test('--check fails, also if the document is current', async () => {
    await run(folder, 'openapi', 'secured.js#api', '-o', 'secured.json')
    const { code, out, error } = await run(
      folder,
      'openapi',
      'secured.js#api',
      '--check',
      'secured.json',
    )
    assert.equal([code, out], [4, ''])
    assert.match(error, /FW-ACCESS-002 [^]*GET \/roles  \(roles\)[^]*GET \/authenticated/)
    assert.not.match(error, /denied|permitted/)
  })
  test('with the filter, there is no warning, and --check succeeds', async () => {
    const { error } = await run(folder, 'openapi', 'secured.js#covered', '-o', 'covered.json')
    assert.is(error, '')
    const { code } = await run(folder, 'openapi', 'secured.js#covered', '--check', 'covered.json')
    assert.is(code, 0)
  })
})
