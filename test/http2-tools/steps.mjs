/** The steps of `run.mjs`: one for each client, and one for h2spec on each port. */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { checkConformance } from './h2spec.mjs'

const execute = promisify(execFile)
const directory = import.meta.dirname

/** @type {(actual: unknown, expected: unknown) => void} */
const assertEqual = (actual, expected) => {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`expected ${b}, received ${a}`)
}

/** Sends a request with curl. Returns the version of HTTP, the status and the size of the body. */
const curl = async (...args) => {
  const format = '%{http_version} %{http_code} %{size_download}'
  const { stdout } = await execute('curl', ['-sS', '-o', '/dev/null', '-w', format, ...args])
  return stdout
}

const runCurl = async ({ tlsPort, clearPort, certificate, folder }) => {
  const upload = join(folder, 'upload')
  writeFileSync(upload, Buffer.alloc(3_000_000))
  const secure = ['--cacert', certificate, '--http2', `https://localhost:${tlsPort}`]
  const url = secure.pop()
  const sendFile = ['-H', 'Content-Type: application/octet-stream', '--data-binary', `@${upload}`]
  assertEqual(await curl(...secure, url), '2 200 5')
  assertEqual(await curl(...secure, `${url}/large`), '2 200 4000000')
  assertEqual(await curl(...secure, ...sendFile, `${url}/echo`), '2 200 3000000')
  assertEqual(await curl(...secure, '-I', url), '2 200 0')
  assertEqual(await curl(...secure, '--http1.1', url), '1.1 200 5')
  const clear = `http://127.0.0.1:${clearPort}`
  assertEqual(await curl('--http2-prior-knowledge', `${clear}/large`), '2 200 4000000')
  // the upgrade is ignored
  assertEqual(await curl('--http2', clear), '1.1 200 5')
  return '7 requests'
}

/** Runs h2load. All requests must succeed. */
const runH2load = async ({ tlsPort, clearPort }) => {
  const load = async (requests, ...args) => {
    const { stdout } = await execute('h2load', ['-n', String(requests), ...args])
    const [line = '', succeeded] = /requests: .* (\d+) succeeded, .*/.exec(stdout) ?? []
    if (Number(succeeded) !== requests) throw new Error(line)
    const [, rate] = /finished in .*?, ([\d.]+) req\/s/.exec(stdout) ?? []
    return `${rate} requests/s`
  }
  const clear = `http://127.0.0.1:${clearPort}`
  return [
    await load(20_000, '-c', '8', '-m', '128', clear),
    await load(5000, '-c', '4', '-m', '32', `https://127.0.0.1:${tlsPort}/`),
    await load(100, '-c', '2', '-m', '20', `${clear}/large`),
  ].join(', ')
}

const runGo = async ({ tlsPort, certificate, folder }) => {
  const program = join(folder, 'go')
  mkdirSync(program)
  copyFileSync(join(directory, 'client.go'), join(program, 'main.go'))
  const args = ['run', 'main.go', `https://localhost:${tlsPort}`, certificate]
  const { stdout } = await execute('go', args, { cwd: program })
  return stdout.trim()
}

const runJava = async ({ tlsPort, certificate }) => {
  const args = [join(directory, 'Client.java'), `https://localhost:${tlsPort}`, certificate]
  const { stdout } = await execute('java', args)
  return stdout.trim()
}

/** Runs requests in a page: a fetch, an upload, parallel requests, and an event stream. */
const inPage = async () => {
  const hello = await (await fetch('/')).text()
  const upload = await fetch('/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(2_000_000),
  })
  const parallel = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => (await fetch(`/?${i}`)).status),
  )
  const events = await new Promise((resolve, reject) => {
    const source = new EventSource('/events')
    const received = []
    source.onmessage = ({ data }) => {
      if (received.push(data) < 3) return
      source.close()
      resolve(received)
    }
    source.onerror = () => reject(new Error('the event stream failed'))
  })
  const protocols = performance.getEntriesByType('resource').map((entry) => entry.nextHopProtocol)
  return {
    hello,
    uploaded: await upload.text(),
    served: parallel.filter((status) => status === 200).length,
    events,
    protocols: [...new Set(protocols)].filter((protocol) => protocol !== ''),
  }
}

const runChromium = async ({ tlsPort }) => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    await page.goto(`https://localhost:${tlsPort}/page`)
    assertEqual(await page.evaluate(inPage), {
      hello: 'Hello',
      uploaded: '2000000',
      served: 100,
      events: ['one', 'two', 'three'],
      protocols: ['h2'],
    })
    return `103 requests in version ${browser.version()}`
  } finally {
    await browser.close()
  }
}

export const steps = [
  {
    name: 'h2spec',
    tool: 'go',
    run: ({ clearPort, folder }) => checkConformance(folder, ['-p', String(clearPort)]),
  },
  {
    name: 'h2spec-tls',
    tool: 'go',
    run: ({ tlsPort, folder }) => checkConformance(folder, ['-p', String(tlsPort), '-t', '-k']),
  },
  { name: 'h2load', tool: 'h2load', run: runH2load },
  { name: 'curl', tool: 'curl', run: runCurl },
  { name: 'go', tool: 'go', run: runGo },
  { name: 'java', tool: 'java', run: runJava },
  { name: 'chromium', tool: undefined, run: runChromium },
]
