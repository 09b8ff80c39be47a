import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'
import { books, createProject, run } from './application.ts'

const project = createProject({
  'books.js': books,
  'default.js': `export { api as default } from './books.js'`,
  'both.js': `export { api } from './books.js'\nexport default 3`,
  'named.js': `export { api as library, api as shop } from './books.js'\nexport const port = 1`,
  'odd#name.js': `export { api, api as other } from './books.js'`,
  'empty.js': '',
  'values.js': 'export const api = Promise.resolve(1), other = 2',
  'endpoint.js': `import { api as tree } from './books.js'\nexport const api = tree.children.get('find')`,
  'throws.js': `const start = () => { throw new Error('no database') }\nstart()`,
  'throws-text.js': `throw 'no database'`,
  'syntax.js': 'export const = 1',
  'missing-package.js': `import 'no-such-package'`,
  'tree-error.js': `import { routes } from 'espalier'\nexport const api = routes(3)`,
  'commonjs/package.json': '{ "type": "commonjs" }',
  'commonjs/direct.js': `exports.api = require('./tree.cjs')()`,
  'commonjs/whole.js': `module.exports = require('./tree.cjs')()`,
  'commonjs/computed.js': `module.exports = Object.fromEntries([['api', require('./tree.cjs')()]])`,
  'commonjs/compiled.js': `Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = require('./tree.cjs')()`,
  'commonjs/tree.cjs': `
    const { get, handle, path, routes } = require('espalier')
    module.exports = () => routes({ ping: handle(() => undefined)(get()(path('/ping'))) })`,
  'typed.ts': `export { api } from './books.js'\nexport const port: number = 1`,
  'enums.ts': `export { api } from './books.js'\nexport enum A { B }`,
})

const names = async (module: string): Promise<ReadonlyArray<string> | string> => {
  const { code, out, error } = await run(project, 'routes', module, '--json')
  if (code !== 0) return `${code} ${error}`
  const { routes } = JSON.parse(out) as {
    readonly routes: ReadonlyArray<{ readonly name: string }>
  }
  return routes.map(({ name }) => name)
}

const canRequire = 'require_module' in process.features
const stripsTypes = 'typescript' in process.features && process.features.typescript !== false

describe('espalier MODULE', (test) => {
  table(
    test,
    [
      ['books.js'],
      ['./books.js'],
      [join(project, 'books.js')],
      [pathToFileURL(join(project, 'books.js')).href],
      ['books.js#api'],
      ['default.js'],
      ['default.js#default'],
      ['both.js'],
      ['named.js#library'],
      ['odd#name.js'],
      ['odd#name.js#other'],
    ] as const,
    async (module) => assert.equal(await names(module), ['find', 'add']),
  )
  table(
    test,
    canRequire
      ? ([['direct'], ['whole'], ['computed'], ['compiled'], ['computed.js#api']] as const)
      : [],
    async (name) =>
      assert.equal(await names(`commonjs/${name.includes('.js') ? name : `${name}.js`}`), ['ping']),
  )
  table<readonly [module: string, message: RegExp]>(
    test,
    [
      ['missing.js', /^3 espalier: cannot load .*missing\.js: no such file$/],
      ['.', /^3 espalier: cannot load .*: not a file: pass the path of a module$/],
      ['books.js#', /^2 espalier: missing name after # in books\.js#/],
      [
        'named.js',
        /^3 espalier: missing export api or default in .*named\.js: pass the name of an exported route tree: named\.js#library, named\.js#shop$/,
      ],
      [
        'named.js#port',
        /expected the export port of .* to be a route tree, got number: pass the name/,
      ],
      [
        'named.js#books',
        /^3 espalier: missing export books in .*: pass the name .*named\.js#library/,
      ],
      [
        'empty.js',
        /the module exports no route tree \(it has no exports\): export the value returned by/,
      ],
      ['values.js', /got a promise: the module exports no route tree \(its exports: api, other\)/],
      ['endpoint.js', /got an endpoint: /],
      [
        'throws.js',
        /^3 espalier: cannot load .*throws\.js: Error: no database\nRun the command with --stack/,
      ],
      ['throws-text.js', /^3 espalier: cannot load .*: no database\n/],
      ['syntax.js', /^3 espalier: cannot load .*: SyntaxError: /],
      [
        'missing-package.js',
        /^3 espalier: cannot load .*: Error: Cannot find package 'no-such-package'/,
      ],
      ['tree-error.js', /^4 espalier: 1 configuration error\nFW-ROUTE-008/],
    ],
    async (module, message) => assert.match((await names(module)) as string, message),
  )
  test('errors have stack traces with --stack only', async () => {
    assert.not.match((await run(project, 'routes', 'throws.js')).error, /^ {4}at /m)
    assert.match(
      (await run(project, 'routes', 'throws.js', '--stack')).error,
      /^ {4}at start \(.*throws\.js:1:/m,
    )
  })
  test('TypeScript is loaded if Node.js can strip its types, and otherwise the error names tsx', async () => {
    const typed = await names('typed.ts')
    if (stripsTypes) assert.equal(typed, ['find', 'add'])
    else
      assert.match(
        typed as string,
        /^3 espalier: cannot load .*typed\.ts: [^]*Node\.js 22\.18 [^]*node --import tsx/,
      )
    assert.match((await names('enums.ts')) as string, /^3 .*[^]*tsx/)
  })
})
