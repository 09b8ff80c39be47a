import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

/** Extracts the modules of a README, a source and a guide. Returns their text by name. */
const extracted = (
  readme: string,
  source: string,
  guide = '',
): Readonly<Record<string, string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
  try {
    mkdirSync(join(folder, 'src/http'), { recursive: true })
    writeFileSync(join(folder, 'README.md'), readme)
    writeFileSync(join(folder, 'src/http/a.ts'), source)
    mkdirSync(join(folder, 'src/guide'))
    writeFileSync(join(folder, 'src/guide/b.md'), guide)
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

describe('extract.mjs', (test) => {
  test('every ts block is a module, named by its file and line', () =>
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
  test('a then comment is appended to its block', () =>
    assert.equal(extracted(`${block('ts', 'f()')}<!-- then: g() -->\n`, ''), {
      'README.md.2.ts': 'f()\n\ng()\nexport {}\n',
    }))
  test('blocks of a guide are extracted', () =>
    assert.equal(extracted('', '', block('ts', 'f()')), {
      'src.guide.b.md.2.ts': 'f()\n\n\nexport {}\n',
    }))
  test('curl commands after a block with a server are checked before the hidden code', () =>
    assert.equal(
      extracted(
        [
          block('ts', 'const server = f()'),
          '<!-- then: server.close() -->\n',
          block(
            'console',
            '$ curl http://localhost:8080 \\',
            '    -i',
            'HTTP/1.1 200 OK',
            '$ ls',
            'a',
          ),
        ].join(''),
        '',
      ),
      {
        'README.md.2.ts': [
          'const server = f()',
          '',
          "import { checkCommand } from '../console.ts'",
          'await checkCommand(server.url, "curl http://localhost:8080 \\\\\\n    -i", "HTTP/1.1 200 OK")',
          'server.close()',
          'export {}',
          '',
        ].join('\n'),
      },
    ))
  test('a curl command after a block without a server is an error', () =>
    assert.throws(
      () =>
        extracted(`${block('ts', 'f()')}${block('console', '$ curl http://localhost:8080')}`, ''),
      /README\.md:2: a curl command follows a block that starts no server/,
    ))
  test('blocks of other languages are ignored', () =>
    assert.equal(
      extracted(
        ['sh', 'console', 'text', 'json', 'http', ''].map((kind) => block(kind, 'f()')).join('\n'),
        '/**\n * ```text\n * f()\n * ```\n */\n',
      ),
      {},
    ))
  test('an unclosed block is an error', () => {
    assert.throws(
      () => extracted('```ts\nf()\n', ''),
      /README\.md: unclosed or misindented ts block/,
    )
    assert.throws(
      () => extracted('', '/**\n * ```ts\n * f()\n */\n'),
      /a\.ts: unclosed or misindented/,
    )
    assert.throws(
      () => extracted('```ts title\nf()\n```\n', ''),
      /README\.md: unclosed or misindented/,
    )
  })
  test('a failing example is a failing test', async () => {
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
