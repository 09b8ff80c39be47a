/** Who wants the octets of a content before its handler does, to check a signature of them. */
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
} from '../../src/index.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const signature = (octets: Uint8Array): string =>
  createHmac('sha256', 'secret').update(octets).digest('hex')

/** What has run, in order. */
const ran: string[] = []

const signed = readerInterceptor(({ data, context }, proceed) => {
  ran.push('interceptor')
  const given = Buffer.from(context.request.header('X-Signature') ?? '')
  const wanted = Buffer.from(signature(data))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
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
        ran.push('handler')
        return input.body.event
      }),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ event: string }),
      produces(text),
      handle((input) => {
        ran.push('handler')
        return input.form.event
      }),
    ),
  }),
  withInterceptor(signed),
  withFilter(
    requestFilter(() => {
      ran.push('filter')
    }),
  ),
)

contract('a content that is signed', tree, (test, call) => {
  const send = async (to: string, type: string, content: string, key: string) => {
    ran.length = 0
    const headers = { 'Content-Type': type, 'X-Signature': key }
    const response = await ask(call, `POST ${to}`, { headers, body: Buffer.from(content) })
    return [response.status, response.status === 200 ? await response.text() : '', ran.join()]
  }
  const formType = 'application/x-www-form-urlencoded'
  // blanks count, so these are the octets and not what was read of them
  const contents = [
    ['/hook', 'application/json', '{ "event" : "push" }'],
    ['/form', formType, 'event=%70ush'],
  ] as const
  for (const [to, type, content] of contents) {
    const key = signature(Buffer.from(content))
    test(`is checked before it is read, behind the filters: ${to}`, async () =>
      assert.equal(await send(to, type, content, key), [200, 'push', 'filter,interceptor,handler']))
    test(`is refused before the handler sees it: ${to}`, async () => {
      const wrong = signature(Buffer.from(`${content} `))
      for (const other of [wrong, '', key.slice(1)])
        assert.equal(await send(to, type, content, other), [401, '', 'filter,interceptor'])
    })
    test(`and before anything else is found wrong with it: ${to}`, async () =>
      assert.is((await send(to, type, '{', key))[0], 401))
  }
})
