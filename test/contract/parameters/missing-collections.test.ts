/** Missing and empty collections have the same meaning in parameters, forms, JSON, CBOR and XML. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ParameterCodec } from '../../../src/index.ts'
import {
  body,
  form,
  get,
  handle,
  int,
  json,
  list,
  optional,
  path,
  post,
  produces,
  query,
  rawJson,
  routes,
  separated,
  set,
  withDefault,
} from '../../../src/index.ts'
import { xml, xmlElementWrapper } from '../../../src/xml.ts'
import { base, valueContract } from '../../support/contract.ts'
import { inputAsJson } from '../../support/send-request.ts'

const codecs = {
  list: list(int),
  optionalList: optional(list(int)),
  optionalSet: optional(set(int)),
  optionalText: optional(separated(',')(int)),
  defaultList: withDefault(list(int), [9]),
  defaultSet: withDefault(set(int), new Set([9])),
  defaultText: withDefault(separated(',')(int), [9]),
}
type Name = keyof typeof codecs

/** The operations for one codec. Each one returns the value of the member or parameter `c`. */
const operations = <C extends t.Mixed & ParameterCodec>(name: string, c: C) => {
  const Plain = t.type({ c }, `${name}Plain`)
  const Wrapped = t.type({ c: xmlElementWrapper('c', 'item')(c) }, `${name}Wrapped`)
  return routes({
    query: pipe(
      path(`/query/${name}`),
      get(),
      query({ c }),
      produces(rawJson),
      handle((input) => inputAsJson(input.query)),
    ),
    form: pipe(
      path(`/form/${name}`),
      post(),
      form({ c }),
      produces(rawJson),
      handle((input) => inputAsJson(input.form)),
    ),
    body: pipe(
      path(`/body/${name}`),
      post(),
      body(json(Plain), xml(Plain)),
      produces(rawJson),
      handle((input) => inputAsJson(input.body)),
    ),
    wrapped: pipe(
      path(`/wrapped/${name}`),
      post(),
      body(xml(Wrapped)),
      produces(rawJson),
      handle((input) => inputAsJson(input.body)),
    ),
  })
}

const api = routes({
  list: operations('list', codecs.list),
  optionalList: operations('optionalList', codecs.optionalList),
  optionalSet: operations('optionalSet', codecs.optionalSet),
  optionalText: operations('optionalText', codecs.optionalText),
  defaultList: operations('defaultList', codecs.defaultList),
  defaultSet: operations('defaultSet', codecs.defaultSet),
  defaultText: operations('defaultText', codecs.defaultText),
})

/** The values of a missing collection in parameters and XML, and in JSON. 400 is a rejected body. */
const missing: Readonly<Record<Name, readonly [elsewhere: unknown, inJson: unknown]>> = {
  list: [[], 400],
  optionalList: [undefined, undefined],
  optionalSet: [undefined, undefined],
  optionalText: [undefined, undefined],
  defaultList: [[9], [9]],
  defaultSet: [{ set: [9] }, { set: [9] }],
  defaultText: [[9], [9]],
}

const isSet = (name: Name): boolean => name.endsWith('Set')

valueContract('missing and empty collections', api, (test, call) => {
  const valueOf = async (target: string, type?: string, content = ''): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'Content-Type': type ?? '' }, body: content }
    const response = await call(new Request(`${base}${target}`, type === undefined ? {} : init))
    return response.status === 200
      ? ((await response.json()) as { readonly c?: unknown }).c
      : response.status
  }
  const jsonOf = (name: Name, content: string): Promise<unknown> =>
    valueOf(`/body/${name}`, 'application/json', content)
  const xmlOf = (name: Name, kind: 'Plain' | 'Wrapped', content: string): Promise<unknown> =>
    valueOf(
      `/${kind === 'Plain' ? 'body' : 'wrapped'}/${name}`,
      'application/xml',
      `<${name}${kind}>${content}</${name}${kind}>`,
    )
  for (const name of Object.keys(codecs) as ReadonlyArray<Name>) {
    const [elsewhere, inJson] = missing[name]
    const empty = isSet(name) ? { set: [] } : []
    const values = isSet(name) ? { set: [1, 2] } : [1, 2]
    test(`${name}: a missing parameter`, async () => {
      assert.equal(await valueOf(`/query/${name}`), elsewhere)
      assert.equal(await valueOf(`/query/${name}?c=`), elsewhere)
    })
    test(`${name}: a missing form field`, async () =>
      assert.equal(await valueOf(`/form/${name}`, 'application/x-www-form-urlencoded'), elsewhere))
    test(`${name}: a missing member in JSON`, async () =>
      assert.equal(await jsonOf(name, '{}'), inJson))
    test(`${name}: no elements in XML`, async () =>
      assert.equal(await xmlOf(name, 'Plain', ''), elsewhere))
    test(`${name}: a missing wrapper element in XML`, async () =>
      assert.equal(await xmlOf(name, 'Wrapped', ''), inJson))
    test(`${name}: an empty collection is not missing`, async () => {
      assert.equal(await jsonOf(name, '{"c":[]}'), empty)
      assert.equal(await xmlOf(name, 'Wrapped', '<c/>'), empty)
    })
    test(`${name}: null is not missing`, async () =>
      assert.is(await jsonOf(name, '{"c":null}'), 400))
    test(`${name}: values`, async () => {
      assert.equal(await valueOf(`/query/${name}?c=1&c=2`), values)
      assert.equal(await jsonOf(name, '{"c":[1,2]}'), values)
      assert.equal(await xmlOf(name, 'Plain', '<c>1</c><c>2</c>'), values)
      assert.equal(await xmlOf(name, 'Wrapped', '<c><item>1</item><item>2</item></c>'), values)
    })
  }
})
