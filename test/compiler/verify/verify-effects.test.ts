/** Declarations without effect, which are configuration errors. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { compileTree } from '../../../src/compiler/compile.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import {
  as,
  body,
  bytes,
  fails,
  file,
  form,
  get,
  handle,
  html,
  inLanguage,
  int,
  json,
  limits,
  path,
  post,
  produces,
  routes,
  string,
  text,
  textStream,
  unwrap,
  upload,
  withEtag,
} from '../../../src/index.ts'
import type { LimitsOptions } from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'

const done = (): string => ''

describe('representations without effect', (test) => {
  const get_ = pipe(path('/o'), get())
  table(
    test,
    [
      [
        'a media type that is produced twice',
        pipe(get_, produces(text, as('text/plain')(html)), handle(done)),
        /FW-ROUTE-005[^]*text\/plain is declared twice/,
      ],
      [
        'a media type that is received twice',
        pipe(path('/o'), post(), body(json(t.string), json(int)), produces(text), handle(done)),
        /application\/json is declared twice/,
      ],
      [
        'a media type that is declared twice for a failure',
        pipe(get_, produces(text), fails(404, json(t.string), json(int)), handle(done)),
        /application\/json is declared twice/,
      ],
      [
        'withEtag of a stream',
        pipe(
          get_,
          produces(withEtag('strong')(textStream)),
          handle(() => ['']),
        ),
        /withEtag has no effect on text\/plain/,
      ],
      [
        'withEtag of a file',
        pipe(
          get_,
          produces(withEtag('weak')(file)),
          handle(() => '/a'),
        ),
        /withEtag has no effect on/,
      ],
    ] as const,
    (_, endpoint, message) => assert.throws(() => compileTree(routes({ endpoint })), message),
  )

  table(
    test,
    [
      [
        'languages',
        pipe(get_, produces(inLanguage('en')(text), inLanguage('de')(text)), handle(done)),
      ],
      [
        'parameters',
        pipe(
          get_,
          produces(as('application/x;v=1')(text), as('application/x;v=2')(text)),
          handle(done),
        ),
      ],
      [
        'charsets',
        pipe(get_, produces(text, as('text/plain;charset=us-ascii')(text)), handle(done)),
      ],
    ] as const,
    (_, endpoint) => assert.not.throws(() => compileTree(routes({ endpoint }))),
  )
})

const receiving = (options: LimitsOptions) =>
  routes({
    photo: pipe(
      path('/photo'),
      post(),
      form({ photo: upload, title: string }),
      limits(options),
      handle(() => {}),
    ),
  })

describe('limits without effect', (test) => {
  table(
    test,
    [
      [
        'a file above the size of the body',
        { fileSize: '20M' },
        /FW-ROUTE-005[^]*limits\(\{ fileSize \}\) is 20971520, but fw\.http\.limits\.max-body-size is 10485760: increase it with limits\(\{ bodySize \}\)/,
      ],
      [
        'a file above the declared size of the body',
        { fileSize: '2M', bodySize: '1M' },
        /but limits\(\{ bodySize \}\) is 1048576/,
      ],
      [
        'more files than parts',
        { files: 5, parts: 2 },
        /files \}\) is 5, but limits\(\{ parts \}\)/,
      ],
    ] as const,
    (_, options, message) => assert.throws(() => compileTree(receiving(options)), message),
  )

  table(
    test,
    [
      ['with the size of the body', { fileSize: '20M', bodySize: '21M' }],
      ['as large as the body', { fileSize: '10M' }],
      ['more files without a limit of parts', { files: 50 }],
    ] as const,
    (_, options) => assert.not.throws(() => compileTree(receiving(options))),
  )

  test('fw.http.limits.max-body-size bounds the size of files', () =>
    assert.not.throws(() =>
      compileTree(receiving({ fileSize: '20M' }), {
        ...defaultSettings,
        'fw.http.limits.max-body-size': 2 ** 25,
      }),
    ))

  test('an operation without files may inherit a limit of files', () => {
    const note = pipe(
      path('/note'),
      post(),
      body(bytes),
      handle(() => {}),
    )
    assert.not.throws(() => compileTree(pipe(routes({ note }), limits({ fileSize: '20M' }))))
  })
})

describe('arguments without effect', (test) => {
  test('a second class for unwrap is rejected in JavaScript', () =>
    assert.throws(
      () => Reflect.apply(unwrap, undefined, [Error, TypeError]),
      /^unwrap: invalid condition: expected ifUnmapped, ifNotExact or always, got a function: use unwrap once for each class$/,
    ))
})
