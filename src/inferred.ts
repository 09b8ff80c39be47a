/**
 * Types that applications rarely write but often infer. The compiler must be able to name them when it emits declarations of
 * exported endpoints, steps and codecs.
 */
export type { AnyCodec, Codec, ParameterCodec, Scalar, ScalarCodec } from './codec/codec.ts'
export type { FiniteNumberC, EnumType } from './codec/scalar.ts'
export type { OptionalC, WithDefaultType } from './codec/optional.ts'
export type { ListC, SetType, SeparatedType, Separate } from './codec/collection.ts'
export type { Constrain, ConstrainedType, Constraint } from './codec/constraint.ts'
export type { SegmentsType } from './codec/parameter/segments.ts'
export type { EncodedType } from './codec/parameter/encoded.ts'
export type { Attempt, AttemptType } from './codec/parameter/attempt.ts'
export type { ExactlyType } from './codec/strict.ts'
export type { RestrictedType, Restriction, View } from './codec/visibility/restricted-member.ts'
export type { ChooseView } from './endpoint/visibility.ts'
export type {
  StandardSchema,
  StandardResult,
  StandardIssue,
  StandardType,
} from './codec/standard-schema/standard-schema.ts'
export type { JsonStep } from './endpoint/json-customization.ts'
export type { JsonRules } from './endpoint/internal/json-rules.ts'
export type { DateCodec } from './codec/temporal/date-codec.ts'
export type {
  AnyHandler,
  Definition,
  Endpoint,
  Keep,
  Step,
  Unhandled,
} from './endpoint/endpoint.ts'
export type { Add, AddTo, Override, Ready } from './endpoint/internal/declaration-errors.ts'
export type {
  AnySegments,
  Extendable,
  MakeOperation,
  MakeSafeOperation,
  VariableCodec,
} from './endpoint/path.ts'
export type { ParameterCodecs, QueryMap } from './endpoint/parameters.ts'
export type { Bodiless } from './endpoint/body.ts'
export type { Formable, FormCodecs } from './endpoint/form.ts'
export type { FilePart, FileSource, OpenHandle, ReceivedFile } from './endpoint/file.ts'
export type {
  FormDataPart,
  FormDataPartOptions,
  MultipartOutput,
  MultipartRecord,
  OutputFields,
  OutputRecord,
  ReceivedRecord,
  RepeatedPart,
} from './endpoint/multipart-output.ts'
export type { AnyFormPart, FormPart } from './endpoint/form.ts'
export type { FileUpload } from './endpoint/form.ts'
export type {
  FileItem,
  FormValue,
  MultipartFormDataInput,
  StreamedPart,
} from './endpoint/multipart.ts'
export type {
  AnyRepresentation,
  ByteStream,
  TextStream,
  Nothing,
  Receivable,
  Received,
  Representable,
  Representation,
  Retyped,
  Validator,
} from './endpoint/representation.ts'
export type { FormMap } from './endpoint/form.ts'
export type { Fields, MultiOptions, StreamingOptions } from './endpoint/multi.ts'
export type { Multi, Observable, Source } from './endpoint/multi.ts'
export type {
  Application,
  Context,
  End,
  EndpointInfo,
  Principal,
  RequestContext,
  ResponseContext,
  ResponseFields,
  SecurityContext,
  Surroundings,
  UriInfo,
  UriParameters,
} from './endpoint/context.ts'
export type { Log, Logger } from './endpoint/context.ts'
export type { AnyFilter, Filter, FilterReturns, PlainFilter } from './endpoint/filter.ts'
export type { CorsOptions } from './filter/cors.ts'
export type { Origins } from './filter/origins.ts'
export type { SecurityHeadersOptions, TransportSecurity } from './filter/security-headers.ts'
export type { RequestIdOptions } from './filter/request-id.ts'
export type { AccessLogOptions } from './filter/access-log.ts'
export type { AuthenticationOptions } from './endpoint/authentication.ts'
export type { Identified } from './endpoint/authentication.ts'
export type { BasicOptions } from './filter/basic.ts'
export type { BearerOptions } from './filter/bearer.ts'
export type { Claims, JwtOptions } from './filter/jwt.ts'
export type { ApiKeyOptions, ApiKeyPlace } from './filter/api-key.ts'
export type { Verdict, Verified } from './filter/verification.ts'
export type { BasicCredentials } from './http/basic-credentials.ts'
export type { RequestFilterOptions } from './endpoint/request-filter.ts'
export type { Next } from './endpoint/request-filter.ts'
export type { Rewrite, Rewriting } from './endpoint/pre-matching.ts'
export type { AnyMapper, Class, Mapper, MapperOptions, Unwrapping } from './endpoint/mapper.ts'
export type {
  AttributeStep as Mark,
  AttributeTarget as Markable,
} from './endpoint/internal/set-attributes.ts'
export type {
  AttributeChanges as Marking,
  Attributes as Marks,
  Execution,
  Limits,
} from './endpoint/internal/attributes.ts'
export type { Duration, LimitsOptions, Size } from './endpoint/limits.ts'
export type { FileBody } from './endpoint/file.ts'
export type {
  Condition,
  Conditional,
  IfMissing,
  Inclusion,
  PropertyCondition,
} from './endpoint/condition.ts'
export type { Includable, Include } from './endpoint/when.ts'
export type { Contents, Undeclared } from './endpoint/internal/declared-replies.ts'
export type { Tagged } from './endpoint/tagged-errors.ts'
export type {
  Awaitable,
  EntityProvider,
  EntityProviderOptions,
  EntityScope,
  Runtime,
} from './endpoint/entity.ts'
export type { Reader, Reading } from './endpoint/reader.ts'
export type { Writer, Writing } from './endpoint/writer.ts'
export type {
  AnyEntityProvider,
  ProceedReading,
  ProceedWriting,
  ReaderInterceptor,
  ReadingChange,
  WriterInterceptor,
  WritingChange,
} from './endpoint/interceptor.ts'
export type { Placeable } from './endpoint/filter-order.ts'
export type { MediaType } from './http/media-type.ts'
export type {
  Failure,
  Handler,
  HandledEndpoint,
  HandlerOf,
  Input,
  InputOf,
  Replies,
  Returns,
  Value,
} from './endpoint/handle.ts'
export type { Handlers, HandlersOf } from './endpoint/handle.ts'
export type { AnyReply, Modify, Reply, ReplyWith } from './endpoint/reply.ts'
export type { Variants } from './endpoint/reply-header.ts'
export type { Preconditioned, ResourceState } from './endpoint/preconditions.ts'
export type { HttpErrorOptions } from './endpoint/http-error.ts'
export type { AnySlot, NeedOf, Slot, ValueOf } from './endpoint/internal/slot-types.ts'
export type { Children, Routes, TreeOf } from './endpoint/routes.ts'
export type { Check, CheckResult } from './health/check.ts'
export type { Checks, HealthOptions } from './health/health.ts'
export type { CheckReport, Report } from './health/report.ts'
export type { Broadcaster, BroadcasterOptions, Subscriber } from './broadcast/broadcaster.ts'
export type { Relay } from './broadcast/relay.ts'
export type { WhenFull } from './broadcast/subscription.ts'
export type { Encoded, Event, EventOptions, ReceivedEvent } from './endpoint/sse.ts'
export type { Events, EventStream } from './endpoint/sse.ts'
export type { VariablesOf } from './endpoint/internal/path-template.ts'
export type { CacheControl } from './http/cache-control.ts'
export type { ValidationError as Fault } from './http/failure.ts'
export type { NewCookie } from './http/cookie.ts'
export type { EntityTag } from './http/entity-tag.ts'
export type { Link } from './http/link.ts'
