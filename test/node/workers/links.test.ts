/** Links of blocking operations, of mapped errors and of mounted trees, through a proxy. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { api, inPlace, linkedModule } from '../../support/linked-api.ts'
import { options } from '../../support/workers.ts'

/** What a proxy tells, and the server that links then lead to. */
const doors = [
  ['at once', {}, undefined],
  [
    'behind a trusted proxy',
    {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'desks.example',
      'X-Forwarded-Prefix': '/shop',
    },
    'https://desks.example/shop',
  ],
] as const

for (const place of ['worker', 'loop'])
  describe(`links from a ${place}`, (test, { before, after }) => {
    let server: Server | undefined
    const url = (): string => server?.url ?? ''
    before(async () => {
      server = await serve(place === 'worker' ? api : inPlace, {
        ...options,
        module: linkedModule,
        'fw.http.proxy.trusted': '127.0.0.1',
        'fw.rest.path': '/api',
      })
    })
    after(() => server?.close())
    for (const [name, told, other] of doors) {
      const base = (): string => `${other ?? url()}/api/hall`
      const ask = (line: string, headers: Readonly<Record<string, string>> = {}) =>
        fetch(`${url()}/api/hall${line}`, { headers: { ...told, ...headers } })
      const expected = (owner: string): string =>
        [
          `<${base()}/desks>; rel="list"`,
          `<${base()}/desks/7>; rel="self"; title*=UTF-8''Ein%20Tisch%20%E2%80%93%20ganz; type="application/hal+json"`,
          `<${base()}/owners/${owner}>; rel="author"`,
        ].join(', ')
      table(
        test,
        [
          [`${name}: by nobody`, '', '{owner}'],
          [`${name}: by a chief`, 'ann chief', 'OWNER'],
        ] as const,
        async (_, user, owner) => {
          const response = await ask('/desks/7', user === '' ? {} : { 'X-User': user })
          assert.is(response.headers.get('Link'), expected(owner))
          assert.is(response.headers.get('X-Self'), `${base()}/desks/7`)
          const { place: ran } = (await response.json()) as { readonly place: string }
          assert.is(ran, place)
        },
      )
      test(`${name}: in HAL`, async () => {
        const response = await ask('/desks', { Accept: 'application/hal+json' })
        assert.is(response.headers.get('Link'), `<${base()}/desks>; rel="list"`)
        const list = { href: `${base()}/desks` }
        assert.equal(await response.json(), {
          _embedded: {
            items: [
              {
                id: 7,
                place,
                _links: {
                  list,
                  self: {
                    href: `${base()}/desks/7`,
                    type: 'application/hal+json',
                    title: 'Ein Tisch – ganz',
                  },
                  author: { href: `${base()}/owners/{owner}`, templated: true },
                },
              },
            ],
          },
          _links: { list },
        })
      })
      test(`${name}: of a mapped error`, async () => {
        const response = await ask('/desks/8')
        assert.is(response.status, 404)
        assert.is(response.headers.get('X-Links'), `${base()}/desks`)
        assert.is(response.headers.get('Link'), null)
        assert.equal(await response.json(), {
          id: 8,
          _links: { list: { href: `${base()}/desks` } },
        })
      })
    }
  })
