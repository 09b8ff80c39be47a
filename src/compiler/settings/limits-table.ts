/** Defines the settings for limits and load shedding. They are part of the table in `settings-table.ts`. */
import { size } from '../../codec/size.ts'
import { setting, orAuto, orUnlimited, orUnset, wholeNumber, booleanSetting } from './setting.ts'
import { orPercentage } from './setting-codecs.ts'
import { durationMillis } from '../../codec/duration-millis.ts'

const count = wholeNumber(1)

/** All settings whose names begin with `fw.http.limits`. */
export const limitSettings = {
  'fw.http.limits.max-header-size': setting(
    size,
    16 * 1024,
    'Maximum size of the header section of a request; 431 if exceeded.',
  ),
  'fw.http.limits.max-header-fields': setting(
    count,
    200,
    'Maximum number of headers in a request; 431 if exceeded.',
  ),
  'fw.http.limits.max-initial-line-length': setting(
    size,
    8192,
    'Maximum length of the request line; 414 if exceeded. RFC 9112, section 3, recommends at least 8000 bytes.',
  ),
  'fw.http.limits.max-body-size': setting(
    size,
    10_240 * 1024,
    'Maximum size of a request body; 413 if exceeded. Can be overridden with `limits({ bodySize })`.',
  ),
  'fw.http.limits.max-parsed-body-size': setting(
    size,
    512 * 1024,
    'Maximum size, after decompression, of a request body that is parsed as a whole, and of a form part that is not a file; 413 if exceeded. The limit applies to JSON, XML, HAL, URL-encoded forms, text, bytes, and bodies read by custom readers. It does not apply to files, to streams, or to the total size of a multipart body. Can be overridden with `limits({ parsedBodySize })`.',
  ),
  'fw.http.limits.max-form-attribute-size': setting(
    size,
    2048,
    'Maximum size of a form part that is not a file; 413 if exceeded. Can be overridden with `limits({ formAttributeSize })`.',
  ),
  'fw.http.limits.max-multipart-file-size': setting(
    size,
    10_240 * 1024,
    'Maximum size of a file in a multipart form; 413 if exceeded. Can be overridden with `limits({ fileSize })`.',
  ),
  'fw.http.limits.max-multipart-files': setting(
    count,
    10,
    'Maximum number of files in a multipart form; 413 if exceeded. Can be overridden with `limits({ files })`.',
  ),
  'fw.http.limits.max-multipart-parts': setting(
    orUnset(count),
    undefined,
    'Maximum number of parts of a multipart form, including files; 413 if exceeded. If not set, `fw.http.limits.max-parameters` applies. Can be overridden with `limits({ parts })`.',
  ),
  'fw.http.limits.max-multipart-part-header-size': setting(
    size,
    32 * 1024,
    'Maximum size of the header section of a form part; 413 if exceeded. Can be overridden with `limits({ partHeaderSize })`.',
  ),
  'fw.http.limits.max-multipart-part-header-count': setting(
    count,
    40,
    'Maximum number of headers in a form part; 413 if exceeded. Can be overridden with `limits({ partHeaders })`.',
  ),
  'fw.http.limits.max-parameters': setting(
    count,
    1000,
    'Maximum number of query parameters, matrix parameters, cookies, or fields or parts of a form; 413 if exceeded in a form, 400 otherwise. Can be overridden with `limits({ parameters })`.',
  ),
  'fw.http.limits.max-json-depth': setting(
    count,
    100,
    'Maximum nesting depth of arrays and objects in a JSON body; 400 if exceeded.',
  ),
  'fw.http.limits.max-json-keys': setting(
    count,
    10_000,
    'Maximum number of members of an object in a JSON body; 400 if exceeded.',
  ),
  'fw.http.limits.max-xml-size': setting(
    size,
    256 * 1024,
    'Maximum size of an XML body, or of a form part that is XML; 413 if exceeded.',
  ),
  'fw.http.limits.max-xml-depth': setting(
    count,
    100,
    'Maximum nesting depth of elements in an XML body; 400 if exceeded.',
  ),
  'fw.http.limits.max-connections': setting(
    orUnlimited(orPercentage(count)),
    { percent: 80 },
    'Maximum number of open connections; additional connections are closed. A percentage is relative to the number of files that the process can open; on systems other than Linux, a percentage sets no limit. `unbounded` removes the limit.',
  ),
  'fw.http.limits.max-buffered-size': setting(
    orUnlimited(orPercentage(size)),
    { percent: 25 },
    'Maximum total size of request and response bodies in memory. When it is reached, requests that need more memory receive a 503 response with `Retry-After: 1`. A percentage is relative to the heap limit. `unbounded` removes the limit.',
  ),
  'fw.http.limits.min-body-rate': setting(
    size,
    1024,
    'Minimum average rate, in bytes per second, at which a request body must be received, after a grace period of 5 seconds. Slower requests receive a 408 response, and the connection is closed. `0` disables the limit.',
  ),
  'fw.http.limits.max-concurrent-streams': setting(
    wholeNumber(1, 2 ** 31 - 1),
    128,
    'Maximum number of requests in progress on an HTTP/2 connection. Further streams are rejected. A client that opens thousands of them, none of which is accepted, is disconnected.',
  ),
  'fw.http.limits.rst-flood-max-rst-frame-per-window': setting(
    count,
    200,
    'Maximum number of streams that a client can reset on an HTTP/2 connection during `fw.http.limits.rst-flood-window-duration`. Streams that the server resets because of an error of the client are counted as well. If the number is exceeded, the connection is closed.',
  ),
  'fw.http.limits.rst-flood-window-duration': setting(
    durationMillis,
    30_000,
    'Period in which reset streams, SETTINGS frames and PING frames of an HTTP/2 connection are counted. With `0`, their number is not limited.',
  ),
  'fw.http.limits.settings-flood-max-frame-per-window': setting(
    count,
    100,
    'Maximum number of SETTINGS frames on an HTTP/2 connection during `fw.http.limits.rst-flood-window-duration`. If the number is exceeded, the connection is closed.',
  ),
  'fw.http.limits.ping-flood-max-frame-per-window': setting(
    count,
    1000,
    'Maximum number of PING frames on an HTTP/2 connection during `fw.http.limits.rst-flood-window-duration`. If the number is exceeded, the connection is closed.',
  ),
} as const

/** All settings whose names begin with `fw.http.overload`. */
export const overloadSettings = {
  'fw.http.overload.enabled': setting(
    booleanSetting,
    true,
    'Whether requests receive a 503 response with `Retry-After: 1` while the event loop is overloaded. Operations declared `critical` are always served.',
  ),
  'fw.http.overload.max-loop-delay': setting(
    durationMillis,
    250,
    'Event loop delay above which the server is considered overloaded. While it is overloaded, most requests that have waited for more than 4% of this threshold are rejected. A few are still accepted so that the server does not become idle. `0` disables the limit.',
  ),
  'fw.http.overload.max-loop-utilization': setting(
    wholeNumber(1, 100),
    98,
    'Event loop utilization, as a percentage, above which requests are rejected if `fw.http.overload.max-loop-delay` is also exceeded. With `100`, utilization is ignored, and only the delay is considered.',
  ),
} as const

/** The settings for the processes that share the port of a server. */
export const instanceSettings = {
  'fw.http.instances': setting(
    orAuto(count),
    1,
    'Number of processes that serve requests. If it is greater than 1, the program becomes the parent process of the instances, which run the same program and share the port. `auto` is the number of available processors. Limits on connections, memory, and worker threads apply to each instance.',
  ),
  'fw.http.instances.restart-delay': setting(
    durationMillis,
    100,
    'Time after which an instance that has exited unexpectedly is replaced. The delay doubles each time the replacement exits as well.',
  ),
  'fw.http.instances.max-restart-delay': setting(
    durationMillis,
    30_000,
    'Maximum delay before an instance is replaced. An instance that has run for this time is replaced after `fw.http.instances.restart-delay` again.',
  ),
  'fw.http.instances.start-timeout': setting(
    durationMillis,
    60_000,
    'Maximum time from the start of an instance until it listens. If this time is exceeded, the instance is terminated. `0` disables the timeout.',
  ),
} as const
