/** Operations on library members. All members can see names, but only librarians can see email addresses. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  authenticated,
  example,
  fails,
  get,
  handle,
  json,
  list,
  notFound,
  path,
  produces,
  routes,
  secureField,
  string,
  summary,
  tags,
} from 'espalier'
import { hal } from 'espalier/hal'
import { injectLinks, rel } from 'espalier/links'
import { xml } from 'espalier/xml'
import { accounts } from '../authentication.ts'

/** A member of the library. In every representation, only librarians can see the email address. */
export const Member = t.type({ name: string, email: secureField('librarian')(string) }, 'Member')

const members = pipe(path('/members'), authenticated, rel(), injectLinks('instance'))

const exampleMember = { name: 'ann', email: 'ann@library.example' }

const profileOf = (name: string) => {
  const account = accounts.get(name)
  return account === undefined ? undefined : { name, email: account.email }
}

export const listMembers = pipe(
  members,
  get(),
  summary('List members'),
  produces(json(list(Member)), hal(list(Member), { collection: 'members' })),
  example('members', [exampleMember]),
  handle(() => [...accounts].map(([name, { email }]) => ({ name, email }))),
)

export const getMember = pipe(
  members,
  get('/{name}'),
  summary('Get a member'),
  produces(json(Member), xml(Member), hal(Member)),
  example('member', exampleMember),
  fails(404),
  handle(({ path: { name } }) => profileOf(name) ?? notFound()),
)

export const directoryRoutes = pipe(
  routes({ listMembers, getMember }),
  tags({ name: 'members', description: 'The directory of members' }),
)
