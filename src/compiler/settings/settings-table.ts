/** Every setting, under its full name: what it can be, what it is unless somebody says otherwise, and a sentence about it. */
import { durationMillis } from '../../codec/duration-millis.ts'
import { size } from '../../codec/size.ts'
import { compressing, isCompressing } from '../../http/content-coding.ts'
import { addressBlocks } from './cidr-list.ts'
import { hostPatterns } from './allowed-hosts.ts'
import { level } from './log-level.ts'
import { limits } from './limits-table.ts'
import { overload } from './overload-table.ts'
import { publicUrl } from './public-url.ts'
import {
  boolean,
  charset,
  directory,
  host,
  mediaTypes,
  oneOf,
  orUnset,
  pathPrefix,
  setting,
  unbounded,
  wholeNumber,
} from './setting.ts'
import { isBareMediaType, isCodecPattern, wordList } from './comma-list.ts'

const count = wholeNumber(1)

/** Sizes are octets, durations milliseconds; a duration of 0 waits for nothing, or without end where it says so. */
export const table = {
  'fw.rest.path': setting(pathPrefix, '/', 'The path below which all endpoints stand.'),
  'fw.rest.conversion-failure': setting(
    oneOf('problem', 'jakarta'),
    'problem',
    'The status of a parameter that cannot be converted: `problem` answers 404 for path and 400 for all others, `jakarta` 404 for path, query and matrix.',
  ),
  'fw.rest.duplicate-scalar': setting(
    oneOf('first', 'reject'),
    'first',
    'What becomes of a parameter with one value that is given twice: the `first` is taken, or `reject` answers 400.',
  ),
  'fw.rest.fail-on-duplicate': setting(
    boolean,
    true,
    'Whether two endpoints that answer the same requests fail the start, instead of giving a warning.',
  ),
  'fw.rest.build-time-condition-aware': setting(
    boolean,
    true,
    'Whether `when` is heeded, instead of including everything whatever its conditions; `disabledWhen` always is.',
  ),
  'fw.rest.check-results': setting(
    boolean,
    false,
    'Whether values are checked by their codec before they are sent: one that is not of the declared type is answered with 500.',
  ),
  'fw.rest.jsonlib.fail-on-unknown-properties': setting(
    boolean,
    false,
    'Whether a JSON member, or an element or attribute of XML, that no codec declares is answered with 400, instead of being dropped.',
  ),
  'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': setting(
    boolean,
    true,
    'Whether functions are generated for the codecs of endpoints, where the platform allows it; answers are the same without.',
  ),
  'fw.jaxb.exclude-classes': setting(
    wordList('names of codecs, such as Book, library.*', isCodecPattern),
    [],
    'The names of codecs, or `prefix.*`, that are not in the common XML context but in contexts of their own, as a comma list.',
  ),
  'fw.rest.json-library': setting(
    oneOf('standard', 'lossless'),
    'standard',
    'What reads and writes JSON where an operation says nothing of it: `standard`, as the language does, or `lossless`, which keeps every digit of numbers.',
  ),
  'fw.rest.sse.heartbeat': setting(
    durationMillis,
    15_000,
    'The milliseconds without an event after which a comment is sent on an event stream; 0 sends none.',
  ),
  'fw.rest.absolute-location': setting(
    boolean,
    false,
    'Whether a relative `Location` is resolved against the base URI.',
  ),
  'fw.http.host': setting(
    host,
    '0.0.0.0',
    'Host name or address to listen on. Default: every address, of IPv4 and IPv6; in the profiles `dev` and `test`, `localhost`. If it is set, `0.0.0.0` is every address of IPv4 only, and `::` of both.',
  ),
  'fw.http.port': setting(
    wholeNumber(0, 65_535),
    8080,
    'The port to listen on; 0 takes any that is free.',
  ),
  'fw.http.proxy.trusted': setting(
    addressBlocks,
    [],
    'The proxies whose `Forwarded` or `X-Forwarded-*` are believed, as a comma list of addresses and blocks of them; nobody by default.',
  ),
  'fw.http.public-url': setting(
    orUnset(publicUrl),
    undefined,
    'The URL by which clients reach the root of the server. Absolute URIs begin with it, instead of with the scheme, host and prefix of the request; the path of the request follows, including `fw.rest.path`. Default: not set.',
  ),
  'fw.http.allowed-hosts': setting(
    hostPatterns,
    [],
    'The hosts that requests may be sent to, as a comma list such as `example.com, *.example.com:8443, [::1]`: 421 for others, except for `vital` operations such as those of `health`. Default: every host.',
  ),
  'fw.http.enable-decompression': setting(
    boolean,
    false,
    'Whether a content that is coded (gzip, deflate, br, zstd where Node has it) is decoded, instead of being answered with 415.',
  ),
  'fw.http.enable-compression': setting(
    boolean,
    false,
    'Whether responses are compressed for clients that can read that: those of `compressed` operations, and those with one of the media types.',
  ),
  'fw.http.compress-media-types': setting(
    wordList('media types without parameters, such as text/html, text/css', isBareMediaType),
    [
      'text/html',
      'text/plain',
      'text/xml',
      'text/css',
      'text/javascript',
      'application/javascript',
    ],
    'The media types that are compressed where an operation says nothing of it, as a comma list.',
  ),
  // gzip first: of all it holds the least memory for a stream, and every client reads it
  'fw.http.compressors': setting(
    wordList(`content codings: ${compressing.join(', ')}`, isCompressing),
    compressing,
    'The content codings that are used, as a comma list, the preferred first: a client that weighs several alike is sent the first; `zstd` where Node has it.',
  ),
  'fw.http.compression-level': setting(
    wholeNumber(1, 9),
    6,
    'The level of `gzip` and `deflate`, from 1, the fastest, to 9, the smallest.',
  ),
  'fw.http.compression-threshold': setting(
    size,
    0,
    'The octets from which on a response is compressed, where they are known beforehand.',
  ),
  'fw.http.body.uploads-directory': setting(
    orUnset(directory),
    undefined,
    'The directory of uploaded files, relative to the temporary directory of the system. It is created with mode 0700; an existing one must belong to the user of the process and be closed to others. Default: `uploads`, or `espalier-uploads-` and the id of the user where `uploads` is not such a directory.',
  ),
  'fw.http.body.delete-uploaded-files-on-end': setting(
    boolean,
    true,
    'Whether files that were received are deleted when their request has ended.',
  ),
  'fw.http.body.multipart.file-size-threshold': setting(
    size,
    0,
    'The octets up to which a file of `multipartInput` stays in memory; an `upload` always lies in the directory.',
  ),
  'fw.http.body.multipart.file-content-types': setting(
    mediaTypes,
    [],
    'The media types of parts that are files even when they name none, as a comma list.',
  ),
  'fw.rest.multipart.input-part.default-charset': setting(
    charset,
    'utf-8',
    'The charset of the texts of multipart forms, where a part states none.',
  ),
  ...limits,
  ...overload,
  'fw.http.header-timeout': setting(
    durationMillis,
    10_000,
    'The milliseconds in which the header section of a request must arrive; 0 waits without end.',
  ),
  'fw.http.read-timeout': setting(
    durationMillis,
    60_000,
    'The milliseconds in which a whole request must arrive; 0 waits without end.',
  ),
  'fw.http.write-timeout': setting(
    durationMillis,
    30_000,
    'The milliseconds after which a connection is closed whose client takes nothing of what is sent to it; 0 waits without end.',
  ),
  'fw.http.handler-timeout': setting(
    durationMillis,
    0,
    'The milliseconds, from when an operation is found and its content has come, in which its response must begin: 503 otherwise; 0 waits without end. `limits({ time })` says it of operations. On a worker, `fw.worker.timeout` counts.',
  ),
  'fw.http.idle-timeout': setting(
    durationMillis,
    1_800_000,
    'The milliseconds after which a connection without any activity is closed; 0 waits without end.',
  ),
  'fw.http.half-close-timeout': setting(
    durationMillis,
    5000,
    'Milliseconds from a half-close of the client (FIN after its request) within which a response, streams excepted, must begin; then the connection is closed. 0 closes it at once.',
  ),
  'fw.http.keep-alive-timeout': setting(
    durationMillis,
    72_000,
    'The milliseconds that a connection waits for its next request; 0 waits without end.',
  ),
  'fw.log.level': setting(
    level,
    'info',
    'The least level of lines in the log; `fw.log.category."NAME".level` says another one for a category.',
  ),
  'fw.shutdown.delay': setting(
    durationMillis,
    0,
    'The milliseconds, before the grace, in which a server that closes goes on as before and only says that it is not ready.',
  ),
  'fw.worker.threads': setting(
    unbounded(count),
    undefined,
    'The number of blocking operations that run at the same time, each on a worker; one more worker is kept ready. `unbounded` stands for the processors of the machine but one, at least 1.',
  ),
  'fw.worker.queue': setting(
    unbounded(wholeNumber(0)),
    undefined,
    'The number of requests that wait for a worker; further ones are answered with 503. `unbounded` stands for 8 for each worker.',
  ),
  'fw.worker.timeout': setting(
    durationMillis,
    30_000,
    'The milliseconds after which a blocking operation is answered with 504 and its worker is replaced; 0 waits without end.',
  ),
  'fw.worker.heap': setting(
    size,
    256 * 1024 * 1024,
    'The octets of the heap of a worker; one that needs more is replaced, and its request answered with 500.',
  ),
  'fw.loop.stall': setting(
    durationMillis,
    250,
    'The milliseconds that nothing may hold the event loop for without a warning in the log, which names the operation; 0 looks at nothing.',
  ),
  'fw.shutdown.grace': setting(
    durationMillis,
    5000,
    'The milliseconds, once the server closes, in which requests on open connections are still answered, with `Connection: close`.',
  ),
  'fw.shutdown.timeout': setting(
    durationMillis,
    30_000,
    'The milliseconds after which a server that closes cuts what is still running.',
  ),
} as const
