import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parse, stringify } from 'yaml'
import type { OpenApiDocument } from '../../src/openapi.ts'
import { describe, table } from '../support/describe.ts'
import { books, createProject, run } from './application.ts'

const folder = createProject({
  'books.js': books,
  'build/package.json': '{ "type": "module" }',
  'build/books.js': `export { api } from '../books.js'`,
  'named/package.json':
    '{ "name": "library", "version": "2.1.0", "description": "Lends books.", "type": "module" }',
  'named/build/books.js': `export { api } from '../../books.js'`,
  'conditional.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { get, handle, path, profile, property, routes, when } from 'espalier'
    const hello = pipe(path('/hello'), get(), handle(() => undefined))
    export const api = routes({
      hello,
      debug: pipe(path('/debug'), get(), when(profile('dev')), handle(() => undefined)),
      beta: pipe(path('/beta'), get(), when(property('beta', 'on')), handle(() => undefined)),
    })`,
  'duplicate.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { get, handle, path, routes } from 'espalier'
    const hello = pipe(path('/hello'), get(), handle(() => undefined))
    export const api = routes({ hello, again: hello })`,
  'docs.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { profile, routes, when } from 'espalier'
    import { openApiRoutes } from 'espalier/openapi'
    import { api as books } from './books.js'
    const info = { title: 'Library', version: '3.0.0', license: { name: 'MIT' } }
    const docs = openApiRoutes({ info, servers: [{ url: 'https://library.example' }], version: '3.2', page: false })
    export const api = routes({ books, docs: pipe(docs, when(profile('dev'))) })`,
  'contract.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import { get, int, path, produces, routes, text } from 'espalier'
    export const api = routes({ find: pipe(path('/books/{id}', { id: int }), get(), produces(text)) })`,
  'names.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import * as t from 'io-ts'
    import { get, handle, json, path, produces, routes } from 'espalier'
    const at = (template, codec) => pipe(path(template), get(), produces(json(codec)), handle(() => undefined))
    const Text = t.type({ title: t.string }, 'Book')
    const Count = t.type({ title: t.number }, 'Book')
    export const api = routes({ a: at('/a', Text), b: at('/b', Count) })`,
  'opaque.js': `
    import { pipe } from 'fp-ts/lib/function.js'
    import * as t from 'io-ts'
    import { get, handle, json, path, produces, routes } from 'espalier'
    const Opaque = new t.Type('Opaque', (u) => true, t.success, t.identity)
    export const api = routes({ a: pipe(path('/a'), get(), produces(json(Opaque)), handle(() => 1)) })`,
  'config/application.properties': 'fw.rest.path=/api\n%dev.beta=on\nbeta=${switch:off}\n',
  'config/.env': 'FW_REST_PATH=/ignored\n',
})

const generate = async (...args: ReadonlyArray<string>): Promise<OpenApiDocument> => {
  const { code, out, error } = await run(folder, 'openapi', ...args)
  assert.equal([code, error], [0, ''])
  return JSON.parse(out) as OpenApiDocument
}

const pathsOf = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  Object.keys((await generate(...args)).paths ?? {})

describe('espalier openapi', (test) => {
  test('writes an indented document with a final line break', async () => {
    const { out } = await run(folder, 'openapi', 'books.js')
    assert.match(out, /^\{\n {2}"openapi": "3\.1\.\d",\n[^]*\n\}\n$/)
    assert.is((await run(folder, 'openapi', 'books.js')).out, out)
  })
  test('--version selects the version of OpenAPI', async () => {
    assert.match((await generate('books.js', '--version', '3.2')).openapi, /^3\.2\./)
    assert.match((await generate('books.js', '--version=3.1')).openapi, /^3\.1\./)
  })
  test('the title and version are those of the nearest package.json with a name', async () => {
    assert.equal((await generate('named/build/books.js')).info, {
      title: 'library',
      version: '2.1.0',
      description: 'Lends books.',
    })
    assert.equal((await generate('build/books.js')).info, { title: 'API', version: '0.0.0' })
  })
  test('arguments replace the title, the version and the servers', async () => {
    const args = ['--title', 'Books', '--api-version', '7', '--server', 'https://a', '--server=/b']
    const { info, servers } = await generate('named/build/books.js', ...args)
    assert.equal(info, { title: 'Books', version: '7', description: 'Lends books.' })
    assert.equal(servers, [{ url: 'https://a' }, { url: '/b' }])
  })
  test('openApiRoutes in the tree determines the default title, servers and version', async () => {
    const { openapi, info, servers, paths } = await generate('docs.js')
    assert.match(openapi, /^3\.2\./)
    assert.equal(info, { title: 'Library', version: '3.0.0', license: { name: 'MIT' } })
    assert.equal(servers, [{ url: 'https://library.example' }])
    assert.equal(Object.keys(paths ?? {}), ['/books/{id}', '/books'])
    const args = ['--version', '3.1', '--title', 'Books', '--server', '/']
    const replaced = await generate('docs.js', ...args)
    assert.match(replaced.openapi, /^3\.1\./)
    assert.equal(replaced.info, { ...info, title: 'Books' })
    assert.equal(replaced.servers, [{ url: '/' }])
  })
  test('the tree can be a contract', async () =>
    assert.equal(await pathsOf('contract.js'), ['/books/{id}']))
  test('codecs without a schema are reported in the profile dev', async () => {
    assert.is((await run(folder, 'openapi', 'opaque.js')).error, '')
    const { code, error } = await run(folder, 'openapi', 'opaque.js', '--profile', 'dev')
    assert.is(code, 0)
    assert.match(
      error,
      /^warn: The OpenAPI document contains no schemas for codecs .*\n {2}Opaque$/,
    )
  })
  table<readonly [args: string, paths: ReadonlyArray<string>]>(
    test,
    [
      ['', ['/hello']],
      ['--profile dev', ['/hello', '/debug']],
      ['-D beta=on', ['/hello', '/beta']],
      ['-Dbeta=off -Dbeta=on --define fw.rest.path=/v1', ['/v1/hello', '/v1/beta']],
      ['--config config', ['/api/hello']],
      ['--config config -D switch=on', ['/api/hello', '/api/beta']],
      ['--config config --profile dev', ['/api/hello', '/api/debug', '/api/beta']],
      ['--config config -D fw.rest.path=/v2', ['/v2/hello']],
      ['--config .', ['/hello']],
    ],
    async (args, paths) =>
      assert.equal(await pathsOf('conditional.js', ...args.split(' ').filter(Boolean)), paths),
  )
  test('the environment is not read', async () => {
    process.env['FW_REST_PATH'] = '/env'
    try {
      assert.equal(await pathsOf('conditional.js'), ['/hello'])
    } finally {
      delete process.env['FW_REST_PATH']
    }
  })
  test('warnings about the tree are written to standard error', async () => {
    const { code, error } = await run(folder, 'openapi', 'books.js', '--profile', 'porduction')
    assert.is(code, 0)
    assert.match(error, /^warn: No property or condition refers to the active profile/)
  })
  table<readonly [args: string, error: RegExp]>(
    test,
    [
      ['', /^espalier: missing MODULE: .*\nRun espalier openapi --help for the options\.$/],
      ['books.js other.js', /^espalier: unexpected argument other\.js\n/],
      [
        'books.js --output',
        /^espalier: invalid arguments: Option '-o, --output <value>' argument missing\n/,
      ],
      ['books.js --colour', /^espalier: invalid arguments: Unknown option '--colour'\n/],
      ['books.js --version 3.0', /^espalier: invalid --version 3\.0: expected 3\.1 or 3\.2\n/],
      ['books.js --timeout 1.5', /^espalier: invalid --timeout 1\.5: expected seconds/],
      ['books.js --timeout 0', /^espalier: invalid --timeout 0: expected seconds/],
      ['books.js -D beta', /^espalier: invalid -D beta: expected name=value\n/],
      ['books.js -D =on', /^espalier: invalid -D =on: expected name=value\n/],
      ['books.js -o a --check b', /^espalier: expected either -o or --check, got both\n/],
      [
        'books.js --check .',
        /^espalier: cannot read .*: EISDIR: illegal operation on a directory$/,
      ],
      [
        'books.js -o books.js/openapi.json',
        /^espalier: cannot write .*openapi\.json: E[A-Z]+: [^,]*$/,
      ],
    ],
    async (args, message) => {
      const { code, out, error } = await run(folder, 'openapi', ...args.split(' ').filter(Boolean))
      assert.match(error, message)
      assert.equal([code, out], [2, ''])
    },
  )
  table<readonly [args: string, error: RegExp]>(
    test,
    [
      ['duplicate.js', /^espalier: 1 configuration error\nFW-ROUTE-\d+ [^]*hello[^]*again/],
      [
        'books.js -D fw.rest.pth=/a',
        /^espalier: 1 configuration error\nFW-CONF-\d+ [^]*fw\.rest\.pth \(from option -D\)/,
      ],
      [
        'names.js',
        /^espalier: 1 configuration error\nFW-DOC-002 [^]*different codecs have the name Book/,
      ],
      ['books.js -D fw.http.port=x', /fw\.http\.port[^]*option -D/],
    ],
    async (args, message) => {
      const { code, out, error } = await run(folder, 'openapi', ...args.split(' '))
      assert.match(error, message)
      assert.equal([code, out], [4, ''])
    },
  )
})

describe('espalier openapi -o', (test) => {
  test('writes the document to a file, and nothing to standard output', async () => {
    const result = await run(folder, 'openapi', 'books.js', '-o', 'docs/openapi.json')
    assert.equal(result, { code: 0, out: '', error: '' })
    const { out } = await run(folder, 'openapi', 'books.js')
    assert.is(readFileSync(join(folder, 'docs/openapi.json'), 'utf8'), out)
    assert.equal(readdirSync(join(folder, 'docs')), ['openapi.json'])
  })
  test('writes YAML to files with its extension, and with --yaml', async () => {
    const { out } = await run(folder, 'openapi', 'books.js', '--yaml')
    assert.match(out, /^openapi: \S+\ninfo:\n {2}title: API\n/)
    assert.equal(parse(out), await generate('books.js'))
    for (const args of [['api.yaml'], ['api.YML'], ['api.txt', '--yaml']]) {
      await run(folder, 'openapi', 'books.js', '-o', ...args)
      assert.is(readFileSync(join(folder, args[0] ?? ''), 'utf8'), out)
    }
  })
  test('writes no file if there are errors', async () => {
    await run(folder, 'openapi', 'duplicate.js', '-o', 'docs/duplicate.json')
    assert.equal(readdirSync(join(folder, 'docs')), ['openapi.json'])
  })
})

const write = (name: string, document: unknown, indent?: number): void =>
  writeFileSync(join(folder, name), JSON.stringify(document, undefined, indent))

describe('espalier openapi --check', (test) => {
  test('accepts a current document in any formatting and order of members', async () => {
    await run(folder, 'openapi', 'books.js', '-o', 'current.json')
    const document = await generate('books.js')
    write('compact.json', Object.fromEntries(Object.entries(document).toReversed()), 0)
    for (const file of ['current.json', 'compact.json'])
      assert.equal(await run(folder, 'openapi', 'books.js', '--check', file), {
        code: 0,
        out: '',
        error: '',
      })
  })
  test('describes the differences of a stale document and the command that updates it', async () => {
    const document = await generate('books.js')
    write('stale.json', {
      ...document,
      info: { ...document.info, title: 'Old' },
      paths: { ...document.paths, '/gone': {} },
    })
    const before = readFileSync(join(folder, 'stale.json'), 'utf8')
    const args = ['books.js', '--check', 'stale.json', '-D', 'note=a b']
    const { code, out, error } = await run(folder, 'openapi', ...args)
    assert.equal([code, error], [1, ''])
    assert.equal(out.split('\n'), [
      'stale.json is stale: 2 differences from the generated document',
      '',
      '~ /info/title',
      '    committed: "Old"',
      '    generated: "API"',
      '- /paths/~1gone',
      '    committed: {}',
      '',
      `Update it with: espalier openapi books.js -D 'note=a b' -o stale.json`,
      '',
    ])
    assert.is(readFileSync(join(folder, 'stale.json'), 'utf8'), before)
  })
  test('compares the values of YAML documents', async () => {
    const { out: text } = await run(folder, 'openapi', 'books.js', '--yaml')
    writeFileSync(join(folder, 'current.yaml'), text)
    writeFileSync(
      join(folder, 'formatted.yml'),
      `# reviewed\n${stringify(parse(text), { indent: 4 })}`,
    )
    for (const args of [['current.yaml'], ['formatted.yml'], ['current.yaml', '--yaml']])
      assert.equal(await run(folder, 'openapi', 'books.js', '--check', ...args), {
        code: 0,
        out: '',
        error: '',
      })
    writeFileSync(join(folder, 'stale.yaml'), text.replace('title: API', 'title: Old'))
    const { code, out } = await run(folder, 'openapi', 'books.js', '--check', 'stale.yaml')
    assert.is(code, 1)
    assert.match(
      out,
      /^stale\.yaml is stale: 1 difference [^]*~ \/info\/title\n[^]* -o stale\.yaml\n$/,
    )
    writeFileSync(join(folder, 'conflict.yaml'), `<<<<<<< HEAD\n${text}`)
    const conflict = await run(folder, 'openapi', 'books.js', '--check', 'conflict.yaml')
    assert.is(conflict.code, 1)
    assert.match(conflict.error, /^espalier: conflict\.yaml is not valid YAML: /)
  })
  test('a missing document is stale', async () =>
    assert.equal(await run(folder, 'openapi', 'books.js', '--check=none.json'), {
      code: 1,
      out: 'none.json does not exist.\nUpdate it with: espalier openapi books.js -o none.json\n',
      error: '',
    }))
  test('a malformed document is stale', async () => {
    writeFileSync(join(folder, 'conflict.json'), '<<<<<<< HEAD\n{}')
    const { code, out, error } = await run(
      folder,
      'openapi',
      'books.js',
      '--check',
      'conflict.json',
    )
    assert.equal([code, out], [1, ''])
    assert.match(error, /^espalier: conflict\.json is not valid JSON: /)
  })
})
