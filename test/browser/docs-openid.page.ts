/** The authorize dialog of the documentation page with OpenID Connect. */
import * as assert from 'uvu/assert'
import { openIdConnect } from '../../src/index.ts'
import { authorizationServer } from './authorization-server.ts'
import type { ProtectedApiOptions } from './authorize-dialog.ts'
import { protectedApi, readSecret, requestToken } from './authorize-dialog.ts'
import { onPage, problemsOnPage, screenshot } from './documentation.ts'
import { inBrowser } from './in-browser.ts'

const discoveryUrl = (provider: string): string => `${provider}/.well-known/openid-configuration`

const openIdApi = (
  provider: string,
  options: Pick<ProtectedApiOptions, 'version' | 'connectSources'> = {},
) =>
  protectedApi({
    ...options,
    scheme: openIdConnect({ url: discoveryUrl(provider) }),
    scopes: ['openid', 'read'],
  })

const flows = ['openIdConnect (OAuth2, authorization_code with PKCE)']

for (const version of ['3.1', '3.2'] as const) {
  const provider = await authorizationServer()
  inBrowser(
    `authorize dialog, OpenID Connect, OpenAPI ${version}`,
    openIdApi(provider.origin, { version }),
    (test, session, { after }) => {
      after(() => provider.close())
      test('gets an access token with PKCE and sends it with operations', () =>
        onPage(session, '/docs', (page) => readSecret(page, flows), [provider.origin]))
    },
  )
}

const tokens = await authorizationServer()
const login = await authorizationServer(tokens.origin)
inBrowser(
  'authorize dialog, token endpoint of another origin in connectSources',
  openIdApi(login.origin, { connectSources: [tokens.origin] }),
  (test, session) => {
    test('gets an access token with PKCE and sends it with operations', () =>
      onPage(session, '/docs', (page) => readSecret(page, flows), [login.origin, tokens.origin]))
  },
)
inBrowser(
  'authorize dialog, token endpoint of another origin',
  openIdApi(login.origin),
  (test, session, { after }) => {
    after(() => login.close())
    after(() => tokens.close())
    test('the policy of the page blocks the endpoint, and the dialog shows the remedy', async () => {
      const endpoint = `${tokens.origin}/token`
      const problems = await problemsOnPage(
        session,
        '/docs',
        async (page) => {
          const error = (await requestToken(page)).locator('.errors')
          assert.match(
            await error.innerText(),
            `the Content Security Policy of this page blocks ${endpoint} or a redirect from it: add the origin to connectSources`,
          )
          await screenshot(page, 'blocked-token-endpoint')
        },
        [login.origin],
      )
      assert.ok(problems.includes(`CSP connect-src ${endpoint} `), problems.join('\n'))
      assert.equal(
        problems.filter((problem) => problem === endpoint || !problem.includes(endpoint)),
        [],
      )
    })
  },
)

const other = await authorizationServer()
inBrowser(
  'authorize dialog, discovery document that cannot be loaded',
  openIdApi(`${other.origin}/missing`),
  (test, session, { after }) => {
    after(() => other.close())
    test('the page shows an error', async () => {
      const url = discoveryUrl(`${other.origin}/missing`)
      const problems = await problemsOnPage(
        session,
        '/docs',
        async (page) => {
          const error = page.locator('.errors-wrapper .message')
          assert.match(await error.innerText(), `Loading ${url} failed: 404 Not Found`)
          await screenshot(page, 'missing-discovery-document')
        },
        [other.origin],
      )
      assert.ok(problems.length > 0)
      assert.equal(
        problems.filter((problem) => !problem.includes('404')),
        [],
      )
    })
  },
)
