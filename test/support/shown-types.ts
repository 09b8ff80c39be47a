/** Reads what editors show for the names of a module, through a language server of TypeScript. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import type { Hooks, Test } from './describe.ts'
import type { LanguageServer } from './language-server.ts'

// a name after `/**/` is read; its title is the name, and the number of its occurrence if it occurs again
const module = `
import * as t from 'io-ts'
import { flow, pipe } from 'fp-ts/lib/function.js'
import {
  body, conditional, cookie, created, fails, form, get, handle, header, implement, implementAll, int, json, list, matrix, needs, number, optional,
  path, post,
  produces, query, responds, routes, slot, status, string, text, withDefault,
} from '../../../src/index.js'
import type { HandlerOf, HandlersOf, InputOf } from '../../../src/index.js'
import { client, promiseClient } from '../../../src/client.js'
import { endpointsOf } from '../../../src/testing.js'

const Book = t.type({ id: t.number, title: t.string })
const Missing = t.type({ _tag: t.literal('Missing'), id: t.number })
const Clock = slot<{ readonly now: () => number }>()('clock')
const paging = query({ page: withDefault(int, 1), size: withDefault(int, 20) })

const /**/find = pipe(
  path('/books/{id}', { id: int }),
  get('/{language}'),
  paging,
  query({ q: optional(t.string), price: number }),
  header({ 'x-trace': optional(string) }),
  cookie({ session: string }),
  needs({ clock: Clock }),
  produces(json(Book)),
  fails(404, json(Missing)),
  /**/handle((/**/input) => {
    const { /**/path, /**/query } = input
    return { id: path.id + query.page, title: input./**/header['x-trace'] ?? '' }
  }),
)
const /**/add = pipe(
  path('/books'),
  post(),
  body(json(Book)),
  responds(201, json(Book)),
  fails(409),
  handle(async ({ /**/body }) => created('/books/1', body)),
)
const /**/submit = pipe(path('/forms'), post(), form({ copies: int }), status(202), produces(text), handle(() => ''))
const /**/declared = pipe(path('/books/{id}', { id: int }), get(), paging, produces(json(list(Book))), fails(404, json(Missing)))
const /**/upload = pipe(path('/uploads'), post(), form({ copies: int }))
const /**/paged = pipe(path('/books'), get(), paging)
const /**/sorted = pipe(paged, query({ sort: string }))
const /**/traced = pipe(paged, header({ 'x-trace': string }))
const /**/personal = pipe(paged, cookie({ session: string }))
const /**/coloured = pipe(paged, matrix({ colour: string }))
const /**/combined = pipe(paged, flow(query({ sort: string }), header({ 'x-trace': string })))
const /**/timed = pipe(paged, needs({ clock: Clock }))
const /**/revalidated = pipe(paged, produces(json(Book)), conditional(() => ({ etag: '"1"' })))
const /**/implemented = implement(declared, (/**/input) => [{ id: input.query.page, title: '' }])
const contract = routes({ books: routes({ find: declared }), add: pipe(path('/books'), post(), body(json(Book)), responds(201)) })
const api = implementAll(contract, {
  /**/books: { /**/find: (/**/input) => [{ id: input.path.id, title: '' }] },
  add: (/**/input) => created('/books/' + input.body.id),
})
type /**/Handler = HandlerOf<typeof find>
type /**/Input = InputOf<typeof find>
type /**/Handlers = HandlersOf<typeof contract>
const /**/run = find.run
const /**/endpoints = endpointsOf(api)
const /**/service = client(routes({ find, add }), { baseUrl: 'http://localhost' })
const /**/found = await service./**/find({ path: { id: 1, language: 'en' }, query: { price: 1 }, cookie: { session: '' } })()
const /**/added = await service./**/add({ body: { id: 1, title: '' } })()
const /**/promised = promiseClient(routes({ find, add }), { baseUrl: 'http://localhost' })
promised./**/add({ body: { id: 1, title: '' } })
`

const root = new URL('../../../', import.meta.url)
const settings = {
  extends: '../../../../tsconfig.json',
  compilerOptions: {
    rootDir: '../../../..',
    noEmit: true,
    incremental: false,
    noUnusedLocals: false,
  },
  files: ['module.ts'],
  include: [],
}

const names = [...module.matchAll(/\/\*\*\/(\w+)/g)].map(([, name = ''], index, all) => {
  const repeated = all.slice(0, index).filter(([, other]) => other === name).length
  return {
    title: repeated === 0 ? name : `${name} (${repeated + 1})`,
    offset: (all[index]?.index ?? 0) + '/**/'.length,
  }
})

const input = `{
    readonly cookie: {
        readonly session: string;
    };
    readonly header: {
        readonly 'x-trace': string | undefined;
    };
    readonly needs: {
        readonly clock: {
            readonly now: () => number;
        };
    };
    readonly path: {
        readonly id: number;
        readonly language: string;
    };
    readonly query: {
        readonly page: number;
        readonly size: number;
        readonly q: string | undefined;
        readonly price: number;
    };
}`

/** The complete text for some of the names. */
const texts: Readonly<Record<string, string>> = {
  input: `(parameter) input: ${input}`,
  Input: `type Input = ${input}`,
  sorted: `const sorted: UnhandledEndpoint<{
    readonly path: {};
} & {
    readonly method: "GET";
    readonly formless: true;
} & Query<{
    page: WithDefaultType<IntC>;
    size: WithDefaultType<IntC>;
}> & Query<{
    sort: t.StringC;
}>>`,
}

/** Sorts the members of the outer object type, whose order depends on the version of the compiler. */
const sorted = (text: string): string => {
  const [head, ...members] = text.replace(/\n\}$/, '').split('\n    readonly ')
  return [head, ...members.toSorted()].join('\n')
}

/** Defines the tests of what a language server shows. `name` is the name of a folder for the module. */
export const defineShownTypes =
  (
    name: string,
    start: (folder: URL) => Promise<Pick<LanguageServer, 'open' | 'hover' | 'stop'>>,
  ) =>
  (test: Test, { before, after }: Hooks): void => {
    const folder = new URL(`dist/test/types/${name}/`, root)
    const file = new URL('module.ts', folder)
    let server: Awaited<ReturnType<typeof start>> | undefined
    let errors: ReadonlyArray<string> = []
    before(async () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, module)
      writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(settings))
      server = await start(folder)
      errors = await server.open(file, module)
      // the first request checks the types, which takes seconds on a busy machine
      await server.hover(file, module, names[0]?.offset ?? 0)
    })
    after(async () => {
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    test('the module has no errors', () => assert.equal(errors, []))

    for (const { title, offset } of names)
      test(`${title}: names no internal types`, async () => {
        const shown = (await server?.hover(file, module, offset)) ?? ''
        assert.match(shown, /:|=/)
        assert.not.match(
          shown,
          /\b(?:Add|Override|Redeclared|MembersOf|ParametersIn|FiniteNumberC|any)\b/,
        )
        assert.not.match(
          shown,
          /\b(?:Record<"|(?:Input|Handlers|EndpointsOf|CallInput|Values)<[^.])/,
        )
        if (texts[title] !== undefined) assert.is(sorted(shown), sorted(texts[title]))
      })
  }
