import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { RequestFailure, ValidationError } from '../../src/http/failure.ts'
import * as Problem from '../../src/http/problem.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const errors: ReadonlyArray<ValidationError> = [
  { in: 'query', name: 'page', detail: 'must be an integer' },
  { in: 'body', pointer: '#/a', detail: 'is required and must be a string' },
]

describe('Problem.ofStatus', (test) => {
  table<readonly [number, string | undefined, Problem.Problem]>(
    test,
    [
      [404, undefined, { title: 'Not Found', status: 404 }],
      [409, 'Lent already.', { title: 'Conflict', status: 409, detail: 'Lent already.' }],
      [499, undefined, { title: 'Client Error', status: 499 }], // RFC 9110, 15: the name of the class
    ],
    (status, detail, expected) => assert.equal(Problem.ofStatus(status, detail), expected),
  )
})

const unavailable = (detail: string) => ({ title: 'Service Unavailable', status: 503, detail })

describe('Problem.ofFailure', (test) => {
  table<readonly [string, RequestFailure, Problem.Problem]>(
    test,
    [
      [
        'MalformedRequest',
        { _tag: 'MalformedRequest', detail: 'Accept is malformed.' },
        { title: 'Bad Request', status: 400, detail: 'Accept is malformed.' },
      ],
      [
        'InvalidInput',
        { _tag: 'InvalidInput', errors, more: false },
        {
          title: 'Bad Request',
          status: 400,
          detail: 'Request validation failed.',
          errors: errors,
        },
      ],
      [
        'InvalidInput with more errors than listed',
        { _tag: 'InvalidInput', errors, more: true },
        {
          title: 'Bad Request',
          status: 400,
          detail: 'Request validation failed.',
          errors: errors,
          truncated: true,
        },
      ],
      [
        'NotFound',
        { _tag: 'NotFound', errors: [], more: false },
        { title: 'Not Found', status: 404 },
      ],
      [
        'NotFound with errors of path parameters',
        { _tag: 'NotFound', errors, more: false },
        {
          title: 'Not Found',
          status: 404,
          detail: 'Invalid path parameter.',
          errors: errors,
        },
      ],
      [
        'MissingContentType',
        { _tag: 'MissingContentType', supported: ['text/plain'] },
        {
          title: 'Bad Request',
          status: 400,
          detail: 'Missing Content-Type header.',
          supported: ['text/plain'],
        },
      ],
      [
        'MethodNotAllowed',
        { _tag: 'MethodNotAllowed', allow: ['GET', 'HEAD'] },
        {
          title: 'Method Not Allowed',
          status: 405,
          detail: 'The target resource does not support this method.',
          supported: ['GET', 'HEAD'],
        },
      ],
      [
        'NotAcceptable',
        { _tag: 'NotAcceptable', available: ['application/json'] },
        {
          title: 'Not Acceptable',
          status: 406,
          detail: 'No available representation matches the Accept header.',
          supported: ['application/json'],
        },
      ],
      ['RequestTimeout', { _tag: 'RequestTimeout' }, { title: 'Request Timeout', status: 408 }],
      [
        'ContentTooLarge',
        { _tag: 'ContentTooLarge', detail: 'At most 10240K.' },
        { title: 'Content Too Large', status: 413, detail: 'At most 10240K.' },
      ],
      ['UriTooLong', { _tag: 'UriTooLong' }, { title: 'URI Too Long', status: 414 }],
      [
        'UnsupportedMediaType',
        { _tag: 'UnsupportedMediaType', detail: 'Not this one.', supported: ['text/plain'] },
        {
          title: 'Unsupported Media Type',
          status: 415,
          detail: 'Not this one.',
          supported: ['text/plain'],
        },
      ],
      [
        'UnsupportedContentCoding',
        { _tag: 'UnsupportedContentCoding' },
        {
          title: 'Unsupported Media Type',
          status: 415,
          detail: 'Unsupported Content-Encoding. Send the body uncompressed.',
        },
      ],
      [
        'ExpectationFailed',
        { _tag: 'ExpectationFailed' },
        { title: 'Expectation Failed', status: 417 },
      ],
      [
        'HeaderFieldsTooLarge',
        { _tag: 'HeaderFieldsTooLarge' },
        { title: 'Request Header Fields Too Large', status: 431 },
      ],
      ['InternalError', { _tag: 'InternalError' }, { title: 'Internal Server Error', status: 500 }],
      [
        'MethodNotImplemented',
        { _tag: 'MethodNotImplemented' },
        Problem.ofStatus(501, 'The server does not support this request method.'),
      ],
      [
        'TransferCodingNotImplemented',
        { _tag: 'TransferCodingNotImplemented' },
        { title: 'Not Implemented', status: 501 },
      ],
      [
        'ServiceUnavailable',
        { _tag: 'ServiceUnavailable' },
        { title: 'Service Unavailable', status: 503 },
      ],
      ['HandlerTimeout', { _tag: 'HandlerTimeout' }, unavailable('The operation timed out.')],
      [
        'Overloaded',
        { _tag: 'Overloaded' },
        unavailable('The server is overloaded. Try again later.'),
      ],
      [
        'BodyMemoryExhausted',
        { _tag: 'BodyMemoryExhausted' },
        unavailable(
          'Total size limit for buffered bodies reached (fw.http.limits.max-buffered-size). Try again later.',
        ),
      ],
      [
        'VersionNotSupported',
        { _tag: 'VersionNotSupported' },
        { title: 'HTTP Version Not Supported', status: 505 },
      ],
    ],
    (_, failure, expected) => assert.equal(Problem.ofFailure(failure), expected),
  )
})

const whole: Problem.Problem = {
  title: 'Bad Request',
  status: 400,
  detail: 'Not so.',
  errors: errors,
  truncated: true,
  supported: ['a/b', 'c/d'],
}

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'

// RFC 9457, 3.1.5: a URI reference for any id
describe('Problem.instanceUri', (test) => {
  table(
    test,
    [
      [id, `urn:uuid:${id}`],
      [id.toUpperCase(), `urn:uuid:${id.toUpperCase()}`],
      [`${id}0`, `#${id}0`],
      ['job-17_a', '#job-17_a'],
      ['', '#'],
      ['a"b\\c', '#a%22b%5Cc'],
      ['a\n</p>', '#a%0A%3C%2Fp%3E'],
      ['\ud800', '#%EF%BF%BD'],
    ] as const,
    (text, expected) => assert.is(Problem.instanceUri(text), expected),
  )
  law(test, 'returns a URI reference for every id', unicodeString, (text) => {
    assert.match(
      Problem.instanceUri(text),
      /^(?:urn:uuid:[\da-fA-F-]{36}|#(?:[\w.!~*'()-]|%[\dA-F]{2})*)$/,
    )
    assert.ok(URL.canParse(Problem.instanceUri(text), 'http://a.example/'))
    const document = JSON.parse(
      Problem.toJson(Problem.ofStatus(404), Problem.instanceUri(text)),
    ) as { instance: string }
    assert.is(document.instance, Problem.instanceUri(text))
  })
})

describe('ProblemDocument', (test) => {
  test('toJson writes the members of RFC 9457, 3.1, type first', () => {
    const text = Problem.toJson(whole, Problem.instanceUri(id))
    assert.equal(JSON.parse(text), { type: 'about:blank', ...whole, instance: `urn:uuid:${id}` }) // 4.2.1
    assert.ok(text.startsWith('{"type":"about:blank","title":"Bad Request","status":400,'))
  })
  test('toText writes one line per statement', () =>
    assert.is(
      Problem.toText(whole, Problem.instanceUri(id)),
      [
        '400 Bad Request',
        'Not so.',
        'query page: must be an integer',
        'body #/a: is required and must be a string',
        'Further errors are not listed.',
        'Available: a/b, c/d',
        `urn:uuid:${id}`,
        '',
      ].join('\n'),
    ))
  test('toText of a status writes the title and the instance', () =>
    assert.is(
      Problem.toText(Problem.ofStatus(404), Problem.newInstanceUri(id)),
      `404 Not Found\nurn:uuid:${id}\n`,
    ))
  test('toHtml writes a document with escaped lines', () =>
    assert.is(
      Problem.toHtml(
        { title: 'Conflict', status: 409, detail: `<b>"Tom" & 'Ann'</b>` },
        Problem.instanceUri(id),
      ),
      [
        '<!doctype html>',
        '<html lang="en"><head><meta charset="utf-8"><title>409 Conflict</title></head>',
        '<body><h1>409 Conflict</h1><p>&lt;b&gt;&quot;Tom&quot; &amp; &#39;Ann&#39;&lt;/b&gt;</p>' +
          `<p>urn:uuid:${id}</p></body></html>`,
        '',
      ].join('\n'),
    ))

  const anyText = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', '\n', ';') }),
  )
  law(test, 'toHtml escapes every text', anyText, (text) => {
    const html = Problem.toHtml(
      { ...whole, detail: text, supported: [text] },
      Problem.instanceUri(text),
    )
    const allowedTags =
      /<(?:!doctype html|\/?(?:html|head|title|body|h1|p)|html lang="en"|meta charset="utf-8")>/g
    assert.not.match(html.replace(allowedTags, ''), /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/)
  })
})
