import * as assert from 'uvu/assert'
import { basicAuth, bearerToken } from '../../../src/client/policy/credentials.ts'
import { describe } from '../../support/describe.ts'
import {
  fakeTransport,
  outcomeName,
  requestTo,
  responseOutcome,
  send,
} from '../../support/fake-transport.ts'

const network = () => fakeTransport(() => responseOutcome(200))

describe('credentials', (test) => {
  test('basicAuth encodes the user name and the password as UTF-8', async () => {
    const passage = network()
    await send(basicAuth('Aladdin', 'open sesame'), passage)
    await send(basicAuth('test', '123£'), passage)
    assert.equal(
      passage.sent.map((one) => one.headers),
      [
        ['Authorization', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='], // RFC 7617, 2
        ['Authorization', 'Basic dGVzdDoxMjPCow=='], // RFC 7617, 2.1
      ],
    )
    assert.throws(() => basicAuth('a:b', 'c'), TypeError)
  })
  test('bearerToken sends a token, and calls a function for each request', async () => {
    const passage = network()
    let n = 0
    await send(bearerToken('a.b-c'), passage)
    const renewed = bearerToken(async () => `t${++n}`)
    await send(renewed, passage)
    await send(renewed, passage)
    assert.equal(
      passage.sent.map((one) => one.headers[1]),
      ['Bearer a.b-c', 'Bearer t1', 'Bearer t2'],
    )
    assert.throws(() => bearerToken('two words'), TypeError)
    for (const bad of ['', 'a\r\nb'])
      assert.is(
        outcomeName(
          await send(
            bearerToken(() => bad),
            passage,
          ),
        ),
        'Refused',
      )
    assert.is(passage.sent.length, 3)
  })
  test('an Authorization header of the request takes precedence', async () => {
    const passage = network()
    const request = requestTo(undefined, { headers: ['authorization', 'Custom a'] })
    await send([basicAuth('a', 'b'), bearerToken('c')], passage, request)
    assert.equal(passage.sent[0]?.headers, ['authorization', 'Custom a'])
  })
})
