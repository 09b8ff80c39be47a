/** Buffered bodies of requests and responses. */
import * as assert from 'uvu/assert'
import { called, errorIn, right } from '../support/clients.ts'
import { api, emma } from '../support/bodies.ts'

/** Without members that are `undefined`. */
const said = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

called('whole contents', api, (test, calling) => {
  test('json', async () => {
    const { status, body: got, url } = await right(calling().json({ body: emma }))
    assert.is(status, 200)
    assert.equal(got, emma)
    assert.ok(url.endsWith('/json'))
  })
  for (const name of ['text', 'html'] as const)
    test(`${name} in UTF-8`, async () =>
      assert.is((await right(calling()[name]({ body: '\uFEFFé€😀\r\n' }))).body, 'é€😀\r\n'))
  test('bytes', async () => {
    const octets = Uint8Array.from({ length: 300 }, (_, at) => at % 256)
    assert.equal(new Uint8Array((await right(calling().bytes({ body: octets }))).body), octets)
  })
  test('raw JSON', async () =>
    assert.is((await right(calling().raw({ body: '[1, 2]' }))).body, '[1, 2]'))
  test('forms as maps', async () => {
    const map = new Map([
      ['a b', ['1', '&=+%']],
      ['é', ['']],
    ])
    assert.equal((await right(calling().map({ body: map }))).body, map)
  })
  test('xml', async () => assert.equal((await right(calling().xml({ body: emma }))).body, emma))
  test('an entity in HAL', async () =>
    assert.equal((await right(calling().hal({ body: emma }))).body, emma))
  test('a HAL collection with the relation name of the service', async () =>
    assert.equal((await right(calling().hals({ body: [emma, emma] }))).body, [emma, emma]))
  test('an empty collection in HAL', async () =>
    assert.equal((await right(calling().hals({ body: [] }))).body, []))
  test('scalars as text', async () =>
    assert.is((await right(calling().int({ body: -7 }))).body, -7))
  test('a custom representation', async () =>
    assert.equal((await right(calling().csv({ body: ['a', 'b'] }))).body, ['a', 'b']))
  test('a custom representation whose write function throws', async () => {
    const error = await errorIn(calling().csv({ body: ['a,b'] }))
    assert.is(error.message, 'csv: invalid input: body: a comma')
  })
  test('a custom representation whose read function throws', async () => {
    const error = await errorIn(calling().csv({ body: ['a;b'] }))
    assert.is(error._tag, 'UndeclaredStatus') // the server could not read it first
  })
  test('JSON numbers keep all digits', async () => {
    const sent = { big: 123_456_789_012_345_678_901_234_567_890n }
    assert.equal((await right(calling().lossless({ body: sent }))).body, sent)
  })
  test('form fields', async () =>
    assert.equal((await right(calling().form({ form: { isbn: '&é=', copies: [1, 2] } }))).body, {
      isbn: '&é=',
      copies: [1, 2],
    }))
  test('an optional body that is missing', async () =>
    assert.equal((await right(calling().optional())).body, [null, '0', null]))
  test('an optional body that is present', async () => {
    const [title] = (await right(calling().optional({ body: emma }))).body as string[]
    assert.is(title, emma.title)
  })
  test('POST without a body sends Content-Length: 0', async () =>
    assert.equal((await right(calling().none())).body, ['0', null]))
  test('null counts as missing if the codec rejects it', async () =>
    assert.equal((await right(calling().optional({ body: null as never }))).body, [
      null,
      '0',
      null,
    ]))
  test('the first representation is sent unless the option `as` selects another one', async () => {
    const sent = async (type?: string): Promise<string> => {
      const options = type === undefined ? {} : { as: type }
      return (await right(calling().choice({ body: emma }, options))).body.replace(/ .*/, '')
    }
    assert.is(await sent(), 'application/json')
    assert.is(await sent('application/xml'), 'application/xml')
    assert.is(await sent('application/vnd.book+json'), 'application/vnd.book+json')
    const error = await errorIn(calling().choice({ body: emma }, { as: 'text/csv' }))
    assert.is(error._tag, 'EncodeError')
  })
  test('text is rejected if `as` selects another charset than UTF-8', async () => {
    const error = await errorIn(calling().text({ body: 'é' }, { as: 'text/plain;charset=latin1' }))
    assert.is(error._tag, 'EncodeError')
    assert.is(
      (await right(calling().text({ body: 'é' }, { as: 'text/plain;charset=UTF-8' }))).body,
      'é',
    )
  })
  test('a body with a range of media types is sent as the media type of the caller', async () => {
    const octets = new Uint8Array([1])
    const { body: got } = await right(
      calling().image({ body: octets }, { as: 'image/png', headers: { accept: 'image/png' } }),
    )
    assert.equal(new Uint8Array(got), octets)
    assert.is((await errorIn(calling().image({ body: octets })))._tag, 'EncodeError')
  })
  test('readers and writers of the tree apply on client and server', async () => {
    const { body: got, headers } = await right(calling().entity.point({ body: { x: 1, y: 2 } }))
    assert.equal(got, { x: 1, y: 2 })
    assert.ok(headers.join().includes('text/x-pair'))
  })
  test('a client-only writer and a server-only reader work together', async () => {
    const { body: got, headers } = await right(
      calling().sided.point({ body: { x: 1, y: 2 } }, { as: 'text/x-pair' }),
    )
    assert.equal(got, { x: 2, y: 1 })
    assert.ok(headers.join().includes('application/json'))
  })
  test('interceptors run on the side that they are restricted to', async () =>
    assert.equal((await right(calling().signed.json({ body: { x: 1, y: 2 } }))).body, {
      x: 1,
      y: 2,
    }))
  test('an invalid body is not sent, and the errors have pointers', async () => {
    const error = await errorIn(calling().json({ body: { title: 1, due: emma.due } as never }))
    assert.is(error._tag, 'EncodeError')
    assert.is(error.operation, 'json')
    assert.equal('faults' in error && error.faults, [
      { in: 'body', pointer: '#/title', detail: 'must be a string' },
    ])
    for (const [name, value] of [
      ['json', undefined],
      ['json', null],
      ['text', 1],
      ['text', '\ud800'],
      ['bytes', 'text'],
      ['map', {}],
      ['int', 1.5],
      ['xml', {}],
    ] as const) {
      const call = calling()[name] as unknown as ReturnType<typeof calling>['json']
      assert.is((await errorIn(call({ body: value as never })))._tag, 'EncodeError', name)
    }
  })
  test('a member hidden by the service is missing', async () => {
    const ann = { name: 'ann', pay: 1, note: 'own' }
    const { secured, viewed } = calling()
    assert.equal(said((await right(secured({ body: ann }))).body), { name: 'ann', note: 'own' })
    const asXml = { headers: { accept: 'application/xml' } }
    assert.equal(said((await right(secured({ body: ann }, asXml))).body), {
      name: 'ann',
      note: 'own',
    })
    assert.equal(said((await right(viewed({ body: ann }))).body), { name: 'ann' })
  })
  test('undeclared members are not sent', async () =>
    assert.equal(
      (await right(calling().json({ body: { ...emma, admin: true } as never }))).body,
      emma,
    ))
})
