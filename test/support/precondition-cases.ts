/** What RFC 9110, 13 says of conditions: of a request, and of what is there now. */
import type { EntityTag } from '../../src/http/entity-tag.ts'
import type { Decision, Validators } from '../../src/http/preconditions.ts'

export const day = 'Sun, 06 Nov 1994 08:49:37 GMT'
export const before = 'Sun, 06 Nov 1994 08:49:36 GMT'
export const after = 'Sun, 06 Nov 1994 08:49:38 GMT'
export const lastModified = new Date('1994-11-06T08:49:37.999Z')
export const v1: EntityTag = { weak: false, opaque: 'v1' }
export const weak: EntityTag = { weak: true, opaque: 'v1' }

export type Row = readonly [
  title: string,
  method: string,
  fields: ReadonlyArray<string>,
  current: Validators | undefined,
  decided: Decision,
]

export const rows: ReadonlyArray<Row> = [
  ['no conditions', 'GET', [], { etag: v1, lastModified }, 'proceed'],
  ['no conditions, nothing there', 'PUT', [], undefined, 'proceed'],
  // 13.1.1
  ['If-Match: another', 'PUT', ['If-Match', '"v2"'], { etag: v1 }, 412],
  ['If-Match: the same', 'PUT', ['If-Match', '"v1"'], { etag: v1 }, 'proceed'],
  ['If-Match: one of several', 'PUT', ['If-Match', '"v0", "v1"'], { etag: v1 }, 'proceed'],
  [
    'If-Match: one of several lines',
    'PUT',
    ['If-Match', '"v0"', 'if-match', '"v1"'],
    { etag: v1 },
    'proceed',
  ],
  ['If-Match: weak is never the same', 'PUT', ['If-Match', 'W/"v1"'], { etag: weak }, 412],
  ['If-Match: weak is not strong', 'PUT', ['If-Match', 'W/"v1"'], { etag: v1 }, 412],
  ['If-Match: strong is not weak', 'PUT', ['If-Match', '"v1"'], { etag: weak }, 412],
  ['If-Match: without quotes', 'PUT', ['If-Match', 'v1'], { etag: v1 }, 'proceed'],
  ['If-Match: without quotes, another', 'PUT', ['If-Match', 'v2'], { etag: v1 }, 412],
  ['If-Match: any', 'PUT', ['If-Match', '*'], { etag: v1 }, 'proceed'],
  ['If-Match: any, without a tag', 'PUT', ['If-Match', '*'], {}, 'proceed'],
  ['If-Match: a tag where there is none', 'PUT', ['If-Match', '"v1"'], {}, 412],
  ['If-Match: empty', 'PUT', ['If-Match', ''], { etag: v1 }, 412],
  ['If-Match: no tag at all', 'PUT', ['If-Match', '"v1'], { etag: v1 }, 412],
  ['If-Match: GET too', 'GET', ['If-Match', '"v2"'], { etag: v1 }, 412],
  ['If-Match: nothing there', 'PUT', ['If-Match', '"v1"'], undefined, 412],
  ['If-Match: any, nothing there', 'PUT', ['If-Match', '*'], undefined, 412],
  // 13.1.4
  ['If-Unmodified-Since: before', 'PUT', ['If-Unmodified-Since', before], { lastModified }, 412],
  [
    'If-Unmodified-Since: the same second',
    'PUT',
    ['If-Unmodified-Since', day],
    { lastModified },
    'proceed',
  ],
  [
    'If-Unmodified-Since: after',
    'PUT',
    ['If-Unmodified-Since', after],
    { lastModified },
    'proceed',
  ],
  ['If-Unmodified-Since: GET too', 'GET', ['If-Unmodified-Since', before], { lastModified }, 412],
  [
    'If-Unmodified-Since: no date known',
    'PUT',
    ['If-Unmodified-Since', before],
    { etag: v1 },
    'proceed',
  ],
  [
    'If-Unmodified-Since: nothing there',
    'PUT',
    ['If-Unmodified-Since', before],
    undefined,
    'proceed',
  ],
  [
    'If-Unmodified-Since: no date',
    'PUT',
    ['If-Unmodified-Since', '1994'],
    { lastModified },
    'proceed',
  ],
  [
    'If-Unmodified-Since: two dates',
    'PUT',
    ['If-Unmodified-Since', before, 'If-Unmodified-Since', before],
    { lastModified },
    'proceed',
  ],
  [
    'If-Unmodified-Since: not beside If-Match',
    'PUT',
    ['If-Unmodified-Since', before, 'If-Match', '"v1"'],
    { etag: v1, lastModified },
    'proceed',
  ],
  // 13.1.2
  ['If-None-Match: the same', 'GET', ['If-None-Match', '"v1"'], { etag: v1 }, 304],
  ['If-None-Match: HEAD', 'HEAD', ['If-None-Match', '"v1"'], { etag: v1 }, 304],
  ['If-None-Match: PUT', 'PUT', ['If-None-Match', '"v1"'], { etag: v1 }, 412],
  ['If-None-Match: another', 'GET', ['If-None-Match', '"v2"'], { etag: v1 }, 'proceed'],
  ['If-None-Match: one of several', 'GET', ['If-None-Match', '"v0" , ,"v1"'], { etag: v1 }, 304],
  [
    'If-None-Match: with a comma in it',
    'GET',
    ['If-None-Match', '"a,b"'],
    { etag: { weak: false, opaque: 'a,b' } },
    304,
  ],
  [
    'If-None-Match: with a backslash at its end',
    'GET',
    ['If-None-Match', '"a\\", "b"'],
    { etag: { weak: false, opaque: 'b' } },
    304,
  ],
  ['If-None-Match: weak and strong', 'GET', ['If-None-Match', 'W/"v1"'], { etag: v1 }, 304],
  ['If-None-Match: strong and weak', 'GET', ['If-None-Match', '"v1"'], { etag: weak }, 304],
  ['If-None-Match: without quotes', 'GET', ['If-None-Match', 'W/v1'], { etag: v1 }, 304],
  ['If-None-Match: any', 'PUT', ['If-None-Match', '*'], { etag: v1 }, 412],
  ['If-None-Match: any, without a tag', 'GET', ['If-None-Match', '*'], {}, 304],
  ['If-None-Match: any, nothing there', 'PUT', ['If-None-Match', '*'], undefined, 'proceed'],
  ['If-None-Match: a tag, nothing there', 'PUT', ['If-None-Match', '"v1"'], undefined, 'proceed'],
  ['If-None-Match: quoted asterisk', 'GET', ['If-None-Match', '"*"'], { etag: v1 }, 'proceed'],
  // 13.1.3
  ['If-Modified-Since: the same second', 'GET', ['If-Modified-Since', day], { lastModified }, 304],
  ['If-Modified-Since: after', 'HEAD', ['If-Modified-Since', after], { lastModified }, 304],
  ['If-Modified-Since: before', 'GET', ['If-Modified-Since', before], { lastModified }, 'proceed'],
  ['If-Modified-Since: PUT', 'PUT', ['If-Modified-Since', day], { lastModified }, 'proceed'],
  [
    'If-Modified-Since: no date',
    'GET',
    ['If-Modified-Since', 'foo 1'],
    { lastModified },
    'proceed',
  ],
  ['If-Modified-Since: a year', 'GET', ['If-Modified-Since', '2099'], { lastModified }, 'proceed'],
  [
    'If-Modified-Since: a day that does not exist',
    'GET',
    ['If-Modified-Since', 'Sat, 31 Feb 2099 00:00:00 GMT'],
    { lastModified },
    'proceed',
  ],
  [
    'If-Modified-Since: another zone',
    'GET',
    ['If-Modified-Since', 'Sun, 06 Nov 2094 08:49:37 PST'],
    { lastModified },
    'proceed',
  ],
  [
    'If-Modified-Since: RFC 850',
    'GET',
    ['If-Modified-Since', 'Sunday, 06-Nov-94 08:49:37 GMT'],
    { lastModified },
    304,
  ],
  [
    'If-Modified-Since: asctime',
    'GET',
    ['If-Modified-Since', 'Sun Nov  6 08:49:37 1994'],
    { lastModified },
    304,
  ],
  ['If-Modified-Since: no date known', 'GET', ['If-Modified-Since', day], {}, 'proceed'],
  [
    'If-Modified-Since: not beside If-None-Match',
    'GET',
    ['If-Modified-Since', day, 'If-None-Match', '"v2"'],
    { etag: v1, lastModified },
    'proceed',
  ],
  // 13.2.2, the order
  [
    'If-Match comes before If-None-Match',
    'GET',
    ['If-None-Match', '"v1"', 'If-Match', '"v2"'],
    { etag: v1 },
    412,
  ],
  [
    'If-Match holds, then If-None-Match',
    'GET',
    ['If-None-Match', '"v1"', 'If-Match', '"v1"'],
    { etag: v1 },
    304,
  ],
  [
    'If-Unmodified-Since comes before If-Modified-Since',
    'GET',
    ['If-Modified-Since', after, 'If-Unmodified-Since', before],
    { lastModified },
    412,
  ],
  [
    'If-Unmodified-Since holds, then If-Modified-Since',
    'GET',
    ['If-Modified-Since', day, 'If-Unmodified-Since', day],
    { lastModified },
    304,
  ],
  // 13.2.1
  ['OPTIONS has no conditions', 'OPTIONS', ['If-Match', '"v2"'], { etag: v1 }, 'proceed'],
  ['TRACE has no conditions', 'TRACE', ['If-None-Match', '*'], { etag: v1 }, 'proceed'],
]
