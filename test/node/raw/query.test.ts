import type { Expected, Row } from '../../support/raw.ts'
import { keepsOpen, rawRequests, rawRequest } from '../../support/raw.ts'

/** The optional parameters `n`, an integer, `q`, a string, and `tag`, a list. */
const queries: ReadonlyArray<readonly [query: string, expected: Expected]> = [
  ['', keepsOpen([200, '{"tag":[]}'])],
  ['n=1&q=a&tag=b&tag=c', keepsOpen([200, '{"n":1,"q":"a","tag":["b","c"]}'])], // RFC 3986, 3.4
  ['q=a+b%2Bc', keepsOpen([200, '{"q":"a b+c","tag":[]}'])],
  ['q=a=b?/c', keepsOpen([200, '{"q":"a=b?/c","tag":[]}'])], // RFC 3986, 3.4
  ['%71=a', keepsOpen([200, '{"q":"a","tag":[]}'])],
  ['q=a%26n=2', keepsOpen([200, '{"q":"a&n=2","tag":[]}'])],
  ['q', keepsOpen([200, '{"q":"","tag":[]}'])],
  ['q=', keepsOpen([200, '{"q":"","tag":[]}'])],
  ['n=', keepsOpen([200, '{"tag":[]}'])], // empty counts as absent if it is not a valid value
  ['&&q=a&', keepsOpen([200, '{"q":"a","tag":[]}'])],
  ['q=a&q=b', keepsOpen([200, '{"q":"a","tag":[]}'])],
  ['n=1&n=hunter2', keepsOpen([200, '{"n":1,"tag":[]}'])],
  ['N=1', keepsOpen([200, '{"tag":[]}'])],
  ['n[x]=hunter2', keepsOpen([200, '{"tag":[]}'])],
  ['__proto__=1&__proto__[x]=1', keepsOpen([200, '{"tag":[]}'])],
  ['n=hunter2', keepsOpen([400, /"in":"query","name":"n","detail":"must be an integer"/])],
  ['n=1&n%3D=2', keepsOpen([200, '{"n":1,"tag":[]}'])],
  ['q=%FF', keepsOpen([400, /malformed percent-encoding/])], // RFC 3629, 3
  ['q=%C0%AF', keepsOpen(400)],
  ['q=%ED%A0%80', keepsOpen(400)],
  ['unknown=%FF', keepsOpen([200, '{"tag":[]}'])], // undeclared parameters are ignored
]

const parameters = (count: number): string => `x=1${'&x=1'.repeat(count - 1)}`

rawRequests('queries', 'RFC 3986, 3.4', [
  ...queries.map(([query, expected]): Row => [query, rawRequest(`GET /query?${query}`), expected]),
  ['999 parameters', rawRequest(`GET /query?${parameters(999)}`), keepsOpen(200)],
  ['1,000 parameters', rawRequest(`GET /query?${parameters(1000)}`), keepsOpen(200)],
  [
    '1,001 parameters',
    rawRequest(`GET /query?${parameters(1001)}`),
    keepsOpen([400, /at most 1000/]),
  ],
])
