/** Who may own and access the uploads directory and the directories above it. */
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { blocking, routes } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import { describeWith, table } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { onLoopback } from '../../support/loopback.ts'
import {
  api,
  chowned,
  directoryWith,
  fileIn,
  hasOwners,
  isRoot,
  linkTo,
  receiving,
  rejection,
} from '../../support/uploads-directory.ts'
import { kept } from '../../support/workers.ts'

/** Directories that are rejected, and why. */
const unsafe: ReadonlyArray<readonly [title: string, make: () => string, reason: RegExp]> = [
  ['mode 0755', () => directoryWith(0o755), /\(mode 755\): run chmod 700 \S+directory/],
  ['mode 0701', () => directoryWith(0o701), /run chmod 700/],
  ['mode 0770', () => directoryWith(0o770), /run chmod 700/],
  ['mode 1777', () => directoryWith(0o1777), /run chmod 700/],
  ['a symbolic link', () => linkTo(directoryWith(0o700)), /symbolic link/],
  ['a symbolic link to a missing directory', () => linkTo('/missing/directory'), /symbolic link/],
  ['a file', () => fileIn(newFolder()), /not a directory/],
  ['a path below a file', () => join(fileIn(newFolder()), 'a'), /not a directory/],
  ['a path that cannot be created', () => '/proc/uploads', /cannot be created/],
  [
    'a parent that all users can write to',
    () => directoryWith(0o700, directoryWith(0o777)),
    /all users can replace the contents of \S+: run chmod o-w or chmod \+t/,
  ],
  [
    'a missing directory whose parent all users can write to',
    () => join(directoryWith(0o777), 'a', 'b'),
    /all users can replace/,
  ],
  [
    'a parent that is a link into a directory that all users can write to',
    () => join(linkTo(directoryWith(0o777)), 'a'),
    /all users can replace/,
  ],
  [
    'a directory of another user',
    () => (isRoot ? chowned(directoryWith(0o700)) : '/etc'),
    /belongs to user \d+/,
  ],
]

const foreignParents: typeof unsafe = [
  [
    'a parent of another user',
    () => directoryWith(0o700, chowned(directoryWith(0o755))),
    /belongs to user 12345, who can replace/,
  ],
  [
    'a sticky parent of another user',
    () => directoryWith(0o700, chowned(directoryWith(0o1777))),
    /belongs to user 12345/,
  ],
]

describeWith('An unsafe uploads directory', 'a system with owners of files', hasOwners, (test) => {
  table<(typeof unsafe)[number]>(
    test,
    [...unsafe, ...(isRoot ? foreignParents : [])],
    async (_, make, reason) => {
      const directory = make()
      const error = await rejection(
        onLoopback(api, { 'fw.http.body.uploads-directory': directory }),
      )
      assert.match(error, /FW-CONF-005 {2}unsafe uploads directory/)
      assert.ok(error.includes(`fw.http.body.uploads-directory (from given): ${directory}`))
      assert.match(error, reason)
    },
  )
  test('is reported together with other configuration errors', async () => {
    const tunnel = pipe(receiving, blocking)
    const error = await rejection(
      onLoopback(routes({ tunnel }), { 'fw.http.body.uploads-directory': directoryWith(0o755) }),
    )
    assert.match(error, /2 configuration errors[^]*FW-WORKER-001[^]*FW-CONF-005/)
  })
  test('results in 500 in memory, and its reason is logged', async () => {
    const { lines, logger } = kept()
    const call = inMemory(api, {
      logger,
      'fw.http.body.uploads-directory': directoryWith(0o755),
    })
    const request = new Request('http://localhost/file', { method: 'POST', body: 'abc' })
    assert.is((await call(request)).status, 500)
    assert.match(
      lines.join(),
      /^error HTTP Request to .file failed.*unsafe uploads directory.*chmod 700/,
    )
  })
})
