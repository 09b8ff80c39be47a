/** Tests configuration errors of views and role restrictions, and their description. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { AnyRepresentation } from '../../src/endpoint/representation.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import {
  body,
  entity,
  fails,
  form,
  get,
  handle,
  inView,
  json,
  jsonStream,
  jsonView,
  list,
  mapError,
  multipartOutput,
  ndjson,
  optional,
  part,
  path,
  post,
  produces,
  reply,
  requestFilter,
  routes,
  secureField,
  secureSerialization,
  sse,
  text,
  view,
  withFilter,
  withMapper,
  withWriter,
  writer,
} from '../../src/index.ts'
import type { PropertyLookup } from '../../src/compiler/access.ts'
import { compile } from '../../src/interpreter/program.ts'
import { describeTree } from '../../src/compiler/explain.ts'
import { ConfigurationError } from '../../src/endpoint/definition/configuration-error.ts'
import { describe, table } from '../support/describe.ts'

const property: PropertyLookup = (name) =>
  name === 'role.payroll' ? 'accountant, chief' : undefined

const compiled = (tree: AnyNode) =>
  compile(tree, undefined, { configuration: { profile: 'prod', property } })

const codesOf = (tree: AnyNode): ReadonlyArray<string> => {
  try {
    compiled(tree)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code }) => code)
  }
}

const sending = (representation: AnyRepresentation) =>
  pipe(
    path('/it'),
    get(),
    produces(representation),
    handle(() => {
      throw new Error('not called')
    }),
  )
const reading = (representation: AnyRepresentation) =>
  pipe(
    path('/it'),
    post(),
    body(representation),
    handle(() => undefined),
  )
const single = (it: unknown): AnyNode => routes({ it: it as never })

const Public = view('Public')
const Internal = view('Internal', Public)
const secured = secureField('chief')
const User = t.type({ name: t.string, salary: secured(t.number) })
const Expression = t.type({ salary: secureField('${role.payroll}')(t.number) })
const Unresolved = t.type({ salary: secureField('${role.missing}')(t.number) })
const Required = t.type({ name: t.string, price: inView(Internal)(t.number) })
const Optional = t.type({ name: t.string, price: inView(Internal)(optional(t.number)) })
const forCodec = writer({ mediaType: 'text/csv', of: User, write: ({ name }) => name })
const forName = writer({ mediaType: 'text/csv', of: User.name, write: String })

class Lost extends Error {}

describe('restrictions when a tree is compiled', (test) => {
  table(
    test,
    [
      ['a restricted member', single(sending(json(User))), []],
      ['a role from a property', single(sending(json(Expression))), []],
      ['a role with a missing property', single(sending(json(Unresolved))), ['FW-ACCESS-001']],
      [
        'a role with a missing property and secureSerialization(false)',
        pipe(
          single(sending(json(Unresolved))) as ReturnType<typeof routes>,
          secureSerialization(false),
        ),
        ['FW-ACCESS-001'],
      ],
      [
        'a role with a missing property in a body',
        single(reading(json(Unresolved))),
        ['FW-ACCESS-001'],
      ],
      [
        'a role without a name',
        single(sending(json(t.type({ a: secureField('')(t.string) })))),
        ['FW-ACCESS-001'],
      ],
      ['a restricted object', single(sending(json(secured(User)))), ['FW-FIELD-001']],
      [
        'restricted elements of a list',
        single(sending(json(list(secured(User))))),
        ['FW-FIELD-001'],
      ],
      [
        'restricted values of a record',
        single(sending(json(t.record(t.string, secured(t.string))))),
        ['FW-FIELD-001'],
      ],
      [
        'restricted elements of a stream',
        single(sending(jsonStream(secured(User)))),
        ['FW-FIELD-001'],
      ],
      [
        'restricted lines of NDJSON',
        single(sending(ndjson(inView(Public)(User)))),
        ['FW-FIELD-001'],
      ],
      ['restricted data of an event', single(sending(sse(secured(t.string)))), ['FW-FIELD-001']],
      ['a restricted entity', single(sending(entity(secured(User)))), ['FW-FIELD-001']],
      [
        'a restricted part of a form',
        single(sending(multipartOutput({ a: json(secured(User)) }))),
        ['FW-FIELD-001'],
      ],
      ['a restricted request body', single(reading(json(secured(User)))), ['FW-FIELD-001']],
      [
        'restricted text',
        single(
          pipe(
            path('/it'),
            get(),
            produces(secured(t.string)),
            handle(() => ''),
          ),
        ),
        ['FW-FIELD-001'],
      ],
      [
        'a restricted body of a failure',
        single(
          pipe(
            path('/it'),
            get(),
            fails(409, json(secured(User))),
            handle(() => undefined),
          ),
        ),
        ['FW-FIELD-001'],
      ],
      [
        'a restricted response of a filter',
        pipe(
          routes({ it: sending(text) }),
          withFilter(requestFilter({ fails: { 409: json(secured(User)) } }, () => undefined)),
        ),
        ['FW-FIELD-001'],
      ],
      [
        'a restricted response of a mapper',
        pipe(
          routes({ it: sending(text) }),
          withMapper(
            mapError(Lost, { fails: { 409: json(secured(User)) } }, () =>
              reply(409, { name: '', salary: 0 }),
            ),
          ),
        ),
        ['FW-FIELD-001'],
      ],
      [
        'a required member outside of the view',
        single(reading(jsonView(Public)(json(Required)))),
        ['FW-FIELD-002'],
      ],
      [
        'a required member inside of the view',
        single(reading(jsonView(Internal)(json(Required)))),
        [],
      ],
      [
        'an optional member outside of the view',
        single(reading(jsonView(Public)(json(Optional)))),
        [],
      ],
      [
        'a required member outside of the view in a response',
        single(sending(jsonView(Public)(json(Required)))),
        [],
      ],
      [
        'a required member outside of the view in a part of a form',
        single(
          pipe(
            path('/it'),
            post(),
            form({ a: part(jsonView(Public)(json(Required))) }),
            handle(() => undefined),
          ),
        ),
        ['FW-FIELD-002'],
      ],
      [
        'a writer of a codec',
        pipe(routes({ it: sending(entity(User)) }), withWriter(forCodec)),
        ['FW-FIELD-003'],
      ],
      ['a writer of a name', pipe(routes({ it: sending(entity(User)) }), withWriter(forName)), []],
      [
        'a writer of a codec with secureSerialization(false)',
        pipe(
          routes({ it: sending(entity(User)) }),
          withWriter(forCodec),
          secureSerialization(false),
        ),
        [],
      ],
    ] as ReadonlyArray<[string, AnyNode, ReadonlyArray<string>]>,
    (_, tree, codes) => assert.equal(codesOf(tree), codes),
  )
  test('errors contain a remedy', () => {
    assert.throws(
      () => compiled(single(reading(jsonView(Public)(json(Required))))),
      /POST \/it {2}\(it\)\n *→ price is required, but the view Public/,
    )
    assert.throws(() => compiled(single(sending(json(Unresolved)))), /define role\.missing/)
  })
})

const linesOf = (tree: AnyNode): ReadonlyArray<string> =>
  describeTree(compiled(tree))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /restrict|view/.test(line))

describe('restrictions in describeTree', (test) => {
  const Both = t.type({ of: list(Expression), note: inView(Public)(secured(t.string)) }, 'Both')
  test('lists restricted members with their roles and views', () =>
    assert.equal(linesOf(single(sending(json(Both)))), [
      'restricted Both of.salary: roles accountant, chief',
      'restricted Both note: view Public',
      'restricted Both note: role chief',
    ]))
  test('lists views, and that role restrictions are disabled', () =>
    assert.equal(
      linesOf(
        pipe(
          routes({ it: sending(jsonView(Internal)(json(User))) }),
          jsonView(Public),
          secureSerialization(false),
        ),
      ),
      [
        'view Public',
        'view Internal of application/json',
        'role restrictions disabled',
        `restricted ${User.name} salary: role chief`,
      ],
    ))
  test('lists nothing for an operation without restrictions', () =>
    assert.equal(linesOf(single(sending(text))), []))
})
