/** Views and secured members in XML, in all kinds of responses. */
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
} from '../../src/index.ts'
import type { AttributeStep } from '../../src/endpoint/internal/set-attributes.ts'
import {
  withXml,
  withXmlContext,
  xml,
  xmlAttribute,
  xmlContext,
  xmlElementWrapper,
  xmlValue,
} from '../../src/xml.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { trusting } from '../support/secrets.ts'

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

class Taken extends Error {}

/** Operations that answer the same on each way that XML has, under a view or none. */
const waysUnder = (name: string, said: AttributeStep) => ({
  xml: pipe(
    path(`/${name}/xml`),
    get(),
    produces(xml(Proposal, bare)),
    handle(() => proposal),
    said,
  ),
  suffix: pipe(
    path(`/${name}/suffix`),
    get(),
    produces(as('application/vnd.proposal+xml')(xml(Proposal, bare))),
    handle(() => proposal),
    said,
  ),
  entity: pipe(
    path(`/${name}/entity`),
    get(),
    produces(as('application/xml')(entity(Proposal))),
    handle(() => proposal),
    said,
    withXml(bare),
  ),
  context: pipe(
    path(`/${name}/context`),
    get(),
    produces(xml(Proposal)),
    handle(() => proposal),
    said,
    withXmlContext(context),
  ),
  events: pipe(
    path(`/${name}/events`),
    get(),
    produces(sse(xml(Proposal, bare))),
    handle(() => [proposal]),
    said,
  ),
  declared: pipe(
    path(`/${name}/declared`),
    get(),
    produces(multipartOutput({ it: xml(Proposal, bare) })),
    handle(() => ({ it: proposal })),
    said,
  ),
  given: pipe(
    path(`/${name}/given`),
    get(),
    produces(multipartOutput),
    handle(() => [formDataPart('it', proposal, xml(Proposal, bare))]),
    said,
  ),
  fails: pipe(
    path(`/${name}/fails`),
    get(),
    fails(409, xml(Proposal, bare)),
    handle(() => E.left(proposal)),
    said,
  ),
  mapped: pipe(
    path(`/${name}/mapped`),
    get(),
    handle(() => {
      throw new Taken()
    }),
    said,
  ),
})

const ways = Object.keys(waysUnder('', jsonView(Public)))

const nested = t.type(
  {
    object: Proposal,
    list: list(Proposal),
    wrapped: xmlElementWrapper('all', 'one')(list(Proposal)),
    record: t.record(t.string, Proposal),
    kind: t.union([t.type({ inside: Proposal }), t.type({ number: t.number })]),
    text: t.type({ at: xmlAttribute()(t.string), data: xmlValue(inView(Internal)(t.string)) }),
    list2: inView(Internal)(xmlElementWrapper('hidden', 'one')(list(t.string))),
    list3: list(inView(Internal)(t.string)),
  },
  'Nested',
)

const answering = (at: `/${string}`) =>
  pipe(
    path(at),
    get(),
    produces(xml(Proposal, bare)),
    handle(() => proposal),
  )

const shown = '<proposal><title>Emma</title></proposal>'
const salary = '<proposal><title>Emma</title><salary>9</salary></proposal>'
const most =
  '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies></proposal>'
const everything = most.replace('</proposal>', '<salary>9</salary></proposal>')

contract(
  'what a view writes in XML',
  () =>
    pipe(
      routes({
        open: routes(waysUnder('open', jsonView(Public))),
        internal: routes(waysUnder('internal', jsonView(Internal))),
        none: routes(waysUnder('none', secureSerialization(true))),
        unsecured: routes(waysUnder('unsecured', secureSerialization(false))),
        representation: pipe(
          path('/representation'),
          get(),
          produces(jsonView(Public)(xml(Proposal, bare))),
          handle(() => proposal),
        ),
        tree: pipe(
          routes({
            open: answering('/tree/open'),
            internal: pipe(answering('/tree/internal'), jsonView(Internal)),
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
            kind: { inside: proposal },
            text: { at: 'x', data: 'HIDDEN' },
            list2: ['HIDDEN'],
            list3: ['HIDDEN'],
          })),
          jsonView(Public),
        ),
      }),
      withMapper(
        mapError(Taken, { fails: { 409: xml(Proposal, bare) } }, () => reply(409, proposal)),
      ),
      withFilter(trusting),
    ),
  (test, call) => {
    table(
      test,
      [
        ['none', 'x', most],
        ['none', 'chief', everything],
        ['open', 'x', shown],
        ['open', 'chief', salary],
        ['internal', 'x', most],
        ['internal', 'chief', everything],
        ['unsecured', 'x', everything],
      ] as const,
      async (name, role, expected) => {
        for (const way of ways) {
          const response = await ask(call, `GET /${name}/${way}`, {
            headers: { 'X-User': `ann ${role}` },
          })
          const text = await response.text()
          const [document] = /<proposal.*<\/proposal>/.exec(text) ?? []
          assert.is(document, expected, `${way} ${text}`)
        }
      },
    )
    table(
      test,
      [
        ['the view of a representation', '/representation', shown],
        ['the view of a tree', '/tree/open', shown],
        ['an operation inside it that says another', '/tree/internal', most],
      ] as const,
      async (_, target, expected) =>
        assert.is(await (await ask(call, `GET ${target}`)).text(), expected),
    )
    test('the view applies to all kinds of members', async () => {
      const object = '<title>Emma</title>'
      assert.is(
        await (await ask(call, 'GET /nested')).text(),
        `<nested><object>${object}</object><list>${object}</list><all><one>${object}</one></all>` +
          `<record><key>${object}</key></record><kind><inside>${object}</inside></kind><text at="x"/></nested>`,
      )
    })
  },
)
