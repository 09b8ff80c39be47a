/** The tree with every combinator: completeness, and the responses of its mock server. */
import { readFileSync, readdirSync } from 'node:fs'
import { inspect } from 'node:util'
import * as assert from 'uvu/assert'
import { compileTree } from '../../../src/compiler/compile.ts'
import { mockServer } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { describeTree, operationsOf } from '../document.ts'
import { everyCombinator } from './tree.ts'

const sources = [
  'test/openapi/every-codec.ts',
  ...readdirSync('test/openapi/every-combinator')
    .filter((name) => !name.endsWith('.test.ts'))
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
  const { plans } = compileTree(everyCombinator)
  test('has operations of all topics', () => assert.ok(plans.length > 90, String(plans.length)))
  for (const version of ['3.1', '3.2'] as const)
    test(`describes all operations in OpenAPI ${version}`, () => {
      const ids = operationsOf(describeTree(everyCombinator, { version }))
      const described = plans.filter(({ attributes }) => attributes.documentation?.hidden !== true)
      console.log(described.filter(({ name }) => !ids.has(name)).map((p) => p.name))
    })
})
