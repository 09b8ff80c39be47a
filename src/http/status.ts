/**
 * Provides the reason phrases and classes of status codes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15
 * @see https://www.iana.org/assignments/http-status-codes
 */

/** Whether a number is an integer from 200 to 999, the range that is accepted for status codes of final responses. */
export const isStatus = (status: number): boolean =>
  Number.isInteger(status) && status >= 200 && status <= 999

/** Whether the status code indicates success (2xx). */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Whether the status code is in the redirection class (3xx). This class includes 304. */
export const isRedirection = (status: number): boolean => status >= 300 && status < 400

/** Whether the status code indicates a failure: 4xx, 5xx, or a code of 600 or greater, which clients treat as 5xx. */
export const isError = (status: number): boolean => status >= 400

/**
 * Whether a response with this status code can have a body. Responses with a 1xx, 204, 205 or 304 status cannot. The request
 * method is not considered.
 */
export const allowsBody = (status: number): boolean =>
  status >= 200 && status !== 204 && status !== 205 && status !== 304

/**
 * Returns the reason phrase for the status line, or `unknown` if the status code is not registered. The phrases come from the
 * IANA registry. Some of them differ from those in `http.STATUS_CODES`.
 */
export const reasonPhrase = (status: number): string => phrases[status] ?? 'unknown'

/** Returns the registered reason phrase of a status code, or the name of its class if the status code is not registered. */
export const title = (status: number): string => phrases[status] ?? className(status)

/** Returns the name of the class of a status code. Status codes outside all classes are treated as 5xx (RFC 9110, section 15). */
const className = (status: number): string => classes[Math.floor(status / 100)] ?? 'Server Error'

const classes: Readonly<Record<number, string>> = {
  1: 'Informational',
  2: 'Successful',
  3: 'Redirection',
  4: 'Client Error',
  5: 'Server Error',
}

const phrases: Readonly<Record<number, string>> = {
  100: 'Continue',
  101: 'Switching Protocols',
  102: 'Processing',
  103: 'Early Hints',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  208: 'Already Reported',
  226: 'IM Used',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  305: 'Use Proxy',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  510: 'Not Extended',
  511: 'Network Authentication Required',
}
