/** Services in projects whose packages are installed by npm, pnpm, Bun, Yarn 1, and Yarn 4 with and without Plug'n'Play. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'
import type { Tarball } from '../support/packed-package.ts'
import { pack, run } from '../support/packed-package.ts'

/** The package managers that npm installs, with the major version that this test supports. */
const managers = ['pnpm@10', '@yarnpkg/cli-dist@4', 'yarn@1', 'bun@1']

/** The first example of the README, which starts a server. */
const [, example = ''] = /```ts\n([^]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []

const firstExample = `${example}
  const response = await fetch(server.url + '/books/1')
  console.log(response.status, await response.text())
  await server.close()
`

/** Uses the packages that espalier loads on demand, and a worker. */
const onDemand = `
  import { readFile } from 'node:fs/promises'
  import { isMainThread } from 'node:worker_threads'
  import { pipe } from 'fp-ts/lib/function.js'
  import {
    blocking, body, decimal, file, form, get, handle, instant, json, path, pattern, post, produces, query, routes, string, text, upload,
  } from 'espalier'
  import { lossless } from 'espalier/json'
  import { serve } from 'espalier/node'
  import { inMemory } from 'espalier/testing'

  export const api = routes({
    send: pipe(path('/covers'), post(), form({ cover: upload }), produces(text), handle(({ form: { cover } }) => readFile(cover.path, 'utf8'))),
    now: pipe(path('/now'), get(), query({ at: instant }), produces(text), handle(({ query }) => String(query.at))),
    price: pipe(path('/price'), post(), lossless, body(json(decimal)), produces(json(decimal)), handle(({ body }) => body)),
    own: pipe(path('/own'), get(), produces(file), handle(() => 'server.txt')),
    work: pipe(path('/work'), get(), blocking, produces(text), handle(() => String(isMainThread))),
  })
  const server = await serve(api, { module: import.meta.url, export: 'api', 'fw.log.level': 'off', 'fw.http.overload.enabled': false })
  if (isMainThread) {
    const print = async (response) => console.log(response.status, await response.text())
    const send = async (target, init) => print(await fetch(server.url + target, init))
    const cover = new FormData()
    cover.set('cover', new File(['pixels'], 'emma.png'))
    await send('/covers', { method: 'POST', body: cover })
    await send('/now?at=2026-01-31T12:00:00Z')
    const headers = { 'Content-Type': 'application/json' }
    await send('/price', { method: 'POST', headers, body: '12.345678901234567890' })
    await send('/own')
    await send('/work')
    await print(await inMemory(api)('http://localhost/now?at=2026-01-31T12:00:00Z'))
    try { pattern(/(a+)+$/)(string) } catch (error) { console.log(error.name) }
    await server.close()
  }
`

const output = [
  '200 pixels',
  '200 2026-01-31T12:00:00Z',
  '200 12.345678901234567890',
  '200 text',
  '200 false',
  '200 2026-01-31T12:00:00Z',
  'TypeError',
]

/** A service whose routes the command of the package lists. */
const served = `
  import { pipe } from 'fp-ts/lib/function.js'
  import { get, handle, path, routes } from 'espalier'
  import { serve } from 'espalier/node'
  export const api = routes({ ping: pipe(path('/ping'), get(), handle(() => undefined)) })
  await serve(api)
`

const { engines, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync('package.json', 'utf8'),
) as {
  readonly engines: { readonly node: string }
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, object>>
}

/** The oldest supported versions of Node.js, as in `engines`. */
const supported = [...engines.node.matchAll(/\d+\.\d+\.\d+/g)].map(([version]) => version)

const optionalPeers = Object.fromEntries(
  Object.keys(peerDependenciesMeta).map((name) => [name, peerDependencies[name]]),
)

const settings = { FW_HTTP_HOST: '127.0.0.1', FW_HTTP_PORT: '0' }

/** Functions that run things in a project as its package manager does. */
interface Project {
  /** Runs a program. */
  readonly node: (program: string) => Promise<string>
  /** Runs the command of the package. */
  readonly espalier: (...args: ReadonlyArray<string>) => Promise<string>
}

const onNode =
  (project: string) =>
  (program: string): Promise<string> =>
    run(project, process.execPath, [program], settings)

describe('package managers', (test, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-managers-'))
  const tools = join(folder, 'tools')
  const pnpm = join(tools, 'node_modules/pnpm/bin/pnpm.cjs')
  const yarn = join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')
  const yarn1 = join(tools, 'node_modules/yarn/bin/yarn.js')
  // its package for the platform has the executable, so no install scripts are needed
  const bun = join(tools, `node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`)
  let tarball: Tarball | undefined
  let registry = ''

  after(() => rmSync(folder, { recursive: true }))

  /** Creates a project that depends on the packed package. */
  const createProject = (name: string): string => {
    const project = join(folder, name)
    mkdirSync(project)
    const dependencies = {
      espalier: `file:${tarball?.path}`,
      'fp-ts': '^2.16.11',
      'io-ts': '^2.2.22',
    }
    const manifest = { name, private: true, type: 'module', dependencies }
    writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(project, 'first.mjs'), firstExample)
    writeFileSync(join(project, 'on-demand.mjs'), onDemand)
    writeFileSync(join(project, 'served.mjs'), served)
    writeFileSync(join(project, 'server.txt'), 'text')
    return project
  }
  /** Yarn reads no configuration of npm, and stores packages in the home directory by default. */
  const yarnVariables = (linker: string): Readonly<Record<string, string>> => ({
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    YARN_ENABLE_TELEMETRY: 'false',
    YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
    YARN_NODE_LINKER: linker,
    YARN_NPM_REGISTRY_SERVER: registry,
  })

  /** The options of pnpm that select its store and the registry. */
  const pnpmOptions = (): ReadonlyArray<string> => [
    '--no-frozen-lockfile',
    '--prefer-offline',
    '--ignore-workspace',
    '--store-dir',
    join(folder, 'store'),
    '--registry',
    `${registry}/`,
  ]

  type Install = (project: string) => Promise<Project>

  const withYarn =
    (linker: string): Install =>
    async (project) => {
      const variables = yarnVariables(linker)
      await run(project, process.execPath, [yarn, 'install'], variables)
      return {
        node: (program) =>
          run(project, process.execPath, [yarn, 'node', program], { ...variables, ...settings }),
        espalier: (...args) =>
          run(project, process.execPath, [yarn, 'espalier', ...args], variables),
      }
    }

  const installs: ReadonlyArray<readonly [name: string, install: Install]> = [
    [
      'npm',
      async (project) => {
        await run(project, 'npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'])
        return {
          node: onNode(project),
          espalier: (...args) => run(project, 'npx', ['--no', 'espalier', ...args]),
        }
      },
    ],
    [
      'pnpm',
      async (project) => {
        await run(project, process.execPath, [pnpm, 'install', ...pnpmOptions()])
        return {
          node: onNode(project),
          espalier: (...args) =>
            run(project, process.execPath, [pnpm, 'exec', 'espalier', ...args]),
        }
      },
    ],
    [
      'Bun',
      async (project) => {
        const variables = {
          BUN_INSTALL_CACHE_DIR: join(folder, 'bun'),
          NPM_CONFIG_REGISTRY: registry,
        }
        await run(project, bun, ['install', '--linker', 'isolated'], variables)
        return {
          node: onNode(project),
          espalier: (...args) => run(project, bun, ['run', '--silent', 'espalier', ...args]),
        }
      },
    ],
    [
      'Yarn 1',
      async (project) => {
        const cache = ['--cache-folder', join(folder, 'yarn-1'), '--non-interactive', '--silent']
        const variables = { YARN_REGISTRY: registry, npm_config_registry: registry }
        await run(project, process.execPath, [yarn1, 'install', ...cache], variables)
        return {
          node: onNode(project),
          espalier: (...args) =>
            run(project, process.execPath, [yarn1, 'run', '--silent', 'espalier', ...args]),
        }
      },
    ],
    ["Yarn with Plug'n'Play", withYarn('pnp')],
    ['Yarn with node_modules', withYarn('node-modules')],
  ]
  const projects = new Map<string, Project>()

  // without a time limit, because these commands use the network
  before(async () => {
    mkdirSync(tools)
    writeFileSync(join(tools, 'package.json'), '{ "private": true }')
    const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
    await run(tools, 'npm', ['install', ...quick, ...managers])
    registry = (await run(tools, 'npm', ['config', 'get', 'registry'])).trim().replace(/\/$/, '')
    tarball = await pack(folder)
    for (const [name, install] of installs)
      projects.set(name, await install(createProject(name.replace(/\W+/g, '-').toLowerCase())))
  })

  for (const [name] of installs) {
    test(`${name}: the first example of the README works`, async () =>
      assert.match(
        (await projects.get(name)?.node('first.mjs')) ?? '',
        /^200 \{"id":1,"title":"Emma"\}$/m,
      ))
    test(`${name}: the command lists the routes`, async () =>
      assert.is(
        await projects.get(name)?.espalier('routes', 'served.mjs'),
        'METHOD  PATH   NAME\nGET     /ping  ping\n',
      ))
    test(`${name}: packages are loaded on demand, and workers start`, async () =>
      assert.equal((await projects.get(name)?.node('on-demand.mjs'))?.trim().split('\n'), output))
  }

  // pnpm compares the `engines` of the newest version that each range admits with a given version of Node.js
  for (const version of supported)
    test(`every dependency and every peer supports Node.js ${version}`, async () => {
      const project = createProject(`node-${version}`)
      const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
        readonly dependencies: object
      }
      const all = { ...manifest, dependencies: { ...manifest.dependencies, ...optionalPeers } }
      writeFileSync(join(project, 'package.json'), JSON.stringify(all))
      const options = ['--config.engine-strict=true', `--config.node-version=${version}`]
      const install = [pnpm, 'install', '--lockfile-only', ...pnpmOptions(), ...options]
      await run(project, process.execPath, install)
    })
})
