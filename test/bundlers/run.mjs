/**
 * Builds the programs of `programs.mjs` with each bundler, in both modes, for servers and pages, and runs the bundles. Arguments select rows
 * by parts of their names, such as `webpack`, `client` or `next`.
 *
 * The packages of this folder must be installed, the package built, and Chromium available (see `page.mjs`).
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exceptionFor } from './exceptions.mjs'
import { nextRows } from './next.mjs'
import { runInPage, startServer } from './page.mjs'
import { clientPrograms, contract, serverPrograms, service } from './programs.mjs'
import { install, pack, runNode, temporaryFolder, writeFiles } from './project.mjs'
import { tools } from './tools.mjs'
import { viteDevRows } from './vite-dev.mjs'

const selected = process.argv.slice(2)
const isSelected = (row) => selected.every((part) => row.split(' ').includes(part))

let [passed, failed, excepted] = [0, 0, 0]
const report = (row, problem) => {
  const exception = exceptionFor(row)
  if (problem === undefined) passed++
  else if (exception?.pattern.test(problem)) excepted++
  else {
    failed++
    console.log(`FAIL ${row}: ${problem.slice(0, 1500)}`)
  }
}

const programsOf = (target) => (target === 'server' ? serverPrograms : clientPrograms)

/** The programs of a row. Another format of modules affects only programs that use modules of Node.js or optional packages. */
const namesOf = (tool, target) =>
  tool === 'webpack-commonjs'
    ? ['node', 'blocking', 'jwt', 'docs']
    : Object.keys(programsOf(target))

/** Compares the results of programs with those that are expected. */
const check = (row, target, names, results) => {
  for (const name of names) {
    const { expected } = programsOf(target)[name]
    const result = results.get(name) ?? 'no result'
    const matches = typeof expected === 'string' ? result === expected : expected.test(result)
    report(`${row} ${name}`, matches ? undefined : `expected ${expected}, got ${result}`)
  }
}

/** Whether a row is the same as another one: Rollup has no modes, and pages use no CommonJS modules. */
const isRepetition = (tool, mode, target) =>
  (tool === 'rollup' && mode === 'development') ||
  (tool === 'webpack-commonjs' && target === 'client')

const root = temporaryFolder()
const tarball = pack(root)
const folder = join(root, 'project')
writeFiles(folder, { 'contract.mjs': contract, 'service.mjs': service })
for (const target of ['server', 'client'])
  for (const [name, { source }] of Object.entries(programsOf(target)))
    writeFiles(join(folder, target), {
      [`${name}.mjs`]: source
        .replaceAll("'./contract.mjs'", "'../contract.mjs'")
        .replaceAll("'./service.mjs'", "'../service.mjs'"),
    })
// Parcel reads the member `exports` of packages only with this option
install(folder, tarball, { '@parcel/resolver-default': { packageExports: true } })

/** The bundles of programs in a folder, by name. Bundlers choose different extensions. */
const filesIn = (out, names, base = '') => {
  const files = readdirSync(join(base, out))
  return names.map((name) => [
    name,
    `${out}/${files.find((file) => /^(.+)\.[cm]?js$/.exec(file)?.[1] === name)}`,
  ])
}

const runInNode = async (files) => {
  const program = fileURLToPath(new URL('run-programs.mjs', import.meta.url))
  const { output } = await runNode(join(folder, 'server'), [program, JSON.stringify(files)])
  const lines = output.split('\n').filter((line) => line.startsWith('{"name"'))
  return new Map(lines.map((line) => JSON.parse(line)).map(({ name, result }) => [name, result]))
}

const server = await startServer(folder)
const run = async (row, target, mode, names, build) => {
  const start = performance.now()
  const path = `out/${row.replaceAll(' ', '-')}`
  const out = join(folder, path)
  try {
    const warnings = await build({ folder: join(folder, target), names, target, mode, out })
    report(`${row} warnings`, warnings.length === 0 ? undefined : [...new Set(warnings)].join('\n'))
    const results =
      target === 'server'
        ? await runInNode(filesIn(out, names))
        : await runInPage(server.url, filesIn(`/${path}`, names, folder))
    check(row, target, names, results)
  } catch (error) {
    report(row, `${error.message} ${JSON.stringify(error.diagnostics ?? error.errors ?? [])}`)
  }
  console.log(`${row}: ${Math.round((performance.now() - start) / 100) / 10} s`)
}

for (const [tool, build] of Object.entries(tools))
  for (const mode of ['development', 'production'])
    for (const target of ['server', 'client']) {
      const row = `${tool} ${mode} ${target}`
      if (isSelected(row) && !isRepetition(tool, mode, target))
        await run(row, target, mode, namesOf(tool, target), build)
    }
for (const rows of [
  viteDevRows({ folder, apiUrl: server.url, check }),
  nextRows({ root, tarball }),
])
  for (const [row, runRow] of rows) {
    if (!isSelected(row)) continue
    const start = performance.now()
    report(row, await runRow(row).catch((error) => String(error?.stack ?? error)))
    console.log(`${row}: ${Math.round((performance.now() - start) / 100) / 10} s`)
  }

server.close()
console.log(`${passed} passed, ${failed} failed, ${excepted} exceptions`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
