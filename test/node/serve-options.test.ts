/** `loadConfiguration`: the configuration that is available before `serve`. */
import * as assert from 'uvu/assert'
import { loadConfiguration, type ServeOptions } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { describe } from '../support/describe.ts'
import { withDirectory } from './settings/directory.ts'

const files = {
  'application.properties': 'library.database=file\nlibrary.pool=5\n%test.library.host=local\n',
  '.env': 'LIBRARY_DATABASE=env\n',
}

describe('loadConfiguration', (test) => {
  test('reads properties, .env and options like serve', () =>
    withDirectory(files, (directory) => {
      const options: ServeOptions = {
        directory,
        profile: 'test',
        properties: { 'library.pool': '9' },
        'fw.http.port': 0,
        // options without a setting are ignored
        logger: silentLogger,
        signals: false,
        module: 'file:///api.js',
        export: 'api',
        onClose: () => undefined,
      }
      const { profile, property } = loadConfiguration(options)
      assert.is(profile, 'test')
      assert.equal(
        ['library.database', 'library.pool', 'library.host', 'fw.http.port', 'other'].map(property),
        ['env', '9', 'local', '0', undefined],
      )
    }))
  test('throws a ConfigurationError for an unknown setting', () => {
    const options: ServeOptions = JSON.parse('{"fw.http.prt": 1}')
    assert.throws(() => loadConfiguration(options), /fw\.http\.prt/)
  })
})
