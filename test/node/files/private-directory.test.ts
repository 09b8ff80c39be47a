/** The owner and the mode of the uploads directory and of its parents. */
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { blocking, routes } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describeWith } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import {
  api,
  changeOwner,
  createDirectory,
  createEmptyFile,
  hasOwners,
  isRoot,
  createLinkTo,
  receiveFile,
  rejection,
} from './uploads-directory.ts'
import { recordLog } from '../../support/workers.ts'

/** Unsafe directories with the expected reasons. */
const unsafeDirectories: ReadonlyArray<
  readonly [title: string, make: () => string, reason: RegExp]
> = [
  ['mode 0755', () => createDirectory(0o755), /\(mode 755\): run chmod 700 \S+directory/],
  ['mode 0701', () => createDirectory(0o701), /run chmod 700/],
  ['mode 0770', () => createDirectory(0o770), /run chmod 700/],
  ['mode 1777', () => createDirectory(0o1777), /run chmod 700/],
  ['a symbolic link', () => createLinkTo(createDirectory(0o700)), /symbolic link/],
  [
    'a symbolic link to a missing directory',
    () => createLinkTo('/missing/directory'),
    /symbolic link/,
  ],
  ['a file', () => createEmptyFile(newFolder()), /not a directory/],
  ['a path below a file', () => join(createEmptyFile(newFolder()), 'a'), /not a directory/],
  ['a path that cannot be created', () => '/proc/uploads', /cannot be created/],
  [
    'a parent that all users can write to',
    () => createDirectory(0o700, createDirectory(0o777)),
    /any user can replace the contents of \S+: run chmod o-w or chmod \+t/,
  ],
  [
    'a missing directory whose parent all users can write to',
    () => join(createDirectory(0o777), 'a', 'b'),
    /any user can replace/,
  ],
  [
    'a parent that is a link into a directory that all users can write to',
    () => join(createLinkTo(createDirectory(0o777)), 'a'),
    /any user can replace/,
  ],
  [
    'a directory of another user',
    () => (isRoot ? changeOwner(createDirectory(0o700)) : '/etc'),
    /belongs to user \d+/,
  ],
]

const parentsOfOtherUsers: typeof unsafeDirectories = [
  [
    'a parent of another user',
    () => createDirectory(0o700, changeOwner(createDirectory(0o755))),
    /belongs to user 12345, who can replace/,
  ],
  [
    'a sticky parent of another user',
    () => createDirectory(0o700, changeOwner(createDirectory(0o1777))),
    /belongs to user 12345/,
  ],
]

describeWith(
  'an unusable uploads directory',
  'a system with owners of files',
  hasOwners,
  (test) => {
    const rows = [...unsafeDirectories, ...(isRoot ? parentsOfOtherUsers : [])]
    for (const [title, make, reason] of rows)
      test(`${title} is a configuration error`, async () => {
        const directory = make()
        const error = await rejection(
          serveLocally(api, { 'fw.http.body.uploads-directory': directory }),
        )
        assert.match(error, /FW-CONF-005 {2}unusable uploads directory/)
        assert.ok(error.includes(`fw.http.body.uploads-directory (from options): ${directory}`))
        assert.match(error, reason)
      })
    test('is reported together with other configuration errors', async () => {
      const blockingUpload = pipe(receiveFile, blocking)
      const error = await rejection(
        serveLocally(routes({ blockingUpload }), {
          'fw.http.body.uploads-directory': createDirectory(0o755),
        }),
      )
      assert.match(error, /2 configuration errors[^]*FW-WORKER-001[^]*FW-CONF-005/)
    })
    test('results in 500 in memory and logs the reason', async () => {
      const { lines, logger } = recordLog()
      const call = inMemory(api, {
        logger,
        'fw.http.body.uploads-directory': createDirectory(0o755),
      })
      const request = new Request('http://localhost/file', { method: 'POST', body: 'abc' })
      assert.is((await call(request)).status, 500)
      assert.match(
        lines.join(),
        /^error HTTP request to .file failed.*unusable uploads directory.*chmod 700/,
      )
    })
  },
)
