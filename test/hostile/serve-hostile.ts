/**
 * A server for hostile requests, run as a child process. It measures itself on command of its parent.
 *
 *     node serve-hostile.js <URL of a build> <settings as JSON> [<body size for all operations>]
 */
import { api } from './api.ts'
import { load } from './library.ts'
import { meter } from './meter.ts'

const [build = '', settings = '{}', bodySize] = process.argv.slice(2)
const library = await load(build)
const quiet = (): void => undefined
const tree = api(library)
const served = bodySize === undefined ? tree : library.espalier.limits({ bodySize })(tree)
const server = await library.node.serve(served, {
  logger: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.http.enable-decompression': true,
  'fw.http.proxy.trusted': '127.0.0.1',
  'fw.shutdown.grace': 0,
  ...JSON.parse(settings),
})

const { begin, end } = meter()
process.on('message', (command) => {
  if (command === 'begin') begin()
  process.send?.(command === 'end' ? end() : 'started')
})
process.on('disconnect', () => process.exit())
process.send?.(server.url)
