/** what is found of restrictions when a tree is compiled, and what is told of them. */
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
import { describeTree } from '../../src/compiler/explain/explain.ts'
import { MistakesError } from '../../src/endpoint/internal/configuration-error.ts'
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
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code }) => code)
  }
}

const sending = (one: AnyRepresentation) =>
  pipe(
    path('/it'),
    get(),
    produces(one),
    handle(() => {
      throw new Error('nobody asks')
    }),
  )
const reading = (one: AnyRepresentation) =>
  pipe(
    path('/it'),
    post(),
    body(one),
    handle(() => undefined),
  )
const single = (it: unknown): AnyNode => routes({ it: it as never })

const Public = view('Public')
const Internal = view('Internal', Public)
const secured = secureField('chief')
const User = t.type({ name: t.string, salary: secured(t.number) })
const Expression = t.type({ salary: secureField('${role.payroll}')(t.number) })
const Unresolved = t.type({ salary: secureField('${role.nobody}')(t.number) })
const Required = t.type({ name: t.string, price: inView(Internal)(t.number) })
const Optional = t.type({ name: t.string, price: inView(Internal)(optional(t.number)) })
const forCodec = writer({ mediaType: 'text/csv', of: User, write: ({ name }) => name })
const forName = writer({ mediaType: 'text/csv', of: User.name, write: String })

class Lost extends Error {}

describe('restrictions when a tree is compiled', (test) => {
  table(
    test,
    [
      ['a member', single(sending(json(User))), []],
      ['a role from a property', single(sending(json(Expression))), []],
      ['R-354: a role from nowhere', single(sending(json(Unresolved))), ['FW-ACCESS-001']],
      [
        'R-354, R-358: also where it does not count',
        pipe(
          single(sending(json(Unresolved))) as ReturnType<typeof routes>,
          secureSerialization(false),
        ),
        ['FW-ACCESS-001'],
      ],
      ['a role from nowhere in a body', single(reading(json(Unresolved))), ['FW-ACCESS-001']],
      [
        'a role without a name',
        single(sending(json(t.type({ a: secureField('')(t.string) })))),
        ['FW-ACCESS-001'],
      ],
      ['no member', single(sending(json(secured(User)))), ['FW-FIELD-001']],
      ['elements of a list', single(sending(json(list(secured(User))))), ['FW-FIELD-001']],
      [
        'values of a record',
        single(sending(json(t.record(t.string, secured(t.string))))),
        ['FW-FIELD-001'],
      ],
      ['no member of a stream', single(sending(jsonStream(secured(User)))), ['FW-FIELD-001']],
      ['no member of a line', single(sending(ndjson(inView(Public)(User)))), ['FW-FIELD-001']],
      ['no member of an event', single(sending(sse(secured(t.string)))), ['FW-FIELD-001']],
      ['no member of an entity', single(sending(entity(secured(User)))), ['FW-FIELD-001']],
      [
        'no member of a part',
        single(sending(multipartOutput({ a: json(secured(User)) }))),
        ['FW-FIELD-001'],
      ],
      ['no member of a body', single(reading(json(secured(User)))), ['FW-FIELD-001']],
      [
        'text',
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
        'a failure',
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
        'what a filter answers',
        pipe(
          routes({ it: sending(text) }),
          withFilter(requestFilter({ fails: { 409: json(secured(User)) } }, () => undefined)),
        ),
        ['FW-FIELD-001'],
      ],
      [
        'what a mapper answers',
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
        'R-261: required and outside',
        single(reading(jsonView(Public)(json(Required)))),
        ['FW-FIELD-002'],
      ],
      ['R-261: required and inside', single(reading(jsonView(Internal)(json(Required)))), []],
      ['R-261: optional and outside', single(reading(jsonView(Public)(json(Optional)))), []],
      ['R-261: of an answer', single(sending(jsonView(Public)(json(Required)))), []],
      [
        'R-261: a part of a form',
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
        'a writer that is given whole values',
        pipe(routes({ it: sending(entity(User)) }), withWriter(forCodec)),
        ['FW-FIELD-003'],
      ],
      [
        'one that is given what is written',
        pipe(routes({ it: sending(entity(User)) }), withWriter(forName)),
        [],
      ],
      [
        'R-358: one that may be given them',
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
  test('says what to do', () => {
    assert.throws(
      () => compiled(single(reading(jsonView(Public)(json(Required))))),
      /POST \/it {2}\(it\)\n *→ price is required, but the view Public/,
    )
    assert.throws(() => compiled(single(sending(json(Unresolved)))), /define role\.nobody/)
  })
})

const linesOf = (tree: AnyNode): ReadonlyArray<string> =>
  describeTree(compiled(tree))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /restricted|view|secured/.test(line))

describe('restrictions in words', (test) => {
  const Both = t.type({ of: list(Expression), note: inView(Public)(secured(t.string)) }, 'Both')
  test('names members, and who sees them', () =>
    assert.equal(linesOf(single(sending(json(Both)))), [
      'restricted Both of.salary: roles accountant, chief',
      'restricted Both note: view Public',
      'restricted Both note: role chief',
    ]))
  test('names views, and what is not secured', () =>
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
        'secured fields are written for everybody',
        `restricted ${User.name} salary: role chief`,
      ],
    ))
  test('has nothing to say of others', () => assert.equal(linesOf(single(sending(text))), []))
})
