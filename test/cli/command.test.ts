import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { exitCodes } from '../../src/cli/exit-code.ts'
import { describe, table } from '../support/describe.ts'
import { run } from './application.ts'

const command = (...args: ReadonlyArray<string>) => run(process.cwd(), ...args)

describe('espalier', (test) => {
  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly version: string
    }
    for (const option of ['--version', '-v'])
      assert.equal(await command(option), { code: 0, out: `${version}\n`, error: '' })
  })
  table(
    test,
    [['--help'], ['-h'], ['openapi --help'], ['routes -h'], ['routes MODULE --help']],
    async (args) => {
      const { code, out, error } = await command(...args.split(' '))
      assert.equal([code, error], [0, ''])
      assert.match(out, /^Usage: espalier /)
      for (const [number, meaning] of Object.values(exitCodes))
        assert.ok(out.includes(`  ${number}  ${meaning}\n`), out)
      assert.ok(out.split('\n').every((line) => line.length <= 125))
    },
  )
  test('the exit codes are stable', () =>
    assert.equal(
      Object.entries(exitCodes).map(([name, [code]]) => `${name} ${code}`),
      ['success 0', 'stale 1', 'usage 2', 'module 3', 'configuration 4', 'internal 5'],
    ))
  test('--help of a command lists every option that it accepts', async () => {
    const openapi = (await command('openapi', '--help')).out
    for (const option of [
      '-o, --output',
      '--check',
      '--version',
      '--yaml',
      '--title',
      '--api-version',
      '--server',
    ])
      assert.match(openapi, new RegExp(`^  ${option} `, 'm'))
    const routes = (await command('routes', '--help')).out
    assert.match(routes, /^ {2}--json /m)
    for (const option of ['--profile', '-D, --define', '--config', '--stack', '-h, --help'])
      for (const text of [openapi, routes]) assert.match(text, new RegExp(`^  ${option} `, 'm'))
  })
  table(
    test,
    [
      ['', 'missing command'],
      ['serve', 'unknown command serve'],
      ['toString', 'unknown command toString'],
      ['--profile dev routes', 'unexpected option --profile before the command'],
    ] as const,
    async (args, problem) =>
      assert.equal(await command(...args.split(' ').filter(Boolean)), {
        code: 2,
        out: '',
        error: `espalier: ${problem}: expected openapi or routes\nRun espalier --help for the usage.`,
      }),
  )
})
