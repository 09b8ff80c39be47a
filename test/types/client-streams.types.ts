/** Types of streams and multipart bodies in the client. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type {
  CallTask,
  DecodedFailure,
  DecodedResponse,
  ClientError,
  ClientOf,
  FileToSend,
  PartToSend,
  PromiseClient,
} from '../../src/client.ts'
import type { ReceivedEvent, ReceivedFile, Source, StreamedPart } from '../../src/index.ts'
import {
  as,
  body,
  byteStream,
  fails,
  file,
  fileBody,
  get,
  json,
  jsonStream,
  multipartInput,
  multipartOutput,
  multipartStream,
  ndjson,
  part,
  path,
  post,
  produces,
  repeated,
  responds,
  routes,
  sse,
  string,
  textStream,
} from '../../src/index.ts'

const Book = t.type({ isbn: t.string, pages: t.number })
interface ABook {
  isbn: string
  pages: number
}

// streams are read incrementally, and sent from any source
const streams = routes({
  bytes: pipe(path('/bytes'), post(), body(byteStream), produces(byteStream)),
  texts: pipe(path('/texts'), post(), body(as('text/csv')(textStream)), produces(textStream)),
  elements: pipe(path('/books'), get(), produces(jsonStream(Book), as('text/x')(ndjson(Book)))),
  events: pipe(path('/events'), get(), produces(sse(Book)), fails(503, textStream)),
  file: pipe(path('/file'), get(), produces(as('image/png')(file))),
  parts: pipe(path('/parts'), post(), body(multipartStream), produces(multipartOutput)),
  record: pipe(
    path('/record'),
    post(),
    body(multipartInput),
    produces(multipartOutput({ title: string, files: repeated(file), book: part(json(Book)) })),
  ),
  stored: pipe(path('/stored'), post(), body(as('image/*')(fileBody), json(Book)), responds(204)),
  plain: pipe(
    path('/plain'),
    post(),
    body(json(t.type({ path: t.string, size: t.number, contentType: t.string, more: t.null }))),
    responds(204),
  ),
})
declare const streaming: PromiseClient<ClientOf<typeof streams>>
expectTypeOf(streaming.bytes).parameter(0).toEqualTypeOf<{ readonly body: Source<Uint8Array> }>()
expectTypeOf(streaming.bytes).returns.toEqualTypeOf<
  Promise<DecodedResponse<200, AsyncIterable<Uint8Array>>>
>()
expectTypeOf(streaming.texts).parameter(0).toEqualTypeOf<{ readonly body: Source<string> }>()
expectTypeOf(streaming.texts).returns.toEqualTypeOf<
  Promise<DecodedResponse<200, AsyncIterable<string>>>
>()
expectTypeOf(streaming.elements).returns.toEqualTypeOf<
  Promise<DecodedResponse<200, AsyncIterable<ABook>>>
>()
expectTypeOf(streaming.events).returns.toEqualTypeOf<
  Promise<DecodedResponse<200, AsyncIterable<ReceivedEvent<ABook>>>>
>()
expectTypeOf<ReturnType<ClientOf<typeof streams>['events']>>().toEqualTypeOf<
  CallTask<
    ClientError | DecodedFailure<503, AsyncIterable<string>>,
    DecodedResponse<200, AsyncIterable<ReceivedEvent<ABook>>>
  >
>()
expectTypeOf(streaming.file).returns.toEqualTypeOf<
  Promise<DecodedResponse<200, ReceivedFile> | DecodedResponse<206, ReceivedFile>>
>()
expectTypeOf(streaming.parts).parameter(0).toEqualTypeOf<{
  readonly body: ReadonlyArray<PartToSend>
}>()
expectTypeOf(streaming.parts).returns.toEqualTypeOf<
  Promise<DecodedResponse<200, AsyncIterable<StreamedPart>>>
>()
expectTypeOf(streaming.record).parameter(0).toEqualTypeOf<{
  readonly body: ReadonlyArray<PartToSend>
}>()
expectTypeOf(streaming.record).returns.toEqualTypeOf<
  Promise<
    DecodedResponse<
      200,
      {
        readonly title: string | undefined
        readonly files: ReadonlyArray<ReceivedFile> | undefined
        readonly book: ABook | undefined
      }
    >
  >
>()
expectTypeOf(streaming.stored).parameter(0).toEqualTypeOf<{
  readonly body: FileToSend | ABook
}>()
// a value with the shape of a received file is a plain value
expectTypeOf(streaming.plain).parameter(0).toEqualTypeOf<{
  readonly body: { path: string; size: number; contentType: string; more: null }
}>()
