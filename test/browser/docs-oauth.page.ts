/** The authorize dialog of the documentation page with OAuth 2. */
import { oauth2 } from '../../src/index.ts'
import { authorizationServer } from './authorization-server.ts'
import { protectedApi, readSecret } from './authorize-dialog.ts'
import { onPage } from './documentation.ts'
import { inBrowser } from './in-browser.ts'

const identity = await authorizationServer()
const scheme = oauth2({
  flows: {
    authorizationCode: {
      authorizationUrl: `${identity.origin}/authorize`,
      tokenUrl: `${identity.origin}/token`,
      scopes: { read: 'Read the secret' },
    },
  },
})

inBrowser(
  'authorize dialog, OAuth 2',
  protectedApi({ scheme, scopes: ['read'] }),
  (test, session, { after }) => {
    after(() => identity.close())
    test('gets a token with PKCE and sends it with operations', () =>
      onPage(
        session,
        '/docs',
        (page) => readSecret(page, ['oauth2 (OAuth2, authorizationCode with PKCE)']),
        [identity.origin],
      ))
  },
)
