/** Modules with route trees, for tests of the `espalier` command. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ExitCode } from '../../src/cli/exit-code.ts'
import { runCommand } from '../../src/cli/command.ts'
import { newFolder } from '../support/folder.ts'
import { linkPackage } from '../support/linked-package.ts'

/** Creates a project with the package and the given files, and returns its folder. */
export const createProject = (files: Readonly<Record<string, string>>): string => {
  const folder = newFolder()
  linkPackage(folder, 'module')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A module that exports a tree with two operations. */
export const books = `
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import { body, created, fails, get, handle, int, json, path, post, problem, produces, responds, routes } from 'espalier'
  const Book = t.type({ title: t.string }, 'Book')
  export const api = routes({
    find: pipe(path('/books/{id}', { id: int }), get(), produces(json(Book)), fails(404, problem), handle(() => ({ title: 'Emma' }))),
    add: pipe(path('/books'), post(), body(json(Book)), responds(201), handle(() => created('/books/1'))),
  })
`

/** What a command writes, and its exit code. */
export interface Result {
  readonly code: ExitCode
  readonly out: string
  readonly error: string
}

/** Runs a command in this process. */
export const run = async (directory: string, ...args: ReadonlyArray<string>): Promise<Result> => {
  const out: string[] = []
  const errors: string[] = []
  const code = await runCommand(args, {
    directory,
    out: (text) => {
      out.push(text)
    },
    error: (line) => {
      errors.push(line)
    },
  })
  return { code, out: out.join(''), error: errors.join('\n') }
}
