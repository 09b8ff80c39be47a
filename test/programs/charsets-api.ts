/** Operations that declare the charset of their response in different ways. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  as,
  bytes,
  fails,
  get,
  handle,
  html,
  json,
  mapError,
  mediaType,
  ok,
  path,
  produces,
  reply,
  representation,
  requestFilter,
  responseFilter,
  responseHeader,
  routes,
  string,
  text,
  textStream,
  withEtag,
  withFilter,
  withHeader,
  withInterceptor,
  withMapper,
  writerInterceptor,
} from '../../src/index.ts'

export const latin = 'text/plain;charset=ISO-8859-1'
export const ascii = 'text/plain;charset=US-ASCII'
export const cafe = () => 'café'
const csv = representation({
  mediaType: 'text/csv;charset=ISO-8859-1',
  write: (value: string) => value,
})
const custom = representation({
  mediaType: 'text/plain;charset=windows-1251',
  write: (value: string) => (value === 'bytes' ? Uint8Array.of(0xe9) : value),
})

export const api = routes({
  text: pipe(path('/text'), get(), produces(as(latin)(text)), handle(cafe)),
  quoted: pipe(
    path('/quoted'),
    get(),
    produces(as('text/plain; charset="latin1"')(text)),
    handle(cafe),
  ),
  codec: pipe(path('/codec'), get(), produces(as(latin)(csv)), handle(cafe)),
  html: pipe(
    path('/html'),
    get(),
    produces(as('text/html;charset=ISO-8859-1')(html)),
    handle(cafe),
  ),
  custom: pipe(path('/custom'), get(), produces(csv), handle(cafe)),
  customBytes: pipe(
    path('/custom-bytes'),
    get(),
    produces(custom),
    handle(() => 'bytes'),
  ),
  customText: pipe(
    path('/custom-text'),
    get(),
    produces(custom),
    handle(() => 'text'),
  ),
  bytes: pipe(
    path('/bytes'),
    get(),
    produces(as('text/plain;charset=windows-1251')(bytes)),
    handle(() => Uint8Array.of(0xe9)),
  ),
  tagged: pipe(path('/tagged'), get(), produces(withEtag('strong')(as(latin)(text))), handle(cafe)),
  stream: pipe(
    path('/stream'),
    get(),
    produces(as(latin)(textStream)),
    handle(() => ['caf', 'é']),
  ),
  ranged: pipe(
    path('/ranged'),
    get(),
    produces(as('text/*;charset=ISO-8859-1')(text)),
    handle(cafe),
  ),
  ascii: pipe(
    path('/ascii'),
    get(),
    produces(as(ascii)(text)),
    handle(() => 'cafe'),
  ),
  notAscii: pipe(path('/not-ascii'), get(), produces(as(ascii)(text)), handle(cafe)),
  notLatin: pipe(
    path('/not-latin'),
    get(),
    produces(as(latin)(text)),
    handle(() => '5 €'),
  ),
  control: pipe(
    path('/control'),
    get(),
    produces(as(latin)(text)),
    handle(() => '\x80'),
  ),
  jsonAscii: pipe(
    path('/json-ascii'),
    get(),
    produces(as('application/json;charset=US-ASCII')(json(string))),
    handle(() => 'a'),
  ),
  utf8: pipe(path('/utf8'), get(), produces(as('text/plain;charset="utf-8"')(text)), handle(cafe)),
  reply: pipe(
    path('/reply'),
    get(),
    produces(text),
    handle(() => pipe(ok('café'), mediaType(latin))),
  ),
  replyUtf8: pipe(
    path('/reply-utf8'),
    get(),
    produces(as(latin)(text)),
    handle(() => pipe(ok('café'), mediaType('text/plain;charset=UTF-8'))),
  ),
  replyWithout: pipe(
    path('/reply-without'),
    get(),
    produces(as(latin)(text)),
    handle(() => pipe(ok('café'), mediaType('text/plain'))),
  ),
  replyStream: pipe(
    path('/reply-stream'),
    get(),
    produces(textStream),
    handle(() => pipe(ok(['caf', 'é']), mediaType(latin))),
  ),
  replyUnknown: pipe(
    path('/reply-unknown'),
    get(),
    produces(text),
    handle(() => pipe(ok('café'), mediaType('text/plain;charset=klingon'))),
  ),
  replyJson: pipe(
    path('/reply-json'),
    get(),
    produces(json(string)),
    handle(() => pipe(ok('café'), mediaType('application/json;charset=ISO-8859-1'))),
  ),
  replyBytes: pipe(
    path('/reply-bytes'),
    get(),
    produces(bytes),
    handle(() => pipe(ok(Uint8Array.of(0xe9)), mediaType('text/plain;charset=windows-1251'))),
  ),
  fixed: pipe(
    path('/fixed'),
    get(),
    produces(text),
    responseHeader('Content-Type', latin),
    handle(cafe),
  ),
  failure: pipe(
    path('/failure'),
    get(),
    produces(json(string)),
    fails(404, as(latin)(text)),
    handle(() => reply(404, 'café')),
  ),
  filtered: pipe(
    routes({ it: pipe(path('/filtered'), get(), produces(text), handle(cafe)) }),
    withFilter(responseFilter(withHeader('Content-Type', latin))),
  ),
  answered: pipe(
    routes({ it: pipe(path('/answered'), get(), produces(text), handle(cafe)) }),
    withFilter(requestFilter(() => pipe(reply(403, 'café'), mediaType(latin)))),
  ),
  mapped: pipe(
    routes({
      it: pipe(
        path('/mapped'),
        get(),
        produces(text),
        handle((): string => {
          throw new RangeError()
        }),
      ),
    }),
    withMapper(mapError(RangeError, { fails: { 418: as(latin)(text) } }, () => reply(418, 'café'))),
  ),
  intercepted: pipe(
    routes({ it: pipe(path('/intercepted'), get(), produces(as(latin)(text)), handle(cafe)) }),
    withInterceptor(writerInterceptor((_, proceed) => proceed())),
  ),
  retyped: pipe(
    routes({ it: pipe(path('/retyped'), get(), produces(text), handle(cafe)) }),
    withInterceptor(writerInterceptor((_, proceed) => proceed({ mediaType: latin }))),
  ),
  relabelled: pipe(
    routes({ it: pipe(path('/relabelled'), get(), produces(text), handle(cafe)) }),
    withInterceptor(
      writerInterceptor(({ addHeader }) => {
        addHeader('Content-Type', latin)
        return 'café'
      }),
    ),
  ),
})
