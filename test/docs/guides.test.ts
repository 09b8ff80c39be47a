import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { currentCompiler } from '../support/compilers.ts'
import { describe } from '../support/describe.ts'
import { anchorOf } from './reference.ts'

const guides = readdirSync('src/guide')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `src/guide/${name}`)

/** Files that `npm pack` includes, as far as documents link to them. */
const packed = new Set(['README.md', 'LICENSE', 'CHANGELOG.md', ...guides])

const withoutCode = (text: string): string => text.replace(/^```[^]*?^```/gm, '')

const anchorsOf = (path: string): ReadonlyArray<string> =>
  [...withoutCode(readFileSync(path, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    anchorOf(heading.replace(/`/g, '')),
  )

interface Link {
  readonly target: string
  readonly anchor: string | undefined
}

const linksOf = (path: string): ReadonlyArray<Link> =>
  [...withoutCode(readFileSync(path, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#')
      return {
        target: file === '' ? path : posix.join(posix.dirname(path), file),
        anchor,
      }
    })

/** Writes the `tsconfig.json` of a guide next to its examples that import modules of Node.js, and returns the errors of the compiler. */
const compileExamples = (guide: string): string => {
  const text = readFileSync(guide, 'utf8')
  const folder = new URL('tsconfig/', import.meta.url)
  const [, settings = ''] = /^```json\n(\{\n {2}"compilerOptions"[^]*?)^```/m.exec(text) ?? []
  const examples = [...text.matchAll(/^```ts\n([^]*?)^```/gm)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes("from 'node:"))
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('tsconfig.json', folder), settings)
  examples.forEach((code, index) => writeFileSync(new URL(`${index}.ts`, folder), code))
  const { path, options } = currentCompiler
  const args = [path, ...options, '--noEmit', '--pretty', 'false', '--project']
  const { stdout } = spawnSync(execPath, [...args, fileURLToPath(folder)], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return stdout
}

describe('README and guides', (test) => {
  test('the tsconfig.json of Getting started compiles its examples', () =>
    assert.is(compileExamples('src/guide/getting-started.md'), ''))
  for (const path of ['README.md', ...guides])
    test(`${path} links only to existing sections of files in the package`, () =>
      assert.equal(
        linksOf(path).filter(
          ({ target, anchor }) =>
            !packed.has(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
        ),
        [],
      ))
  for (const path of [
    '.github/CONTRIBUTING.md',
    '.github/SECURITY.md',
    'CHANGELOG.md',
    'src/README.md',
  ])
    test(`${path} links only to existing files and sections`, () =>
      assert.equal(
        linksOf(path).filter(
          ({ target, anchor }) =>
            !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
        ),
        [],
      ))
  test('src/README.md and src/interpreter/README.md name only existing files and folders', () => {
    const layers = readdirSync('src', { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    const path = new RegExp(
      `(?<![\\w/.-])(?:src/)?((?:${layers.map(({ name }) => name).join('|')})/[\\w/.-]*[\\w/-])`,
      'g',
    )
    const named = ['src/README.md', 'src/interpreter/README.md'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(path)].map(([, name = '']) => `src/${name}`),
    )
    const local = [
      ...readFileSync('src/interpreter/README.md', 'utf8').matchAll(
        /`([\w-]+(?:\/[\w-]*)*(?:\.ts)?)`/g,
      ),
    ]
      .map(([, name = '']) => name)
      .filter((name) => /\/|\.ts$/.test(name) && !/^(?:src|body|compiler)\//.test(name))
      .map((name) => `src/interpreter/${name}`)
    assert.ok(named.length > 80 && local.length > 20, `${named.length} ${local.length}`)
    assert.equal(
      [...named, ...local].filter((name) => !existsSync(name) && !existsSync(`${name}.ts`)),
      [],
    )
  })
  test('README.md links to every guide', () => {
    const linked = new Set(linksOf('README.md').map(({ target }) => target))
    assert.equal(
      guides.filter((guide) => !linked.has(guide)),
      [],
    )
  })
  test('every public function and value is mentioned in a guide', async () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly exports: Readonly<Record<string, unknown>>
    }
    const words = new Set(guides.flatMap((path) => readFileSync(path, 'utf8').match(/\w+/g) ?? []))
    const modules = Object.keys(exports).filter((path) => path !== './package.json')
    const names = await Promise.all(
      modules.map(async (path) => Object.keys(await import(path.replace('.', 'espalier')))),
    )
    assert.equal(
      names.flat().filter((name) => !words.has(name)),
      [],
    )
  })
  test('README.md has at most 300 lines', () =>
    assert.ok(readFileSync('README.md', 'utf8').split('\n').length <= 300))
})
