/** Buffered bodies of requests and responses. */
import * as assert from 'uvu/assert'
import { clientContract, errorIn, right } from '../support/clients.ts'
import { api, emma } from './bodies.ts'

/** Removes members that are `undefined`. */
const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))

clientContract('buffered bodies', api, (test, createClient) => {
  test('JSON is sent and decoded', async () => {
    const { status, body: received, url } = await right(createClient().json({ body: emma }))
    assert.is(status, 200)
    assert.equal(received, emma)
    assert.ok(url.endsWith('/json'))
  })
  for (const name of ['text', 'html'] as const)
    test(`${name} is sent in UTF-8 without its byte order mark`, async () =>
      assert.is((await right(createClient()[name]({ body: '\uFEFFé€😀\r\n' }))).body, 'é€😀\r\n'))
  test('bytes are sent and returned unchanged', async () => {
    const data = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
    assert.equal(new Uint8Array((await right(createClient().bytes({ body: data }))).body), data)
  })
  test('raw JSON is returned unchanged', async () =>
    assert.is((await right(createClient().raw({ body: '[1, 2]' }))).body, '[1, 2]'))
  test('a form map is sent and decoded', async () => {
    const map = new Map([
      ['a b', ['1', '&=+%']],
      ['é', ['']],
    ])
    assert.equal((await right(createClient().map({ body: map }))).body, map)
  })
  test('XML is sent and decoded', async () =>
    assert.equal((await right(createClient().xml({ body: emma }))).body, emma))
  test('a HAL resource is sent and decoded', async () =>
    assert.equal((await right(createClient().hal({ body: emma }))).body, emma))
  test('a HAL collection under the relation of the service is decoded to a list', async () =>
    assert.equal((await right(createClient().hals({ body: [emma, emma] }))).body, [emma, emma]))
  test('an empty HAL collection is decoded to an empty list', async () =>
    assert.equal((await right(createClient().hals({ body: [] }))).body, []))
  test('an integer is sent as text', async () =>
    assert.is((await right(createClient().int({ body: -7 }))).body, -7))
  test('a custom representation is sent and decoded', async () =>
    assert.equal((await right(createClient().csv({ body: ['a', 'b'] }))).body, ['a', 'b']))
  test('an exception of a custom write function is an EncodeError', async () => {
    const error = await errorIn(createClient().csv({ body: ['a,b'] }))
    assert.is(error.message, 'csv: invalid input: body: a comma')
  })
  test('an exception of a custom read function on the server results in UndeclaredStatus', async () => {
    const error = await errorIn(createClient().csv({ body: ['a;b'] }))
    assert.is(error._tag, 'UndeclaredStatus')
  })
  test('JSON numbers keep all digits', async () => {
    const sent = { big: 123_456_789_012_345_678_901_234_567_890n }
    assert.equal((await right(createClient().lossless({ body: sent }))).body, sent)
  })
  test('form fields are sent and decoded', async () =>
    assert.equal(
      (await right(createClient().form({ form: { isbn: '&é=', copies: [1, 2] } }))).body,
      {
        isbn: '&é=',
        copies: [1, 2],
      },
    ))
  test('a missing optional body sends Content-Length: 0', async () =>
    assert.equal((await right(createClient().optional())).body, [null, '0', null]))
  test('a present optional body is sent', async () => {
    const [title] = (await right(createClient().optional({ body: emma }))).body as string[]
    assert.is(title, emma.title)
  })
  test('POST without a body sends Content-Length: 0', async () =>
    assert.equal((await right(createClient().none())).body, ['0', null]))
  test('a null body that the codec rejects counts as missing', async () =>
    assert.equal((await right(createClient().optional({ body: null as never }))).body, [
      null,
      '0',
      null,
    ]))
  test('the first representation is sent unless the option `as` selects another one', async () => {
    const sent = async (type?: string): Promise<string> => {
      const options = type === undefined ? {} : { as: type }
      return (await right(createClient().choice({ body: emma }, options))).body.replace(/ .*/, '')
    }
    assert.is(await sent(), 'application/json')
    assert.is(await sent('application/xml'), 'application/xml')
    assert.is(await sent('application/vnd.book+json'), 'application/vnd.book+json')
    const error = await errorIn(createClient().choice({ body: emma }, { as: 'text/csv' }))
    assert.is(error._tag, 'EncodeError')
  })
  test('text is rejected if `as` selects another charset than UTF-8', async () => {
    const error = await errorIn(
      createClient().text({ body: 'é' }, { as: 'text/plain;charset=latin1' }),
    )
    assert.is(error._tag, 'EncodeError')
    assert.is(
      (await right(createClient().text({ body: 'é' }, { as: 'text/plain;charset=UTF-8' }))).body,
      'é',
    )
  })
  test('a body declared with a range of media types is sent with the media type of the option `as`', async () => {
    const data = new Uint8Array([1])
    const { body: received } = await right(
      createClient().image({ body: data }, { as: 'image/png', headers: { accept: 'image/png' } }),
    )
    assert.equal(new Uint8Array(received), data)
    assert.is((await errorIn(createClient().image({ body: data })))._tag, 'EncodeError')
  })
  test('readers and writers of the tree apply on client and server', async () => {
    const { body: received, headers } = await right(
      createClient().entity.point({ body: { x: 1, y: 2 } }),
    )
    assert.equal(received, { x: 1, y: 2 })
    assert.ok(headers.get('content-type')?.includes('text/x-pair'))
  })
  test('a client-only writer and a server-only reader are selected on their side', async () => {
    const { body: received, headers } = await right(
      createClient().sided.point({ body: { x: 1, y: 2 } }, { as: 'text/x-pair' }),
    )
    assert.equal(received, { x: 2, y: 1 })
    assert.is(headers.get('content-type'), 'application/json')
  })
  test('interceptors run on the side that they are restricted to', async () =>
    assert.equal((await right(createClient().signed.json({ body: { x: 1, y: 2 } }))).body, {
      x: 1,
      y: 2,
    }))
  test('an invalid body is not sent, and the errors have pointers', async () => {
    const error = await errorIn(createClient().json({ body: { title: 1, due: emma.due } as never }))
    assert.is(error._tag, 'EncodeError')
    assert.is(error.operation, 'json')
    assert.equal('errors' in error && error.errors, [
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
      const call = createClient()[name] as unknown as ReturnType<typeof createClient>['json']
      assert.is((await errorIn(call({ body: value as never })))._tag, 'EncodeError', name)
    }
  })
  test('a member that a view or a role hides is missing in the response', async () => {
    const ann = { name: 'ann', pay: 1, note: 'private' }
    const { secured, viewed } = createClient()
    assert.equal(withoutUndefined((await right(secured({ body: ann }))).body), {
      name: 'ann',
      note: 'private',
    })
    const asXml = { headers: { accept: 'application/xml' } }
    assert.equal(withoutUndefined((await right(secured({ body: ann }, asXml))).body), {
      name: 'ann',
      note: 'private',
    })
    assert.equal(withoutUndefined((await right(viewed({ body: ann }))).body), { name: 'ann' })
  })
  test('undeclared members are not sent', async () =>
    assert.equal(
      (await right(createClient().json({ body: { ...emma, admin: true } as never }))).body,
      emma,
    ))
})
