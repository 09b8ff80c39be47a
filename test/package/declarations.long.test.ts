/**
 * Declarations in a workspace of pnpm, whose packages can only name the packages that they depend on. A module exports every value of every
 * entry point, and every codec as a member of another codec. Another package of the workspace uses these codecs.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'
import { pack, run } from '../support/packed-package.ts'

const entryPoints = [
  'index',
  'json',
  'xml',
  'links',
  'cbor',
  'hal',
  'client',
  'fetch',
  'node',
  'openapi',
  'testing',
  'webhooks',
]

const isClass = (value: unknown): boolean =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

const isCodec = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'validate' in value

/** Returns the statements that export a value, so that the compiler must name the types of its type. */
const exportsOf = (module: string, name: string, value: unknown): string => {
  const source = `${module}.${name}`
  if (isClass(value))
    return `export const ${module}_${name} = (value: ${source}): unknown => value\n`
  const member = `export const ${name}Member = t.type({ at: ${source}, all: t.array(${source}) })\n`
  return `export const ${module}_${name} = ${source}\n${isCodec(value) && module === 'index' ? member : ''}`
}

/** Returns a module that exports every value of every entry point. */
const surface = async (): Promise<string> => {
  const modules = await Promise.all(
    entryPoints.map(async (name) => {
      const url = pathToFileURL(resolve(`dist/espalier/${name}.js`)).href
      const values = (await import(url)) as Readonly<Record<string, unknown>>
      const entryPoint = name === 'index' ? 'espalier' : `espalier/${name}`
      const statements = Object.entries(values).map(([key, value]) => exportsOf(name, key, value))
      return `import * as ${name} from '${entryPoint}'\n${statements.join('')}`
    }),
  )
  return `import * as t from 'io-ts'\n${modules.join('')}`
}

const dates = [
  'plainDate',
  'plainTime',
  'plainDateTime',
  'zonedDateTime',
  'offsetDateTime',
  'offsetTime',
  'instant',
  'yearMonth',
  'duration',
]

/** Uses codecs of another package, without an import of espalier. */
const application = `
  import * as t from 'io-ts'
  import { ${dates.map((name) => `${name}Member`).join(', ')} } from 'contract'
  export const all = t.type({ ${dates.map((name) => `${name}: ${name}Member`).join(', ')} })
  export const members = { ${dates.map((name) => `${name}: t.array(${name}Member.props.at)`).join(', ')} }
  export const read = (value: t.TypeOf<typeof all>) => value.instant.at
`

/** Declares every type, as \`isolatedDeclarations\` requires. */
const isolated = `
  import * as t from 'io-ts'
  import { instant, tree, text } from './names.js'
  import type { DateCodec, Temporal } from 'espalier'
  export const Loan: t.TypeC<{ at: DateCodec<Temporal.Instant> }> = t.type({ at: instant })
  export const start = (loan: t.TypeOf<typeof Loan>): Temporal.Instant => loan.at
  export { tree, text }
`
const names = `export { instant, text, routes as tree } from 'espalier'\n`

/** Values of codecs are those of \`Temporal\` in the library of TypeScript, and those of \`temporal-polyfill\`. */
const assignable = (provider: string): string => `
  ${provider}
  import type { Temporal as Exported } from 'espalier'
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
  ${[
    'Instant',
    'PlainDate',
    'PlainTime',
    'PlainDateTime',
    'ZonedDateTime',
    'PlainYearMonth',
    'Duration',
  ]
    .map(
      (name) => `
  export const same${name}: Same<Exported.${name}, Temporal.${name}> = true
  export const to${name} = (value: Exported.${name}): Temporal.${name} => value
  export const from${name} = (value: Temporal.${name}): Exported.${name} => value`,
    )
    .join('')}
`

const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  skipLibCheck: true,
  types: [],
  declaration: true,
  outDir: 'out',
}

/** The packages that the declarations of the workspace can name. */
const nameable = /^(?:espalier(?:\/\w+)?|fp-ts\/lib\/\w+(?:\.js)?|io-ts|contract|\.\/.*)$/

describe('declarations in a workspace of pnpm', (test, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-declarations-'))
  const contract = join(folder, 'packages/contract')
  const app = join(folder, 'packages/app')
  const polyfilled = join(folder, 'packages/polyfilled')
  const compilers = new Map([['7', resolve('node_modules/typescript/bin/tsc')]])

  const write = (path: string, content: object | string): void =>
    writeFileSync(
      join(folder, path),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  const compile = (project: string, version = '7'): Promise<string> =>
    run(project, process.execPath, [compilers.get(version) ?? '']).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  /** Compiles one module in a package, by default that of the application. */
  const compileAlone = (
    source: string,
    options: object = {},
    { project = app, version = '7' } = {},
  ): Promise<string> => {
    writeFileSync(join(project, 'alone.ts'), source)
    const settings = { compilerOptions: { ...compilerOptions, ...options }, files: ['alone.ts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings))
    return compile(project, version)
  }

  // without a time limit, because these commands use the network
  before(async () => {
    for (const path of [contract, app, polyfilled, join(folder, 'tools')])
      mkdirSync(path, { recursive: true })
    const { path } = await pack(folder)
    write('tools/package.json', { private: true })
    const tools = [
      'pnpm@10',
      'typescript-6@npm:typescript@~6.0',
      'typescript-5@npm:typescript@~5.9',
    ]
    const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    await run(join(folder, 'tools'), 'npm', ['install', ...quick, ...tools])
    for (const version of ['5', '6'])
      compilers.set(version, join(folder, `tools/node_modules/typescript-${version}/bin/tsc`))
    const registry = (await run(folder, 'npm', ['config', 'get', 'registry'])).trim()
    const dependencies = { espalier: `file:${path}`, 'fp-ts': '^2.16.11', 'io-ts': '^2.2.22' }
    const manifest = { private: true, type: 'module', dependencies }
    write('package.json', { private: true })
    write('pnpm-workspace.yaml', 'packages:\n  - packages/*\n')
    const types = { '.': { types: './out/contract.d.ts', default: './out/contract.js' } }
    write('packages/contract/package.json', { ...manifest, name: 'contract', exports: types })
    write('packages/app/package.json', {
      ...manifest,
      name: 'app',
      dependencies: { ...dependencies, contract: 'workspace:*' },
    })
    write('packages/polyfilled/package.json', {
      ...manifest,
      name: 'polyfilled',
      dependencies: { ...dependencies, 'temporal-polyfill': '^1.0.8' },
    })
    write('packages/contract/contract.ts', await surface())
    write('packages/contract/tsconfig.json', { compilerOptions, files: ['contract.ts'] })
    const pnpm = join(folder, 'tools/node_modules/pnpm/bin/pnpm.cjs')
    const options = ['--no-frozen-lockfile', '--prefer-offline', '--registry', registry]
    const store = ['--store-dir', join(folder, 'store')]
    await run(folder, process.execPath, [pnpm, 'install', ...options, ...store])
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const version of ['7', '6', '5'])
    test(`TypeScript ${version} emits them for every exported value`, async () =>
      assert.is(await compile(contract, version), ''))
  test('they name only packages that the workspace depends on', async () => {
    assert.is(await compile(contract), '')
    assert.is(await compileAlone(application), '')
    const texts = [`${contract}/out/contract.d.ts`, `${app}/out/alone.d.ts`].map((path) =>
      readFileSync(path, 'utf8'),
    )
    const named = texts.flatMap((text) =>
      [...text.matchAll(/(?:from |import\()["']([^"']+)["']/g)].map(([, name = '']) => name),
    )
    assert.ok(named.includes('espalier'))
    assert.equal(
      [...new Set(named)].filter((name) => !nameable.test(name)),
      [],
    )
  })
  test('types of date codecs can be declared with isolatedDeclarations', async () => {
    write('packages/app/names.ts', names)
    assert.is(await compileAlone(isolated, { isolatedDeclarations: true }), '')
  })
  for (const version of ['7', '6'])
    test(`values of date codecs are values of Temporal in TypeScript ${version}`, async () => {
      const lib = ['es2022', 'esnext.temporal']
      assert.is(await compileAlone(assignable(''), { lib }, { version }), '')
    })
  test('values of date codecs are values of temporal-polyfill', async () => {
    const provider = "import type { Temporal } from 'temporal-polyfill'"
    assert.is(await compileAlone(assignable(provider), {}, { project: polyfilled }), '')
  })
})
