/** Plus signs in queries and URL-encoded forms, which stand for spaces: errors name the encoding of the plus sign in an offset. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  dateFormat,
  form,
  handle,
  instant,
  int,
  list,
  offsetDateTime,
  offsetTime,
  optional,
  path,
  pattern,
  post,
  produces,
  query,
  routes,
  string,
  text,
  upload,
  zonedDateTime,
} from '../../../src/index.ts'
import { base, valueContract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { encodeMultipart, encodePart, multipartRequest } from '../../support/multipart.ts'
import { validationErrorsOf } from '../../support/send-request.ts'

const parameters = {
  instant: optional(instant),
  dateTime: optional(offsetDateTime),
  time: optional(offsetTime),
  zoned: optional(zonedDateTime),
  moment: optional(dateFormat('yyyyMMdd HHmmssX')(instant)),
  instants: list(instant),
  number: optional(int),
  international: optional(pattern(/^\+\d{3,9}$/)(string)),
}

const api = routes({
  query: pipe(
    path('/query'),
    post(),
    query(parameters),
    produces(text),
    handle(() => 'valid'),
  ),
  form: pipe(
    path('/form'),
    post(),
    form(parameters),
    produces(text),
    handle(() => 'valid'),
  ),
  multipart: pipe(
    path('/multipart'),
    post(),
    form({ instant, file: upload }),
    produces(text),
    handle(() => 'valid'),
  ),
})

const remedy = 'contains a space that must be a plus sign: encode + as %2B'

const rows: ReadonlyArray<readonly [pair: string, remedied: boolean]> = [
  ['instant=2013-04-05T18:50:00+05:30', true],
  ['instant=2013-04-05T18:50:00.5+00:00', true],
  ['dateTime=2013-04-05T18:50:00+05:30', true],
  ['time=18:50:00+05:30', true],
  ['zoned=2013-04-05T18:50:00+02:00[Europe/Paris]', true],
  ['moment=20130405%20185000+0530', true],
  ['instants=2013-04-05T18:50:00Z&instants=2013-04-05T18:50:00+05:30', true],
  ['international=+49123', true],
  ['instant=2013-04-05T18:50:00+25:99', false],
  ['instant=yesterday+evening', false],
  ['number=1+1', false],
]

valueContract('plus signs in parameters', api, (test, call) => {
  for (const group of ['query', 'form'] as const)
    table(
      test,
      rows.map(([pair, remedied]): [string, string, boolean] => [
        `${group}: ${pair}`,
        pair,
        remedied,
      ]),
      async (_, pair, remedied) => {
        const send = (pairs: string): Promise<Response> =>
          call(
            group === 'query'
              ? new Request(`${base}/query?${pairs}`, { method: 'POST' })
              : new Request(`${base}/form`, {
                  method: 'POST',
                  body: pairs,
                  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
                }),
          )
        const response = await send(pair)
        assert.is(response.status, 400)
        const [error] = await validationErrorsOf(response)
        assert.equal([error?.[0], error?.[1]], [group, pair.split('=')[0]])
        assert.is(error?.[2] === remedy, remedied, error?.[2])
        assert.is((await send(pair.replaceAll('+', '%2B'))).status, remedied ? 200 : 400)
      },
    )
  test('a space in a part of a multipart form is no encoded plus sign', async () => {
    const content = encodeMultipart(
      encodePart('instant', '2013-04-05T18:50:00 05:30'),
      encodePart('file', 'x', { fileName: 'a' }),
    )
    const response = await call(multipartRequest('/multipart', content))
    assert.is(response.status, 400)
    assert.is((await validationErrorsOf(response))[0]?.[2] === remedy, false)
  })
})
