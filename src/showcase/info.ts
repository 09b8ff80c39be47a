/** The title, version and license of the library, as documents and the documentation page show them. */
import type { Info } from 'espalier/openapi'

export const info: Info = {
  title: 'Lending library',
  version: '1.0.0',
  summary: 'Books, loans and members of a lending library',
  description:
    'The example application of espalier. Anonymous clients can read books. Readers, such as `ann` with the password `plum`, can lend books. Librarians, such as `ben` with the password `pear`, can also change books.',
  license: { name: 'MIT', identifier: 'MIT' },
}
