/** The authorize dialog of the documentation page, with an authorization server of another origin. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  bearer,
  cors,
  form,
  get,
  handle,
  json,
  oauth2,
  path,
  post,
  produces,
  query,
  responds,
  rolesAllowed,
  routes,
  securityHeaders,
  seeOther,
  string,
  permitAll,
  text,
  withFilter,
} from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { openApiRoutes } from '../../src/openapi.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { onPage, screenshot } from './documentation.ts'
import { inBrowser } from './in-browser.ts'

const authorize = pipe(
  path('/authorize'),
  get(),
  query({ redirect_uri: string, state: string, code_challenge: string, scope: string }),
  responds(303),
  handle(({ query: { redirect_uri: target, state } }) =>
    seeOther(`${target}?code=secret-code&state=${encodeURIComponent(state)}`),
  ),
)
const Token = t.type({ access_token: t.string, token_type: t.string })
const token = pipe(
  path('/token'),
  post(),
  form({ code: string, code_verifier: string, client_id: string }),
  produces(json(Token)),
  handle(({ form: { code, client_id: id } }) => ({
    access_token: `${id}-${code}`,
    token_type: 'Bearer',
  })),
)
const identity = await serve(
  pipe(routes({ authorize, token }), withFilter(cors({ origins: '*' }))),
  {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
  },
)

const users = bearer({
  verify: (received) =>
    received === 'docs-client-secret-code' ? { name: 'ann', roles: ['read'] } : undefined,
  describedAs: oauth2({
    flows: {
      authorizationCode: {
        authorizationUrl: `${identity.url}/authorize`,
        tokenUrl: `${identity.url}/token`,
        scopes: { read: 'Read the secret' },
      },
    },
  }),
})
const secret = pipe(
  path('/secret'),
  get(),
  rolesAllowed('read'),
  produces(text),
  handle(() => 'for your eyes only'),
)
const docs = pipe(
  openApiRoutes({
    info: { title: 'Secrets', version: '1.0.0' },
    page: { oauth: { clientId: 'docs-client', scopes: ['read'] } },
  }),
  permitAll,
)
const api = pipe(
  routes({ secret, docs }),
  withFilter(users, securityHeaders({ crossOriginOpenerPolicy: true })),
)

inBrowser('authorize dialog', api, (test, session) => {
  test('gets a token with PKCE and sends it with operations', () =>
    onPage(
      session,
      '/docs',
      async (page) => {
        await page.locator('.auth-wrapper .authorize').first().click()
        const dialog = page.locator('.dialog-ux')
        assert.is(await dialog.locator('input[type=text]').first().inputValue(), 'docs-client')
        await dialog.locator('button.authorize').first().click()
        await dialog.getByText('Logout').waitFor()
        await screenshot(page, 'authorized')
        await dialog.locator('.btn-done').click()
        const block = page.locator('.opblock-get')
        await block.locator('.opblock-summary-control').click()
        await block.locator('.try-out__btn').click()
        await block.locator('.execute').click()
        const response = block.locator('.live-responses-table tbody .response')
        await response.first().waitFor()
        assert.match(await response.first().innerText(), 'for your eyes only')
      },
      [new URL(identity.url).origin],
    ).finally(() => identity.close()))
})
