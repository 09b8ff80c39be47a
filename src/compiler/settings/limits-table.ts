/** The settings of what is refused because it is too much: a part of `settings-table.ts`. */
import { size } from '../../codec/size.ts'
import { setting, orUnlimited, wholeNumber } from './setting.ts'
import { orPercentage } from './percentage.ts'

const count = wholeNumber(1)

export const limitSettings = {
  'fw.http.limits.max-header-size': setting(
    size,
    16 * 1024,
    'Maximum size of the header section of a request; otherwise 431.',
  ),
  'fw.http.limits.max-header-fields': setting(
    count,
    200,
    'Maximum number of headers of a request; otherwise 431.',
  ),
  // The original has 4096; RFC 9112, section 3 recommends at least 8000.
  'fw.http.limits.max-initial-line-length': setting(
    size,
    8192,
    'Maximum length of the request line; otherwise 414. RFC 9112, section 3 recommends at least 8000.',
  ),
  'fw.http.limits.max-body-size': setting(
    size,
    10_240 * 1024,
    'Maximum size of a request body; otherwise 413. Override: `limits({ bodySize })`.',
  ),
  'fw.http.limits.max-parsed-body-size': setting(
    size,
    1024 * 1024,
    'Maximum size, after decompression, of a request body that is parsed as a whole, and of a form part that is not a file; otherwise 413. It applies to JSON, XML, HAL, URL-encoded forms, text, bytes and bodies of custom readers. It does not apply to files, streams and multipart bodies as a whole. Override: `limits({ parsedBodySize })`.',
  ),
  'fw.http.limits.max-form-attribute-size': setting(
    size,
    2048,
    'Maximum size of a form part that is not a file; otherwise 413. Override: `limits({ formAttributeSize })`.',
  ),
  'fw.http.limits.max-multipart-file-size': setting(
    size,
    10_240 * 1024,
    'Maximum size of a file in a multipart form; otherwise 413. Override: `limits({ fileSize })`.',
  ),
  'fw.http.limits.max-multipart-files': setting(
    count,
    10,
    'Maximum number of files in a multipart form; otherwise 413.',
  ),
  'fw.http.limits.max-multipart-part-header-size': setting(
    size,
    32 * 1024,
    'Maximum size of the header section of a form part; otherwise 413.',
  ),
  'fw.http.limits.max-multipart-part-header-count': setting(
    count,
    40,
    'Maximum number of headers of a form part; otherwise 413.',
  ),
  'fw.http.limits.max-parameters': setting(
    count,
    1000,
    'Maximum number of parameters; otherwise 400 for a query and 413 for a form.',
  ),
  'fw.http.limits.max-json-depth': setting(
    count,
    100,
    'Maximum nesting of arrays and objects in a JSON body; otherwise 400.',
  ),
  'fw.http.limits.max-json-keys': setting(
    count,
    10_000,
    'Maximum number of members of an object in a JSON body; otherwise 400.',
  ),
  'fw.http.limits.max-xml-size': setting(
    size,
    256 * 1024,
    'Maximum size of an XML body, or of a form part that is XML; otherwise 413.',
  ),
  'fw.http.limits.max-xml-depth': setting(
    count,
    100,
    'Maximum nesting of elements in an XML body; otherwise 400.',
  ),
  'fw.http.limits.max-connections': setting(
    orUnlimited(orPercentage(count)),
    { percent: 80 },
    'Maximum number of open connections; further ones are closed. A percentage refers to the number of files that the process may open; on systems other than Linux it means no limit. `unbounded` removes the limit.',
  ),
  'fw.http.limits.max-buffered-size': setting(
    orUnlimited(orPercentage(size)),
    { percent: 25 },
    'Maximum size of all request and response bodies in memory; above it, new bodies get 503 with `Retry-After: 1`. A percentage refers to the heap limit. `unbounded` removes the limit.',
  ),
  'fw.http.limits.min-body-rate': setting(
    size,
    1024,
    'Minimum number of bytes per second at which a request body must be received, on average and after a grace period of 5 seconds; otherwise 408, and the connection is closed. `0` disables the limit.',
  ),
} as const
