/**
 * Types that are seldom written and often inferred: the compiler has to be able to name them where an application exports
 * an endpoint, a step or a codec and emits declarations.
 */
export type { AnyCodec, Codec, ParameterCodec, Scalar, ScalarCodec } from './codec/codec.ts'
export type { FiniteNumberC, EnumType } from './codec/scalar.ts'
export type { OptionalC, WithDefaultType } from './codec/absence.ts'
export type { ListC, SetType, SeparatedType, Separate } from './codec/collection.ts'
export type { Constrain, ConstrainedType, Constraint } from './codec/constraint.ts'
export type { SegmentsType } from './codec/segments.ts'
export type { EncodedType } from './codec/encoded.ts'
export type { Attempt, AttemptType } from './codec/attempt.ts'
export type { ExactlyType } from './codec/exact.ts'
export type {
  StandardSchema,
  StandardResult,
  StandardIssue,
  StandardType,
} from './codec/standard-schema.ts'
export type { DateCodec } from './codec/date/codec.ts'
export type {
  AnyHandler,
  Definition,
  Endpoint,
  Keep,
  Step,
  Unhandled,
} from './endpoint/endpoint.ts'
export type { Add, AddTo, Override, Ready } from './endpoint/mistaken.ts'
export type {
  AnySegments,
  Extendable,
  MakeOperation,
  MakeSafeOperation,
  VariableCodec,
} from './endpoint/path.ts'
export type { ParameterCodecs, QueryMap } from './endpoint/parameters.ts'
export type { Bodiless, Formable, FormCodecs } from './endpoint/body.ts'
export type { AnyFormPart, FileUpload, FormPart } from './endpoint/form-part.ts'
export type {
  AnyRepresentation,
  FormMap,
  Nothing,
  Representable,
  Representation,
} from './endpoint/representation.ts'
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
} from './endpoint/context.ts'
export type { AnyFilter, Filter, FilterReturns, PlainFilter } from './endpoint/filter.ts'
export type { RequestFilterOptions } from './endpoint/request-filter.ts'
export type { Next } from './endpoint/next.ts'
export type { Rewrite, Rewriting } from './endpoint/rewrite.ts'
export type { AnyMapper, Class, Mapper, MapperOptions, Unwrapping } from './endpoint/mapper.ts'
export type { Mark, Markable } from './endpoint/mark.ts'
export type { Execution, Marking, Marks } from './endpoint/marks.ts'
export type { Contents, Replying, Undeclared } from './endpoint/replying.ts'
export type { Tagged } from './endpoint/raises.ts'
export type {
  Awaitable,
  EntityProvider,
  EntityProviderOptions,
  EntityScope,
  Runtime,
} from './endpoint/entity-provider.ts'
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
export type { Placeable } from './endpoint/placing.ts'
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
export type { Answer, AnyReply, Modify, Reply } from './endpoint/reply.ts'
export type { Variants } from './endpoint/reply-header.ts'
export type { HttpErrorOptions } from './endpoint/http-error.ts'
export type { AnySlot, NeedOf, Slot, ValueOf } from './endpoint/slot.ts'
export type { Children, Routes, TreeOf } from './endpoint/routes.ts'
export type { VariablesOf } from './endpoint/template.ts'
export type { CacheControl } from './http/cache-control.ts'
export type { NewCookie } from './http/cookie.ts'
export type { EntityTag } from './http/entity-tag.ts'
export type { Link } from './http/link.ts'
