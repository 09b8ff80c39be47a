/** Configuration errors for entities without a reader or writer. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  entity,
  fails,
  get,
  handle,
  mapError,
  onlyOn,
  path,
  post,
  produces,
  reader,
  reply,
  requestFilter,
  routes,
  withFilter,
  withMapper,
  withReader,
  withWriter,
  writer,
} from '../../../src/index.ts'
import { ConfigurationError } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { Book, emma, lines } from './books.ts'
import { describe } from '../../support/describe.ts'

const unserved = routes({
  read: pipe(
    path('/read'),
    post(),
    body(as('text/csv')(entity(Book))),
    handle(() => undefined),
  ),
  write: pipe(
    path('/write'),
    get(),
    produces(as('text/csv;qs=0.5')(entity(Book))),
    fails(404, as('image/*')(entity(Book))),
    handle(() => emma),
  ),
})
const csv = {
  reader: reader({ mediaType: 'text/csv', read: () => emma }),
  writer: lines('csv', 'text/csv'),
}

const configurationErrors = (api: Parameters<typeof inMemory>[0]): ReadonlyArray<string> => {
  try {
    inMemory(api)
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, remedy }) => `${code} ${remedy}`)
  }
}
const missingReader = 'FW-MEDIA-002 no reader for Book as text/csv: add one with withReader(…)'
const missingWriter = (mediaType: string) =>
  `FW-MEDIA-002 no writer for Book as ${mediaType}: add one with withWriter(…)`

describe('entities without a reader or writer', (test) => {
  test('all missing readers and writers are reported', () =>
    assert.equal(configurationErrors(unserved), [
      missingReader,
      missingWriter('text/csv;qs=0.5'),
      missingWriter('image/*'),
    ]))
  test('a reader does not replace a missing writer', () =>
    assert.equal(configurationErrors(pipe(unserved, withReader(csv.reader))), [
      missingWriter('text/csv;qs=0.5'),
      missingWriter('image/*'),
    ]))
  test('a writer does not replace a missing reader', () =>
    assert.equal(configurationErrors(pipe(unserved, withWriter(csv.writer))), [
      missingReader,
      missingWriter('image/*'),
    ]))
  test('a client-only writer does not apply to the server', () =>
    assert.equal(
      configurationErrors(pipe(unserved, withWriter(onlyOn('client')(csv.writer)))).length,
      3,
    ))
  test('entities of filters and mappers need a writer', () =>
    assert.equal(
      configurationErrors(
        pipe(
          routes({
            a: pipe(
              path('/'),
              get(),
              handle(() => undefined),
            ),
          }),
          withFilter(
            requestFilter({ fails: { 409: as('text/a')(entity(Book)) } }, () => undefined),
          ),
          withMapper(
            mapError(Error, { fails: { 410: as('text/b')(entity(Book)) } }, () => reply(410, emma)),
          ),
        ),
      ),
      [missingWriter('text/a'), missingWriter('text/b')],
    ))
  test('writer with a malformed media type throws a TypeError', () =>
    assert.throws(() => writer({ mediaType: 'text', write: () => '' }), TypeError))
})
