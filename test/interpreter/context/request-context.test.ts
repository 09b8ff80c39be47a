import * as assert from 'uvu/assert'
import type { Exchange } from '../../../src/interpreter/exchange.ts'
import type { AuthenticatedPrincipal } from '../../../src/interpreter/request-info.ts'
import { LazySecurityContext } from '../../../src/interpreter/context/request-context.ts'
import { describe } from '../../support/describe.ts'

/** Creates an exchange with only the member that `LazySecurityContext` reads. */
const exchangeFrom = (origin: string) => ({ origin: () => origin }) as Exchange

const ann: AuthenticatedPrincipal = {
  principal: { name: 'ann', roles: ['clerk'] },
  scheme: 'Basic',
}

describe('LazySecurityContext', (test) => {
  test('reads the principal that an authentication filter sets later', () => {
    const state: { authenticated: AuthenticatedPrincipal | undefined; exchange: Exchange } = {
      authenticated: undefined,
      exchange: exchangeFrom('http://a'),
    }
    const security = new LazySecurityContext(state)
    const members = () => [security.principal, security.scheme, security.hasRole('clerk')]
    assert.equal(members(), [undefined, undefined, false])
    state.authenticated = ann
    assert.equal(members(), [ann.principal, 'Basic', true])
    assert.is(security.hasRole('admin'), false)
  })
  test('secure is true if the client connected by HTTPS', () => {
    const [plain, secure] = ['http://https:1', 'https://a'].map(
      (origin) =>
        new LazySecurityContext({ authenticated: ann, exchange: exchangeFrom(origin) }).secure,
    )
    assert.equal([plain, secure], [false, true])
  })
})
