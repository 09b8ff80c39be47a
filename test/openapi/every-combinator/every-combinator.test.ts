/** The tree with every combinator: completeness, and the responses of its mock server. */
import { readFileSync, readdirSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { compileTree } from '../../../src/compiler/compile.ts'
import { mockServer } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { checkResponse, describeTree, operationOf, operationsOf, responseOf } from '../document.ts'
import { generatedRequest } from './generated-request.ts'
import { everyCombinator } from './tree.ts'

const sources = [
  'test/openapi/every-codec.ts',
  ...readdirSync('test/openapi/every-combinator')
    .filter((name) => !name.endsWith('.test.ts') && name !== 'generated-request.ts')
    .map((name) => `test/openapi/every-combinator/${name}`),
]

/** Names that the sources import from an entry point. The compiler rejects unused imports. */
const importedNames = (entryPoint: string): ReadonlySet<string> => {
  const file = entryPoint === 'espalier' ? 'index' : entryPoint.slice('espalier/'.length)
  const imports = new RegExp(`import \\{([^}]*)\\} from '(?:\\.\\./)+src/${file}\\.ts'`, 'g')
  return new Set(
    sources
      .flatMap((source) => [...readFileSync(source, 'utf8').matchAll(imports)])
      .flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
  )
}

describe('the tree with every combinator', (test) => {
  for (const entryPoint of ['', '/json', '/xml', '/links', '/hal', '/cbor'])
    test(`uses all exports of espalier${entryPoint}`, async () => {
      const used = importedNames(`espalier${entryPoint}`)
      const exported = Object.keys(await import(`espalier${entryPoint}`))
      assert.equal(
        exported.filter((name) => !used.has(name)),
        [],
      )
    })
})

const origin = 'http://localhost'
const { plans: allPlans } = compileTree(everyCombinator)
const plans = allPlans.filter(({ attributes }) => attributes.documentation?.hidden !== true)

describe('documents of the tree with every combinator', (test) => {
  for (const version of ['3.1', '3.2'] as const)
    test(`OpenAPI ${version} describes all operations`, () => {
      const described = operationsOf(describeTree(everyCombinator, { version }))
      assert.ok(plans.length > 80)
      assert.equal([...described.keys()].toSorted(), plans.map(({ name }) => name).toSorted())
    })
})

/** Operations whose codecs have conditions that schemas cannot express: even numbers, bounds of decimals and dates of a format. */
const partlyDescribed = ['echoScalars', 'echoTimes', 'echoStructures', 'echoAll'].map(
  (name) => `bodies.codecs.${name}`,
)

describe('the mock server of the tree with every combinator', (test) => {
  const document = describeTree(everyCombinator)
  const principal = { name: 'ann', roles: ['reader', 'librarian'] }
  const request = inMemory(mockServer(everyCombinator, { principal }))
  for (const { name, method, success } of plans) {
    const send = (seed: number, extra: Readonly<Record<string, string>> = {}) => {
      const { target, init } = generatedRequest(document, name, method, seed)
      const headers = new Headers({ 'X-Language': 'en', ...extra })
      new Headers(init.headers).forEach((value, header) => headers.set(header, value))
      return request(`${origin}${target}`, { ...init, headers })
    }
    /** Returns the first seed of a request that the codecs accept. */
    const findSeed = async (): Promise<number> => {
      if (!partlyDescribed.includes(name)) return 0
      for (let seed = 0; seed < 1000; seed++) if ((await send(seed)).status !== 400) return seed
      throw new Error(`${name} accepts no generated request`)
    }
    let found: Promise<number> | undefined
    const acceptedSeed = (): Promise<number> => (found ??= findSeed())
    const statuses = Object.keys(operationOf(document, name).responses)
    test(`${name} accepts a described request with a described response`, async () => {
      const response = await send(await acceptedSeed())
      const expected = statuses.includes(String(success.status)) ? success.status : statuses[0]
      assert.is(
        response.status,
        name === 'security.access.closed' ? 403 : Number(expected),
        await response.clone().text(),
      )
      await checkResponse(document, name, response)
    })
    test(`${name} sends all described representations`, async () => {
      const seed = await acceptedSeed()
      const described = responseOf(document, operationOf(document, name), success.status)
      const types = Object.keys(described?.content ?? {}).filter((type) => !type.includes('*'))
      for (const type of name === 'security.access.closed' ? [] : types) {
        const response = await send(seed, { Accept: type })
        assert.is(response.status, success.status, `${type}: ${await response.clone().text()}`)
        assert.is(response.headers.get('Content-Type')?.split(';')[0], type)
        await checkResponse(document, name, response)
      }
    })
    test(`${name} sends all described errors`, async () => {
      const seed = await acceptedSeed()
      for (const status of statuses.filter((code) => Number(code) >= 400)) {
        const response = await send(seed, { Prefer: `code=${status}` })
        assert.is(response.status, name === 'security.access.closed' ? 403 : Number(status))
        await checkResponse(document, name, response)
      }
    })
  }
})
