/** Defines all settings, with their codecs and defaults. The settings reference is generated from this table and its comments. */
import { durationMillis } from '../../codec/duration-millis.ts'
import { size } from '../../codec/size.ts'
import { contentCodings, isContentCoding } from '../../http/quality.ts'
import { hostPatternList, publicUrl } from './hosts.ts'
import { logLevel } from './logger.ts'
import {
  booleanSetting,
  charset,
  cidrList,
  commaList,
  directory,
  filePath,
  host,
  isBareMediaType,
  isCodecPattern,
  mediaTypes,
  oneOf,
  orAuto,
  orPercentage,
  orUnlimited,
  orUnset,
  pathPrefix,
  secretText,
  setting,
  sizeBetween,
  wholeNumber,
} from './setting.ts'

const count = wholeNumber(1)

const protocols = ['TLSv1.3', 'TLSv1.2'] as const

const isProtocol = (word: unknown): word is (typeof protocols)[number] =>
  protocols.some((protocol) => protocol === word)

const isCipherSuite = (word: unknown): word is string =>
  typeof word === 'string' && /^[A-Za-z0-9_-]+$/.test(word)

const isPath = (word: unknown): word is string => filePath.is(word)

const pemFiles = commaList('comma-separated paths of PEM files', isPath)

/** Suites with forward secrecy and authenticated encryption. */
const cipherSuites = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
]

/** All settings, keyed by name. Sizes are in bytes, and durations are in milliseconds. */
export const settingsTable = {
  /** Path prefix of all endpoints. */
  'fw.rest.path': setting(pathPrefix, '/'),
  /**
   * Response status if a parameter cannot be converted. `problem`: 404 for path parameters, 400 for all others. `jakarta`:
   * 404 for path, query and matrix parameters, 400 for all others.
   */
  'fw.rest.conversion-failure': setting(oneOf('problem', 'jakarta'), 'problem'),
  /**
   * When a path must be the canonical spelling of the template that it matches: its literal parts contain no unnecessary
   * percent-encoding, as `/%61dmin` does, and each matrix parameter is declared by an operation of the path. Other spellings
   * match nothing. `mounted`: in trees that `nodeListener` mounts. `always`: also with `serve`, for rules of a proxy that
   * compare paths.
   */
  'fw.rest.canonical-paths': setting(oneOf('mounted', 'always', 'never'), 'mounted'),
  /**
   * Handling of a repeated parameter whose codec accepts only a single value. `first` uses the first value; `reject`
   * responds with 400.
   */
  'fw.rest.duplicate-scalar': setting(oneOf('first', 'reject'), 'first'),
  /** Whether two endpoints that match the same requests are treated as a configuration error. `false` logs a warning instead. */
  'fw.rest.fail-on-duplicate': setting(booleanSetting, true),
  /**
   * Whether `when` conditions are evaluated. `false` includes everything that has a `when` condition. `disabledWhen` is
   * always evaluated.
   */
  'fw.rest.build-time-condition-aware': setting(booleanSetting, true),
  /**
   * Whether response values are validated by their codecs before they are sent. An invalid value results in a 500 response,
   * and the log names its location and the expected type. Without validation, only values that cannot be encoded have this
   * result.
   */
  'fw.rest.check-results': setting(booleanSetting, false),
  /**
   * Whether an undeclared JSON member, XML element or XML attribute in a request results in a 400 response. If `false`,
   * undeclared content is ignored.
   */
  'fw.rest.jsonlib.fail-on-unknown-properties': setting(booleanSetting, false),
  /**
   * Whether codecs are compiled to JavaScript functions where the platform allows code generation. The results are the same
   * either way.
   */
  'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': setting(booleanSetting, true),
  /**
   * Comma-separated names, or patterns such as `prefix.*`, of codecs that are excluded from the common XML context. Each
   * excluded codec has its own context.
   */
  'fw.jaxb.exclude-classes': setting(
    commaList('comma-separated codec names, such as "Book, library.*"', isCodecPattern),
    [],
  ),
  /**
   * JSON library for operations that do not select one. `standard` uses the built-in `JSON` object, which parses numbers as
   * doubles. `lossless` preserves all digits of numbers.
   */
  'fw.rest.json-library': setting(oneOf('standard', 'lossless'), 'standard'),
  /** Idle time after which a comment is sent on an event stream as a heartbeat. `0` disables heartbeats. */
  'fw.rest.sse.heartbeat': setting(durationMillis, 15_000),
  /**
   * Whether a relative `Location` header is resolved against the base URI, which consists of the origin, the prefix removed
   * by a proxy, and `fw.rest.path`. If not, it is sent unchanged, and clients resolve it against the request URI. A
   * reference such as `books/1` therefore has different targets. A reference that begins with `/` has the same path in both
   * cases.
   */
  'fw.rest.absolute-location': setting(booleanSetting, false),
  /**
   * Host name or address to listen on. If not set: all IPv4 and IPv6 addresses, or `localhost` in the `dev` and `test`
   * profiles. `0.0.0.0` means all IPv4 addresses, and `::` means all IPv4 and IPv6 addresses.
   */
  'fw.http.host': setting(host, '0.0.0.0'),
  /**
   * Port to listen on without TLS. `0` selects any free port. If this setting is not set, the environment variable `PORT` is
   * used.
   */
  'fw.http.port': setting(wholeNumber(0, 65_535), 8080),
  /** Port to listen on with TLS. `0` selects any free port. Used only if certificates are configured. */
  'fw.http.ssl-port': setting(wholeNumber(0, 65_535), 8443),
  /**
   * Handling of requests on `fw.http.port` if certificates are configured. `enabled` serves them. `redirect` responds with
   * 308 and the `https` URL, which starts with `fw.http.public-url`, or otherwise with the host of the request and
   * `fw.http.ssl-port`. `disabled` does not open the port. The default is `disabled` if `fw.http.ssl.client-auth` is
   * `required`.
   */
  'fw.http.insecure-requests': setting(oneOf('enabled', 'redirect', 'disabled'), 'enabled'),
  /**
   * Comma-separated PEM files with the certificates of the server, each followed by its intermediate certificates. TLS is
   * enabled if this setting or `fw.http.ssl.certificate.key-store-file` is set. If there is more than one certificate, the
   * host name sent by the client (SNI) selects one of them by its subject alternative names. The first is the default.
   */
  'fw.http.ssl.certificate.files': setting(pemFiles, []),
  /** Comma-separated PEM files with the private keys of the certificates, in the same order. The keys must not be encrypted. */
  'fw.http.ssl.certificate.key-files': setting(pemFiles, []),
  /**
   * PKCS#12 file with a certificate, its intermediate certificates and its private key. Cannot be combined with
   * `fw.http.ssl.certificate.files`.
   */
  'fw.http.ssl.certificate.key-store-file': setting(orUnset(filePath), undefined),
  /** Password of the file in `fw.http.ssl.certificate.key-store-file`. */
  'fw.http.ssl.certificate.key-store-password': setting(orUnset(secretText), undefined),
  /**
   * Comma-separated PEM files with the certificate authorities that issue client certificates. Required if
   * `fw.http.ssl.client-auth` is not `none`.
   */
  'fw.http.ssl.certificate.trust-store-files': setting(pemFiles, []),
  /**
   * Period after which the certificate, key and trust files are read again. If their content has changed, new connections
   * use it. Open connections are not affected. If a file is invalid, an error is logged, and the previous certificates stay
   * in use. `0` disables reloading.
   */
  'fw.http.ssl.certificate.reload-period': setting(durationMillis, 3_600_000),
  /** Comma-separated TLS versions. `TLSv1.3` and `TLSv1.2` are supported. */
  'fw.http.ssl.protocols': setting(
    commaList('comma-separated versions: TLSv1.3, TLSv1.2 or both', isProtocol),
    protocols,
  ),
  /**
   * Comma-separated cipher suites in order of preference, with their names in OpenSSL or IANA. The default contains only
   * suites with forward secrecy and authenticated encryption.
   */
  'fw.http.ssl.cipher-suites': setting(
    commaList('comma-separated names of cipher suites', isCipherSuite),
    cipherSuites,
  ),
  /**
   * Whether the server requests certificates from clients. `request` also accepts clients without a valid certificate.
   * `required` rejects them during the handshake. The `mutualTls` filter creates a principal from the certificate.
   */
  'fw.http.ssl.client-auth': setting(oneOf('none', 'request', 'required'), 'none'),
  /**
   * Whether HTTP/2 is offered on the TLS port (ALPN). `auto` offers it if the version of Node.js is 22.23.2 or later,
   * 24.18.1 or later, or at least 26. In other versions, `node:http2` has known vulnerabilities with which clients can
   * exhaust the memory.
   */
  'fw.http.http2': setting(orAuto(booleanSetting), 'auto'),
  /**
   * Whether clients can use HTTP/2 without TLS, with prior knowledge (RFC 9113, section 3.3). An `Upgrade: h2c` header is
   * ignored.
   */
  'fw.http.http2-clear-text': setting(booleanSetting, false),
  /**
   * Maximum number of bytes that a client can send on an HTTP/2 stream while the server does not read its body. A larger
   * window makes uploads over slow networks faster. Up to this number of bytes is held in memory for each stream.
   */
  'fw.http.initial-window-size': setting(sizeBetween(65_535, 2 ** 31 - 1), 256 * 1024),
  /**
   * Whether the server listens on `fw.http.port` and `fw.http.ssl-port`. If `false`, it listens only on
   * `fw.http.domain-socket`.
   */
  'fw.http.host-enabled': setting(booleanSetting, true),
  /**
   * Path of a Unix domain socket to listen on, in addition to the ports. Requests on it are not encrypted, and
   * `fw.http.insecure-requests` does not apply to them. A socket file left behind by a process that has ended is replaced.
   */
  'fw.http.domain-socket': setting(orUnset(filePath), undefined),
  /** Whether the server listens on `fw.http.domain-socket` if it is set. */
  'fw.http.domain-socket-enabled': setting(booleanSetting, true),
  /**
   * Implementation of HTTP/1.1. `node` uses `node:http`. `direct` reads and writes connections itself, which takes less CPU
   * time, and accepts any method. With `direct`, `nodeRequest` and `nodeResponse` return `undefined`, and tools that
   * instrument `node:http` do not see the requests.
   */
  'fw.http.connection': setting(oneOf('node', 'direct'), 'node'),
  /**
   * Number of processes that serve requests. If it is greater than 1, the program becomes the parent process of the
   * instances, which run the same program and share the port. `auto` is the number of available processors. Limits on
   * connections, memory, and worker threads apply to each instance.
   */
  'fw.http.instances': setting(orAuto(count), 1),
  /**
   * Time after which an instance that has exited unexpectedly is replaced. The delay doubles each time the replacement exits
   * as well.
   */
  'fw.http.instances.restart-delay': setting(durationMillis, 100),
  /**
   * Maximum delay before an instance is replaced. An instance that has run for this time is replaced after
   * `fw.http.instances.restart-delay` again.
   */
  'fw.http.instances.max-restart-delay': setting(durationMillis, 30_000),
  /**
   * Maximum time from the start of an instance until it listens. If this time is exceeded, the instance is terminated. `0`
   * disables the timeout.
   */
  'fw.http.instances.start-timeout': setting(durationMillis, 60_000),
  /**
   * Whether request targets are limited to the characters of RFC 3986. By default, the characters that the URL Standard
   * leaves unencoded are also accepted, because browsers and `fetch` send them: `| ^ [ ]` and a `%` that begins no escape in
   * paths, and in queries also `{ } \` and the backtick.
   */
  'fw.http.strict-target': setting(booleanSetting, false),
  /**
   * Comma-separated addresses and CIDR blocks of proxies whose `Forwarded` and `X-Forwarded-*` headers are used. `unix:`
   * means proxies that connect to the Unix domain socket. If empty, no proxy is trusted.
   */
  'fw.http.proxy.trusted': setting(cidrList, []),
  /**
   * Public URL of the root of the server. Absolute URIs in responses start with this URL rather than with the scheme, host
   * and forwarded prefix of the request. The path of the resource, including `fw.rest.path`, is appended to this URL.
   */
  'fw.http.public-url': setting(orUnset(publicUrl), undefined),
  /**
   * Comma-separated hosts for which the server accepts requests, such as `example.com, *.example.com:8443, [::1]`. Requests
   * for other hosts receive a 421 response, except requests for `critical` operations, such as those of `health`. If empty,
   * all hosts are allowed.
   */
  'fw.http.allowed-hosts': setting(hostPatternList, []),
  /**
   * Whether compressed request bodies (gzip, deflate, br, and zstd where Node.js supports it) are decompressed. If `false`,
   * requests with a compressed body receive a 415 response.
   */
  'fw.http.enable-decompression': setting(booleanSetting, false),
  /**
   * Whether responses are compressed for clients that accept compression. This applies to responses of `compressed`
   * operations, and to responses with a media type listed in `fw.http.compress-media-types`.
   */
  'fw.http.enable-compression': setting(booleanSetting, false),
  /**
   * Comma-separated media types of responses that are compressed by default. Declaring an operation `compressed` or
   * `uncompressed` overrides this setting.
   */
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
  ),
  // gzip first: it needs the least memory per stream, and all clients support it
  /**
   * Comma-separated content codings for compressed responses, in order of preference. The order matters only among codings
   * to which the client gives the same weight. `zstd` is used where Node.js supports it.
   */
  'fw.http.compressors': setting(
    commaList(
      `a comma-separated list of content codings (${contentCodings.join(', ')})`,
      isContentCoding,
    ),
    contentCodings,
  ),
  /** Compression level for `gzip` and `deflate`, from 1 (fastest) to 9 (smallest). */
  'fw.http.compression-level': setting(wholeNumber(1, 9), 6),
  /**
   * Response bodies that are smaller than this size are not compressed. The limit does not apply to bodies whose size is not
   * known in advance.
   */
  'fw.http.compression-threshold': setting(size, 0),
  /**
   * Directory for uploaded files, relative to the temporary directory of the operating system. It is created with mode 0700.
   * An existing directory must belong to the user that runs the process, and must not be accessible to others. The default
   * is `uploads`, or `espalier-uploads-` followed by the user ID if `uploads` does not meet these requirements.
   */
  'fw.http.body.uploads-directory': setting(orUnset(directory), undefined),
  /** Whether uploaded files are deleted at the end of the request that uploaded them. */
  'fw.http.body.delete-uploaded-files-on-end': setting(booleanSetting, true),
  /**
   * Maximum size of a file that `multipartInput` keeps in memory. Larger files, and all files received with `upload`, are
   * written to the uploads directory.
   */
  'fw.http.body.multipart.file-size-threshold': setting(size, 0),
  /** Comma-separated media types of form parts that are treated as files even without a file name. */
  'fw.http.body.multipart.file-content-types': setting(mediaTypes, []),
  /**
   * Default charset for text parts of a multipart form that do not specify one, and for headers of parts that are not valid
   * UTF-8, such as file names.
   */
  'fw.rest.multipart.input-part.default-charset': setting(charset, 'utf-8'),
  /** Maximum size of the header section of a request; 431 if exceeded. */
  'fw.http.limits.max-header-size': setting(size, 16 * 1024),
  /** Maximum number of headers in a request; 431 if exceeded. */
  'fw.http.limits.max-header-fields': setting(count, 200),
  /** Maximum length of the request line; 414 if exceeded. RFC 9112, section 3, recommends at least 8000 bytes. */
  'fw.http.limits.max-initial-line-length': setting(size, 8192),
  /** Maximum size of a request body; 413 if exceeded. Can be overridden with `limits({ bodySize })`. */
  'fw.http.limits.max-body-size': setting(size, 10_240 * 1024),
  /**
   * Maximum size, after decompression, of a request body that is parsed as a whole, and of a form part that is not a file;
   * 413 if exceeded. The limit applies to JSON, XML, HAL, URL-encoded forms, text, bytes, and bodies read by custom readers.
   * It does not apply to files, to streams, or to the total size of a multipart body. Can be overridden with `limits({
   * parsedBodySize })`.
   */
  'fw.http.limits.max-parsed-body-size': setting(size, 512 * 1024),
  /** Maximum size of a form part that is not a file; 413 if exceeded. Can be overridden with `limits({ formAttributeSize })`. */
  'fw.http.limits.max-form-attribute-size': setting(size, 2048),
  /** Maximum size of a file in a multipart form; 413 if exceeded. Can be overridden with `limits({ fileSize })`. */
  'fw.http.limits.max-multipart-file-size': setting(size, 10_240 * 1024),
  /** Maximum number of files in a multipart form; 413 if exceeded. Can be overridden with `limits({ files })`. */
  'fw.http.limits.max-multipart-files': setting(count, 10),
  /**
   * Maximum number of parts of a multipart form, including files; 413 if exceeded. If not set,
   * `fw.http.limits.max-parameters` applies. Can be overridden with `limits({ parts })`.
   */
  'fw.http.limits.max-multipart-parts': setting(orUnset(count), undefined),
  /** Maximum size of the header section of a form part; 413 if exceeded. Can be overridden with `limits({ partHeaderSize })`. */
  'fw.http.limits.max-multipart-part-header-size': setting(size, 32 * 1024),
  /** Maximum number of headers in a form part; 413 if exceeded. Can be overridden with `limits({ partHeaders })`. */
  'fw.http.limits.max-multipart-part-header-count': setting(count, 40),
  /**
   * Maximum number of query parameters, matrix parameters, cookies, or fields or parts of a form; 413 if exceeded in a form,
   * 400 otherwise. Can be overridden with `limits({ parameters })`.
   */
  'fw.http.limits.max-parameters': setting(count, 1000),
  /** Maximum nesting depth of arrays and objects in a JSON body; 400 if exceeded. */
  'fw.http.limits.max-json-depth': setting(count, 100),
  /** Maximum number of members of an object in a JSON body; 400 if exceeded. */
  'fw.http.limits.max-json-keys': setting(count, 10_000),
  /** Maximum size of an XML body, or of a form part that is XML; 413 if exceeded. */
  'fw.http.limits.max-xml-size': setting(size, 256 * 1024),
  /** Maximum nesting depth of elements in an XML body; 400 if exceeded. */
  'fw.http.limits.max-xml-depth': setting(count, 100),
  /**
   * Maximum number of open connections; additional connections are closed. A percentage is relative to the number of files
   * that the process can open; on systems other than Linux, a percentage sets no limit. `unbounded` removes the limit.
   */
  'fw.http.limits.max-connections': setting(orUnlimited(orPercentage(count)), { percent: 80 }),
  /**
   * Maximum total size of request and response bodies in memory. When it is reached, requests that need more memory receive
   * a 503 response with `Retry-After: 1`. A percentage is relative to the heap limit. `unbounded` removes the limit.
   */
  'fw.http.limits.max-buffered-size': setting(orUnlimited(orPercentage(size)), { percent: 25 }),
  /**
   * Minimum average rate, in bytes per second, at which a request body must be received, after a grace period of 5 seconds.
   * Slower requests receive a 408 response, and the connection is closed. `0` disables the limit.
   */
  'fw.http.limits.min-body-rate': setting(size, 1024),
  /**
   * Maximum number of requests in progress on an HTTP/2 connection. Further streams are rejected. A client that opens
   * thousands of them, none of which is accepted, is disconnected.
   */
  'fw.http.limits.max-concurrent-streams': setting(wholeNumber(1, 2 ** 31 - 1), 128),
  /**
   * Maximum number of streams that a client can reset on an HTTP/2 connection during
   * `fw.http.limits.rst-flood-window-duration`. Streams that the server resets because of an error of the client are counted
   * as well. If the number is exceeded, the connection is closed.
   */
  'fw.http.limits.rst-flood-max-rst-frame-per-window': setting(count, 200),
  /**
   * Period in which reset streams, SETTINGS frames and PING frames of an HTTP/2 connection are counted. With `0`, their
   * number is not limited.
   */
  'fw.http.limits.rst-flood-window-duration': setting(durationMillis, 30_000),
  /**
   * Maximum number of SETTINGS frames on an HTTP/2 connection during `fw.http.limits.rst-flood-window-duration`. If the
   * number is exceeded, the connection is closed.
   */
  'fw.http.limits.settings-flood-max-frame-per-window': setting(count, 100),
  /**
   * Maximum number of PING frames on an HTTP/2 connection during `fw.http.limits.rst-flood-window-duration`. If the number
   * is exceeded, the connection is closed.
   */
  'fw.http.limits.ping-flood-max-frame-per-window': setting(count, 1000),
  /**
   * Whether requests receive a 503 response with `Retry-After: 1` while the event loop is overloaded. Operations declared
   * `critical` are always served.
   */
  'fw.http.overload.enabled': setting(booleanSetting, true),
  /**
   * Event loop delay above which the server is considered overloaded. While it is overloaded, most requests that have waited
   * for more than 4% of this threshold are rejected. A few are still accepted so that the server does not become idle. `0`
   * disables the limit.
   */
  'fw.http.overload.max-loop-delay': setting(durationMillis, 250),
  /**
   * Event loop utilization, as a percentage, above which requests are rejected if `fw.http.overload.max-loop-delay` is also
   * exceeded. With `100`, utilization is ignored, and only the delay is considered.
   */
  'fw.http.overload.max-loop-utilization': setting(wholeNumber(1, 100), 98),
  /**
   * Maximum time for receiving the header section of a request; 408 if exceeded. `0` disables the timeout. A TLS handshake
   * must also complete within this time, and within 120 seconds if the timeout is disabled.
   */
  'fw.http.header-timeout': setting(durationMillis, 10_000),
  /** Maximum time for receiving a whole request; 408 if exceeded. `0` disables the timeout. */
  'fw.http.read-timeout': setting(durationMillis, 60_000),
  /** Maximum time without progress in writing a response, after which the connection is reset. `0` disables the timeout. */
  'fw.http.write-timeout': setting(durationMillis, 30_000),
  /**
   * Maximum time between routing and the start of the response; 503 if exceeded. The timer stops while the request body is
   * being received, and then restarts from zero. `0` disables the timeout. Can be overridden with `limits({ timeout })`.
   * Blocking operations use `fw.worker.timeout`.
   */
  'fw.http.handler-timeout': setting(durationMillis, 0),
  /** Maximum time without activity on a connection, after which it is closed. `0` disables the timeout. */
  'fw.http.idle-timeout': setting(durationMillis, 1_800_000),
  /**
   * Maximum time between a half-close by the client (FIN after its request) and the start of the response. If this time is
   * exceeded, the connection is closed. With `0`, the connection is closed as soon as the client half-closes it. After the
   * half-close, a streamed response ends as soon as it waits for its source, regardless of this setting.
   */
  'fw.http.half-close-timeout': setting(durationMillis, 5000),
  /** Maximum time that an idle connection is kept open for the next request. `0` disables the timeout. */
  'fw.http.keep-alive-timeout': setting(durationMillis, 72_000),
  /** Minimum level of the log lines that are written. To override it for a category, set `fw.log.category."NAME".level`. */
  'fw.log.level': setting(logLevel, 'info'),
  /**
   * Format of the log on standard output: JSON lines, or text for developers, with colours on a terminal. In the `dev` profile, the default
   * is `text`. A logger that is passed as an option has its own format.
   */
  'fw.log.format': setting(oneOf('json', 'text'), 'json'),
  /**
   * Period at the start of a shutdown during which requests are served normally, while the readiness check reports that the
   * server is down.
   */
  'fw.shutdown.delay': setting(durationMillis, 0),
  /**
   * Maximum number of blocking operations that run at the same time, each on a worker thread. One more worker is kept ready.
   * `unbounded` does not remove the limit, but sets it to the number of processors minus one, with a minimum of 1.
   */
  'fw.worker.threads': setting(orUnlimited(count), undefined),
  /**
   * Maximum number of requests that wait for a worker. Additional requests receive a 503 response with `Retry-After`.
   * `unbounded` does not remove the limit, but sets it to 8 per worker.
   */
  'fw.worker.queue': setting(orUnlimited(wholeNumber(0)), undefined),
  /** Time limit for a blocking operation; 504 if exceeded. The worker is then replaced. `0` disables the timeout. */
  'fw.worker.timeout': setting(durationMillis, 30_000),
  /** Maximum heap size of a worker. If a worker exceeds it, the worker is replaced, and its request receives a 500 response. */
  'fw.worker.heap': setting(size, 256 * 1024 * 1024),
  /**
   * Time for which the event loop may be blocked before a warning with the name of the operation is logged. `0` disables the
   * warning.
   */
  'fw.loop.stall': setting(durationMillis, 250),
  /**
   * Period during a shutdown in which requests on open connections are still served, with `Connection: close`. In the `dev`
   * and `test` profiles, the default is `0`.
   */
  'fw.shutdown.grace': setting(durationMillis, 5000),
  /** Time allowed for in-flight requests to complete during a shutdown, before their connections are destroyed. */
  'fw.shutdown.timeout': setting(durationMillis, 30_000),
} as const
