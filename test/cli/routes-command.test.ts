import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'
import { books, createProject, run } from './application.ts'

const folder = createProject({
  'books.js': books,
  'library.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import {
      authenticated, basic, blocking, body, cors, form, get, handle, json, path, permitAll, post, produces, profile, requestFilter, requestId,
      responseFilter, rolesAllowed, routes, string, text, timing, upload, when, withFilter, hidden, deprecated, summary,
    } from 'espalier'
    import * as t from 'io-ts'
    const users = basic({ realm: 'library', verify: () => undefined })
    const audit = requestFilter(function audited() {})
    const send = pipe(path('/covers'), post(), form({ cover: upload }), rolesAllowed('admin', 'librarian'), blocking, handle(() => undefined))
    export const api = pipe(
      routes({
        list: pipe(path('/books'), get(), permitAll, produces(json(t.string), text), handle(() => 'Emma')),
        mine: pipe(path('/mine'), get(), authenticated, deprecated(), hidden(), handle(() => undefined)),
        covers: pipe(routes({ send }), withFilter(audit, responseFilter((response) => response))),
        debug: pipe(routes({ dump: pipe(path('/dump'), get(), handle(() => undefined)) }), when(profile('dev'))),
      }),
      withFilter(users, requestId()),
    )`,
  'empty.js': `import { routes } from 'espalier'\nexport const api = routes({})`,
})

describe('espalier routes', (test) => {
  test('prints a table without empty columns', async () => {
    const { code, out, error } = await run(folder, 'routes', 'books.js')
    assert.equal([code, error], [0, ''])
    assert.equal(out.split('\n'), [
      'METHOD  PATH         NAME  CONSUMES          PRODUCES',
      'GET     /books/{id}  find                    application/json',
      'POST    /books       add   application/json',
      '',
    ])
  })
  test('prints access rules, filters, execution and excluded routes', async () => {
    const { out } = await run(folder, 'routes', 'library.js')
    assert.equal(out.split('\n'), [
      'METHOD  PATH     NAME         CONSUMES             PRODUCES                  ACCESS          FILTERS            EXECUTION',
      'GET     /books   list                              application/json          permitAll',
      '                                                   text/plain;charset=UTF-8',
      'GET     /mine    mine                                                        authenticated',
      'POST    /covers  covers.send  multipart/form-data                            role admin      audited            blocking',
      '                                                                             role librarian  (response filter)',
      '',
      'filters of all operations: requestId, authentication with Basic',
      '',
      'excluded: GET /dump  (debug.dump)',
      '  when profile dev (the profile is prod)',
      '',
    ])
  })
  test('conditions are evaluated in the profile', async () => {
    const { out } = await run(folder, 'routes', 'library.js', '--profile', 'dev')
    assert.match(out, /^GET +\/dump +debug\.dump/m)
    assert.not.match(out, /excluded/)
  })
  test('a tree without operations has no table', async () =>
    assert.equal(await run(folder, 'routes', 'empty.js'), {
      code: 0,
      out: 'no operations\n',
      error: '',
    }))
  test('--json prints all properties', async () => {
    const { out } = await run(folder, 'routes', 'library.js', '--json')
    const { profile, routes, excluded } = JSON.parse(out)
    assert.is(profile, 'prod')
    assert.equal(excluded, [
      { title: 'GET /dump  (debug.dump)', conditions: ['when profile dev (the profile is prod)'] },
    ])
    assert.equal(
      routes.map(({ name }: { readonly name: string }) => name),
      ['list', 'mine', 'covers.send'],
    )
    assert.equal(routes[1].deprecated && routes[1].hidden, true)
    assert.equal(routes[2], {
      name: 'covers.send',
      method: 'POST',
      path: '/covers',
      consumes: ['multipart/form-data'],
      produces: [],
      responses: [{ status: 204, failure: false, mediaTypes: [] }],
      access: { rule: 'rolesAllowed', roles: ['admin', 'librarian'] },
      filters: [
        { name: 'requestId', kind: 'preMatching', priority: routes[2].filters[0].priority },
        { name: 'authentication with Basic', kind: 'early', priority: 1000 },
        { name: 'accessRule', kind: 'early', priority: routes[2].filters[2].priority },
        { name: 'audited', kind: 'request', priority: 5000 },
        { name: '', kind: 'response', priority: 5000 },
        { name: 'requestId', kind: 'response', priority: routes[2].filters[5].priority },
      ],
      execution: 'blocking',
      conditions: [],
      deprecated: false,
      hidden: false,
    })
  })
})
