/** The receiver of webhooks: signatures that the `standardwebhooks` package creates, and repetitions. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { EventEmitter, once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import * as assert from 'uvu/assert'
import {
  NotFound,
  form,
  body,
  fails,
  handle,
  inMemoryStore,
  json,
  optional,
  path,
  post,
  produces,
  readerInterceptor,
  reply,
  responds,
  routes,
  string,
  text,
  withInterceptor,
} from '../../../src/index.ts'
import { receiveWebhooks } from '../../../src/webhooks.ts'
import { base, contract } from '../../support/contract.ts'

const [oldSecret, newSecret, otherSecret] = ['a', 'b', 'c'].map(
  (letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`,
) as [string, string, string]

const Loan = t.type({ book: string })

/** The bodies that handlers have received, by message. */
const received: string[] = []
/** The results of the handler of `/result`, one after the other. */
const results: Array<() => unknown> = []

const api = () =>
  pipe(
    routes({
      lent: pipe(
        path('/lent'),
        post(),
        body(json(Loan)),
        responds(204),
        handle((input) => void received.push(input.body.book)),
      ),
      named: pipe(
        path('/named'),
        post(),
        body(json(Loan)),
        responds(202),
        produces(text),
        handle((input) => {
          received.push(input.body.book)
          return reply(200, 'done')
        }),
      ),
      ping: pipe(
        path('/ping'),
        post(),
        responds(202),
        handle(() => void received.push('ping')),
      ),
      maybe: pipe(
        path('/maybe'),
        post(),
        body(json(optional(Loan))),
        handle((input) => void received.push(input.body?.book ?? 'nothing')),
      ),
      form: pipe(
        path('/form'),
        post(),
        form({ a: string }),
        handle(() => void received.push('form')),
      ),
      result: pipe(
        path('/result'),
        post(),
        body(json(Loan)),
        fails(422, text),
        fails(503),
        handle(async () => {
          received.push('result')
          const result = results.shift()?.()
          return result as undefined
        }),
      ),
    }),
    // an outer interceptor of the application does not see the bytes before the signature is verified
    withInterceptor(readerInterceptor((_, proceed) => proceed())),
    receiveWebhooks({ secrets: [oldSecret, newSecret], store: inMemoryStore() }),
  )

let lastId = 0

interface Sent {
  readonly path?: string
  readonly payload?: string | Uint8Array<ArrayBuffer>
  /** The payload that is signed. Default: the payload that is sent. */
  readonly signed?: string
  readonly secret?: string
  readonly id?: string
  /** Seconds relative to the current time. */
  readonly time?: number
  /** Replaces headers, or removes them. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

const emma = '{"book":"Emma"}'

const request = ({
  path: target = '/lent',
  payload = emma,
  signed = payload.toString(),
  secret = newSecret,
  id = `msg_${++lastId}`,
  time = 0,
  headers = {},
}: Sent): Request => {
  const timestamp = new Date(Date.now() + time * 1000)
  const all = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, timestamp, signed),
    ...headers,
  }
  const sent = new Headers()
  for (const [name, value] of Object.entries(all)) if (value !== undefined) sent.set(name, value)
  return new Request(`${base}${target}`, {
    method: 'POST',
    headers: sent,
    ...(payload.length === 0 ? {} : { body: payload }),
  })
}

contract('receiveWebhooks', api, (test, call) => {
  const rows: ReadonlyArray<readonly [title: string, sent: Sent, status: number]> = [
    ['a message with a valid signature', {}, 204],
    ['a message that is signed with the previous secret', { secret: oldSecret }, 204],
    ['white space in the body', { payload: '{ "book" : "Emma" }\n' }, 204],
    ['a body that is not ASCII', { payload: '{"book":"Émma 🍐"}' }, 204],
    ['a timestamp that is 4 minutes old', { time: -240 }, 204],
    ['a message that is signed with another secret', { secret: otherSecret }, 401],
    ['a changed body', { signed: '{"book":"Emmy"}' }, 401],
    ['the signature of the body without white space', { payload: `${emma} `, signed: emma }, 401],
    ['a byte order mark that is not signed', { payload: `\ufeff${emma}`, signed: emma }, 401],
    ['a body that is not UTF-8', { payload: Uint8Array.of(34, 255, 34), signed: '"\ufffd"' }, 401],
    ['a timestamp that is 6 minutes old', { time: -360 }, 401],
    ['a timestamp in 6 minutes', { time: 360 }, 401],
    ['another id', { headers: { 'webhook-id': 'msg_other' } }, 401],
    ['another version of the signature', { headers: { 'webhook-signature': 'v1a,AAAA' } }, 401],
    ['a signature without a version', { headers: { 'webhook-signature': 'AAAA' } }, 401],
    ['an incomplete signature', { headers: { 'webhook-signature': 'v1' } }, 401],
    ['no id', { headers: { 'webhook-id': undefined } }, 400],
    ['no timestamp', { headers: { 'webhook-timestamp': undefined } }, 400],
    ['no signature', { headers: { 'webhook-signature': undefined } }, 400],
    ['an id with a dot', { id: 'msg.1' }, 400],
    ['an id of 257 characters', { id: 'a'.repeat(257) }, 400],
    ['a timestamp that is not a number', { headers: { 'webhook-timestamp': '1e9' } }, 400],
    ['a valid signature of an invalid body', { payload: '{"book":1}' }, 400],
    ['an empty body with a signature', { path: '/ping', payload: '' }, 202],
    ['an empty body without a valid signature', { path: '/ping', payload: '', signed: 'a' }, 401],
    ['an unread body with a signature of nothing', { path: '/maybe', payload: '' }, 204],
    ['an unread body without a valid signature', { path: '/maybe', payload: '', signed: 'a' }, 401],
    [
      'a form',
      {
        path: '/form',
        payload: 'a=1',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      204,
    ],
    [
      'a form without a valid signature',
      {
        path: '/form',
        payload: 'a=1',
        signed: '',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      401,
    ],
    [
      'a multipart body, which is not read as a whole',
      {
        path: '/form',
        payload: '--a\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--a--\r\n',
        headers: { 'content-type': 'multipart/form-data; boundary=a' },
      },
      401,
    ],
  ]
  for (const [title, sent, status] of rows)
    test(`${title} gets ${status}, and the handler ${status < 300 ? 'runs' : 'does not run'}`, async () => {
      const before = received.length
      const response = await call(request(sent))
      assert.is(response.status, status, await response.text())
      assert.is(received.length - before, status < 300 ? 1 : 0)
    })

  test('one of several signatures suffices', async () => {
    const sent = request({ id: `msg_${++lastId}` })
    const signature = sent.headers.get('webhook-signature') ?? ''
    sent.headers.set('webhook-signature', `v1a,AAAA v1,AAAA ${signature}`)
    assert.is((await call(sent)).status, 204)
  })
  test('the problem of an invalid signature names neither the secret nor the expected signature', async () => {
    const response = await call(request({ secret: otherSecret }))
    assert.is(response.headers.get('www-authenticate'), 'StandardWebhooks')
    const problem = (await response.json()) as { readonly detail: string }
    assert.is(problem.detail, 'The webhook signature is invalid.')
  })
  test('a repetition with a new timestamp gets 204, and the handler does not run again', async () => {
    const before = received.length
    const id = `msg_${++lastId}`
    for (const time of [-60, 0, 60]) assert.is((await call(request({ id, time }))).status, 204)
    assert.is(received.length - before, 1)
  })
  test('a repetition for an operation with a body of the response gets 204', async () => {
    const id = `msg_${++lastId}`
    const statuses: number[] = []
    for (let n = 0; n < 2; n++) statuses.push((await call(request({ id, path: '/named' }))).status)
    assert.equal(statuses, [200, 204])
  })
  test('a repetition with an invalid signature gets 401', async () => {
    const id = `msg_${++lastId}`
    assert.is((await call(request({ id }))).status, 204)
    assert.is((await call(request({ id, secret: otherSecret }))).status, 401)
  })
  test('the same id is another message for another operation', async () => {
    const before = received.length
    const id = `msg_${++lastId}`
    assert.is((await call(request({ id }))).status, 204)
    assert.is((await call(request({ id, path: '/maybe' }))).status, 204)
    assert.is(received.length - before, 2)
  })
  for (const [title, result, status] of [
    [
      'throws an error',
      () => {
        throw new Error('no database')
      },
      500,
    ],
    ['returns an HttpError', () => new NotFound('no such member'), 404],
    ['returns a Left', () => E.left('no such member'), 422],
    ['replies with 503', () => reply(503), 503],
  ] as const)
    test(`after the handler ${title}, a repetition runs it again`, async () => {
      const before = received.length
      const id = `msg_${++lastId}`
      results.push(result)
      const statuses: number[] = []
      for (let n = 0; n < 3; n++)
        statuses.push((await call(request({ id, path: '/result' }))).status)
      assert.equal(statuses, [status, 204, 204])
      assert.is(received.length - before, 2)
    })
  test('a repetition while the handler runs gets 409 with Retry-After', async () => {
    const id = `msg_${++lastId}`
    const handler = new EventEmitter()
    results.push(async () => {
      handler.emit('start')
      await once(handler, 'finish')
    })
    const started = once(handler, 'start')
    const first = call(request({ id, path: '/result' }))
    await started
    const second = await call(request({ id, path: '/result' }))
    assert.equal([second.status, second.headers.get('retry-after')], [409, '10'])
    handler.emit('finish')
    assert.is((await first).status, 204)
  })
})
