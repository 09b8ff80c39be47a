import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

/** The modules that are made of a README and one source, by name. */
const extracted = (readme: string, source: string): Readonly<Record<string, string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
  try {
    mkdirSync(join(folder, 'src/http'), { recursive: true })
    writeFileSync(join(folder, 'README.md'), readme)
    writeFileSync(join(folder, 'src/http/a.ts'), source)
    execFileSync(process.execPath, [resolve('test/docs/extract.mjs')], {
      cwd: folder,
      stdio: 'pipe',
    })
    const out = join(folder, 'test/docs/out')
    return Object.fromEntries(
      readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const block = (language: string, ...lines: ReadonlyArray<string>): string =>
  ['```' + language, ...lines, '```', ''].join('\n')

describe('examples are taken from the documentation', (test) => {
  test('every block of ts, named by where it stands', () =>
    assert.equal(
      extracted(
        `# A\n\n${block('ts', 'const a = 1', '', 'f(a)')}\ntext\n${block('ts', 'g()')}`,
        '/**\n * A.\n *\n * ```ts\n * h()\n *\n *   i()\n * ```\n */\nexport const a = 1\n',
      ),
      {
        'README.md.4.ts': 'const a = 1\n\nf(a)\n\n\nexport {}\n',
        'README.md.11.ts': 'g()\n\n\nexport {}\n',
        'src.http.a.ts.5.ts': 'h()\n\n  i()\n\n\nexport {}\n',
      },
    ))
  test('what a reader need not see runs behind its block', () =>
    assert.equal(extracted(`${block('ts', 'f()')}<!-- then: g() -->\n`, ''), {
      'README.md.2.ts': 'f()\n\ng()\nexport {}\n',
    }))
  test('blocks of another kind are not run', () =>
    assert.equal(
      extracted(
        ['sh', 'console', 'text', 'json', 'http', ''].map((kind) => block(kind, 'f()')).join('\n'),
        '/**\n * ```text\n * f()\n * ```\n */\n',
      ),
      {},
    ))
  test('a block that is not closed is an error', () => {
    assert.throws(() => extracted('```ts\nf()\n', ''), /README\.md: a block of ts is not closed/)
    assert.throws(() => extracted('', '/**\n * ```ts\n * f()\n */\n'), /a\.ts: a block of ts/)
    assert.throws(() => extracted('```ts title\nf()\n```\n', ''), /README\.md: a block of ts/)
  })
  test('an example that fails is a test that fails', async () => {
    const example = block('ts', "import assert from 'node:assert/strict'", 'assert.equal(1 + 1, 3)')
    const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
    try {
      const file = join(folder, 'example.mjs')
      writeFileSync(file, Object.values(extracted(example, ''))[0] ?? '')
      const error: unknown = await import(pathToFileURL(file).href).catch(
        (reason: unknown) => reason,
      )
      assert.match(String(error), 'AssertionError')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
