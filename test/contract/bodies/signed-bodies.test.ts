/** Reader interceptors that verify the signature of the raw request body. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  Unauthorized,
  body,
  form,
  handle,
  json,
  path,
  post,
  produces,
  readerInterceptor,
  requestFilter,
  routes,
  string,
  text,
  withFilter,
  withInterceptor,
} from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

const signature = (data: Uint8Array): string =>
  createHmac('sha256', 'secret').update(data).digest('hex')

/** Components in the order in which they ran. */
const order: string[] = []

const verifySignature = readerInterceptor(({ data, context }, proceed) => {
  order.push('interceptor')
  const actual = Buffer.from(context.request.header('X-Signature') ?? '')
  const expected = Buffer.from(signature(data))
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw new Unauthorized('Signature')
  return proceed()
})

const tree = pipe(
  routes({
    hook: pipe(
      path('/hook'),
      post(),
      body(json(t.type({ event: t.string }))),
      produces(text),
      handle((input) => {
        order.push('handler')
        return input.body.event
      }),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ event: string }),
      produces(text),
      handle((input) => {
        order.push('handler')
        return input.form.event
      }),
    ),
  }),
  withInterceptor(verifySignature),
  withFilter(
    requestFilter(() => {
      order.push('filter')
    }),
  ),
)

contract('signed request bodies', tree, (test, call) => {
  const send = async (target: string, type: string, content: string, key: string) => {
    order.length = 0
    const headers = { 'Content-Type': type, 'X-Signature': key }
    const response = await sendRequest(call, `POST ${target}`, {
      headers,
      body: Buffer.from(content),
    })
    return [response.status, response.status === 200 ? await response.text() : '', order.join()]
  }
  const formType = 'application/x-www-form-urlencoded'
  // The signatures cover raw bytes: whitespace and percent-encoded characters are part of them.
  const bodies = [
    ['/hook', 'application/json', '{ "event" : "push" }'],
    ['/form', formType, 'event=%70ush'],
  ] as const
  for (const [target, type, content] of bodies) {
    const key = signature(Buffer.from(content))
    test(`a valid signature: the interceptor runs after the filters and before the handler: ${target}`, async () =>
      assert.equal(await send(target, type, content, key), [
        200,
        'push',
        'filter,interceptor,handler',
      ]))
    test(`an invalid signature returns 401 before the handler runs: ${target}`, async () => {
      const invalid = signature(Buffer.from(`${content} `))
      for (const other of [invalid, '', key.slice(1)])
        assert.equal(await send(target, type, content, other), [401, '', 'filter,interceptor'])
    })
    test(`an invalid signature of a malformed body returns 401: ${target}`, async () =>
      assert.is((await send(target, type, '{', key))[0], 401))
  }
})
