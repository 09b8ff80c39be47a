/** Who uses the library: readers, and librarians who look after it. */
import { basic, next, requestFilter, slot, Unauthorized } from 'espalier'
import { sameSecret } from 'espalier/node'

export interface CurrentMember {
  readonly name: string
}

/** The member who asks. */
export const CurrentMember = slot<CurrentMember>()('member')

type Role = 'reader' | 'librarian'

interface Account {
  readonly password: string
  readonly email: string
  readonly roles: ReadonlyArray<Role>
}

export const accounts: ReadonlyMap<string, Account> = new Map<string, Account>([
  ['ann', { password: 'plum', email: 'ann@readers.example', roles: ['reader'] }],
  ['ben', { password: 'pear', email: 'ben@library.example', roles: ['reader', 'librarian'] }],
])

/** Knows members by name and password. Who brings none may still look at books. */
export const memberAuthentication = basic({
  realm: 'library',
  verify: ({ user, password }) => {
    const account = accounts.get(user)
    return account !== undefined && sameSecret(password, account.password)
      ? { name: user, roles: account.roles }
      : undefined
  },
})

/** Gives the member to operations that are for members only. */
export const provideMember = requestFilter({ gives: { member: CurrentMember } }, ({ security }) =>
  security.principal === undefined
    ? new Unauthorized('Basic realm="library"')
    : next({ member: { name: security.principal.name } }),
)
