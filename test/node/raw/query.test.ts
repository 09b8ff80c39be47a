import type { Expected, Row } from '../../support/raw.ts'
import { open, raw, to } from '../../support/raw.ts'

/** Parameters `n`, an integer, `q`, a text, and `tag`, a list; none is required. */
const queries: ReadonlyArray<readonly [query: string, expected: Expected]> = [
  ['', open([200, '{"tag":[]}'])],
  ['n=1&q=a&tag=b&tag=c', open([200, '{"n":1,"q":"a","tag":["b","c"]}'])], // RFC 3986, 3.4
  ['q=a+b%2Bc', open([200, '{"q":"a b+c","tag":[]}'])],
  ['q=a=b?/c', open([200, '{"q":"a=b?/c","tag":[]}'])], // RFC 3986, 3.4
  ['%71=a', open([200, '{"q":"a","tag":[]}'])],
  ['q=a%26n=2', open([200, '{"q":"a&n=2","tag":[]}'])],
  ['q', open([200, '{"q":"","tag":[]}'])],
  ['q=', open([200, '{"q":"","tag":[]}'])],
  ['n=', open([200, '{"tag":[]}'])], // empty is absent where it is no value
  ['&&q=a&', open([200, '{"q":"a","tag":[]}'])],
  ['q=a&q=b', open([200, '{"q":"a","tag":[]}'])],
  ['n=1&n=hunter2', open([200, '{"n":1,"tag":[]}'])],
  ['N=1', open([200, '{"tag":[]}'])],
  ['n[x]=hunter2', open([200, '{"tag":[]}'])],
  ['__proto__=1&__proto__[x]=1', open([200, '{"tag":[]}'])],
  ['n=hunter2', open([400, /"in":"query","name":"n","detail":"must be an integer"/])],
  ['n=1&n%3D=2', open([200, '{"n":1,"tag":[]}'])],
  ['q=%FF', open([400, /malformed percent-escape/])], // RFC 3629, 3
  ['q=%C0%AF', open(400)],
  ['q=%ED%A0%80', open(400)],
  ['unknown=%FF', open([200, '{"tag":[]}'])], // nobody looks at it
]

const parameters = (count: number): string => `x=1${'&x=1'.repeat(count - 1)}`

raw('queries', 'RFC 3986, 3.4', [
  ...queries.map(([query, expected]): Row => [query, to(`GET /query?${query}`), expected]),
  ['999 parameters', to(`GET /query?${parameters(999)}`), open(200)],
  ['1,000 parameters', to(`GET /query?${parameters(1000)}`), open(200)],
  ['1,001 parameters', to(`GET /query?${parameters(1001)}`), open([400, /at most 1000/])],
])
