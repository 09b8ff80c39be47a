/**
 * Types that applications rarely use explicitly, but that TypeScript often infers. TypeScript must be able to name these types
 * when it emits declarations for exported endpoints, combinators and codecs.
 */

export type {
  AnySchema,
  SchemaInput,
  SchemaOutput,
  SchemaTypes,
  StandardSchema,
  StandardResult,
  StandardIssue,
} from './codec/standard-schema/schema-types.ts'
export type * from './codec/codec.ts'
export type { PlainCodec, SentValue } from './codec/sent-value.ts'
export type { IntC, NumberC, EnumType } from './codec/scalar.ts'
export type { NullableC, NullishC, OptionalC, WithDefaultType } from './codec/optional.ts'
export type { ListC, Separate } from './codec/collection.ts'
export type { SeparatedType, SetType } from './codec/structure/collection-types.ts'
export type * from './codec/constraint.ts'
export type {
  SegmentsType,
  CombinedType,
  EncodedType,
  Attempt,
  AttemptType,
} from './codec/parameter/parameter-codecs.ts'
export type { StrictType } from './codec/strict.ts'
export type { RestrictedType, Restriction, View } from './codec/visibility/restricted-member.ts'
export type * from './endpoint/operation-attributes.ts'
export type {
  CodecFor,
  CodecOrSchema,
  StandardType,
  SchemaCodec,
} from './codec/standard-schema/standard-schema.ts'
export type { DescribedOptions } from './codec/annotated.ts'
export type * from './endpoint/documentation.ts'
export type { ProblemDocument } from './endpoint/problem.ts'
export type { JsonStep } from './endpoint/json-customization.ts'
export type { JsonRules } from './endpoint/internal/json-rules.ts'
export type { DateCodec } from './codec/temporal/date-codec.ts'
export type { Temporal } from './codec/temporal/temporal-api.ts'
export type {
  AnyHandler,
  Definition,
  Endpoint,
  UnhandledEndpoint,
  Keep,
  KeptEndpoint,
  Step,
  TreeAsEndpoint,
  Unhandled,
} from './endpoint/endpoint.ts'
export type { Complete, Servable } from './endpoint/internal/complete-tree.ts'
export type * from './endpoint/internal/declaration-errors.ts'
export type * from './endpoint/path.ts'
export type * from './endpoint/parameters.ts'
export type {
  Bodiless,
  Body,
  DeclareBody,
  DeclareForm,
  SharedBody,
  WithBody,
  Formable,
  FormCodecs,
  AllFields,
  SchemaPart,
  AnyFormPart,
  BodyStep,
  FormStep,
  FormPart,
  FileUpload,
  FormMap,
} from './endpoint/body.ts'
export type { FilePart, FileSource, OpenHandle, ReceivedFile, FileBody } from './endpoint/file.ts'
export type {
  FormDataPart,
  FormDataPartOptions,
  MultipartOutput,
  MultipartRecord,
  OutputFields,
  OutputRecord,
  ReceivedRecord,
  RepeatedPart,
  FileItem,
  FormValue,
  MultipartFormDataInput,
  StreamedPart,
} from './endpoint/multipart.ts'
export type * from './endpoint/representation.ts'
export type { CalledOnce, CreateSlot, RejectedSlotValue, SlotRecord } from './endpoint/slot.ts'
export type {
  Fields,
  MultiOptions,
  CapDemands,
  StreamingOptions,
  Multi,
  Observable,
  Source,
} from './endpoint/multi.ts'
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
  CommonContext,
  UriInfo,
  UriParameters,
  Log,
  Logger,
} from './endpoint/context.ts'
export type { AnyFilter, Filter, FilterReturns, PlainFilter } from './endpoint/filter.ts'
export type { CorsOptions, Origins } from './filter/cors.ts'
export type { SecurityHeadersOptions, TransportSecurity } from './filter/security-headers.ts'
export type { RequestIdOptions } from './filter/reply-headers.ts'
export type { AccessLogOptions } from './filter/access-log.ts'
export type { AuthenticationOptions, AuthenticationResult } from './endpoint/authentication.ts'
export type {
  BasicOptions,
  BearerOptions,
  ApiKeyOptions,
  ApiKeyLocation,
  Verdict,
  Verified,
} from './filter/authentication.ts'
export type { Claims, JwtOptions } from './filter/jwt.ts'
export type { MutualTlsOptions } from './filter/mutual-tls.ts'
export type { BasicCredentials } from './http/basic-credentials.ts'
export type {
  ByName,
  BySlot,
  Next,
  RequestFilterOptions,
  Rewrite,
  Rewriting,
  Slots,
} from './endpoint/request-filter.ts'
export type {
  AnyMapper,
  Class,
  Mapper,
  MapperOptions,
  MapperReturns,
  Unwrapping,
} from './endpoint/mapper.ts'
export type * from './endpoint/with-filter.ts'
export type {
  AttributeStep,
  AttributeTarget,
  CalledStep,
  ConstantStep,
} from './endpoint/internal/tree-scope.ts'
export type {
  AttributeChanges,
  Attributes,
  Execution,
  Limits,
} from './endpoint/internal/attributes.ts'
export type * from './endpoint/limits.ts'
export type {
  Condition,
  Conditional,
  IfMissing,
  AppliedCondition,
  PropertyCondition,
} from './endpoint/condition.ts'
export type { ConditionStep, ConditionTarget } from './endpoint/when.ts'
export type * from './endpoint/internal/declared-replies.ts'
export type { ByTag, MapErrors, Tagged } from './endpoint/tagged-errors.ts'
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
export type { Headers as HeaderList } from './http/headers.ts'
export type { MediaType } from './http/media-type.ts'
export type {
  Handler,
  HandledEndpoint,
  HandlerOf,
  InputOf,
  Handlers,
  HandlersOf,
} from './endpoint/handle.ts'
export type {
  Failure,
  Input,
  InputKey,
  Replies,
  Returns,
  ResultOf,
  ReturnsOnly,
  Undeclared,
  Value,
} from './endpoint/internal/handler-types.ts'
export type { AnyReply, Modify, Reply, ReplyFactory } from './endpoint/reply.ts'
export type { Variants } from './endpoint/reply-header.ts'
export type { Variant } from './endpoint/variant.ts'
export type {
  StateFunction,
  ValidatorFunctions,
  WithPreconditions,
} from './endpoint/conditional.ts'
export type { Preconditioned, ResourceState } from './endpoint/preconditions.ts'
export type { LocalCallOptions, LocalFailure, LocalInput, LocalSuccess } from './endpoint/call.ts'
export type { Providers, WrittenEntity } from './endpoint/providers.ts'
export type { HttpErrorOptions } from './endpoint/http-error.ts'
export type { AnySlot, NeedOf, PathSlot, Slot, ValueOf } from './endpoint/internal/slot-types.ts'
export type {
  AddPrefix,
  FillSlots,
  PrefixSlots,
  PrefixStep,
  PrefixInput,
} from './endpoint/prefix.ts'
export type { AnyNode, Children, Fits, Routes, TreeOf, Without } from './endpoint/routes.ts'
export type {
  Check,
  CheckResult,
  CheckReport,
  Report,
  Checks,
  HealthOptions,
} from './health/health.ts'
export type { Broadcaster, BroadcasterOptions, Subscriber } from './broadcast/broadcaster.ts'
export type { Relay } from './broadcast/relay.ts'
export type { WhenFull } from './broadcast/subscription.ts'
export type {
  Encoded,
  Event,
  EventOptions,
  ReceivedEvent,
  Events,
  EventStream,
} from './endpoint/sse.ts'
export type { TemplateError, VariablesOf } from './endpoint/internal/path-template.ts'
export type { CacheControl } from './http/cache-control.ts'
export type { ValidationError } from './http/failure.ts'
export type { NewCookie } from './http/cookie.ts'
export type { EntityTag } from './http/entity-tag.ts'
export type { Link } from './http/link.ts'
export type {
  NamedSecurityScheme,
  OAuth2Options,
  OAuthFlow,
  OAuthFlows,
  OpenIdConnectOptions,
  SecuritySchemeObject,
} from './endpoint/security-scheme.ts'
