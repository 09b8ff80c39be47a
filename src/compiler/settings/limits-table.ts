/** The settings of what is refused because it is too much: a part of `settings-table.ts`. */
import { size } from '../../codec/size.ts'
import { setting, unbounded, wholeNumber } from './setting.ts'
import { orShare } from './percentage.ts'

const count = wholeNumber(1)

export const limits = {
  'fw.http.limits.max-header-size': setting(
    size,
    16 * 1024,
    'The octets of the whole header section of a request.',
  ),
  'fw.http.limits.max-header-fields': setting(
    count,
    200,
    'The number of header fields of a request.',
  ),
  // The original has 4096; RFC 9112, section 3 recommends at least 8000.
  'fw.http.limits.max-initial-line-length': setting(
    size,
    8192,
    'The octets of the request line; RFC 9112, section 3 recommends to support at least 8000.',
  ),
  'fw.http.limits.max-body-size': setting(
    size,
    10_240 * 1024,
    'Maximum number of bytes of a request body. Override: `limits({ bodySize })`.',
  ),
  'fw.http.limits.max-parsed-body-size': setting(
    size,
    1024 * 1024,
    'Maximum number of bytes, after decompression, of a request body that is parsed as a whole, and of a part of a form that is not a file: JSON, XML, HAL, URL-encoded forms, text, bytes, and bodies of custom readers. Does not apply to files, streams and multipart bodies as a whole. Override: `limits({ parsedBodySize })`.',
  ),
  'fw.http.limits.max-form-attribute-size': setting(
    size,
    2048,
    'The octets of a form part that is not a file.',
  ),
  'fw.http.limits.max-multipart-file-size': setting(
    size,
    10_240 * 1024,
    'The octets of a file in a multipart form.',
  ),
  'fw.http.limits.max-multipart-files': setting(
    count,
    10,
    'The number of files in a multipart form.',
  ),
  'fw.http.limits.max-multipart-part-header-size': setting(
    size,
    32 * 1024,
    'The octets of the header section of a part.',
  ),
  'fw.http.limits.max-multipart-part-header-count': setting(
    count,
    40,
    'The number of header fields of a part.',
  ),
  'fw.http.limits.max-parameters': setting(
    count,
    1000,
    'The number of parameters in a query or a form.',
  ),
  'fw.http.limits.max-json-depth': setting(
    count,
    100,
    'The number of arrays and objects inside one another in a JSON body.',
  ),
  'fw.http.limits.max-json-keys': setting(
    count,
    10_000,
    'The number of members of one object in a JSON body.',
  ),
  'fw.http.limits.max-xml-size': setting(
    size,
    256 * 1024,
    'The octets of an XML body, or of a part of a form that is XML.',
  ),
  'fw.http.limits.max-xml-depth': setting(
    count,
    100,
    'The number of elements inside one another in an XML body.',
  ),
  'fw.http.limits.max-connections': setting(
    unbounded(orShare(count)),
    { percent: 80 },
    'Maximum number of open connections; further ones are closed. A percentage refers to the number of files that the process may open; on systems other than Linux it means no limit.',
  ),
  'fw.http.limits.max-buffered-size': setting(
    unbounded(orShare(size)),
    { percent: 25 },
    'Maximum number of bytes of all request and response bodies in memory; `25%` is a part of the heap limit. Above it, new bodies get 503 with `Retry-After: 1`; `unbounded` disables the limit.',
  ),
  'fw.http.limits.min-body-rate': setting(
    size,
    1024,
    'The octets per second that a client has to send of a content, on average and after a grace of 5 seconds: 408 otherwise, and the connection is closed; 0 is no limit.',
  ),
} as const
