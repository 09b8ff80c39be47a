import * as assert from 'uvu/assert'
import * as FileMediaType from '../../src/http/file-media-type.ts'
import { describe, table } from '../support/describe.ts'

describe('FileMediaType.ofFileName', (test) => {
  table(
    test,
    [
      ['lorem.txt', 'text/plain'],
      ['a.PNG', 'image/png'],
      ['a.tar.gz', 'application/gzip'],
      ['a.js', 'text/javascript'],
      ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      ['lorem', 'application/octet-stream'],
      ['.htaccess', 'application/octet-stream'],
      ['', 'application/octet-stream'],
      ['a.', 'application/octet-stream'],
    ] as const,
    async (name, type) => assert.is(await FileMediaType.ofFileName(name), type),
  )
})
