/**
 * Requests and responses of `curl`: forms, files, ranges, conditions, compression and streams.
 *
 * Without curl, these tests are skipped; in CI they fail.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describeWith } from '../../support/describe.ts'
import {
  startServer,
  digestOf,
  folder,
  large,
  lorem,
  largeBytes,
} from '../../programs/foreign-api.ts'

const execute = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** Runs curl. Resolves to its output and its exit code. */
const curl = async (...words: ReadonlyArray<string>) => {
  try {
    const { stdout } = await execute('curl', ['-sS', '--max-time', '20', ...words])
    return { text: stdout, code: 0 }
  } catch (error) {
    const { stdout, code } = error as { readonly stdout: string; readonly code: number }
    return { text: stdout, code }
  }
}

const formOptions = (...all: ReadonlyArray<string>): ReadonlyArray<string> =>
  all.flatMap((field) => ['-F', field])

describeWith('curl', 'curl', hasCurl, (test, { before, after }) => {
  let server: Server | undefined
  const to = (target: string): string => `${server?.url ?? ''}${target}`
  const status = ['-w', '%{http_code}']
  before(async () => {
    server = await startServer()
  })
  after(() => server?.close())

  test('-F sends a form', async () => {
    const { text } = await curl(
      ...formOptions(
        'title=Emma é',
        'tag=a',
        'tag=b',
        'meta={"pages":474};type=application/json',
        `cover=@"${lorem.replaceAll('"', '\\"')}";type=text/plain`,
        `pages=@${large};filename=../../etc/passwd`,
      ),
      to('/form'),
    )
    const defaultType = 'application/octet-stream'
    assert.equal(JSON.parse(text), {
      title: 'Emma é',
      tag: ['a', 'b'],
      meta: { pages: 474 },
      files: [
        {
          name: 'cover',
          fileName: 'lorem "ipsum" é.txt',
          contentType: 'text/plain',
          size: 11,
          digest: digestOf(Buffer.from('Lorem ipsum')),
        },
        {
          name: 'pages',
          fileName: 'passwd',
          contentType: defaultType,
          size: largeBytes.length,
          digest: digestOf(largeBytes),
        },
      ],
    })
  })

  for (const target of ['/file', '/stream'])
    for (const headers of [
      [],
      ['-H', 'Transfer-Encoding: chunked'],
      ['-H', 'Expect: 100-continue'],
    ])
      test(`${['-T', ...headers].join(' ')} sends a file to ${target}`, async () => {
        const { text } = await curl('-T', large, ...headers, to(target))
        assert.is(text, digestOf(largeBytes))
      })

  test('-C resumes a partial download', async () => {
    const saved = join(folder, 'saved')
    writeFileSync(saved, largeBytes.subarray(0, 1_000_001))
    const { text } = await curl('-C', '-', '-o', saved, ...status, to('/file'))
    assert.is(text, '206')
    assert.is(digestOf(readFileSync(saved)), digestOf(largeBytes))
    const whole = await curl('-C', '-', '-o', saved, ...status, to('/file'))
    assert.is(whole.text, '416')
  })

  test('-r receives ranges', async () => {
    const saved = join(folder, 'range')
    const single = await curl('-r', '5-9', '-o', saved, ...status, to('/file'))
    assert.is(single.text, '206')
    assert.equal(readFileSync(saved), Buffer.from(largeBytes.subarray(5, 10)))
    const { text } = await curl('-r', '0-0,-1', '-D', '-', '-o', saved, to('/file'))
    assert.match(text, /^HTTP\/1\.1 206 .*\r\nContent-Type: multipart\/byteranges; boundary=/s)
  })

  test('-z and --etag-compare receive 304', async () => {
    const [saved, tag] = [join(folder, 'whole'), join(folder, 'tag')]
    const first = await curl('--etag-save', tag, '-R', '-o', saved, ...status, to('/file'))
    assert.is(first.text, '200')
    const dated = await curl('-z', saved, '-o', `${saved}-2`, ...status, to('/file'))
    assert.is(dated.text, '304')
    const tagged = await curl('--etag-compare', tag, '-o', `${saved}-3`, ...status, to('/file'))
    assert.is(tagged.text, '304')
    assert.not.ok(existsSync(`${saved}-2`) && readFileSync(`${saved}-2`).length > 0)
  })

  test('--compressed reads compressed responses', async () => {
    const { text } = await curl('--compressed', '-D', '-', to('/text'))
    assert.match(text, /\r\nContent-Encoding: (gzip|deflate|br|zstd)\r\n/)
    assert.ok(text.endsWith('espalier '.repeat(1000)))
  })

  test('streams are read, and a cut stream is detected', async () => {
    assert.equal(await curl(to('/numbers')), { text: '[1,2,3]', code: 0 })
    const events = await curl('-N', '-H', 'Accept: text/event-stream', to('/numbers'))
    assert.is(events.text, 'data: 1\n\ndata: 2\n\ndata: 3\n\n')
    const { text, code } = await curl(to('/broken'))
    // 18: incomplete transfer; 56: failed to receive data
    assert.is(text, '[1')
    assert.ok(code === 18 || code === 56, `curl ended with ${code}`)
  })

  test('-0 (HTTP/1.0) detects a cut stream by a reset', async () => {
    const { text, code } = await curl('-0', to('/broken'))
    assert.is(text, '[1')
    assert.ok(code === 18 || code === 56, `curl ended with ${code}`)
  })
})
