/**
 * Explanations of all error codes. `src/guide/error-codes.md` is generated from this file. No module imports this
 * file at run time, so neither servers nor web pages load the text.
 */
import type { ConfigurationErrorCode } from '../internal/configuration-error.ts'
import type { Explanation } from './startup-error-reference.ts'
import { startupErrors } from './startup-error-reference.ts'

export type { Explanation } from './startup-error-reference.ts'

/** Explanations of all configuration errors, by error code. */
export const explanations: Readonly<Record<ConfigurationErrorCode, Explanation>> = {
  ...startupErrors,
  'FW-ROUTE-001': {
    reportedBy: 'compilation and client',
    cause: 'The syntax of a path template is invalid, for example because of an unclosed brace.',
    remedy: 'Correct the template. The message gives the position of the error.',
  },
  'FW-ROUTE-002': {
    reportedBy: 'compilation',
    cause:
      'Two operations match the same requests: they have the same path, method, media types and languages. `fw.rest.fail-on-duplicate=false` turns this error into a warning.',
    remedy:
      'Merge the operations, or change the path, the method, the media types or the languages of one of them.',
  },
  'FW-ROUTE-003': {
    reportedBy: 'compilation and client',
    cause:
      'A regular expression in a path template is invalid or unsupported, or matching it can take polynomial or exponential time (ReDoS).',
    remedy: 'Rewrite the expression as described in the message, or move the check to a codec.',
  },
  'FW-ROUTE-004': {
    reportedBy: 'compilation and client',
    cause: 'An endpoint has no method, an invalid method or, on a server, no handler.',
    remedy:
      'Add `get()`, `post()` or another method, and a handler with `handle(…)`, `implement(…)` or `implementAll(…)`. To describe a tree without handlers, use `describeContract`.',
  },
  'FW-ROUTE-005': {
    reportedBy: 'compilation and client',
    cause:
      'Declarations conflict: a form and a body, a form on a GET or HEAD operation, a body on a GET, HEAD or TRACE operation, two bodies, `produces`, `status`, `cache`, an access rule or a limit that is declared twice on the same operation or resource, representations of a response (also one declared by a filter or a mapper) that no value has in common, a name that is declared twice (also by a prefix and below it), a media type that is declared twice for the same body or response, `withEtag` of a file or a stream, `limits({ fileSize })` above the limit of the body or `limits({ files })` above that of the parts, or both `blocking` and `nonBlocking` on the same operation, resource or tree.',
    remedy:
      'Keep one of the declarations, or change the limit that the message names. For other forms of a value, such as HTML of an object, add a representation with a `write` function.',
  },
  'FW-ROUTE-006': {
    reportedBy: 'serve',
    cause:
      'By default, `serve` uses `node:http`, which does not support the method of an operation. `http.METHODS` lists the supported methods.',
    remedy:
      'Use one of these methods, or set `fw.http.connection` to `direct`. Without a server, `inMemory` serves any method.',
  },
  'FW-ROUTE-007': {
    reportedBy: 'compilation and client',
    cause:
      'A function such as `get` is passed to `pipe` without calling it, as in `pipe(path(…), get)`, a function without parameters such as `critical` is called, or a function in `pipe` returns a value that is not an endpoint or a tree. TypeScript also reports this error. If there is no endpoint that can be reported with other errors, the error is thrown by `pipe`.',
    remedy: 'Call the function, as in `get()`, or remove the call, as described in the message.',
  },
  'FW-ROUTE-008': {
    reportedBy: 'compilation and client',
    cause:
      'A value that is neither an endpoint nor a tree is passed to `routes`, a list is passed to it, or a value that is not a tree is served. TypeScript also reports this error.',
    remedy: 'Declare the endpoint with `path(…)`, and create the tree with `routes({ … })`.',
  },
  'FW-MEDIA-001': {
    reportedBy: 'compilation and client',
    cause:
      'A media type or language tag is malformed, a charset is not supported, or a representation is used where it is not supported. Request bodies require a `read` function, and responses require a `write` function. Form parts cannot be streams, and event data cannot be binary.',
    remedy:
      'Correct the media type or the language tag, or use a representation that is supported there.',
  },
  'FW-MEDIA-002': {
    reportedBy: 'compilation and client',
    cause: 'No reader or writer handles the media type of an `entity`.',
    remedy: 'Add one with `withReader(…)` or `withWriter(…)`.',
  },
  'FW-MEDIA-003': {
    reportedBy: 'compilation and client',
    cause:
      'A codec of an object or a collection is used as a text body, a function such as `json` is used without calling it, a representation is created without a codec, a codec of io-ts contains a schema of another library or the other way round, or a text body has a schema that accepts no text. TypeScript also reports this error. It is thrown immediately if the value is not a codec.',
    remedy:
      'Use a representation, such as `json(codec)`. Convert a schema inside of a codec with `fromStandardSchema`.',
  },
  'FW-MEDIA-004': {
    reportedBy: 'compilation and client',
    cause:
      'No value matches the codec of a representation, because the codec is or requires `t.never`, `t.Function` or an empty set of values, or because the elements of a JSON stream can only be `undefined`.',
    remedy: 'Remove the codec, or make its member optional. Use `t.unknown` for any value.',
  },
  'FW-PARAM-001': {
    reportedBy: 'compilation and client',
    cause:
      'A parameter has a name that is not allowed: an invalid header or cookie name, or `__proto__`. Or a path template has no variable for a codec or a slot, or a variable in the prefix of a tree has no slot or occurs twice.',
    remedy:
      'Rename the parameter, add the variable to the template, or declare a slot for each variable of the prefix.',
  },
  'FW-PARAM-002': {
    reportedBy: 'compilation and client',
    cause:
      'The codec of a parameter is missing, encodes objects or tuples, encodes a collection as a path variable, matches no value (`t.never`, `t.Function`), a third-party schema validates asynchronously or accepts no text, as `z.number()`, or a form part is declared outside of a form. TypeScript also reports this error.',
    remedy:
      'Use a codec of a single value or, unless the parameter is a path variable, of a list of single values. Convert text in the schema, as in `z.coerce.number()`. Validate asynchronously in the handler.',
  },
  'FW-RESP-001': {
    reportedBy: 'compilation',
    cause:
      'A response declaration is invalid: the status is not an integer from 200 to 999, a status is declared twice, a representation is declared for a status that does not allow a body, a header is invalid, or a third-party schema keeps undeclared members, or has outputs that are not inputs.',
    remedy:
      'Correct the declaration. For a third-party schema, pass an `encode` function to `fromStandardSchema`.',
  },
  'FW-FILTER-001': {
    reportedBy: 'compilation',
    cause:
      'A pre-matching filter is applied to a subtree, but pre-matching filters run for every request.',
    remedy: 'Apply it to the root of the tree.',
  },
  'FW-FILTER-002': {
    reportedBy: 'compilation',
    cause:
      'A pre-matching filter is restricted with `onlyFor` or `onlyWhere`, but pre-matching filters run before an operation is selected.',
    remedy:
      'Remove the restriction, or use a request filter. To restrict `cors`, apply it to a subtree.',
  },
  'FW-FILTER-003': {
    reportedBy: 'compilation',
    cause:
      'A requirement of a filter is not met at startup. For example, `jwt` requires version 6 of the `jose` package and keys of a supported type.',
    remedy:
      'Install the package, or correct the option that is named in the message. A bundle needs the package in a `node_modules` directory next to it, and must be an ES module.',
  },
  'FW-NEED-001': {
    reportedBy: 'compilation',
    cause:
      'Neither `provide` nor an earlier filter provides a value for a slot that an operation or filter needs. This includes a filter that is applied after the `prefix` or `provide` that fills the slot. TypeScript reports this at compile time, but conditions such as `when` can leave a slot without a provider at startup.',
    remedy:
      'Provide a value for the slot with `provide({ … })`, or with a filter that runs earlier. If a prefix or `provide` inside the filter fills the slot, apply it after the filter: `pipe(api, withFilter(ownTenant), prefix(…))`.',
  },
  'FW-ACCESS-001': {
    reportedBy: 'compilation',
    cause:
      'A role name is empty, or contains an expression such as `${role.chief}` that cannot be resolved.',
    remedy: 'Set the property, or add a default: `${role.chief:editor}`.',
  },
  'FW-ACCESS-002': {
    reportedBy: 'compilation',
    cause:
      'An operation requires authentication or a role, but no authentication filter covers it.',
    remedy: 'Apply an authentication filter such as `basic`, `bearer` or `jwt` to the tree.',
  },
  'FW-XML-001': {
    reportedBy: 'compilation and client',
    cause:
      'A codec cannot be mapped to XML: for example, the root is a list without an element name, or an attribute is an object.',
    remedy:
      'Add a mapping such as `xmlElement` or `xmlElementWrapper`, as described in the message.',
  },
  'FW-XML-002': {
    reportedBy: 'compilation',
    cause: 'Two named object codecs have the same XML root element.',
    remedy:
      'Rename one of the root elements with `xmlRootElement`, or list one of the codecs in `fw.jaxb.exclude-classes`.',
  },
  'FW-XML-003': {
    reportedBy: 'compilation',
    cause:
      'A context that is set with `withXmlContext` does not contain a codec that an operation uses.',
    remedy: 'Add the codec to the context.',
  },
  'FW-LINK-001': {
    reportedBy: 'compilation',
    cause: 'The entity of an operation with `rel` cannot be determined.',
    remedy: 'Specify the entity: `rel(relation, { entity: Book })`.',
  },
  'FW-LINK-002': {
    reportedBy: 'compilation',
    cause:
      'A path variable of a link target has no value, because the entity has either no identifier or multiple identifiers.',
    remedy: 'Annotate exactly one member of the entity with `linkId(…)`.',
  },
  'FW-LINK-003': {
    reportedBy: 'compilation',
    cause: 'A relation type or another attribute of a link is invalid.',
    remedy: 'Use a registered relation name or an absolute URI.',
  },
  'FW-HAL-001': {
    reportedBy: 'compilation',
    cause:
      'A codec cannot be represented in HAL: it is neither an object nor a collection of objects, or it has a member named `_links` or `_embedded`.',
    remedy: 'Use another representation, or rename the member.',
  },
  'FW-FIELD-001': {
    reportedBy: 'compilation',
    cause:
      '`inView` or `secureField` is applied to a codec that does not belong to an object member.',
    remedy: 'Apply it to the codec of a member.',
  },
  'FW-FIELD-002': {
    reportedBy: 'compilation',
    cause: 'A member of a request body is required, but the view of the body excludes it.',
    remedy: 'Make the member `optional`, or use another view.',
  },
  'FW-FIELD-003': {
    reportedBy: 'compilation',
    cause:
      'A custom writer, which receives complete values, would write members that are restricted with `secureField`.',
    remedy: 'Remove the writer, or declare `secureSerialization(false)`.',
  },
  'FW-FIELD-004': {
    reportedBy: 'compilation',
    cause:
      'A codec with an unknown structure, such as an instance of an application-defined class that extends `t.Type`, encodes a member that is restricted with `inView` or `secureField`.',
    remedy:
      'Declare the structure of the codec with io-ts codecs, or encode the restricted members with `unrestricted(…)`.',
  },
  'FW-DOC-001': {
    reportedBy: 'compilation',
    cause:
      'The codec of the body does not accept the value of an `example`, or the operation has no body to which the example applies.',
    remedy:
      'Pass the decoded value, as handlers receive or return it, and the status of the response that contains it.',
  },
  'FW-DOC-002': {
    reportedBy: 'openApi',
    cause:
      'Two codecs with the same name have different schemas, but the components of an OpenAPI document have unique names.',
    remedy: 'Use the same codec in both places, or rename one of them with `named(…)`.',
  },
  'FW-CLIENT-001': {
    reportedBy: 'client',
    cause: 'An operation key is a reserved name, such as `then`, or is used more than once.',
    remedy: 'Rename the operation in `routes({ … })`.',
  },
  'FW-CLIENT-002': {
    reportedBy: 'client',
    cause:
      'The client cannot send the request body or read the response body of an operation, or does not support its method.',
    remedy:
      'Use a representation that the client supports, or remove the operation from the contract.',
  },
  'FW-CLIENT-003': {
    reportedBy: 'client',
    cause: 'An option of `client` is invalid.',
    remedy: 'Correct the option that is named in the message.',
  },
  'FW-CLIENT-004': {
    reportedBy: 'client',
    cause: 'The first argument of `client` is not a route tree.',
    remedy: 'Pass a tree: `client(routes({ … }), { … })`.',
  },
  'FW-FETCH-001': {
    reportedBy: 'toFetchHandler',
    cause:
      'An operation is `blocking`, receives a `fileBody`, responds with a `file` or requires a client certificate, but fetch handlers have neither worker threads nor files nor certificates.',
    remedy:
      'Use `bytes` or `byteStream`, add another authentication filter, or serve the operation with `espalier/node`.',
  },
  'FW-MOCK-001': {
    reportedBy: 'mock server',
    cause:
      'A mock server cannot generate a value for a response: the structure of the codec is unknown, or the codec rejects all generated values because of a condition that a JSON Schema does not contain.',
    remedy:
      'Declare a value with `example(…)`, or the JSON Schema of the codec with `withSchema(…)(codec)`.',
  },
}
