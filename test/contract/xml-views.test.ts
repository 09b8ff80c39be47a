/** Views in XML, both ways: of the rules. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  entity,
  fails,
  form,
  formDataPart,
  get,
  handle,
  int,
  inView,
  json,
  jsonView,
  list,
  mapError,
  multipartOutput,
  optional,
  part,
  path,
  post,
  produces,
  reply,
  representation,
  routes,
  secureField,
  secureSerialization,
  sse,
  view,
  withDefault,
  withFilter,
  withMapper,
} from '../../src/index.ts'
import type { Mark } from '../../src/endpoint/mark.ts'
import {
  withXml,
  withXmlContext,
  xml,
  xmlAttribute,
  xmlContext,
  xmlElementWrapper,
  xmlValue,
} from '../../src/xml.ts'
import { answerTo, ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'
import { mistakesOf } from '../support/mistakes.ts'
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
const waysUnder = (name: string, said: Mark) => ({
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
  own: pipe(
    path(`/${name}/own`),
    get(),
    produces(
      representation({
        mediaType: 'application/x-own',
        write: (value: t.TypeOf<typeof Proposal>) => context.write(value),
      }),
    ),
    handle(() => proposal),
    said,
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

const reading = pipe(
  path('/'),
  post(),
  body(jsonView(Public)(xml(Proposal))),
  produces(json(t.unknown)),
  handle((input): unknown => input.body),
)

const shown = '<proposal><title>Emma</title></proposal>'
const salary = '<proposal><title>Emma</title><salary>9</salary></proposal>'
const most =
  '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies></proposal>'
const everything = most.replace('</proposal>', '<salary>9</salary></proposal>')

contract(
  'R-259: what a view writes in XML',
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
      withMapper(mapError(Taken, { fails: { 409: xml(Proposal, bare) } }, () => reply(409, proposal))),
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
      async (view, role, expected) => {
        for (const way of ways) {
          const response = await ask(call, `GET /${view}/${way}`, {
            headers: { 'X-User': `ann ${role}` },
          })
          const text = await response.text()
          const [document] = /<proposal.*<\/proposal>/.exec(text) ?? []
          assert.is(document, expected, `R-355: ${way} ${text}`)
        }
      },
    )
    test('R-260: the view of a representation', async () =>
      assert.is(await (await ask(call, 'GET /representation')).text(), shown))
    test('in every place of a document', async () => {
      const object = '<title>Emma</title>'
      assert.is(
        await (await ask(call, 'GET /nested')).text(),
        `<nested><object>${object}</object><list>${object}</list><all><one>${object}</one></all>` +
          `<record><key>${object}</key></record><kind><inside>${object}</inside></kind><text at="x"/></nested>`,
      )
    })
  },
)

const sent =
  '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies><salary>9</salary></proposal>'
const Nested = t.type(
  {
    at: xmlAttribute()(inView(Internal)(optional(int))),
    all: xmlElementWrapper('all', 'one')(list(Proposal)),
    key: t.record(t.string, Proposal),
    kind: t.union([
      t.type({ text: t.string }),
      t.type({ number: int, hidden: inView(Internal)(optional(int)) }),
    ]),
  },
  'Nested',
)
const ignored = { title: 'Emma', copies: 1, salary: 9 }

contract(
  'R-261: XML that is read by a view',
  routes({
    reading,
    context: pipe(
      path('/context'),
      post(),
      body(jsonView(Public)(xml(Proposal))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
      withXmlContext(context),
    ),
    entity: pipe(
      path('/entity'),
      post(),
      body(jsonView(Public)(entity(Proposal))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
      withXml(),
    ),
    customised: pipe(
      path('/customised'),
      post(),
      body(jsonView(Public)(xml(Proposal, { reader: (read) => (text) => read(text.trim()) }))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
    ),
    nested: pipe(
      path('/nested'),
      post(),
      body(jsonView(Public)(xml(Nested))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
    ),
    secured: pipe(
      path('/secured'),
      post(),
      body(xml(t.type({ secret: secureField('chief')(t.string) }, 'Secured'))),
      produces(json(t.type({ secret: t.string }))),
      handle((input) => input.body),
    ),
    parts: pipe(
      path('/parts'),
      post(),
      form({ proposal: part(jsonView(Public)(xml(Proposal))) }),
      produces(json(t.unknown)),
      handle((input): unknown => input.form.proposal),
    ),
  }),
  (test, call) => {
    const send = (content: string, target = '/') =>
      answerTo(call, `POST ${target}`, {
        headers: { 'Content-Type': 'application/xml' },
        body: Buffer.from(content),
      })
    test('what is outside of it is ignored', async () =>
      assert.equal(await send(sent), [200, ignored]))
    test('whatever it is', async () =>
      assert.equal(
        await send(
          sent
            .replace('true', '<a/>')
            .replace('7', 'many')
            .replace('<title>', '<approved/><title>'),
        ),
        [200, ignored],
      ))
    test('what is inside of it has to be right', async () =>
      assert.is((await send(sent.replace('9', 'x')))[0], 400))
    table(test, [['/context'], ['/entity'], ['/customised']] as const, async (target) =>
      assert.equal(await send(sent, target), [200, ignored]),
    )
    test('in every place of a document', async () =>
      assert.equal(
        await send(
          '<nested at="x"><all><one id="a"><title>Emma</title><approved>no</approved></one></all>' +
            '<key><a><title>Emma</title><approved/></a></key><kind><number>1</number><hidden>x</hidden></kind></nested>',
          '/nested',
        ),
        [
          200,
          {
            all: [{ title: 'Emma', copies: 1 }],
            key: { a: { title: 'Emma', copies: 1 } },
            kind: { number: 1 },
          },
        ],
      ))
    test('R-354: secured members are read', async () =>
      assert.equal(await send('<secured><secret>x</secret></secured>', '/secured'), [
        200,
        { secret: 'x' },
      ]))
    test('a part of a form', async () => {
      const content = new FormData()
      content.set('proposal', new Blob([sent], { type: 'application/xml' }))
      assert.equal(await answerTo(call, 'POST /parts', { body: content }), [200, ignored])
    })
  },
)

describe('R-261: a required member outside of the view of an XML body', (test) => {
  test('is a mistake', () => {
    const Strict = t.type({ title: t.string, approved: inView(Internal)(t.boolean) }, 'Strict')
    const api = routes({
      it: pipe(
        path('/'),
        post(),
        body(jsonView(Public)(xml(Strict))),
        handle(() => undefined),
      ),
    })
    assert.equal(mistakesOf(api), ['FW-FIELD-002'])
  })
})
