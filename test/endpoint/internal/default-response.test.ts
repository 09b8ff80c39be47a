import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { defaultResponse } from '../../../src/endpoint/internal/default-response.ts'
import type { DefaultResponse } from '../../../src/endpoint/internal/default-response.ts'
import { fails, get, path, produces, responds, status, text } from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'

const resource = pipe(path('/'), get())

type Row = readonly [
  title: string,
  endpoint: Pick<typeof resource, 'definition'>,
  expected: number,
  DefaultResponse['declaredBy'],
]

describe('defaultResponse', (test) => {
  table<Row>(
    test,
    [
      ['no declaration', resource, 204, 'produced'],
      ['only failures', pipe(resource, fails(404)), 204, 'produced'],
      ['produces', pipe(resource, produces(text)), 200, 'produced'],
      ['status', pipe(resource, status(202)), 202, 'produced'],
      ['status and produces', pipe(resource, status(202), produces(text)), 202, 'produced'],
      ['status and responds', pipe(resource, status(202), responds(201)), 202, 'produced'],
      ['produces and responds', pipe(resource, produces(text), responds(201)), 200, 'produced'],
      ['responds', pipe(resource, responds(201, text)), 201, 'responds'],
      ['responds and fails', pipe(resource, fails(404), responds(201)), 201, 'responds'],
      [
        'responds with a status that is not registered',
        pipe(resource, responds(222)),
        222,
        'responds',
      ],
      ['responds twice', pipe(resource, responds(201), responds(202)), 204, 'none'],
      ['responds with a redirect', pipe(resource, responds(303)), 204, 'none'],
    ],
    (_, { definition }, expected, declaredBy) => {
      const actual = defaultResponse(definition)
      assert.is(actual.response.status, expected)
      assert.is(actual.declaredBy, declaredBy)
    },
  )
})
