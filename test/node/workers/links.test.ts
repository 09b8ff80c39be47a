/** Tests of links of blocking operations and mapped errors, with and without a proxy. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { api, nonBlockingApi, linkedModule } from '../../programs/linked-api.ts'
import { api as unsharedLinks, unsharedLinksModule } from '../../programs/unshared-links-api.ts'
import { fetchText, options, recordLog } from '../../support/workers.ts'

/** The headers that a proxy adds, and the resulting origin and prefix of links. */
const routesToServer = [
  ['directly', {}, undefined],
  [
    'through a trusted proxy',
    {
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'desks.example',
      'X-Forwarded-Prefix': '/shop',
    },
    'https://desks.example/shop',
  ],
] as const

for (const thread of ['worker', 'loop'])
  describe(`links on a ${thread}`, (test, { before, after }) => {
    let server: Server | undefined
    const url = (): string => server?.url ?? ''
    before(async () => {
      server = await serve(thread === 'worker' ? api : nonBlockingApi, {
        ...options,
        module: linkedModule,
        'fw.http.proxy.trusted': '127.0.0.1',
        'fw.rest.path': '/api',
      })
    })
    after(() => server?.close())
    for (const [name, proxyHeaders, other] of routesToServer) {
      const base = (): string => `${other ?? url()}/api/hall`
      const send = (line: string, headers: Readonly<Record<string, string>> = {}) =>
        fetch(`${url()}/api/hall${line}`, { headers: { ...proxyHeaders, ...headers } })
      const expected = (owner: string): string =>
        [
          `<${base()}/desks>; rel="list"`,
          `<${base()}/desks/7>; rel="self"; title*=UTF-8''Ein%20Tisch%20%E2%80%93%20ganz; type="application/hal+json"`,
          `<${base()}/owners/${owner}>; rel="author"`,
        ].join(', ')
      table(
        test,
        [
          [`${name}: for an anonymous caller`, '', '{owner}'],
          [`${name}: for a chief`, 'ann chief', 'OWNER'],
        ] as const,
        async (_, user, owner) => {
          const response = await send('/desks/7', user === '' ? {} : { 'X-User': user })
          assert.is(response.headers.get('Link'), expected(owner))
          assert.is(response.headers.get('X-Self'), `${base()}/desks/7`)
          const { place: ran } = (await response.json()) as { readonly place: string }
          assert.is(ran, thread)
        },
      )
      test(`${name}: in HAL`, async () => {
        const response = await send('/desks', { Accept: 'application/hal+json' })
        assert.is(response.headers.get('Link'), `<${base()}/desks>; rel="list"`)
        const list = { href: `${base()}/desks` }
        assert.equal(await response.json(), {
          _embedded: {
            items: [
              {
                id: 7,
                place: thread,
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
        const response = await send('/desks/8')
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

describe('a warning about links', (test) => {
  test('is logged by the main thread only', async () => {
    const { lines, logger } = recordLog()
    const server = await serve(unsharedLinks, { ...options, module: unsharedLinksModule, logger })
    try {
      assert.equal(await fetchText(server, '/desks/7'), [200, '{"id":7}'])
    } finally {
      await server.close()
    }
    assert.equal(
      lines.filter((line) => line.startsWith('warn')),
      ['warn Different codecs with the same name do not share links: use one codec, or rename one'],
    )
  })
})
