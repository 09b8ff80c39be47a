/** The default charset of multipart bodies: `fw.rest.multipart.input-part.default-charset`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  form,
  handle,
  json,
  multipartInput,
  path,
  post,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import { contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'

const api = routes({
  parts: pipe(
    path('/parts'),
    post(),
    body(multipartInput),
    produces(json(t.array(t.array(t.string)))),
    handle(({ body: { values } }) =>
      [...values].flatMap(([name, parts]) =>
        parts.map((part) => [name, part.isFileItem ? (part.fileName ?? '') : part.value]),
      ),
    ),
  ),
  field: pipe(
    path('/field'),
    post(),
    form({ a: string }),
    produces(text),
    handle((input) => input.form.a),
  ),
})

contract(
  'multipart bodies with a configured default charset',
  api,
  (test, call) => {
    const partsOf = async (content: string | Buffer): Promise<unknown> =>
      (await call(multipartRequest('/parts', content))).json()
    test('parts without a charset are decoded with the default charset', async () => {
      const content = encodeMultipart(
        encodePart('a', '\u{e9}'),
        encodePart('b', '\u{c3}\u{a9}', { type: 'text/plain;charset=utf-8' }),
      )
      assert.equal(await partsOf(Buffer.from(content, 'latin1')), [
        ['a', 'é'],
        ['b', 'é'],
      ])
    })
    test('form fields are decoded with the default charset', async () => {
      const content = Buffer.from(encodeMultipart(encodePart('a', '\u{e9}')), 'latin1')
      assert.is(await (await call(multipartRequest('/field', content))).text(), 'é')
    })
    test('file names and names of parts are decoded with the default charset', async () => {
      const content = encodeMultipart(
        encodePart('\u{e4}', 'x', { fileName: 'caf\u{e9}.txt', type: 'text/csv' }),
      )
      assert.equal(await partsOf(Buffer.from(content, 'latin1')), [['ä', 'café.txt']])
    })
    test('file names in UTF-8 are decoded as UTF-8', async () => {
      const part = encodePart('a', 'x', { fileName: 'café.txt', type: 'text/csv' })
      assert.equal(await partsOf(encodeMultipart(part)), [['a', 'café.txt']])
    })
  },
  { 'fw.rest.multipart.input-part.default-charset': 'ISO-8859-1' },
)
