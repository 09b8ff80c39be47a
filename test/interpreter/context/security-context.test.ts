import * as assert from 'uvu/assert'
import type { Exchange } from '../../../src/interpreter/exchange.ts'
import type { AuthenticatedPrincipal } from '../../../src/interpreter/context/request-info.ts'
import { LazySecurityContext } from '../../../src/interpreter/context/security-context.ts'
import { describe } from '../../support/describe.ts'

/** Nothing else of an exchange is asked for. */
const from = (origin: string) => ({ origin: () => origin }) as Exchange

const ann: AuthenticatedPrincipal = {
  principal: { name: 'ann', roles: ['clerk'] },
  scheme: 'Basic',
}

describe('CallSecurity', (test) => {
  test('R-293: nobody is known, until somebody is', () => {
    const call: { authenticated: AuthenticatedPrincipal | undefined; exchange: Exchange } = {
      authenticated: undefined,
      exchange: from('http://a'),
    }
    const security = new LazySecurityContext(call)
    const all = () => [security.principal, security.scheme, security.hasRole('clerk')]
    assert.equal(all(), [undefined, undefined, false])
    call.authenticated = ann
    assert.equal(all(), [ann.principal, 'Basic', true])
    assert.is(security.hasRole('admin'), false)
  })
  test('R-296: it is secure where the client has come by TLS', () => {
    const [plain, secure] = ['http://https:1', 'https://a'].map(
      (origin) => new LazySecurityContext({ authenticated: ann, exchange: from(origin) }).secure,
    )
    assert.equal([plain, secure], [false, true])
  })
})
