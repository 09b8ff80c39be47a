/** Defines all settings, with their codecs, defaults and descriptions. The settings reference is generated from this table. */
import { durationMillis } from '../../codec/duration-millis.ts'
import { size } from '../../codec/size.ts'
import { contentCodings, isContentCoding } from '../../http/quality.ts'
import { cidrList, isBareMediaType, isCodecPattern, commaList } from './setting-codecs.ts'
import { hostPatternList, publicUrl } from './hosts.ts'
import { logLevel } from './logger.ts'
import { instanceSettings, limitSettings, overloadSettings } from './limits-table.ts'
import { http2Settings, socketSettings, tlsSettings } from './listeners-table.ts'
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

/** All settings, keyed by name. Sizes are in bytes, and durations are in milliseconds. */
export const settingsTable = {
  'fw.rest.path': setting(pathPrefix, '/', 'Path prefix of all endpoints.'),
  'fw.rest.conversion-failure': setting(
    oneOf('problem', 'jakarta'),
    'problem',
    'Response status if a parameter cannot be converted. `problem`: 404 for path parameters, 400 for all others. `jakarta`: 404 for path, query and matrix parameters, 400 for all others.',
  ),
  'fw.rest.canonical-paths': setting(
    oneOf('mounted', 'always', 'never'),
    'mounted',
    'When a path must be the canonical spelling of the template that it matches: its literal parts contain no unnecessary percent-encoding, as `/%61dmin` does, and each matrix parameter is declared by an operation of the path. Other spellings match nothing. `mounted`: in trees that `nodeListener` mounts. `always`: also with `serve`, for rules of a proxy that compare paths.',
  ),
  'fw.rest.duplicate-scalar': setting(
    oneOf('first', 'reject'),
    'first',
    'Handling of a repeated parameter whose codec accepts only a single value. `first` uses the first value; `reject` responds with 400.',
  ),
  'fw.rest.fail-on-duplicate': setting(
    booleanSetting,
    true,
    'Whether two endpoints that match the same requests are treated as a configuration error. `false` logs a warning instead.',
  ),
  'fw.rest.build-time-condition-aware': setting(
    booleanSetting,
    true,
    'Whether `when` conditions are evaluated. `false` includes everything that has a `when` condition. `disabledWhen` is always evaluated.',
  ),
  'fw.rest.check-results': setting(
    booleanSetting,
    false,
    'Whether response values are validated by their codecs before they are sent. An invalid value results in a 500 response, and the log names its location and the expected type. Without validation, only values that cannot be encoded have this result.',
  ),
  'fw.rest.jsonlib.fail-on-unknown-properties': setting(
    booleanSetting,
    false,
    'Whether an undeclared JSON member, XML element or XML attribute in a request results in a 400 response. If `false`, undeclared content is ignored.',
  ),
  'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': setting(
    booleanSetting,
    true,
    'Whether codecs are compiled to JavaScript functions where the platform allows code generation. The results are the same either way.',
  ),
  'fw.jaxb.exclude-classes': setting(
    commaList('comma-separated codec names, such as "Book, library.*"', isCodecPattern),
    [],
    'Comma-separated names, or patterns such as `prefix.*`, of codecs that are excluded from the common XML context. Each excluded codec has its own context.',
  ),
  'fw.rest.json-library': setting(
    oneOf('standard', 'lossless'),
    'standard',
    'JSON library for operations that do not select one. `standard` uses the built-in `JSON` object, which parses numbers as doubles. `lossless` preserves all digits of numbers.',
  ),
  'fw.rest.sse.heartbeat': setting(
    durationMillis,
    15_000,
    'Idle time after which a comment is sent on an event stream as a heartbeat. `0` disables heartbeats.',
  ),
  'fw.rest.absolute-location': setting(
    booleanSetting,
    false,
    'Whether a relative `Location` header is resolved against the base URI, which consists of the origin, the prefix removed by a proxy, and `fw.rest.path`. If not, it is sent unchanged, and clients resolve it against the request URI. A reference such as `books/1` therefore has different targets. A reference that begins with `/` has the same path in both cases.',
  ),
  'fw.http.host': setting(
    host,
    '0.0.0.0',
    'Host name or address to listen on. If not set: all IPv4 and IPv6 addresses, or `localhost` in the `dev` and `test` profiles. `0.0.0.0` means all IPv4 addresses, and `::` means all IPv4 and IPv6 addresses.',
  ),
  'fw.http.port': setting(
    wholeNumber(0, 65_535),
    8080,
    'Port to listen on without TLS. `0` selects any free port. If this setting is not set, the environment variable `PORT` is used.',
  ),
  ...tlsSettings,
  ...http2Settings,
  ...socketSettings,
  'fw.http.connection': setting(
    oneOf('node', 'direct'),
    'node',
    'Implementation of HTTP/1.1. `node` uses `node:http`. `direct` reads and writes connections itself, which takes less CPU time, and accepts any method. With `direct`, `nodeRequest` and `nodeResponse` return `undefined`, and tools that instrument `node:http` do not see the requests.',
  ),
  ...instanceSettings,
  'fw.http.strict-target': setting(
    booleanSetting,
    false,
    'Whether request targets are limited to the characters of RFC 3986. By default, the characters that the URL Standard leaves unencoded are also accepted, because browsers and `fetch` send them: `| ^ [ ]` and a `%` that begins no escape in paths, and in queries also `{ } \\` and the backtick.',
  ),
  'fw.http.proxy.trusted': setting(
    cidrList,
    [],
    'Comma-separated addresses and CIDR blocks of proxies whose `Forwarded` and `X-Forwarded-*` headers are used. `unix:` means proxies that connect to the Unix domain socket. If empty, no proxy is trusted.',
  ),
  'fw.http.public-url': setting(
    orUnset(publicUrl),
    undefined,
    'Public URL of the root of the server. Absolute URIs in responses start with this URL rather than with the scheme, host and forwarded prefix of the request. The path of the resource, including `fw.rest.path`, is appended to this URL.',
  ),
  'fw.http.allowed-hosts': setting(
    hostPatternList,
    [],
    'Comma-separated hosts for which the server accepts requests, such as `example.com, *.example.com:8443, [::1]`. Requests for other hosts receive a 421 response, except requests for `critical` operations, such as those of `health`. If empty, all hosts are allowed.',
  ),
  'fw.http.enable-decompression': setting(
    booleanSetting,
    false,
    'Whether compressed request bodies (gzip, deflate, br, and zstd where Node.js supports it) are decompressed. If `false`, requests with a compressed body receive a 415 response.',
  ),
  'fw.http.enable-compression': setting(
    booleanSetting,
    false,
    'Whether responses are compressed for clients that accept compression. This applies to responses of `compressed` operations, and to responses with a media type listed in `fw.http.compress-media-types`.',
  ),
  'fw.http.compress-media-types': setting(
    commaList(
      'comma-separated media types without parameters, such as "text/html, text/css"',
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
    'Comma-separated media types of responses that are compressed by default. Declaring an operation `compressed` or `uncompressed` overrides this setting.',
  ),
  // gzip first: it needs the least memory per stream, and all clients support it
  'fw.http.compressors': setting(
    commaList(
      `a comma-separated list of content codings (${contentCodings.join(', ')})`,
      isContentCoding,
    ),
    contentCodings,
    'Comma-separated content codings for compressed responses, in order of preference. The order matters only among codings to which the client gives the same weight. `zstd` is used where Node.js supports it.',
  ),
  'fw.http.compression-level': setting(
    wholeNumber(1, 9),
    6,
    'Compression level for `gzip` and `deflate`, from 1 (fastest) to 9 (smallest).',
  ),
  'fw.http.compression-threshold': setting(
    size,
    0,
    'Response bodies that are smaller than this size are not compressed. The limit does not apply to bodies whose size is not known in advance.',
  ),
  'fw.http.body.uploads-directory': setting(
    orUnset(directory),
    undefined,
    'Directory for uploaded files, relative to the temporary directory of the operating system. It is created with mode 0700. An existing directory must belong to the user that runs the process, and must not be accessible to others. The default is `uploads`, or `espalier-uploads-` followed by the user ID if `uploads` does not meet these requirements.',
  ),
  'fw.http.body.delete-uploaded-files-on-end': setting(
    booleanSetting,
    true,
    'Whether uploaded files are deleted at the end of the request that uploaded them.',
  ),
  'fw.http.body.multipart.file-size-threshold': setting(
    size,
    0,
    'Maximum size of a file that `multipartInput` keeps in memory. Larger files, and all files received with `upload`, are written to the uploads directory.',
  ),
  'fw.http.body.multipart.file-content-types': setting(
    mediaTypes,
    [],
    'Comma-separated media types of form parts that are treated as files even without a file name.',
  ),
  'fw.rest.multipart.input-part.default-charset': setting(
    charset,
    'utf-8',
    'Default charset for text parts of a multipart form that do not specify one, and for headers of parts that are not valid UTF-8, such as file names.',
  ),
  ...limitSettings,
  ...overloadSettings,
  'fw.http.header-timeout': setting(
    durationMillis,
    10_000,
    'Maximum time for receiving the header section of a request; 408 if exceeded. `0` disables the timeout. A TLS handshake must also complete within this time, and within 120 seconds if the timeout is disabled.',
  ),
  'fw.http.read-timeout': setting(
    durationMillis,
    60_000,
    'Maximum time for receiving a whole request; 408 if exceeded. `0` disables the timeout.',
  ),
  'fw.http.write-timeout': setting(
    durationMillis,
    30_000,
    'Maximum time without progress in writing a response, after which the connection is reset. `0` disables the timeout.',
  ),
  'fw.http.handler-timeout': setting(
    durationMillis,
    0,
    'Maximum time between routing and the start of the response; 503 if exceeded. The timer stops while the request body is being received, and then restarts from zero. `0` disables the timeout. Can be overridden with `limits({ timeout })`. Blocking operations use `fw.worker.timeout`.',
  ),
  'fw.http.idle-timeout': setting(
    durationMillis,
    1_800_000,
    'Maximum time without activity on a connection, after which it is closed. `0` disables the timeout.',
  ),
  'fw.http.half-close-timeout': setting(
    durationMillis,
    5000,
    'Maximum time between a half-close by the client (FIN after its request) and the start of the response. If this time is exceeded, the connection is closed. With `0`, the connection is closed as soon as the client half-closes it. After the half-close, a streamed response ends as soon as it waits for its source, regardless of this setting.',
  ),
  'fw.http.keep-alive-timeout': setting(
    durationMillis,
    72_000,
    'Maximum time that an idle connection is kept open for the next request. `0` disables the timeout.',
  ),
  'fw.log.level': setting(
    logLevel,
    'info',
    'Minimum level of the log lines that are written. To override it for a category, set `fw.log.category."NAME".level`.',
  ),
  'fw.shutdown.delay': setting(
    durationMillis,
    0,
    'Period at the start of a shutdown during which requests are served normally, while the readiness check reports that the server is down.',
  ),
  'fw.worker.threads': setting(
    orUnlimited(count),
    undefined,
    'Maximum number of blocking operations that run at the same time, each on a worker thread. One more worker is kept ready. `unbounded` does not remove the limit, but sets it to the number of processors minus one, with a minimum of 1.',
  ),
  'fw.worker.queue': setting(
    orUnlimited(wholeNumber(0)),
    undefined,
    'Maximum number of requests that wait for a worker. Additional requests receive a 503 response with `Retry-After`. `unbounded` does not remove the limit, but sets it to 8 per worker.',
  ),
  'fw.worker.timeout': setting(
    durationMillis,
    30_000,
    'Time limit for a blocking operation; 504 if exceeded. The worker is then replaced. `0` disables the timeout.',
  ),
  'fw.worker.heap': setting(
    size,
    256 * 1024 * 1024,
    'Maximum heap size of a worker. If a worker exceeds it, the worker is replaced, and its request receives a 500 response.',
  ),
  'fw.loop.stall': setting(
    durationMillis,
    250,
    'Time for which the event loop may be blocked before a warning with the name of the operation is logged. `0` disables the warning.',
  ),
  'fw.shutdown.grace': setting(
    durationMillis,
    5000,
    'Period during a shutdown in which requests on open connections are still served, with `Connection: close`. In the `dev` and `test` profiles, the default is `0`.',
  ),
  'fw.shutdown.timeout': setting(
    durationMillis,
    30_000,
    'Time allowed for in-flight requests to complete during a shutdown, before their connections are destroyed.',
  ),
} as const
