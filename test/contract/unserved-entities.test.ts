/** Entities that nobody reads or writes. */
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
} from '../../src/index.ts'
import { MistakesError } from '../../src/node.ts'
import { inMemory } from '../../src/testing.ts'
import { Book, emma, lines } from '../support/books.ts'
import { describe } from '../support/describe.ts'

const nobody = routes({
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

const mistakesOf = (api: Parameters<typeof inMemory>[0]): ReadonlyArray<string> => {
  try {
    inMemory(api)
    return []
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code, remedy }) => `${code} ${remedy}`)
  }
}
const read = 'FW-MEDIA-002 no reader for Book as text/csv: add one with withReader(…)'
const write = (what: string) =>
  `FW-MEDIA-002 no writer for Book as ${what}: add one with withWriter(…)`

describe('entities that nobody serves are found at the start', (test) => {
  test('all of them', () =>
    assert.equal(mistakesOf(nobody), [read, write('text/csv;qs=0.5'), write('image/*')]))
  test('a reader is no writer', () =>
    assert.equal(mistakesOf(pipe(nobody, withReader(csv.reader))), [
      write('text/csv;qs=0.5'),
      write('image/*'),
    ]))
  test('a writer is no reader', () =>
    assert.equal(mistakesOf(pipe(nobody, withWriter(csv.writer))), [read, write('image/*')]))
  test('those of clients do not count', () =>
    assert.equal(mistakesOf(pipe(nobody, withWriter(onlyOn('client')(csv.writer)))).length, 3))
  test('answers of filters and mappers count', () =>
    assert.equal(
      mistakesOf(
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
      [write('text/a'), write('text/b')],
    ))
  test('a malformed media type is refused where it is written', () =>
    assert.throws(() => writer({ mediaType: 'text', write: () => '' }), TypeError))
})
