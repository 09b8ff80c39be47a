/** Names that plain objects inherit, in every place of a request in which a client chooses a name. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { cbor } from '../../../src/cbor.ts'
import {
  allFields,
  allUploads,
  basic,
  body,
  cookie,
  form,
  get,
  handle,
  header,
  json,
  list,
  matrix,
  multipartInput,
  ok,
  optional,
  path,
  post,
  produces,
  query,
  queryMap,
  rolesAllowed,
  routes,
  string,
  text,
  withFilter,
  withHeader,
} from '../../../src/index.ts'
import { xml } from '../../../src/xml.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { valueContract } from '../../support/contract.ts'
import { sendRequest } from '../../support/send-request.ts'

const names = Object.getOwnPropertyNames(Object.prototype)

const found = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value))

const users = new Map(names.map((name) => [name, { name, roles: [name] }]))

const strings = t.record(t.string, t.string)

const api = routes({
  path: pipe(
    path('/path/{a}', { a: string }),
    get(),
    produces(text),
    handle(({ path: { a } }) => a),
  ),
  query: pipe(
    path('/query'),
    get(),
    query({ own: optional(string), others: list(string) }),
    queryMap,
    produces(json(t.array(t.string))),
    handle((input) => [...input.queryMap.keys(), found(input.query.own)]),
  ),
  lookups: pipe(
    path('/lookups/{name}', { name: string }),
    get(),
    header({ own: optional(string) }),
    cookie({ own: optional(string) }),
    matrix({ own: optional(string) }),
    produces(json(t.array(t.string))),
    handle(({ path: { name } }, { request, uri }) =>
      [
        request.header(name),
        request.cookie(name),
        request.cookies.get(name)?.[0],
        uri.queryParameters.get(name)?.[0],
      ].map(found),
    ),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ own: optional(string), fields: allFields }),
    produces(json(t.array(t.string))),
    handle((input) => [...input.form.fields.keys(), found(input.form.own)]),
  ),
  parts: pipe(
    path('/parts'),
    post(),
    form({ files: allUploads }),
    produces(json(t.array(t.string))),
    handle((input) => input.form.files.map(({ name }) => name)),
  ),
  rawParts: pipe(
    path('/raw-parts'),
    post(),
    body(multipartInput),
    produces(json(t.array(t.string))),
    handle((input) => [...input.body.values.keys()]),
  ),
  json: pipe(
    path('/json'),
    post(),
    body(json(strings), cbor(strings), xml(t.unknown)),
    produces(json(t.array(t.string))),
    handle((input) => Object.keys(input.body ?? {})),
  ),
  members: pipe(
    path('/members'),
    post(),
    body(json(t.partial({ own: t.string }))),
    produces(json(t.array(t.string))),
    handle((input) => [...Object.keys(input.body), found(input.body.own)]),
  ),
  roles: pipe(
    path('/roles'),
    get(),
    rolesAllowed('staff'),
    produces(text),
    handle(() => 'allowed'),
  ),
  headers: pipe(
    path('/headers/{name}', { name: string }),
    get(),
    produces(text),
    handle(({ path: { name } }) => pipe(ok('sent'), withHeader(name, 'value'))),
  ),
})

const staff = basic({ realm: 'a', verify: ({ user }) => users.get(user) })

/** Sends a request and returns its status and its JSON value. */
const send = async (
  call: InMemoryCall,
  line: string,
  init: RequestInit = {},
): Promise<readonly [number, unknown]> => {
  const response = await sendRequest(call, line, init)
  const content = await response.text()
  return [response.status, response.ok && content.startsWith('[') ? JSON.parse(content) : content]
}

const typed = (type: string, content: string | Uint8Array<ArrayBuffer>): RequestInit => ({
  headers: { 'Content-Type': type },
  body: content,
})

const isMethod = /^[a-zA-Z_]+$/

valueContract('names that plain objects inherit', pipe(api, withFilter(staff)), (test, call) => {
  const before = names.map((name) => Object.getOwnPropertyDescriptor(Object.prototype, name))
  for (const name of names) {
    test(`${name} as a path variable`, async () =>
      assert.equal(await send(call, `GET /path/${name}`), [200, name]))
    test(`${name} as a path`, async () => assert.is((await send(call, `GET /${name}`))[0], 404))
    test(`${name} as a query parameter`, async () =>
      assert.equal(await send(call, `GET /query?${name}=a`), [200, [name, 'absent']]))
    test(`${name} in look-ups of absent headers, cookies and parameters`, async () =>
      assert.equal(await send(call, `GET /lookups/${name}`), [200, Array(4).fill('absent')]))
    test(`${name} in look-ups of headers, cookies and parameters`, async () =>
      assert.equal(
        await send(call, `GET /lookups/${name}?${name}=q`, {
          headers: [
            [name, 'h'],
            ['Cookie', `${name}=c`],
          ],
        }),
        [200, ['"h"', '"c"', '"c"', '"q"']],
      ))
    test(`${name} as a matrix parameter`, async () =>
      assert.equal(await send(call, `GET /path/a;${name}=b`), [200, 'a']))
    test(`${name} as a form field`, async () =>
      assert.equal(
        await send(call, 'POST /form', typed('application/x-www-form-urlencoded', `${name}=a`)),
        [200, [name, 'absent']],
      ))
    test(`${name} as the name of a part`, async () => {
      const data = new FormData()
      data.set(name, 'a')
      assert.equal(await send(call, 'POST /raw-parts', { body: data }), [200, [name]])
      assert.equal(await send(call, 'POST /form', { body: data }), [200, [name, 'absent']])
    })
    test(`${name} as the name of a file`, async () => {
      const data = new FormData()
      data.set(name, new Blob(['a']), name)
      assert.equal(await send(call, 'POST /parts', { body: data }), [200, [name]])
    })
    test(`${name} as a member of JSON`, async () => {
      const content = `{"${name}":"a"}`
      const [status, keys] = await send(call, 'POST /json', typed('application/json', content))
      if (name === '__proto__') assert.is(status, 400)
      else assert.equal([status, keys], [200, [name]])
      const undeclared = await send(call, 'POST /members', typed('application/json', content))
      assert.equal(
        undeclared.slice(0, name === '__proto__' ? 1 : 2),
        name === '__proto__' ? [400] : [200, ['absent']],
      )
    })
    test(`${name} as a key in CBOR`, async () => {
      const key = new TextEncoder().encode(name)
      const bytes = Uint8Array.from([0xa1, 0x60 + key.length, ...key, 0x61, 0x61])
      assert.equal(await send(call, 'POST /json', typed('application/cbor', bytes)), [
        200,
        name === '__proto__' ? [] : [name],
      ])
    })
    test(`${name} as an element and an attribute of XML`, async () => {
      for (const document of [`<${name}>a</${name}>`, `<a ${name}="a"/>`]) {
        const [status] = await send(call, 'POST /json', typed('application/xml', document))
        assert.ok(status === 200 || status === 400, String(status))
      }
    })
    test(`${name} as a media type`, async () => {
      const [unsupported] = await send(call, 'POST /json', typed(`${name}/${name}`, '{}'))
      assert.is(unsupported, 415)
      const accept = { headers: { Accept: `${name}/${name}` } }
      assert.is((await send(call, 'GET /path/a', accept))[0], 406)
      const weighted = { headers: { Accept: `text/plain;${name}=1, */*;q=0.1` } }
      assert.is((await send(call, 'GET /path/a', weighted))[0], 200)
    })
    test(`${name} as a charset`, async () => {
      const type = `application/xml;charset=${name}`
      assert.is((await send(call, 'POST /json', typed(type, '<a/>')))[0], 415)
    })
    test(`${name} as a content coding and as a language`, async () => {
      const coded = {
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': name },
        body: '{}',
      }
      assert.is((await send(call, 'POST /json', coded))[0], 415)
      const accepted = { headers: { 'Accept-Encoding': name, 'Accept-Language': 'constructor' } }
      assert.is((await send(call, 'GET /path/a', accepted))[0], 200)
    })
    if (isMethod.test(name))
      test(`${name} as a method`, async () => {
        const [status] = await send(call, `${name} /path/a`)
        // HTTP parsers reject most unknown methods
        assert.ok([400, 405, 501].includes(status), String(status))
      })
    test(`${name} as a role and a user name`, async () => {
      const headers = { Authorization: `Basic ${btoa(`${name}:x`)}` }
      assert.is((await send(call, 'GET /roles', { headers }))[0], 403)
      assert.is((await send(call, 'GET /path/a', { headers }))[0], 200)
    })
    test(`${name} as a response header`, async () => {
      const response = await sendRequest(call, `GET /headers/${name}`)
      assert.is(response.headers.get(name), 'value')
    })
  }
  test('Object.prototype is unchanged', () =>
    assert.equal(
      names.map((name) => Object.getOwnPropertyDescriptor(Object.prototype, name)),
      before,
    ))
})
