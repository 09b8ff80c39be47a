/** Writer interceptors around responses of handlers, filters and mappers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  HttpError,
  bind,
  get,
  handle,
  mapError,
  mediaType,
  ok,
  onlyFor,
  path,
  produces,
  reply,
  requestFilter,
  responds,
  responseFilter,
  routes,
  text,
  withFilter,
  withHeader,
  withInterceptor,
  withMapper,
  writerInterceptor,
} from '../../../src/index.ts'
import { wrapWritten, bytesOf, textOf } from './body-text.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const tree = pipe(
  routes({
    get: pipe(
      path('/get'),
      get(),
      produces(text),
      responds(201, text),
      handle((_, { request }) => {
        if (request.query === 'throw') throw new RangeError('mapped')
        if (request.query === 'error') throw new HttpError(reply(409, 'error'))
        return request.query === 'typed' ? mediaType('text/x-a')(ok('typed')) : 'handled'
      }),
    ),
    bound: pipe(
      path('/bound'),
      get(),
      bind('marked'),
      produces(text),
      handle(() => 'bound'),
    ),
  }),
  withMapper(mapError(RangeError, () => reply(418, 'mapped'))),
  withFilter(
    requestFilter(({ request }) => (request.query === 'stop' ? reply(409, 'stopped') : undefined)),
    responseFilter((response, { request }) =>
      request.query === 'same'
        ? reply(response.status, 'same')
        : request.query === 'other'
          ? reply(299, bytesOf('other'))
          : withHeader('X-Filtered', 'yes')(response),
    ),
  ),
  withInterceptor(
    writerInterceptor(async ({ mediaType: type, headers, context }, proceed) => {
      const names = headers.filter((_, index) => index % 2 === 0).join()
      return `${context.request.method} ${type} ${names}: ${textOf(await proceed())}`
    }),
    onlyFor('marked')(wrapWritten('marked')),
  ),
)

contract(
  'writer interceptors wrap responses of handlers, filters and mappers',
  tree,
  (test, call) => {
    const plain = 'text/plain;charset=UTF-8'
    table<readonly [target: string, status: number, body: string]>(
      test,
      [
        ['/get', 200, `GET ${plain} Vary,X-Filtered: handled`],
        ['/get?typed', 200, 'GET text/x-a Vary,X-Filtered: typed'],
        ['/get?throw', 418, `GET ${plain} X-Filtered: mapped`],
        ['/get?stop', 409, `GET ${plain} X-Filtered: stopped`],
        ['/get?error', 409, `GET ${plain} X-Filtered: error`],
        ['/get?other', 299, 'GET application/octet-stream : other'],
        ['/get?same', 200, `GET ${plain} Vary: same`],
        ['/nothing?same', 404, `GET ${plain} : same`],
        ['/nothing?other', 299, 'GET application/octet-stream : other'],
        ['/bound', 200, `GET ${plain} X-Filtered: marked(bound)`],
      ],
      async (target, status, expected) => {
        const response = await sendRequest(call, `GET ${target}`)
        assert.equal([response.status, await response.text()], [status, expected])
      },
    )
    test('HEAD sends the Content-Length of the intercepted GET response', async () => {
      const response = await sendRequest(call, 'HEAD /get')
      assert.is(
        response.headers.get('Content-Length'),
        String(`HEAD ${plain} Vary,X-Filtered: handled`.length),
      )
    })
  },
)
