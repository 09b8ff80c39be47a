/** Whether HTTP/2 is served: by version of Node.js and by settings, with the log lines. */
import * as assert from 'uvu/assert'
import type { ServeOptions } from '../../../src/node.ts'
import { sourcesOf } from '../../../src/node/serve-options.ts'
import { isHttp2Vulnerable, loadHttp2 } from '../../../src/node/listener/http2-support.ts'
import { loadSettings } from '../../../src/node/settings/load-settings.ts'
import { describe, table } from '../../support/describe.ts'
import { createRecorder } from '../../support/recorder.ts'

describe('known vulnerabilities of node:http2', (test) => {
  table(
    test,
    [
      ['20.20.2', true],
      ['22.23.1', true],
      ['22.23.2', false],
      ['22.24.0', false],
      ['23.11.0', true],
      ['24.18.0', true],
      ['24.18.1', false],
      ['24.19.0', false],
      ['25.9.0', true],
      ['26.0.0', false],
      ['27.1.0', false],
    ] as const,
    (version, expected) => assert.is(isHttp2Vulnerable(version), expected),
  )
})

describe('HTTP/2 by settings and version', (test) => {
  const fixed = '24.18.1'
  const vulnerable = '20.20.2'
  table(
    test,
    [
      ['auto on a fixed version', {}, true, fixed, 'TLS', []],
      ['auto on a vulnerable version', {}, true, vulnerable, 'off', ['info: HTTP/2 is off']],
      ['auto without TLS', {}, false, vulnerable, 'off', []],
      ['true on a fixed version', { 'fw.http.http2': true }, true, fixed, 'TLS', []],
      [
        'true on a vulnerable version',
        { 'fw.http.http2': true },
        true,
        vulnerable,
        'TLS',
        ['warn: HTTP/2 is on'],
      ],
      ['true without TLS', { 'fw.http.http2': true }, false, vulnerable, 'off', []],
      ['false on a fixed version', { 'fw.http.http2': false }, true, fixed, 'off', []],
      ['false on a vulnerable version', { 'fw.http.http2': false }, true, vulnerable, 'off', []],
      [
        'clear text on a fixed version',
        { 'fw.http.http2-clear-text': true },
        false,
        fixed,
        'clear',
        [],
      ],
      [
        'clear text on a vulnerable version',
        { 'fw.http.http2-clear-text': true },
        true,
        vulnerable,
        'clear',
        ['warn: HTTP/2 is on'],
      ],
    ] as const,
    async (_, settings, usesTls, version, expected, lines) => {
      const options: ServeOptions = settings
      const recorder = createRecorder()
      const loaded = loadSettings(sourcesOf(options))
      const http2 = await loadHttp2(loaded, usesTls, recorder.logger, version)
      const served = [
        ...(http2?.onTlsPort === true ? ['TLS'] : []),
        ...(http2?.onClearPort === true ? ['clear'] : []),
      ]
      assert.equal(served.join(' ') || 'off', expected)
      assert.equal(
        recorder.lines.map(({ level, message }) => `${level}: ${message.split(',')[0]}`),
        [...lines],
      )
    },
  )
})
