/** Every setting, under its full name: what it can be, what it is unless somebody says otherwise, and a sentence about it. */
import { durationMillis } from '../../codec/duration-millis.ts'
import { size } from '../../codec/size.ts'
import { contentCodings, isContentCoding } from '../../http/content-coding.ts'
import { cidrList, isBareMediaType, isCodecPattern, commaList } from './list-codecs.ts'
import { hostPatternList, publicUrl } from './hosts.ts'
import { logLevel } from './log-level.ts'
import { limitSettings } from './limits-table.ts'
import { overloadSettings } from './overload-table.ts'
import {
  booleanSetting,
  charset,
  directory,
  host,
  mediaTypes,
  oneOf,
  orUnset,
  pathPrefix,
  setting,
  orUnlimited,
  wholeNumber,
} from './setting.ts'

const count = wholeNumber(1)

/** Sizes are octets, durations milliseconds; a duration of 0 waits for nothing, or without end where it says so. */
export const settingsTable = {
  'fw.rest.path': setting(pathPrefix, '/', 'Path prefix of all endpoints.'),
  'fw.rest.conversion-failure': setting(
    oneOf('problem', 'jakarta'),
    'problem',
    'Status of a parameter that cannot be converted. `problem`: 404 for path parameters, 400 for all others. `jakarta`: 404 for path, query and matrix parameters, 400 for all others.',
  ),
  'fw.rest.duplicate-scalar': setting(
    oneOf('first', 'reject'),
    'first',
    'Handling of a repeated parameter whose codec takes one value. `first` uses the first value, `reject` responds with 400.',
  ),
  'fw.rest.fail-on-duplicate': setting(
    booleanSetting,
    true,
    'Whether two endpoints that match the same requests are a configuration error. `false` logs a warning instead.',
  ),
  'fw.rest.build-time-condition-aware': setting(
    booleanSetting,
    true,
    'Whether `when` conditions are evaluated. `false` includes everything that has a `when` condition. `disabledWhen` is always evaluated.',
  ),
  'fw.rest.check-results': setting(
    booleanSetting,
    false,
    'Whether response values are validated by their codec before they are sent. An invalid value results in 500.',
  ),
  'fw.rest.jsonlib.fail-on-unknown-properties': setting(
    booleanSetting,
    false,
    'Whether an undeclared JSON member, XML element or XML attribute in a request results in 400. `false` drops it.',
  ),
  'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': setting(
    booleanSetting,
    true,
    'Whether codecs are compiled to generated functions where the platform allows it. Results are the same either way.',
  ),
  'fw.jaxb.exclude-classes': setting(
    commaList('comma-separated codec names, such as Book, library.*', isCodecPattern),
    [],
    'Comma-separated names of codecs, or `prefix.*`, that are excluded from the common XML context. Each has a context of its own.',
  ),
  'fw.rest.json-library': setting(
    oneOf('standard', 'lossless'),
    'standard',
    'JSON library of operations that do not select one. `standard` is `JSON`, with numbers as doubles. `lossless` keeps every digit of numbers.',
  ),
  'fw.rest.sse.heartbeat': setting(
    durationMillis,
    15_000,
    'Idle time after which a comment is sent on an event stream. `0` disables heartbeats.',
  ),
  'fw.rest.absolute-location': setting(
    booleanSetting,
    false,
    'Whether a relative `Location` header is resolved against the base URI.',
  ),
  'fw.http.host': setting(
    host,
    '0.0.0.0',
    'Host name or address to listen on. If it is not set: all IPv4 and IPv6 addresses, or `localhost` in the profiles `dev` and `test`. If it is set, `0.0.0.0` means all IPv4 addresses only, and `::` both.',
  ),
  'fw.http.port': setting(
    wholeNumber(0, 65_535),
    8080,
    'Port to listen on. `0` selects any free port.',
  ),
  'fw.http.proxy.trusted': setting(
    cidrList,
    [],
    'Comma-separated addresses and CIDR blocks of proxies whose `Forwarded` and `X-Forwarded-*` headers are used. Empty: no proxy is trusted.',
  ),
  'fw.http.public-url': setting(
    orUnset(publicUrl),
    undefined,
    'URL at which clients reach the root of the server. Absolute URIs begin with it, instead of with the scheme, host and forwarded prefix of the request. The path of the request follows, including `fw.rest.path`.',
  ),
  'fw.http.allowed-hosts': setting(
    hostPatternList,
    [],
    'Comma-separated hosts that requests may be sent to, such as `example.com, *.example.com:8443, [::1]`. Requests to other hosts get 421, except for `vital` operations such as those of `health`. Empty: every host.',
  ),
  'fw.http.enable-decompression': setting(
    booleanSetting,
    false,
    'Whether compressed request bodies (gzip, deflate, br, and zstd where Node.js supports it) are decompressed. `false` responds with 415.',
  ),
  'fw.http.enable-compression': setting(
    booleanSetting,
    false,
    'Whether responses are compressed for clients that accept it: those of `compressed` operations, and those with a media type of `fw.http.compress-media-types`.',
  ),
  'fw.http.compress-media-types': setting(
    commaList(
      'comma-separated media types without parameters, such as text/html, text/css',
      isBareMediaType,
    ),
    [
      'text/html',
      'text/plain',
      'text/xml',
      'text/css',
      'text/javascript',
      'application/javascript',
    ],
    'Comma-separated media types that are compressed, unless the operation is declared `compressed` or `uncompressed`.',
  ),
  // gzip first: of all it holds the least memory for a stream, and every client reads it
  'fw.http.compressors': setting(
    commaList(`comma-separated content codings: ${contentCodings.join(', ')}`, isContentCoding),
    contentCodings,
    'Comma-separated content codings to compress responses with, in order of preference among codings that the client weighs equally. `zstd` is used where Node.js supports it.',
  ),
  'fw.http.compression-level': setting(
    wholeNumber(1, 9),
    6,
    'Compression level of `gzip` and `deflate`, from 1 (fastest) to 9 (smallest).',
  ),
  'fw.http.compression-threshold': setting(
    size,
    0,
    'Minimum size of a response body to compress, if the size is known in advance.',
  ),
  'fw.http.body.uploads-directory': setting(
    orUnset(directory),
    undefined,
    'Directory of uploaded files, relative to the temporary directory of the system. It is created with mode 0700. An existing directory must belong to the user of the process and must not be accessible to others. If it is not set: `uploads`, or `espalier-uploads-` and the user id if `uploads` is not such a directory.',
  ),
  'fw.http.body.delete-uploaded-files-on-end': setting(
    booleanSetting,
    true,
    'Whether uploaded files are deleted at the end of their request.',
  ),
  'fw.http.body.multipart.file-size-threshold': setting(
    size,
    0,
    'Size up to which a file of `multipartInput` stays in memory. The file of an `upload` is always written to the uploads directory.',
  ),
  'fw.http.body.multipart.file-content-types': setting(
    mediaTypes,
    [],
    'Comma-separated media types of form parts that are files even without a file name.',
  ),
  'fw.rest.multipart.input-part.default-charset': setting(
    charset,
    'utf-8',
    'Charset of text parts in multipart forms that do not specify one.',
  ),
  ...limitSettings,
  ...overloadSettings,
  'fw.http.header-timeout': setting(
    durationMillis,
    10_000,
    'Time within which the header section of a request must be received; otherwise 408. `0` disables the timeout.',
  ),
  'fw.http.read-timeout': setting(
    durationMillis,
    60_000,
    'Time within which a whole request must be received; otherwise 408. `0` disables the timeout.',
  ),
  'fw.http.write-timeout': setting(
    durationMillis,
    30_000,
    'Time without progress in writing a response, after which the connection is reset. `0` disables the timeout.',
  ),
  'fw.http.handler-timeout': setting(
    durationMillis,
    0,
    'Time from routing within which a response must start; otherwise 503. The timer stops while the body is received and then restarts. `0` disables the timeout. Override: `limits({ time })`. Blocking operations use `fw.worker.timeout`.',
  ),
  'fw.http.idle-timeout': setting(
    durationMillis,
    1_800_000,
    'Time without activity after which a connection is closed. `0` disables the timeout.',
  ),
  'fw.http.half-close-timeout': setting(
    durationMillis,
    5000,
    'Time from a half-close by the client (FIN after its request) within which a response must start; then the connection is closed. Streams end at the half-close. `0` closes the connection at once.',
  ),
  'fw.http.keep-alive-timeout': setting(
    durationMillis,
    72_000,
    'Time that a connection waits for its next request. `0` disables the timeout.',
  ),
  'fw.log.level': setting(
    logLevel,
    'info',
    'Lowest level of log lines that are written. Override for a category: `fw.log.category."NAME".level`.',
  ),
  'fw.shutdown.delay': setting(
    durationMillis,
    0,
    'Time at the beginning of a shutdown in which requests are served as before, and only the readiness check is down.',
  ),
  'fw.worker.threads': setting(
    orUnlimited(count),
    undefined,
    'Maximum number of blocking operations that run at the same time, each on a worker thread. One more worker is kept ready. `unbounded` is the number of processors minus one, at least 1.',
  ),
  'fw.worker.queue': setting(
    orUnlimited(wholeNumber(0)),
    undefined,
    'Maximum number of requests that wait for a worker. Further requests get 503 with `Retry-After`. `unbounded` is 8 for each worker.',
  ),
  'fw.worker.timeout': setting(
    durationMillis,
    30_000,
    'Time limit of a blocking operation, after which it gets 504 and its worker is replaced. `0` disables the timeout.',
  ),
  'fw.worker.heap': setting(
    size,
    256 * 1024 * 1024,
    'Maximum heap size of a worker. If a worker exceeds it, the worker is replaced, and its request gets 500.',
  ),
  'fw.loop.stall': setting(
    durationMillis,
    250,
    'Time for which the event loop may be blocked before a warning is logged that names the operation. `0` disables the warning.',
  ),
  'fw.shutdown.grace': setting(
    durationMillis,
    5000,
    'Time during a shutdown in which requests on open connections still get a response, with `Connection: close`.',
  ),
  'fw.shutdown.timeout': setting(
    durationMillis,
    30_000,
    'Time that in-flight requests get during a shutdown before their connections are destroyed.',
  ),
} as const
