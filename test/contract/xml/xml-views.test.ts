/** `jsonView` and `secureField` in XML, in all kinds of responses. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  entity,
  fails,
  formDataPart,
  get,
  handle,
  inView,
  jsonView,
  list,
  mapError,
  multipartOutput,
  optional,
  path,
  produces,
  reply,
  routes,
  secureField,
  secureSerialization,
  sse,
  view,
  withDefault,
  withFilter,
  withMapper,
} from '../../../src/index.ts'
import type { AttributeStep } from '../../../src/endpoint/tree/tree-scope.ts'
import {
  withXml,
  withXmlContext,
  xml,
  xmlAttribute,
  xmlContext,
  xmlElementWrapper,
  xmlValue,
} from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { headerAuthentication } from '../../support/secrets.ts'

const Public = view('Public')
const Internal = view('Internal', Public)

const Proposal = t.type(
  {
    id: xmlAttribute()(inView(Internal)(optional(t.string))),
    title: t.string,
    approved: inView(Internal)(optional(t.boolean)),
    copies: withDefault(inView(Internal)(t.number), 1),
    salary: secureField('chief')(inView(Public)(optional(t.number))),
  },
  'Proposal',
)
const proposal = { id: 'a', title: 'Emma', approved: true, copies: 7, salary: 9 }

const bare = { declaration: false }
const context = xmlContext([Proposal], bare)

class MappedError extends Error {}

/** Operations with all kinds of XML responses and the same attribute. */
const operationsWith = (name: string, attribute: AttributeStep) => ({
  xml: pipe(
    path(`/${name}/xml`),
    get(),
    produces(xml(Proposal, bare)),
    handle(() => proposal),
    attribute,
  ),
  suffix: pipe(
    path(`/${name}/suffix`),
    get(),
    produces(as('application/vnd.proposal+xml')(xml(Proposal, bare))),
    handle(() => proposal),
    attribute,
  ),
  entity: pipe(
    path(`/${name}/entity`),
    get(),
    produces(as('application/xml')(entity(Proposal))),
    handle(() => proposal),
    attribute,
    withXml(bare),
  ),
  context: pipe(
    path(`/${name}/context`),
    get(),
    produces(xml(Proposal)),
    handle(() => proposal),
    attribute,
    withXmlContext(context),
  ),
  events: pipe(
    path(`/${name}/events`),
    get(),
    produces(sse(xml(Proposal, bare))),
    handle(() => [proposal]),
    attribute,
  ),
  declared: pipe(
    path(`/${name}/declared`),
    get(),
    produces(multipartOutput({ it: xml(Proposal, bare) })),
    handle(() => ({ it: proposal })),
    attribute,
  ),
  dynamic: pipe(
    path(`/${name}/dynamic`),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('it', proposal, xml(Proposal, bare))]),
    attribute,
  ),
  fails: pipe(
    path(`/${name}/fails`),
    get(),
    fails(409, xml(Proposal, bare)),
    handle(() => E.left(proposal)),
    attribute,
  ),
  mapped: pipe(
    path(`/${name}/mapped`),
    get(),
    handle(() => {
      throw new MappedError()
    }),
    attribute,
  ),
})

const kinds = Object.keys(operationsWith('', jsonView(Public)))

const nested = t.type(
  {
    object: Proposal,
    list: list(Proposal),
    wrapped: xmlElementWrapper('all', 'one')(list(Proposal)),
    record: t.record(t.string, Proposal),
    kind: t.union([t.type({ nested: Proposal }), t.type({ number: t.number })]),
    text: t.type({ at: xmlAttribute()(t.string), data: xmlValue(inView(Internal)(t.string)) }),
    hiddenList: inView(Internal)(xmlElementWrapper('hidden', 'one')(list(t.string))),
    hiddenElements: list(inView(Internal)(t.string)),
  },
  'Nested',
)

const operationAt = (at: `/${string}`) =>
  pipe(
    path(at),
    get(),
    produces(xml(Proposal, bare)),
    handle(() => proposal),
  )

const publicXml = '<proposal><title>Emma</title></proposal>'
const publicXmlForChief = '<proposal><title>Emma</title><salary>9</salary></proposal>'
const withoutSalary =
  '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies></proposal>'
const allMembers = withoutSalary.replace('</proposal>', '<salary>9</salary></proposal>')

valueContract(
  'jsonView in XML',
  () =>
    pipe(
      routes({
        public: routes(operationsWith('public', jsonView(Public))),
        internal: routes(operationsWith('internal', jsonView(Internal))),
        noView: routes(operationsWith('no-view', secureSerialization(true))),
        unsecured: routes(operationsWith('unsecured', secureSerialization(false))),
        representation: pipe(
          path('/representation'),
          get(),
          produces(jsonView(Public)(xml(Proposal, bare))),
          handle(() => proposal),
        ),
        tree: pipe(
          routes({
            public: operationAt('/tree/public'),
            internal: pipe(operationAt('/tree/internal'), jsonView(Internal)),
          }),
          jsonView(Public),
        ),
        nested: pipe(
          path('/nested'),
          get(),
          produces(xml(nested, bare)),
          handle(() => ({
            object: proposal,
            list: [proposal],
            wrapped: [proposal],
            record: { key: proposal },
            kind: { nested: proposal },
            text: { at: 'x', data: 'HIDDEN' },
            hiddenList: ['HIDDEN'],
            hiddenElements: ['HIDDEN'],
          })),
          jsonView(Public),
        ),
      }),
      withMapper(
        mapError(MappedError, { fails: { 409: xml(Proposal, bare) } }, () => reply(409, proposal)),
      ),
      withFilter(headerAuthentication),
    ),
  (test, call) => {
    table(
      test,
      [
        ['without a view, for a caller without the role', 'no-view', 'x', withoutSalary],
        ['without a view, for a chief', 'no-view', 'chief', allMembers],
        ['in the public view, for a caller without the role', 'public', 'x', publicXml],
        ['in the public view, for a chief', 'public', 'chief', publicXmlForChief],
        ['in the internal view, for a caller without the role', 'internal', 'x', withoutSalary],
        ['in the internal view, for a chief', 'internal', 'chief', allMembers],
        ['with secureSerialization(false)', 'unsecured', 'x', allMembers],
      ] as const,
      async (_, name, role, expected) => {
        for (const kind of kinds) {
          const response = await sendRequest(call, `GET /${name}/${kind}`, {
            headers: { 'X-User': `ann ${role}` },
          })
          const text = await response.text()
          const [document] = /<proposal.*<\/proposal>/.exec(text) ?? []
          assert.is(document, expected, `${kind} ${text}`)
        }
      },
    )
    table(
      test,
      [
        ['the view of a representation', '/representation', publicXml],
        ['the view of a tree', '/tree/public', publicXml],
        ['a view of an operation overrides that of its tree', '/tree/internal', withoutSalary],
      ] as const,
      async (_, target, expected) =>
        assert.is(await (await sendRequest(call, `GET ${target}`)).text(), expected),
    )
    test('a view applies to all kinds of members', async () => {
      const object = '<title>Emma</title>'
      assert.is(
        await (await sendRequest(call, 'GET /nested')).text(),
        `<nested><object>${object}</object><list>${object}</list><all><one>${object}</one></all>` +
          `<record><key>${object}</key></record><kind><nested>${object}</nested></kind><text at="x"/></nested>`,
      )
    })
  },
)
